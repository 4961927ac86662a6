//! Creation of games.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_players::Player;
use assam_record::beacon::BeaconName;
use assam_record::game::{Forced, SeatKind, StoredGame, Visibility};
use assam_record::game_clock::ClockRule;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use utoipa::openapi::schema::{ObjectBuilder, OneOfBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::game_view::{ClockWanted, GameView};
use crate::app::{App, Caller, CreateError, NewGame, Repeatable, Taking};
use crate::http::request::caller::{BadSecret, NoSecret, caller, required};
use crate::http::request::seat_name::SeatName;
use crate::http::request::{self, BadBody, or_default};
use crate::http::response::refusals::Refusals;
use crate::http::response::reply::{Reply, set_content_location, set_location};
use crate::problem::{Code, Problem};

/// A game to create.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[schema(as = NewGame)]
pub struct CreateGame {
    /// Rule set and version.
    #[schema(example = "marrakech/1", min_length = 1, max_length = 64)]
    ruleset: String,
    /// The kind of each seat, in order of play.
    #[schema(min_items = 2, max_items = 4)]
    seats: Vec<SeatChoice>,
    /// Options that differ from their defaults, as in `GET /v1/rulesets`.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(nullable)]
    options: BTreeMap<String, OptionInput>,
    /// A position line to start from. The line includes the options, so leave `options` empty.
    #[serde(default)]
    #[schema(
        max_length = 4096,
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    position: Option<String>,
    /// Controls who may see the game.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(value_type = Option<Visibility>)]
    visibility: Visibility,
    /// The code that admits players to a private game, 1 to 64 characters. Required for private games, and
    /// not allowed for others.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    join_code: Option<String>,
    /// How many hours, 1 to 8760, a seat may take to move. After that, another seat may claim out seat N with
    /// `!timeoutN`. Default: no limit.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8760)]
    patience_hours: Option<u32>,
    /// How much time each seat has. When the time of seat N runs out, another seat may claim it out with
    /// `!timeoutN`, and the service does so a second later.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockWanted>,
    /// Whether the result counts for ratings. Only public games that begin at the usual start count, and only
    /// if no one holds two seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(default = true)]
    rated: Option<bool>,
    /// An outside beacon that adds to the game's chance: `drand:` and the hash of a known chain. Once all
    /// seats are taken, the game waits for one of its rounds. At least one seat must be open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        value_type = Option<String>,
        pattern = "^drand:[0-9a-f]{64}$",
        example = "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    )]
    beacon: Option<BeaconName>,
    /// An open seat that you take at once. Requires your secret.
    // Left out of the request's hash if absent, because older hashes lack it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    take: Option<TakeOwnSeat>,
}

/// The seat that the creator takes. Once you know the `commitment`, and while seats are open, take it again
/// to add entropy.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeOwnSeat {
    /// The number of the seat, from 1.
    #[schema(minimum = 1, maximum = 4, example = 1)]
    seat: u8,
    /// A label for the seat.
    #[serde(default)]
    name: Option<SeatName>,
    /// Whether you send decisions in which your seat has no choice (`ask`), or the service makes them at once
    /// (`play`).
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Forced::is_asked")]
    #[schema(value_type = Option<Forced>)]
    forced: Forced,
}

/// The kind of a seat: `open` for a client to take, or the name of a built-in player. Without its version, a name
/// means the newest one.
#[derive(Clone, Copy)]
pub struct SeatChoice(SeatKind);

impl SeatChoice {
    const fn kind(self) -> SeatKind {
        self.0
    }

    /// Returns every name: with its version, and without.
    fn names() -> impl Iterator<Item = &'static str> {
        let names = Player::ALL.iter().map(|player| player.name());
        let newest = names.clone().filter_map(|name| name.split_once('/')).map(|(family, _)| family);
        let mut newest: Vec<_> = newest.collect();
        newest.dedup();
        [SeatKind::Open.name()].into_iter().chain(names).chain(newest)
    }
}

impl Serialize for SeatChoice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for SeatChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kind = match Player::newest(&name) {
            Some(player) => SeatKind::BuiltIn(player),
            None if name == SeatKind::Open.name() => SeatKind::Open,
            None => return Err(D::Error::custom("not the kind of a seat")),
        };
        Ok(Self(kind))
    }
}

impl PartialSchema for SeatChoice {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .enum_values(Some(Self::names()))
            .description(Some(
                "The kind of a seat: `open` for a client to take, or the name of a built-in player that the \
                 service plays. Without its version, a name means the newest one.",
            ))
            .build()
            .into()
    }
}

impl ToSchema for SeatChoice {}

/// The value of an option.
#[derive(Deserialize, Serialize)]
#[serde(untagged, expecting = "the value of an option is a string or a whole number, 0 or more")]
pub enum OptionInput {
    /// One of the option's values.
    Text(String),
    /// A whole number.
    Number(u32),
}

