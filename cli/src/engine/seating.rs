//! Takes a seat for a bot: in a given game, or in a new one.

use assam_referee::GameInfo;
use assam_rules::Seat;
use clap::Args;
use serde_json::{Map, Value, json};

use crate::process::output::{Failure, print};
use crate::records::setup::SetupArgs;
use crate::remote::player::{PlayerClient, RequestFailure};

/// The game in which a bot takes a seat. Without one, it plays every game in which its secret has a seat.
#[derive(Args)]
pub struct Seating {
    /// Play only this game, and take an open seat in it. By default, the bot plays every game in which its
    /// secret has a seat, and never ends
    #[arg(long, value_name = "ID", conflicts_with = "create")]
    game: Option<String>,
    /// Create a game with these settings, take its first seat, and play only this game
    #[arg(long)]
    create: bool,
    #[command(flatten)]
    setup: SetupArgs,
    /// With --create: the player at the next seat, such as merchant-5/1. By default, anyone can take it. May be
    /// repeated
    #[arg(long, value_name = "PLAYER", requires = "create")]
    against: Vec<String>,
    /// The name of the bot at its seat
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
}

impl Seating {
    /// Returns the game that a new game will be of.
    pub fn new_game(&self) -> Option<&'static GameInfo> {
        self.create.then(|| self.setup.ruleset.info())
    }
}

/// Attempts to take a seat while others take seats too.
const ATTEMPTS: u32 = 8;

/// Takes a seat, and returns the id of the game. Returns `None` if no game is named.
///
/// # Errors
/// If the service refuses, or no seat is open.
pub fn take_a_seat(client: &mut PlayerClient, seating: &Seating) -> Result<Option<String>, Failure> {
    let game = match &seating.game {
        Some(game) if !game.bytes().all(|byte| byte.is_ascii_alphanumeric()) => {
            return Err("--game must be the id of a game".into());
        }
        Some(game) => game.clone(),
        None if seating.create => create(client, seating)?,
        None => return Ok(None),
    };
    let path = format!("/v1/games/{game}");
    let mut refused = None;
    for _ in 0..ATTEMPTS {
        let view = client.get(&path)?;
        if !view["your_seat"].is_null() {
            return Ok(Some(game));
        }
        let seats = view["seats"].as_array().into_iter().flatten();
        let is_free = |seat: &&Value| seat["kind"] == "open" && seat["reserved_for"].is_null();
        let Some(seat) = seats.filter(is_free).find_map(|seat| seat["seat"].as_u64()) else {
            return Err(format!("{game} has no open seat").into());
        };
        match client.send("PUT", &format!("{path}/seats/{seat}"), &taking(&view, seating), &[]) {
            Ok(_) => return Ok(Some(game)),
            // Another player was faster. The entropy of the next attempt is fresh.
            Err(RequestFailure::Refused(problem))
                if ["seat_taken", "seats_changed"].contains(&problem.code.as_str()) =>
            {
                refused = Some(problem.detail);
            }
            Err(failure) => return Err(failure.into()),
        }
    }
    Err(refused.unwrap_or_else(|| format!("{game} has no open seat")).into())
}

/// Returns the body that takes a seat, with entropy that the service could not know before.
fn taking(view: &Value, seating: &Seating) -> Value {
    let entropy: [u8; 32] = rand::random();
    let entropy: String = entropy.iter().map(|byte| format!("{byte:02x}")).collect();
    let mut body = json!({
        "entropy": entropy,
        "commitment": view["commitment"],
        "seats_digest": view["seats_digest"],
        // A decision without a choice needs no engine.
        "forced": "play",
    });
    if let Some(name) = &seating.name {
        body["name"] = json!(name);
    }
    body
}

/// Creates a game, prints its id, and returns it.
fn create(client: &mut PlayerClient, seating: &Seating) -> Result<String, Failure> {
    let Seating { setup, against, .. } = seating;
    let least = usize::from(*setup.ruleset.info().seats.start());
    let seats = setup.seats.unwrap_or(u8::try_from(least.max(against.len() + 1)).unwrap_or(u8::MAX));
    let setup = &SetupArgs { seats: Some(seats), ..setup.clone() };
    setup.read()?;
    if against.len() >= usize::from(seats) {
        return Err(
            format!("a game of {seats} seats has no room for the bot and {} others", against.len()).into()
        );
    }
    let kind = |seat: Seat| seat.index().checked_sub(1).and_then(|other| against.get(other));
    let kinds: Vec<&str> = Seat::all(seats).map(|seat| kind(seat).map_or("open", String::as_str)).collect();
    let option = |(name, value): &(String, String)| {
        // The service takes numbers as numbers too.
        (name.clone(), value.parse::<u32>().map_or_else(|_| json!(value), |number| json!(number)))
    };
    let options: Map<String, Value> = setup.options.iter().map(option).collect();
    let body = json!({"ruleset": setup.ruleset.name(), "seats": kinds, "options": options});
    let key: [u8; 16] = rand::random();
    let key: String = key.iter().map(|byte| format!("{byte:02x}")).collect();
    let created = client.send("POST", "/v1/games", &body, &[("Idempotency-Key", &key)])?;
    let id = created["id"].as_str().ok_or("the service sent no id")?.to_owned();
    print(&format!("{id} created\n"))?;
    Ok(id)
}
