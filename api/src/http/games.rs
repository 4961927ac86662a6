//! Games: created, listed, looked at.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, LINK};
use actix_web::{HttpRequest, HttpResponse, get, post, web};
use assam_rules::{Turn, Viewer};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::reply::{Reply, set_location};
use super::request;
use super::{CreateProblems, ListProblems, ReadProblems, Service};
use crate::clock::{now, rfc3339};
use crate::game::{Bytes32, Game, Info, Seat, SeatKind, Status, Visibility};
use crate::judge::judge;
use crate::problem::{Code, HeadView, Problem};
use crate::record::{Record, referee};
use crate::ruleset::Ruleset;
use crate::secret::{Secret, is_hex, join_code_hash};
use crate::store::{Creation, ListQuery};
use crate::view::{Score, State};
use crate::{chance, entropy};

/// A game to create.
#[derive(Deserialize, Serialize, ToSchema)]
#[schema(example = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"cover": "any"}}))]
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

/// A game without its position.
#[derive(Serialize, ToSchema)]
pub struct GameSummary {
    /// 32 hex digits.
    #[schema(example = "0f8fad5bd9cb469fa165708f67d64b2a")]
    id: String,
    /// Rule set and version.
    #[schema(example = "marrakech/1")]
    ruleset: String,
    /// The setup line of its record.
    #[schema(example = "MKN/1 marrakech/1 seats=3")]
    setup: String,
    /// `open`, `running`, `finished` or `aborted`.
    status: Status,
    /// Who may see it.
    visibility: Visibility,
    /// Was it imported? Then its chance is not committed, and it has no times.
    imported: bool,
    /// Hours after which a seat that does not move may be claimed out.
    patience_hours: Option<u32>,
    /// When it was created or imported.
    #[schema(format = DateTime)]
    created_at: String,
    /// When its last seat was taken.
    #[schema(format = DateTime)]
    started_at: Option<String>,
    /// The seats in order.
    seats: Vec<SeatView>,
    /// Last ply and its hash; null before the start.
    head: Option<HeadView>,
}

/// A seat.
#[derive(Serialize, ToSchema)]
pub struct SeatView {
    /// Its number, from 1.
    seat: u8,
    /// Open, or what kind of player holds it.
    kind: SeatKind,
    /// Public id of the player: 20 hex digits.
    player: Option<String>,
    /// The label that the player chose.
    name: Option<String>,
    /// The player's share of the chance: 64 hex digits.
    entropy: Option<String>,
}

/// A game as the caller may see it.
#[derive(Serialize, ToSchema)]
pub struct GameView {
    #[serde(flatten)]
    summary: GameSummary,
    /// Every option and its value, the defaults too.
    #[schema(example = json!({"cover": "opponents", "start_dirhams": "30"}))]
    options: BTreeMap<&'static str, String>,
    /// SHA-256 of the seed from which all chance of this game follows; null for an imported game.
    commitment: Option<String>,
    /// The seed itself, once the game is over; null before, and for an imported game.
    seed: Option<String>,
    /// The seat that you hold.
    your_seat: Option<u8>,
    /// The position; null before the start.
    state: Option<State>,
    /// Scores and ranking of a game that is over.
    result: Option<Score>,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub struct GamePage {
    /// Newest first.
    games: Vec<GameSummary>,
    /// Ask with this `cursor` for the next page; null on the last.
    next: Option<String>,
}

/// Which games to list.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Only games in this status.
    status: Option<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games in which this player (public id) holds a seat.
    player: Option<String>,
    /// `next` of the page before.
    cursor: Option<String>,
    /// Games on a page, 1 to 100.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// Create a game
///
/// The service draws a seed and publishes its commitment; the game starts when its last seat is taken. Whoever
/// sends a secret owns the game. With an `Idempotency-Key` (22 to 255 characters, at least 128 random bits) the
/// request can be repeated: the game is created once.
#[utoipa::path(
    tag = "games",
    request_body = NewGame,
    params(("Idempotency-Key" = Option<String>, Header, description = "A fresh random key that makes the request repeatable")),
    security((), ("secret" = [])),
    responses(
        (status = 201, description = "The game, waiting for its seats to be taken", body = GameView),
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

/// List games
///
/// Public games, newest first.
#[utoipa::path(
    tag = "games",
    params(GamesQuery),
    responses((status = 200, description = "A page of games", body = GamePage), ListProblems),
)]
#[get("/v1/games")]
pub async fn list_games(req: HttpRequest, service: web::Data<Service>) -> Result<HttpResponse, Problem> {
    let query: GamesQuery = request::query(&req)?;
    let limit = query.limit.unwrap_or(20);
    if !(1..=100).contains(&limit) {
        return Err(Problem::new(Code::BadRequest, "limit is a whole number from 1 to 100"));
    }
    let after = match &query.cursor {
        Some(cursor) => Some(
            read_cursor(cursor)
                .ok_or_else(|| Problem::new(Code::BadRequest, "cursor is not one that a page gave"))?,
        ),
        None => None,
    };
    if let Some(name) = &query.ruleset {
        known_ruleset(name)?;
    }
    if query.player.as_deref().is_some_and(|player| !is_hex(player, 20)) {
        return Err(Problem::new(Code::BadRequest, "player is the public id of a player: 20 hex digits"));
    }
    let wanted = ListQuery {
        status: query.status,
        ruleset: query.ruleset.clone(),
        player: query.player.clone(),
        after,
        limit: limit + 1,
    };
    let mut games = service.store.list(&wanted).await?;
    let has_more = games.len() > limit as usize;
    games.truncate(limit as usize);
    let next = games.last().filter(|_| has_more).map(write_cursor);
    let page = GamePage { games: games.iter().map(GameSummary::of).collect(), next };
    let mut response = Reply::about_service(&req).ok(&page);
    if let Some(next) = &page.next {
        let link = format!("<{}>; rel=\"next\"", next_page(req.query_string(), next));
        if let Ok(link) = link.parse() {
            response.headers_mut().insert(LINK, link);
        }
    }
    Ok(response)
}

