//! Listing games, and reading one.

use std::collections::BTreeMap;

use actix_web::http::StatusCode;
use actix_web::http::header::LINK;
use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_referee::{Ruleset, Score, State};
use assam_rules::Seat;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::finished::{Aspect, prefers_gzip};
use super::path::{GameRequest, NoGame};
use super::refusals::Refusals;
use super::reply::finish_about_service;
use super::request::{self, BadQuery};
use crate::app::{App, Caller, ListPage, ListQuery, StoreError, read_cursor, write_cursor};
use crate::chance;
use crate::clock::rfc3339;
use crate::game::{GameId, Holder, Info, PlayerId, SeatKind, Status, StoredGame, Visibility};
use crate::hex::Hex;
use crate::log::Seen;
use crate::problem::{Code, HeadView, Problem, Refuses};

/// A game, without its position.
#[derive(Serialize, ToSchema)]
pub struct GameSummary {
    /// 32 hex digits.
    #[schema(value_type = String, example = "0f8fad5bd9cb469fa165708f67d64b2a")]
    id: GameId,
    /// Rule set and version.
    #[schema(example = "marrakech/1")]
    ruleset: &'static str,
    /// The setup line of its record.
    #[schema(example = "MKN/1 marrakech/1 seats=3")]
    setup: String,
    /// `open`, `running`, `finished` or `aborted`.
    status: Status,
    /// Controls who may see the game.
    visibility: Visibility,
    /// Whether the game was imported. If so, nobody committed to its chance, and its words have no times.
    imported: bool,
    /// How many hours, 1 to 8760, a seat may be on turn without moving before another seat may claim it out
    /// (`!timeoutN`); null if no seat can be claimed out.
    #[schema(minimum = 1, maximum = 8760)]
    patience_hours: Option<u32>,
    /// When the game was created or imported.
    #[schema(format = DateTime)]
    created_at: String,
    /// When the last seat was taken; null before that, and for an imported game.
    #[schema(format = DateTime)]
    started_at: Option<String>,
    /// The seats in order.
    seats: Vec<SeatView>,
    /// The last ply and its hash; null before the start.
    head: Option<HeadView>,
}

/// A seat.
#[derive(Serialize, ToSchema)]
pub struct SeatView {
    /// The number of the seat, from 1.
    seat: u8,
    /// Open, or the kind of player that holds the seat.
    kind: SeatKind,
    /// The public id of the player: 20 hex digits.
    #[schema(value_type = Option<String>)]
    player: Option<PlayerId>,
    /// The label that the player chose; it is not part of the log.
    name: Option<String>,
    /// The entropy that the player added to the chance of the game: 64 hex digits.
    #[schema(value_type = Option<String>)]
    entropy: Option<Hex<32>>,
}

/// A game, as you may see it.
#[derive(Serialize, ToSchema)]
pub struct GameView {
    #[serde(flatten)]
    summary: GameSummary,
    /// Every option with its value, defaults included.
    #[schema(example = json!({"cover": "opponents", "start_dirhams": "30"}))]
    options: BTreeMap<&'static str, String>,
    /// SHA-256 of the seed that determines all chance of this game; null for an imported game.
    commitment: Option<String>,
    /// The seed, once the game is over; null before that, and for an imported game.
    seed: Option<String>,
    /// The seat that you hold; null if you hold none.
    your_seat: Option<u8>,
    /// The position; null before the start.
    state: Option<State>,
    /// The final scores and ranking; null until the game is over.
    result: Option<Score>,
}

/// A page of games.
#[derive(Serialize, ToSchema)]
pub struct GamePage {
    /// The games, newest first.
    games: Vec<GameSummary>,
    /// The `cursor` of the next page; null on the last page.
    next: Option<String>,
}

/// Filters and paging for a list of games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Only games with this status, or one of several: `status=open,running`.
    #[serde(default)]
    #[param(inline, style = Form, explode = false, max_items = 4)]
    status: Vec<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games in which the player with this public id holds a seat.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{20}$")]
    player: Option<PlayerId>,
    /// Only games that were created then or later, in RFC 3339: `2026-11-20T20:15:00Z`.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<Timestamp>,
    /// Only games that were created before.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<Timestamp>,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Games per page, 1 to 100; 20 by default.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// List games
///
/// Returns public games, newest first, a page at a time.
#[utoipa::path(
    tag = "games",
    params(GamesQuery),
    responses((status = 200, description = "A page of games", body = GamePage), Refusals<(BadQuery, UnknownRuleset, StoreError, TooManyLists)>),
)]
#[get("/v1/games")]
pub async fn list_games(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: GamesQuery = request::query(&req)?;
    let wanted = query.read()?;
    let service = app.clone();
    let wants_gzip = prefers_gzip(&req);
    let page = app.run_aside(async move {
        let page = GamePage::of(&service.list(&wanted).await?);
        let finished = finish_about_service(&page)?;
        // What takes long is done there.
        if wants_gzip {
            finished.gzip();
        }
        Ok::<_, Problem>((finished, page.next))
    });
    let (finished, next) = page.await??;
    let mut response = finished.send(&req, StatusCode::OK);
    if let Some(next) = next {
        let link = format!("<{}>; rel=\"next\"", next_page(req.query_string(), &next));
        if let Ok(link) = link.parse() {
            response.headers_mut().insert(LINK, link);
        }
    }
    Ok(response)
}

