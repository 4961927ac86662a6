//! Games: created.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header::HeaderName;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_rules::Turn;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

use super::access::Caller;
use super::games::{GameView, known_ruleset};
use super::reply::{Reply, set_location};
use super::{CreateProblems, Service, request};
use crate::clock::now;
use crate::entropy;
use crate::game::{Bytes32, Game, Info, Seat, SeatKind, Status, Visibility};
use crate::judge::judge;
use crate::problem::{Code, Problem};
use crate::record;
use crate::ruleset::Ruleset;
use crate::secret::{Secret, join_code_hash};
use crate::store::{Creation, Start};

/// A game to create.
#[derive(Deserialize, Serialize, ToSchema)]
pub struct NewGame {
    /// Rule set and version.
    #[schema(example = "marrakech/1")]
    ruleset: String,
    /// Who sits where, in order of play; as many as the game has seats.
    seats: Vec<SeatChoice>,
    /// Options that are not to keep their default.
    #[serde(default)]
    options: BTreeMap<String, OptionInput>,
    /// A position line, to begin there instead of at the start; then `options` stays empty, as the line names them.
    #[serde(default)]
    #[schema(
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    position: Option<String>,
    /// Who may see the game.
    #[serde(default = "public")]
    visibility: Visibility,
    /// What opens a private game to those who take its seats: 1 to 64 characters.
    #[serde(default)]
    join_code: Option<String>,
    /// Hours, 1 to 8760, after which the others may claim out a seat that does not move (`!timeoutN`).
    #[serde(default)]
    patience_hours: Option<u32>,
}

/// Who is to sit on a seat.
#[derive(Clone, Copy, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SeatChoice {
    /// Whoever takes it.
    Open,
    /// The player of the solitaire game of Marrakesh, which the service plays.
    SolitaireAi,
    /// A player that the service plays, every legal decision equally likely.
    Random,
}

impl SeatChoice {
    const fn kind(self) -> SeatKind {
        match self {
            Self::Open => SeatKind::Open,
            Self::SolitaireAi => SeatKind::SolitaireAi,
            Self::Random => SeatKind::Random,
        }
    }
}

/// The value of an option.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(untagged, expecting = "the value of an option is a text or a whole number, 0 or more")]
pub enum OptionInput {
    /// One of the option's values.
    Text(String),
    /// A number.
    Number(u32),
}

const fn public() -> Visibility {
    Visibility::Public
}

/// Create a game
///
/// The service draws a seed and publishes its commitment; the game starts when its last seat is taken, at once where none
/// is open. `solitaire-ai` and `random` seats are played by the service, which answers in the same answer as the move before.
/// Whoever sends a secret owns the game. With an `Idempotency-Key` (22 to 255 characters, at least 128 random bits) the
/// request can be repeated: the game is created once.
#[utoipa::path(
    tag = "games",
    request_body(content((NewGame = "application/json", examples(
        ("Marrakech for three" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"cover": "any"}}))),
        ("Marrakech against two built-in players" = (value = json!({"ruleset": "marrakech/1", "seats": ["open", "random", "random"]}))),
        ("Marrakesh for two" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "options": {"rounds": 6}, "patience_hours": 72}))),
        ("Marrakesh, solitaire" = (value = json!({"ruleset": "marrakesh/1", "seats": ["open", "solitaire-ai"]}))),
        ("A match of built-in players, over at once" = (value = json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"]}))),
    )))),
    params(("Idempotency-Key" = Option<String>, Header, description = "A fresh random key that makes the request repeatable")),
    security((), ("secret" = [])),
    responses(
        (status = 201, description = "The game: waiting for its seats to be taken, or started", body = GameView),
        (status = 200, description = "The game that the same request created before", body = GameView),
        CreateProblems,
    ),
)]
#[post("/v1/games")]
pub async fn create_game(
    req: HttpRequest,
    payload: web::Payload,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let wanted: NewGame = request::json_body(&req, payload).await?;
    // Who sends a secret wants to own the game: a misspelt one must not create a game without an owner.
    if wanted.visibility == Visibility::Private || caller.is_malformed(&req) {
        caller.required()?;
    }
    let key = idempotency_key(&req)?;
    let game = new_game(&wanted, caller.secret(), key)?;
    let (status, game) = match service.store.create(&game).await? {
        Creation::Created => (StatusCode::CREATED, game),
        Creation::Exists => {
            let stored = service.store.load(&game.info.id).await?;
            let same = stored.filter(|stored| stored.request.is_some() && stored.request == game.request);
            let mismatch = "this Idempotency-Key came before with another request";
            (StatusCode::OK, same.ok_or_else(|| Problem::new(Code::IdempotencyMismatch, mismatch))?)
        }
    };
    let view = GameView::of(&game, &caller)?;
    let mut response = Reply::about(&req, &game.info).json(status, &view);
    set_location(&mut response, &format!("/v1/games/{}", game.info.id));
    Ok(response)
}

fn idempotency_key(req: &HttpRequest) -> Result<Option<&str>, Problem> {
    match req.headers().get(HeaderName::from_static("idempotency-key")) {
        None => Ok(None),
        Some(value) => value
            .to_str()
            .ok()
            .filter(|key| (22..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic()))
            .map(Some)
            .ok_or_else(|| {
                let wrong =
                    "Idempotency-Key has 22 to 255 visible ASCII characters, at least 128 random bits";
                Problem::new(Code::BadRequest, wrong)
            }),
    }
}