/// Look at a game
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The game as you may see it", body = GameView), ReadProblems),
)]
#[get("/v1/games/{id}")]
pub async fn get_game(
    req: HttpRequest,
    id: web::Path<String>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    Ok(Reply::about(&req, &game.info).ok(&GameView::of(&game, &caller)?))
}

impl GameSummary {
    /// What lists show of a game.
    pub fn of(info: &Info) -> Self {
        Self {
            id: info.id.clone(),
            ruleset: info.ruleset.clone(),
            setup: info.setup.clone(),
            status: info.status,
            visibility: info.visibility,
            imported: info.imported,
            patience_hours: info.patience_hours,
            created_at: rfc3339(info.created_at),
            started_at: info.started_at.map(rfc3339),
            seats: (1..).zip(&info.seats).map(SeatView::of).collect(),
            head: info.head.as_ref().map(HeadView::from),
        }
    }
}

impl SeatView {
    fn of((number, seat): (u8, &Seat)) -> Self {
        Self {
            seat: number,
            kind: seat.kind,
            player: seat.player.clone(),
            name: seat.name.clone(),
            entropy: seat.entropy.clone(),
        }
    }
}

impl GameView {
    /// A game as `caller` may see it.
    ///
    /// # Errors
    /// `internal` where the stored log is damaged.
    pub fn of(game: &Game, caller: &Caller) -> Result<Self, Problem> {
        let options = referee(game)
            .map_err(Problem::internal)?
            .options(&game.info.setup)
            .map_err(|refusal| Problem::internal(refusal.rule))?;
        let viewer = caller.viewer(game);
        let record = match game.info.head {
            Some(_) => Some(Record::replay(game, None).map_err(Problem::internal)?),
            None => None,
        };
        let is_over = matches!(game.info.status, Status::Finished | Status::Aborted);
        Ok(Self {
            summary: GameSummary::of(&game.info),
            options: options.into_iter().map(|option| (option.name, option.value)).collect(),
            commitment: game.seed.as_ref().map(|seed| hex::encode(chance::commitment(seed))),
            seed: game.seed.filter(|_| is_over).map(hex::encode),
            your_seat: caller.seat(game).map(|seat| seat.number()),
            state: record.as_ref().map(|record| record.table.state(viewer)),
            result: record.filter(|_| is_over).map(|record| record.table.score(viewer)),
        })
    }
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
    if ruleset.referee().has_secrets() {
        let playable = Ruleset::ALL.iter().filter(|ruleset| !ruleset.referee().has_secrets());
        let playable: Vec<&str> = playable.map(|ruleset| ruleset.name()).collect();
        let detail =
            format!("records of {} are judged and imported here, but it is not played yet", ruleset.name());
        return Err(Problem {
            expected: Some(playable.join(", ")),
            ..Problem::new(Code::UnknownRuleset, detail)
        });
    }
    let owner_hash = owner.map(Secret::hash);
    let id = match key {
        None => entropy::game_id()?,
        Some(key) => hex::encode(&Sha256::digest(format!("assam/game\n{key}").as_bytes())[..16]),
    };
    Ok(Game {
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
            seats: wanted.seats.iter().map(|SeatChoice::Open| Seat::open()).collect(),
            status: Status::Open,
            started_at: None,
            head: None,
        },
    })
}

fn known_ruleset(name: &str) -> Result<Ruleset, Problem> {
    Ruleset::named(name).ok_or_else(|| {
        let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
        Problem {
            expected: Some(known.join(", ")),
            ..Problem::new(Code::UnknownRuleset, format!("there is no rule set {name:?}"))
        }
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
    let seats = table.score(Viewer::Spectator).scores.len();
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

fn write_cursor(info: &Info) -> String {
    hex::encode(format!("{}:{}", info.created_at.as_millisecond(), info.id))
}

fn read_cursor(cursor: &str) -> Option<(Timestamp, String)> {
    let text = String::from_utf8(hex::decode(cursor).ok()?).ok()?;
    let (ms, id) = text.split_once(':')?;
    let created_at = Timestamp::from_millisecond(ms.parse().ok()?).ok()?;
    is_hex(id, 32).then(|| (created_at, id.to_owned()))
}

/// The same query with another cursor.
fn next_page(query: &str, cursor: &str) -> String {
    let kept = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
    let pairs: Vec<&str> = kept.collect();
    let cursor = format!("cursor={cursor}");
    format!("/v1/games?{}", pairs.into_iter().chain([cursor.as_str()]).collect::<Vec<_>>().join("&"))
}