/// Get a game
///
/// Returns its seats, status, head, position and result. Without a valid secret you are a spectator.
#[utoipa::path(
    tag = "games",
    params(("id" = String, Path, description = "Id of the game")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The game, as you may see it", body = GameView), Refusals<NoGame>),
)]
#[get("/v1/games/{id}")]
pub async fn get_game(of: GameRequest) -> Result<HttpResponse, Problem> {
    let make = || of.reply().finish_json(&GameView::of(&of.game, &of.caller)?);
    match of.game.info.head {
        Some(head) => of.answer(Aspect::Game(of.caller.seat(&of.game)), head.ply, make),
        None => Ok(make()?.send(of.http(), StatusCode::OK)),
    }
}

impl GamePage {
    fn of(page: &ListPage) -> Self {
        Self { games: page.games.iter().map(GameSummary::of).collect(), next: page.next.map(write_cursor) }
    }
}

/// Too many lists that are wanted at once.
struct TooManyLists;

impl Refuses for TooManyLists {
    fn codes() -> Vec<Code> {
        vec![Code::Busy]
    }
}

/// A rule set that does not exist.
struct UnknownRuleset;

impl Refuses for UnknownRuleset {
    fn codes() -> Vec<Code> {
        vec![Code::UnknownRuleset]
    }
}

impl GamesQuery {
    fn read(&self) -> Result<ListQuery, Problem> {
        let bad = |detail: &str| Problem::new(Code::BadRequest, detail);
        let after = match &self.cursor {
            Some(cursor) => {
                Some(read_cursor(cursor).ok_or_else(|| bad("cursor must be the `next` of a page"))?)
            }
            None => None,
        };
        let ruleset = match &self.ruleset {
            Some(name) => Some(
                Ruleset::named(name)
                    .ok_or_else(|| Problem::unknown_ruleset(format!("unknown rule set {name:?}")))?,
            ),
            None => None,
        };
        Ok(ListQuery {
            statuses: self.status.clone(),
            ruleset,
            player: self.player,
            since: self.since,
            until: self.until,
            after,
            limit: self.limit.unwrap_or(20),
        })
    }
}

impl GameSummary {
    /// Returns the part of a game that lists show.
    pub fn of(info: &Info) -> Self {
        Self {
            id: info.id,
            ruleset: info.ruleset().name(),
            setup: info.setup.line().to_owned(),
            status: info.status,
            visibility: info.visibility,
            imported: info.imported,
            patience_hours: info.patience_hours,
            created_at: rfc3339(info.created_at),
            started_at: info.started_at.map(rfc3339),
            seats: info.seated().map(SeatView::of).collect(),
            head: info.head.map(HeadView::from),
        }
    }
}

impl SeatView {
    /// Returns a seat with its holder.
    pub fn of((seat, holder): (Seat, &Holder)) -> Self {
        Self {
            seat: seat.number(),
            kind: holder.kind,
            player: holder.player,
            name: holder.name.clone(),
            entropy: holder.entropy,
        }
    }
}

impl GameView {
    /// Returns a game as `caller` may see it.
    ///
    /// # Errors
    /// `internal` where the stored log is damaged.
    pub fn of(game: &StoredGame, caller: &Caller) -> Result<Self, Problem> {
        let seen = match game.info.head {
            Some(head) => Some(Seen::by(caller.viewer(game), game, head.ply)?),
            None => None,
        };
        let is_over = game.info.is_over();
        let options = game.info.setup.options().into_iter();
        Ok(Self {
            summary: GameSummary::of(&game.info),
            options: options.map(|option| (option.name, option.value)).collect(),
            commitment: game.seed.as_ref().map(|seed| hex::encode(chance::commitment(seed))),
            seed: game.seed.filter(|_| is_over).map(hex::encode),
            your_seat: caller.seat(game).map(Seat::number),
            state: seen.as_ref().map(|seen| seen.table.state()),
            result: seen.filter(|_| is_over).map(|seen| seen.table.score()),
        })
    }
}

/// Returns the path of the next page: the same query with another cursor.
fn next_page(query: &str, cursor: &str) -> String {
    let kept = query.split('&').filter(|pair| !pair.is_empty() && !pair.starts_with("cursor="));
    let pairs: Vec<&str> = kept.collect();
    let cursor = format!("cursor={cursor}");
    format!("/v1/games?{}", pairs.into_iter().chain([cursor.as_str()]).collect::<Vec<_>>().join("&"))
}
