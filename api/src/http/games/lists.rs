//! Lists of games: the public ones, and one's own.

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
    /// The `cursor` of the next page; null on the last page.
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
    /// Whether the game waits for you.
    your_turn: bool,
}

/// A page of your games.
#[derive(Serialize, ToSchema)]
pub struct OwnGamePage {
    /// The games, newest first.
    #[schema(max_items = 100)]
    games: Vec<OwnGame>,
    /// The `cursor` of the next page; null on the last page.
    #[schema(pattern = "^[0-9a-f]+$", max_length = 256)]
    next: Option<String>,
}

/// The time by which games are in order: when they were created, or when they ended (`finished`; games that are not
/// over are left out, and imported ones count as ended when they were imported).
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PublicSort {
    /// By when they were created.
    #[default]
    Created,
    /// By when they ended.
    Finished,
}

/// The order of your games, newest first: by when they were created, by when they ended (`finished`), or, of running
/// games, by when their last ply was written (`moved`).
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum OwnSort {
    /// By when they were created.
    Created,
    /// By when they ended.
    Finished,
    /// By when their last ply was written.
    Moved,
}

/// Filters and paging for a list of games.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct GamesQuery {
    /// Only games with this status, or one of several: `status=open&status=running`, or `status=open,running`.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    status: Vec<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games in which the player with this public id holds a seat.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{20}$")]
    player: Option<PlayerId>,
    /// Only imported games whose tag `event` is this; not together with `player`.
    #[param(min_length = 1, max_length = 4096, example = "Fes Open 2026")]
    event: Option<String>,
    /// Of an `event`, only games whose tag `round` is this.
    #[param(min_length = 1, max_length = 4096)]
    round: Option<String>,
    /// Of a `round` of an `event`, only games whose tag `table` is this.
    #[param(min_length = 1, max_length = 4096)]
    table: Option<String>,
    /// Only imported games whose tag `date` is this, as it is written; not together with `player` or `event`.
    #[param(min_length = 1, max_length = 4096, example = "2026-11-20")]
    date: Option<String>,
    /// Only games with so many open seats, or one of several numbers: `open_seats=1&open_seats=2`, or `open_seats=1,2`. A page can have fewer games than
    /// it has room for, and a `next`.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    open_seats: Vec<OpenSeats>,
    /// Only games that were imported, or only games that were not.
    imported: Option<bool>,
    /// Only games whose time in the order is this one or later, in RFC 3339: `2026-11-20T20:15:00Z`.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games whose time in the order is earlier.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order: `created` by default.
    #[serde(default)]
    #[param(inline)]
    sort: PublicSort,
    /// The `next` of the previous page.
    cursor: Option<String>,
    /// Games per page, 1 to 100; 20 by default.
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
    /// Only games with this status, or one of several: `status=open&status=running`, or `status=open,running`.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    status: Vec<Status>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// `true`: only games that wait for you, those with the newest ply first. Of more than 1,000 running games, the newest
    /// are looked at.
    your_turn: Option<bool>,
    /// Only games whose time in the order is this one or later, in RFC 3339: `2026-11-20T20:15:00Z`.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games whose time in the order is earlier.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order: `created` by default, `moved` with `your_turn=true`.
    #[param(inline)]
    sort: Option<OwnSort>,
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
/// Returns the games in which your secret holds a seat, public or not, newest first, a page at a time: with
/// `your_turn=true`, what waits for you.
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

/// Pages of public games that several ask for, plain and compressed.
pub type SharedPages = Coalescer<(ListQuery, bool), Arc<SharedPage>>;

/// The running games of a player, read once for all pages of them that are asked for at the same time: a reading takes as long as some ten other pages.
pub type SharedRunning = Coalescer<ListQuery, Arc<RunningGames>>;

/// A page for everybody who asks for it.
pub struct SharedPage {
    finished: Finished,
    next: Option<String>,
}

impl SharedPage {
    fn new(page: &SummaryPage, wants_gzip: bool) -> Result<Self, StoreError> {
        let page = GamePage::new(page);
        let finished = finish_about_service(&page);
        let finished = finished.map_err(|_| StoreError::Backend("a page has no form in JSON".into()))?;
        // What takes long is done here, and once.
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

/// Reads a cursor for a list of this order.
fn place(cursor: &str, order: ListOrder) -> Result<ListPlace, Problem> {
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
                return Err(bad("games that wait for you are in the order `moved`").at_parameter("sort"));
            }
            (None | Some(OwnSort::Created), _) => ListOrder::Created,
            (Some(OwnSort::Finished), _) => ListOrder::Finished,
        };
        if sort == ListOrder::Moved && self.status.iter().any(|status| *status != Status::Running) {
            return Err(bad("`moved` is an order of running games").at_parameter("sort"));
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

/// Names the next page in `Link`: the same query with another cursor.
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

/// Returns the games among which a list looks that is of a player, or of games with some tags; each tag has its name.
///
/// # Errors
/// `bad_request` where they do not go together.
fn list_scope(player: Option<PlayerId>, tags: &[(&str, &Option<String>)]) -> Result<ListScope, Problem> {
    let tags: Vec<(&str, &str)> =
        tags.iter().filter_map(|(name, value)| Some((*name, value.as_deref()?))).collect();
    let Some((name, _)) = tags.first() else {
        return Ok(player.map_or(ListScope::Public, ListScope::PublicOf));
    };
    let bad = |detail: &str| Problem::new(Code::BadRequest, detail).at_parameter(name);
    if player.is_some() {
        return Err(bad("a list is of a player or by tags, not both: leave one out"));
    }
    let sets = "tags go together as `event`, `event` and `round`, or `event`, `round` and `table`; `date` stands alone";
    TagKey::from_tags(&tags).map(ListScope::Tagged).ok_or_else(|| bad(sets))
}
