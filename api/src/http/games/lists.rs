//! Lists of public games, and of your own.

use std::sync::Arc;

use actix_web::http::StatusCode;
use actix_web::http::header::LINK;
use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_record::game::{PlayerId, Status};
use assam_referee::Ruleset;
use assam_rules::Seat;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::game_view::GameSummary;
use crate::app::{
    App, Caller, Coalescer, ListOrder, ListPlace, ListQuery, ListScope, RunningGames, SortBy, StoreError,
    Summary, SummaryPage, TagKey,
};
use crate::http::request::caller::{BadSecret, NoSecret, caller, required};
use crate::http::request::{self, BadQuery, QueryTime};
use crate::http::response::finished::{Finished, prefers_gzip};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::{Reply, finish_about_service};
use crate::problem::{Code, HasProblemCodes, Problem};

/// A page of games.
#[derive(Serialize, ToSchema)]
pub struct GamePage {
    /// The games, newest first.
    #[schema(max_items = 100)]
    games: Vec<GameSummary>,
    /// The `cursor` of the next page. Null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// One of your games.
#[derive(Serialize, ToSchema)]
pub struct OwnGame {
    #[serde(flatten)]
    game: GameSummary,
    /// The seat that you hold.
    #[schema(minimum = 1, maximum = 4)]
    your_seat: Option<u8>,
    /// Whether the game is waiting for you.
    your_turn: bool,
}

/// A page of your games.
#[derive(Serialize, ToSchema)]
pub struct OwnGamePage {
    /// The games, newest first.
    #[schema(max_items = 100)]
    games: Vec<OwnGame>,
    /// The `cursor` of the next page. Null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// The time that orders games: their creation, or their end or import (`finished`, which omits other games).
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicSort {
    /// By creation.
    #[default]
    Created,
    /// By end.
    Finished,
}

/// The order of your games, newest first: by creation, end (`finished`) or last ply (`moved`, only running
/// games).
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OwnSort {
    /// By creation.
    Created,
    /// By end.
    Finished,
    /// By last ply.
    Moved,
}

/// Filters and paging for a list of games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Only games with one of these statuses, separated by commas.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    status: Vec<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games with a seat of this player.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{20}$")]
    player: Option<PlayerId>,
    /// Only imported games with this `event` tag. Cannot be combined with `player`.
    #[param(min_length = 1, max_length = 4096, example = "Fes Open 2026")]
    event: Option<String>,
    /// Only games of the `event` with this `round` tag.
    #[param(min_length = 1, max_length = 4096)]
    round: Option<String>,
    /// Only games of the `round` with this `table` tag.
    #[param(min_length = 1, max_length = 4096)]
    table: Option<String>,
    /// Only imported games with exactly this `date` tag. Cannot be combined with `player` or `event`.
    #[param(min_length = 1, max_length = 4096, example = "2026-11-20")]
    date: Option<String>,
    /// Only games with one of these numbers of open seats, separated by commas. A page may then be shorter
    /// than `limit` and still have a `next`.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    open_seats: Vec<OpenSeats>,
    /// `true`: only imported games. `false`: only games that were not imported.
    imported: Option<bool>,
    /// Only games from this time on, in RFC 3339.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order: `created` by default.
    #[serde(default)]
    #[param(inline)]
    sort: PublicSort,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Games per page, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// A number of open seats.
#[derive(Clone, Copy, Deserialize, ToSchema)]
#[schema(minimum = 1, maximum = 4)]
struct OpenSeats(u8);

/// Filters and paging for a list of your games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OwnGamesQuery {
    /// Only games with one of these statuses, separated by commas.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    status: Vec<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// `true`: only games that are waiting for you, newest ply first, out of your newest 1,000 running games.
    your_turn: Option<bool>,
    /// Only games from this time on, in RFC 3339.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games before this time.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order: `created` by default, `moved` with `your_turn=true`.
    #[param(inline)]
    sort: Option<OwnSort>,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Games per page, 1 to 100. Default: 20.
    #[param(minimum = 1, maximum = 100)]
    limit: Option<u32>,
}

/// List games
///
/// Returns a page of public games, newest first.
#[utoipa::path(
    tag = "games",
    params(GamesQuery),
    responses((status = 200, description = "A page of games", body = GamePage, headers(("Link"))), Refusals<(BadQuery, UnknownRuleset, StoreError, TooMuchWaits)>),
)]
#[get("/v1/games")]
pub async fn list_games(
    req: HttpRequest,
    app: web::Data<App>,
    pages: web::Data<SharedPages>,
) -> Result<HttpResponse, Problem> {
    let query: GamesQuery = request::query(&req)?;
    let wanted = (query.read()?, prefers_gzip(&req));
    let service = app.clone();
    let page = app.read_coalesced(&pages, wanted, move |(wanted, wants_gzip)| {
        let service = service.clone();
        async move { SharedPage::new(&service.list(&wanted).await?, wants_gzip).map(Arc::new) }
    });
    let page = page.await?;
    let mut response = page.finished.send(&req, StatusCode::OK);
    link_next(&req, &mut response, page.next.as_deref());
    Ok(response)
}

