//! Games: listed, looked at.

use std::collections::BTreeMap;

use actix_web::http::header::LINK;
use actix_web::{HttpRequest, HttpResponse, get, web};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::reply::Reply;
use super::request;
use super::{ListProblems, ReadProblems, Service};
use crate::chance;
use crate::clock::rfc3339;
use crate::game::{Game, Info, Seat, SeatKind, Status, Visibility};
use crate::problem::{Code, HeadView, Problem};
use crate::record::{Seen, referee};
use crate::ruleset::Ruleset;
use crate::secret::is_hex;
use crate::store::ListQuery;
use crate::view::{Score, State};

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
    /// A seat with its number.
    pub fn of((number, seat): (u8, &Seat)) -> Self {
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
        let seen = match game.info.head {
            Some(head) => Some(Seen::by(caller.viewer(game), game, head.ply).map_err(Problem::internal)?),
            None => None,
        };
        let is_over = game.info.is_over();
        Ok(Self {
            summary: GameSummary::of(&game.info),
            options: options.into_iter().map(|option| (option.name, option.value)).collect(),
            commitment: game.seed.as_ref().map(|seed| hex::encode(chance::commitment(seed))),
            seed: game.seed.filter(|_| is_over).map(hex::encode),
            your_seat: caller.seat(game).map(|seat| seat.number()),
            state: seen.as_ref().map(|seen| seen.table.state()),
            result: seen.filter(|_| is_over).map(|seen| seen.table.score()),
        })
    }
}

/// The rule set of this name.
///
/// # Errors
/// `unknown_ruleset`.
pub fn known_ruleset(name: &str) -> Result<Ruleset, Problem> {
    Ruleset::named(name).ok_or_else(|| {
        let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
        Problem {
            expected: Some(known.join(", ")),
            ..Problem::new(Code::UnknownRuleset, format!("there is no rule set {name:?}"))
        }
    })
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