impl PartialSchema for OptionInput {
    fn schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String).max_length(Some(64));
        let number = ObjectBuilder::new().schema_type(Type::Integer).minimum(Some(0)).maximum(Some(u32::MAX));
        let text = text.description(Some("One of the option's values."));
        let number = number.description(Some("A whole number."));
        OneOfBuilder::new().item(text).item(number).description(Some("The value of an option.")).into()
    }
}

impl ToSchema for OptionInput {}

/// Create a game
///
/// The service draws a secret seed for the game, and publishes a commitment to it. The game starts when its
/// last seat is taken and the round of its `beacon`, if any, is delivered. If no seat is open, it starts at
/// once.
///
/// The service plays the seats of built-in players. Their moves are included in the response to the
/// previous move. A game between built-in players is already over when the request returns.
///
/// If you send a secret, you own the game. A private game needs an owner.
///
/// To make the request safe to retry, send an `Idempotency-Key` of 22 to 255 visible ASCII characters with at
/// least 128 random bits. Requests with the same key create one game.
#[utoipa::path(
    tag = "games",
    request_body(content((CreateGame = "application/json", examples(
        ("Marrakech for three" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"cover": "any"}}))),
        ("Marrakech against two built-in players" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "random", "random"]}))),
        ("Marrakech for two, and a seat in it (needs your secret)" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1, "name": "Aisha"}}))),
        ("Marrakesh for two, with an outside beacon" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "beacon": "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"}))),
        ("Marrakech for two, with ten minutes each and five more seconds a ply" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": {"initial": 600, "increment": 5}}))),
        ("Marrakesh for two" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "options": {"rounds": 6}, "patience_hours": 72}))),
        ("Marrakesh against the solitaire opponent (needs your secret)" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "solitaire-ai"], "take": {"seat": 1}}))),
        ("Marrakesh between built-in players, finished at once" = (value = json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"]}))),
    )))),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false, min_length = 22, max_length = 257, description = "A new random key of 22 to 255 visible ASCII characters")),
    security((), ("secret" = [])),
    responses(
        (status = 201, description = "The new game", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "The game of an earlier request with this `Idempotency-Key`", body = GameView, headers(("Location"), ("Content-Location"))),
        Refusals<(BadBody, BadSecret, NoSecret, CreateError)>,
    ),
)]
#[post("/v1/games")]
pub async fn create_game(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let wanted: CreateGame = request::json_body(&req, payload).await?;
    if wanted.visibility == Visibility::Private || wanted.take.is_some() {
        required(&caller)?;
    }
    let key = idempotency_key(&req)?;
    let request = serde_json::to_vec(&wanted).unwrap_or_default();
    let seats: Vec<SeatKind> = wanted.seats.iter().map(|seat| seat.kind()).collect();
    let new = NewGame {
        ruleset: &wanted.ruleset,
        seats: &seats,
        options: wanted.options.iter().map(|(name, value)| (name.as_str(), value.text())).collect(),
        position: wanted.position.as_deref(),
        visibility: wanted.visibility,
        join_code: wanted.join_code.as_deref(),
        rated: wanted.rated.unwrap_or(true),
        patience_hours: wanted.patience_hours,
        clock: wanted.clock.map(ClockRule::from),
        beacon: wanted.beacon,
        owner: caller.secret(),
        own_seat: wanted.take.as_ref().map(|take| (take.seat, take.taking())),
        repeatable: key.map(|key| Repeatable { key, request: &request }),
    };
    let (game, is_new) = app.create(&new).await?;
    made(&req, &game, is_new, &caller)
}

/// Returns a new or existing game, with its location.
pub(super) fn made(
    req: &HttpRequest,
    game: &StoredGame,
    is_new: bool,
    caller: &Caller,
) -> Result<HttpResponse, Problem> {
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let mut response = Reply::about(req, &game.info).json(status, &GameView::new(game, caller)?);
    let path = format!("/v1/games/{}", game.info.id);
    set_location(&mut response, &path);
    set_content_location(&mut response, &path);
    Ok(response)
}

impl TakeOwnSeat {
    fn taking(&self) -> Taking {
        let name = self.name.as_ref().map(|name| name.as_str().to_owned());
        Taking { name, entropy: None, commitment: None, seats_digest: None, forced: self.forced }
    }
}

impl OptionInput {
    /// Returns the value in the form of a setup line.
    fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

fn idempotency_key(req: &HttpRequest) -> Result<Option<&str>, Problem> {
    const NAME: &str = "Idempotency-Key";
    let mut keys = req.headers().get_all(HeaderName::from_static("idempotency-key"));
    let wrong = |detail| Problem::new(Code::BadRequest, detail).at_parameter(NAME);
    match (keys.next(), keys.next()) {
        (None, _) => Ok(None),
        (Some(_), Some(_)) => Err(wrong("only one Idempotency-Key may be sent")),
        (Some(value), None) => value
            .to_str()
            .ok()
            // Quoted as in the draft standard of the header, or bare. Both are the same key.
            .map(|key| key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key))
            .filter(|key| (22..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()))
            .map(Some)
            .ok_or_else(|| {
                wrong("Idempotency-Key must have 22 to 255 visible ASCII characters, with at least 128 random bits")
            }),
    }
}