/// List your games
///
/// Returns a page of the games in which your secret holds a seat, newest first. `your_turn=true` lists only
/// those that are waiting for you.
#[utoipa::path(
    tag = "games",
    params(OwnGamesQuery),
    security(("secret" = [])),
    responses((status = 200, description = "A page of your games", body = OwnGamePage, headers(("Link"))), Refusals<(BadQuery, (BadSecret, NoSecret), UnknownRuleset, (StoreError, TooMuchWaits))>),
)]
#[get("/v1/me/games")]
pub async fn list_own_games(
    req: HttpRequest,
    app: web::Data<App>,
    running: web::Data<SharedRunning>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let secret = required(&caller)?;
    let query: OwnGamesQuery = request::query(&req)?;
    let scope = ListScope::AllOf { player: secret.player(), secret: secret.hash() };
    let (order, wanted) = query.read(scope)?;
    let after = query.cursor.as_deref().map(|cursor| place(cursor, order)).transpose()?;
    let service = app.clone();
    let page = match order {
        ListOrder::Moved => {
            let read = move |all: ListQuery| {
                let service = service.clone();
                async move { service.running_games(&all).await.map(Arc::new) }
            };
            let games = app.read_coalesced(&running, RunningGames::query(&wanted), read).await?;
            games.page(&wanted, (query.your_turn == Some(true)).then_some(&caller), after)
        }
        ListOrder::Created | ListOrder::Finished => {
            app.run_low_priority(async move { service.list(&wanted).await }).await??
        }
    };
    let page = OwnGamePage::new(&page, &caller);
    let mut response = Reply::about_requester(&req).ok(&page);
    link_next(&req, &mut response, page.next.as_deref());
    Ok(response)
}

/// Pages of public games that several clients request at the same time, plain and compressed.
pub type SharedPages = Coalescer<(ListQuery, bool), Arc<SharedPage>>;

/// A player's running games, read once for concurrent requests: a reading costs as much as some ten other
/// pages.
pub type SharedRunning = Coalescer<ListQuery, Arc<RunningGames>>;

/// A page for all clients that request it.
pub struct SharedPage {
    finished: Finished,
    next: Option<String>,
}

impl SharedPage {
    fn new(page: &SummaryPage, wants_gzip: bool) -> Result<Self, StoreError> {
        let page = GamePage::new(page);
        let finished = finish_about_service(&page);
        let finished =
            finished.map_err(|_| StoreError::Backend("a page cannot be written as JSON".into()))?;
        // The expensive part is done here, once.
        if wants_gzip {
            finished.gzip();
        }
        Ok(Self { finished, next: page.next })
    }
}

impl GamePage {
    fn new(page: &SummaryPage) -> Self {
        let summary = |game: &Summary| GameSummary::new(&game.info, &game.standing);
        Self { games: page.games.iter().map(summary).collect(), next: page.next.map(ListPlace::cursor) }
    }
}

impl OwnGame {
    /// Returns a game as its player sees it.
    pub fn new(game: &Summary, caller: &Caller) -> Self {
        Self {
            game: GameSummary::new(&game.info, &game.standing),
            your_seat: caller.seat_in(&game.info).map(Seat::number),
            your_turn: game.is_turn_of(caller),
        }
    }
}

impl OwnGamePage {
    fn new(page: &SummaryPage, caller: &Caller) -> Self {
        let own = |game: &Summary| OwnGame::new(game, caller);
        Self { games: page.games.iter().map(own).collect(), next: page.next.map(ListPlace::cursor) }
    }
}

/// A rule set that does not exist.
pub struct UnknownRuleset;

impl HasProblemCodes for UnknownRuleset {
    fn codes() -> Vec<Code> {
        vec![Code::UnknownRuleset]
    }
}

fn bad(detail: &str) -> Problem {
    Problem::new(Code::BadRequest, detail)
}

/// Reads a cursor for a list in this order.
///
/// # Errors
/// `bad_request`.
pub fn place(cursor: &str, order: ListOrder) -> Result<ListPlace, Problem> {
    let bad = || bad("cursor must be the `next` of a page with the same `sort`").at_parameter("cursor");
    ListPlace::read(cursor, order).ok_or_else(bad)
}