fn new_game(wanted: &NewGame, owner: Option<&Secret>, key: Option<&str>) -> Result<Game, Problem> {
    let bad_request = |detail: &str| Err(Problem::new(Code::BadRequest, detail));
    match (wanted.visibility, &wanted.join_code) {
        (Visibility::Private, Some(code)) if (1..=64).contains(&code.chars().count()) => {}
        (Visibility::Private, _) => {
            return bad_request("a private game needs a join_code of 1 to 64 characters");
        }
        (Visibility::Public | Visibility::Unlisted, None) => {}
        (Visibility::Public | Visibility::Unlisted, Some(_)) => {
            return bad_request("only a private game has a join_code");
        }
    }
    if wanted.patience_hours.is_some_and(|hours| !(1..=8760).contains(&hours)) {
        return bad_request("patience_hours is a whole number from 1 to 8760");
    }
    let ruleset = known_ruleset(&wanted.ruleset)?;
    check_players(ruleset, &wanted.seats)?;
    let owner_hash = owner.map(Secret::hash);
    let id = match key {
        None => entropy::game_id()?,
        Some(key) => hex::encode(&Sha256::digest(format!("assam/game\n{key}").as_bytes())[..16]),
    };
    let game = Game {
        owner: owner_hash,
        join_code: wanted.join_code.as_ref().map(|code| join_code_hash(&id, code)),
        request: key.map(|_| request_hash(wanted, owner_hash)),
        seed: Some(entropy::seed()?),
        tags: String::new(),
        log: String::new(),
        info: Info {
            id,
            created_at: now(),
            ruleset: ruleset.name().to_owned(),
            setup: setup_line(ruleset, wanted)?,
            visibility: wanted.visibility,
            imported: false,
            patience_hours: wanted.patience_hours,
            revision: 0,
            seats: wanted.seats.iter().map(|seat| Seat::of(seat.kind())).collect(),
            status: Status::Open,
            started_at: None,
            head: None,
        },
    };
    if game.info.seats.iter().any(|seat| seat.kind == SeatKind::Open) {
        return Ok(game);
    }
    let Start { at, extension } = record::start(&game, game.info.created_at).map_err(Problem::internal)?;
    let info =
        Info { started_at: Some(at), head: Some(extension.head), status: extension.status, ..game.info };
    Ok(Game { log: extension.entries, info, ..game })
}

/// Only players that the game has.
fn check_players(ruleset: Ruleset, seats: &[SeatChoice]) -> Result<(), Problem> {
    let known = ruleset.referee().built_in_players();
    let unknown = |seat: &SeatChoice| seat.kind().is_built_in() && !known.contains(&seat.kind());
    let Some(index) = seats.iter().position(unknown) else { return Ok(()) };
    let names: Vec<&str> = [SeatKind::Open].iter().chain(known).map(|kind| kind.name()).collect();
    let detail = format!("{} has no player {:?}", ruleset.name(), seats[index].kind().name());
    Err(Problem {
        rule: Some("table.seat.no-such-player".to_owned()),
        seat: u8::try_from(index + 1).ok(),
        expected: Some(names.join(", ")),
        ..Problem::new(Code::UnknownOption, detail)
    })
}

fn setup_line(ruleset: Ruleset, wanted: &NewGame) -> Result<String, Problem> {
    if let Some(line) = &wanted.position {
        return position_setup(ruleset, wanted, line);
    }
    let options: Vec<(&str, String)> = wanted
        .options
        .iter()
        .map(|(name, value)| {
            let value = match value {
                OptionInput::Text(text) => text.clone(),
                OptionInput::Number(number) => number.to_string(),
            };
            (name.as_str(), value)
        })
        .collect();
    let options: Vec<(&str, &str)> = options.iter().map(|(name, value)| (*name, value.as_str())).collect();
    let seats = u8::try_from(wanted.seats.len()).unwrap_or(u8::MAX);
    ruleset.referee().setup_line(seats, &options).map_err(|error| Problem {
        rule: Some(error.rule.to_owned()),
        ..Problem::new(Code::UnknownOption, error.detail)
    })
}

/// The setup line of a game that begins in a position.
fn position_setup(ruleset: Ruleset, wanted: &NewGame, line: &str) -> Result<String, Problem> {
    let bad_request = |detail: &str| Err(Problem::new(Code::BadRequest, detail));
    let judgement = judge(line.as_bytes());
    judgement.verdict?;
    let (Some(setup), Some(table)) = (judgement.setup_line, judgement.table) else {
        return Err(Problem::internal("a valid position has a setup and a table"));
    };
    if !judgement.words.is_empty() || line.starts_with("MKN/") {
        return bad_request("position is a position line, not a record");
    }
    if !wanted.options.is_empty() {
        return bad_request("options stays empty beside position: the line names them");
    }
    if table.hides_something() {
        let public = "a game begins in a position that hides nothing: everyone sees its first line";
        return Err(Problem {
            rule: Some("table.position.hidden".to_owned()),
            ..Problem::new(Code::ImpossiblePosition, public)
        });
    }
    let seats = table.score().scores.len();
    if setup.split(' ').nth(1) != Some(ruleset.name()) || seats != wanted.seats.len() {
        return bad_request("ruleset and seats are those of the position line");
    }
    match table.turn() {
        Turn::Player(_) | Turn::Chance => Ok(setup),
        Turn::Over | Turn::Aborted => Err(Problem {
            rule: Some("table.position.over".to_owned()),
            ..Problem::new(Code::ImpossiblePosition, "a game begins in a position in which it goes on")
        }),
    }
}

fn request_hash(wanted: &NewGame, owner: Option<Bytes32>) -> Bytes32 {
    let wanted = serde_json::to_vec(wanted).unwrap_or_default();
    Sha256::new().chain_update(owner.unwrap_or_default()).chain_update(wanted).finalize().into()
}
