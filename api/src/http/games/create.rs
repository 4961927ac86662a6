//! Creating games.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_players::Player;
use assam_record::beacon::BeaconName;
use assam_record::game::{Forced, SeatKind, StoredGame, Visibility};
use assam_record::game_clock::ClockRule;
use serde::{Deserialize, Serialize};
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
    /// The kind of each seat, in order of play: one entry per seat.
    #[schema(min_items = 2, max_items = 4)]
    seats: Vec<SeatChoice>,
    /// Options with values other than their defaults; `GET /v1/rulesets` explains every option.
    #[serde(default, deserialize_with = "or_default")]
    #[schema(nullable)]
    options: BTreeMap<String, OptionInput>,
    /// A position line, to begin in that position instead of at the start. It names the options too, so leave `options`
    /// empty.
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
    /// The code that admits players to the seats of a private game: 1 to 64 characters. A private game needs one; other
    /// games have none.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 64)]
    join_code: Option<String>,
    /// How long a seat may be on turn without moving, in hours from 1 to 8760. After that, another seat may claim it
    /// out of the game by submitting `!timeoutN`, where N is its number. Without a value, and without a `clock`, no seat can be
    /// claimed out.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 8760)]
    patience_hours: Option<u32>,
    /// How much time each seat has for its decisions. A seat whose time has run out is out of the game: another seat may claim that,
    /// and the service writes `!timeoutN` by itself a second later. It may stand beside `patience_hours`: whichever runs out first counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    clock: Option<ClockWanted>,
    /// Whether the result counts for the ratings of the players, once the game is over: it does unless this is `false`. Only public
    /// games from the start count, in which nobody holds two seats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(default = true)]
    rated: Option<bool>,
    /// An outside beacon that adds to the chance of the game, `drand:` and the hash of a chain that the service knows. The game waits
    /// for a round of it once all seats are taken, so nobody can choose the chance. At least one seat must be open.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(
        value_type = Option<String>,
        pattern = "^drand:[0-9a-f]{64}$",
        example = "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"
    )]
    beacon: Option<BeaconName>,
    /// An open seat that you take at once; needs your secret.
    // Left out of the hash of a request that has none: it was made before this field was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    take: Option<TakeOwnSeat>,
}

/// The seat that the creator of a game takes with its creation, without entropy: that can be added by taking the seat
/// again, as long as seats are open, when its `commitment` is known.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TakeOwnSeat {
    /// The number of the seat, from 1.
    #[schema(minimum = 1, maximum = 4, example = 1)]
    seat: u8,
    /// A label for the seat.
    #[serde(default)]
    name: Option<SeatName>,
    /// What becomes of decisions in which your seat has no choice: you are asked (`ask`), or the service makes them at
    /// once, as words of your seat (`play`).
    #[serde(default, deserialize_with = "or_default", skip_serializing_if = "Forced::is_asked")]
    #[schema(value_type = Option<Forced>)]
    forced: Forced,
}

/// The kind of a seat in a new game: `open` for a client to take, `solitaire-ai` for the automated opponent that the
/// solitaire rules of Marrakesh define, or `random` for a player that chooses every legal decision with equal
/// probability.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatChoice {
    /// A seat that a client can take.
    Open,
    /// The automated opponent that the solitaire rules of Marrakesh define, played by the service.
    SolitaireAi,
    /// A player that chooses every legal decision with equal probability, played by the service.
    Random,
}

impl SeatChoice {
    const fn kind(self) -> SeatKind {
        match self {
            Self::Open => SeatKind::Open,
            Self::SolitaireAi => SeatKind::BuiltIn(Player::SolitaireAi),
            Self::Random => SeatKind::BuiltIn(Player::Random),
        }
    }
}

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
/// The service draws a secret seed for the game and publishes a commitment to it. The game starts when its last seat is
/// taken, or at once if no seat is open; with a `beacon`, when the round is delivered that was fixed with the last seat.
///
/// The service plays `solitaire-ai` and `random` seats: their moves come back in the response to the move before them, and
/// a first move of theirs is written when the game starts.
/// A game with built-in players only is finished when the request returns.
///
/// If you send a secret, you own the game. A private game needs an owner.
///
/// To make the request safe to retry, send an `Idempotency-Key` of 22 to 255 visible ASCII characters with at least 128
/// random bits: requests with the same key create the game only once.
#[utoipa::path(
    tag = "games",
    request_body(content((CreateGame = "application/json", examples(
        ("Marrakech for three" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"cover": "any"}}))),
        ("Marrakech against two built-in players" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "random", "random"]}))),
        ("Marrakech for two, and a seat in it (needs your secret)" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1, "name": "Aisha"}}))),
        ("Marrakesh for two, with an outside beacon" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "beacon": "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971"}))),
        ("Marrakech for two, with ten minutes each and five seconds more for each ply" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": {"initial": 600, "increment": 5}}))),
        ("Marrakesh for two" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "options": {"rounds": 6}, "patience_hours": 72}))),
        ("Marrakesh against the solitaire opponent (needs your secret)" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "solitaire-ai"], "take": {"seat": 1}}))),
        ("Marrakesh between built-in players, finished at once" = (value = json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"]}))),
    )))),
    params(("Idempotency-Key" = Option<String>, Header, nullable = false, min_length = 22, max_length = 257, description = "A fresh random key of 22 to 255 visible ASCII characters that makes the request safe to retry")),
    security((), ("secret" = [])),
    responses(
        (status = 201, description = "The new game; it has started if no seat is open", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "The game that an earlier request with the same `Idempotency-Key` created", body = GameView, headers(("Location"), ("Content-Location"))),
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

/// Returns a game that was made now, or before, and where it is.
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
    /// Returns the value as a setup line writes it.
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
            // Quoted as in the draft of the header's standard, or bare: the same key.
            .map(|key| key.strip_prefix('"').and_then(|key| key.strip_suffix('"')).unwrap_or(key))
            .filter(|key| (22..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()))
            .map(Some)
            .ok_or_else(|| {
                wrong("Idempotency-Key must have 22 to 255 visible ASCII characters, with at least 128 random bits")
            }),
    }
}