/// Returns the rule set that a query names.
///
/// # Errors
/// `unknown_ruleset`.
pub fn named_ruleset(name: &str) -> Result<Ruleset, Problem> {
    let unknown = || Problem::unknown_ruleset(Ruleset::unknown(name)).at_parameter("ruleset");
    Ruleset::named(name).ok_or_else(unknown)
}

impl GamesQuery {
    fn read(&self) -> Result<ListQuery, Problem> {
        let (order, list_order) = match self.sort {
            PublicSort::Created => (SortBy::Created, ListOrder::Created),
            PublicSort::Finished => (SortBy::Finished, ListOrder::Finished),
        };
        let after = self.cursor.as_deref().map(|cursor| place(cursor, list_order)).transpose()?;
        let Self { player, event, round, table, date, .. } = self;
        let tags = [("event", event), ("round", round), ("table", table), ("date", date)];
        Ok(ListQuery {
            scope: list_scope(*player, &tags)?,
            order,
            statuses: self.status.clone(),
            ruleset: self.ruleset.as_deref().map(named_ruleset).transpose()?,
            imported: self.imported,
            open_seats: self.open_seats.iter().map(|seats| seats.0).collect(),
            since: self.since.map(|since| since.0),
            until: self.until.map(|until| until.0),
            is_ascending: false,
            after: after.map(|place| (place.at, place.id)),
            limit: self.limit.unwrap_or(20),
        })
    }
}

impl OwnGamesQuery {
    fn read(&self, scope: ListScope) -> Result<(ListOrder, ListQuery), Problem> {
        let sort = match (self.sort, self.your_turn) {
            (None, Some(true)) | (Some(OwnSort::Moved), _) => ListOrder::Moved,
            (Some(_), Some(true)) => {
                return Err(bad("with `your_turn`, `sort` must be `moved`").at_parameter("sort"));
            }
            (None | Some(OwnSort::Created), _) => ListOrder::Created,
            (Some(OwnSort::Finished), _) => ListOrder::Finished,
        };
        if sort == ListOrder::Moved && self.status.iter().any(|status| *status != Status::Running) {
            return Err(bad("`moved` orders running games only").at_parameter("sort"));
        }
        let after = self.cursor.as_deref().map(|cursor| place(cursor, sort)).transpose()?;
        let query = ListQuery {
            scope,
            order: if sort == ListOrder::Finished { SortBy::Finished } else { SortBy::Created },
            statuses: self.status.clone(),
            ruleset: self.ruleset.as_deref().map(named_ruleset).transpose()?,
            imported: None,
            open_seats: Vec::new(),
            since: self.since.map(|since| since.0),
            until: self.until.map(|until| until.0),
            is_ascending: false,
            after: after.map(|place| (place.at, place.id)),
            limit: self.limit.unwrap_or(20),
        };
        Ok((sort, query))
    }
}

/// Adds the next page to `Link`: the same query with another cursor.
pub fn link_next(req: &HttpRequest, response: &mut HttpResponse, next: Option<&str>) {
    let Some(cursor) = next else { return };
    let is_kept = |pair: &&str| {
        let named: Option<Vec<(String, String)>> =
            web::Query::from_query(pair).ok().map(web::Query::into_inner);
        named.is_some_and(|named| named.iter().any(|(name, _)| name != "cursor"))
    };
    let mut query: Vec<&str> = req.query_string().split('&').filter(is_kept).collect();
    let cursor = format!("cursor={cursor}");
    query.push(&cursor);
    let link = format!("<{}?{}>; rel=\"next\"", req.path(), query.join("&"));
    if let Ok(link) = link.parse() {
        response.headers_mut().insert(LINK, link);
    }
}

/// Returns the scope of a list: the games of a player, or games with some tags.
///
/// # Errors
/// `bad_request` if the filters cannot be combined.
fn list_scope(player: Option<PlayerId>, tags: &[(&str, &Option<String>)]) -> Result<ListScope, Problem> {
    let tags: Vec<(&str, &str)> =
        tags.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
    let Some((name, _)) = tags.first() else {
        return Ok(player.map_or(ListScope::Public, ListScope::PublicOf));
    };
    let bad = |detail: &str| Problem::new(Code::BadRequest, detail).at_parameter(name);
    if player.is_some() {
        return Err(bad("a list filters by player or by tags. Leave one out"));
    }
    let sets =
        "filter by `event`, by `event` and `round`, by `event`, `round` and `table`, or by `date` alone";
    TagKey::from_tags(&tags).map(ListScope::Tagged).ok_or_else(|| bad(sets))
}
