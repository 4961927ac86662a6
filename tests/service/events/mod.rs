//! Streams of events lose nothing of a game and repeat nothing.

mod browser;
mod counted;
mod ends;
mod feed;
mod followed;
mod hung_up;
mod own;
mod presence;
mod several;
mod unread;
pub(crate) mod waited;

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::harness::{Answer, Client, Service};

pub(crate) const SSE: &str = "text/event-stream";
pub(crate) const LINES: &str = "application/x-ndjson";

/// Plays one legal move of the seat on turn. Returns the first and last of its plies, or `None` if the game
/// is over.
pub(crate) fn play_on(seats: &[Client<'_>], game: &str, dice: &mut Dice) -> Option<(u64, u64)> {
    play_on_by(seats, game, dice, |ask| ask())
}

/// The same, with a function that sends each request.
fn play_on_by(
    seats: &[Client<'_>],
    game: &str,
    dice: &mut Dice,
    by: impl Fn(&dyn Fn() -> Answer) -> Answer,
) -> Option<(u64, u64)> {
    let legal = |client: &Client<'_>| by(&|| client.get(&format!("/v1/games/{game}/legal-moves"))).json();
    let mut known = legal(&seats[0]);
    let seat = known["seat"].as_u64()? as usize - 1;
    if known["moves"].is_null() {
        known = legal(&seats[seat]);
    }
    let moves: Vec<&str> =
        known["moves"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
    let ply = known["ply"].as_u64().unwrap();
    let decision = dice.pick(&moves);
    let written = by(&|| seats[seat].play(game, ply, decision));
    // 200 if it was written without an answer.
    assert!(matches!(written.status, 200 | 201), "{}", written.text);
    Some((ply, written.json()["head"]["ply"].as_u64().unwrap()))
}

/// Returns a game with this body, whose open seats are still to be taken by these players.
pub(crate) fn open_game(service: &Service, wanted: Value) -> (String, Vec<Client<'_>>) {
    open_game_by(service, &wanted, |ask| ask())
}

/// The same, with a function that sends each request.
fn open_game_by<'a>(
    service: &'a Service,
    wanted: &Value,
    by: impl Fn(&dyn Fn() -> Answer) -> Answer,
) -> (String, Vec<Client<'a>>) {
    let seats = wanted["seats"].as_array().unwrap();
    let sitter = |seat: &Value| if seat == "open" { service.player() } else { service.stranger() };
    let players: Vec<Client<'a>> = seats.iter().map(sitter).collect();
    let created = by(&|| players[0].post("/v1/games", wanted.clone()));
    assert_eq!(created.status, 201, "{}", created.text);
    (created.json()["id"].as_str().unwrap().to_owned(), players)
}

/// Returns one game of each kind of hidden information, and one without: the body, and the maximum number of
/// moves.
pub(crate) fn tables() -> [Value; 4] {
    [
        json!({"ruleset": "marrakech/1", "seats": ["open", "open", "random"]}),
        json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}),
        json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}),
        json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "open"]}),
    ]
}
