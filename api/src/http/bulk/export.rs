//! Exporting games.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_rules::Viewer;
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use tokio::task::yield_now;
use tokio::time::sleep;
use utoipa::{IntoParams, ToSchema};

use super::BrokeOff;
use super::incoming::NDJSON;
use super::outgoing::Outgoing;
use crate::app::{Among, App, ExportPage, ListQuery, SortBy, StoreError, Summary};
use crate::bulk::NotHeard;
use crate::clock::now;
use crate::game::{GameId, PlayerId, Status, StoredGame};
use crate::http::games::GameSummary;
use crate::http::limits::bulk_place;
use crate::http::lists::{PublicSort, UnknownRuleset, named_ruleset};
use crate::http::refusals::{NoSuchForm, Refusals, TooMuchWaits};
use crate::http::replay::{StateAtPly, record};
use crate::http::reply::Reply;
use crate::http::request::{self, BadQuery, QueryTime};
use crate::log::{Damaged, ply_by_ply};
use crate::problem::{Code, Problem, Refuses};

const MKN: &str = "text/plain";
/// How many games are read at a time.
const PAGE: u32 = 64;

/// A game of an export, as a spectator may see it.
#[derive(Serialize, ToSchema)]
pub struct ExportedGame {
    #[serde(flatten)]
    game: GameSummary,
    /// Its record, in file form.
    #[schema(example = "MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n")]
    record: String,
    /// The state after every ply, from ply 0, where they are wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<Vec<StateAtPly>>,
}

/// The games that an export has.
#[derive(Serialize, ToSchema)]
pub struct ExportCount {
    /// How many.
    games: u64,
}

/// A status of games that have a record.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ExportStatus {
    /// Going on. Cards that are hidden from spectators are `??`.
    Running,
    /// Played to its end.
    Finished,
    /// Ended by `!abort`.
    Aborted,
}

/// Filters of an export, and where it begins.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ExportQuery {
    /// Only games with this status, or one of several: `status=finished&status=aborted`, or `status=finished,aborted`. By
    /// default, games that are over.
    #[serde(default)]
    #[param(inline, max_items = 3)]
    status: Vec<ExportStatus>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Only games in which the player with this public id holds a seat.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{20}$")]
    player: Option<PlayerId>,
    /// Only games that were imported, or only games that were not.
    imported: Option<bool>,
    /// Only games whose time in the order is this one or later, in RFC 3339: `2026-11-20T20:15:00Z`.
    #[param(value_type = Option<String>, format = DateTime)]
    since: Option<QueryTime>,
    /// Only games whose time in the order is earlier.
    #[param(value_type = Option<String>, format = DateTime)]
    until: Option<QueryTime>,
    /// The order, oldest first: `created` by default. With `finished`, games that end later always come later.
    #[serde(default)]
    #[param(inline)]
    sort: PublicSort,
    /// Only games that come after the one with this id: the last one that you have.
    #[param(value_type = Option<String>, pattern = "^[0-9a-f]{32}$")]
    after: Option<GameId>,
    /// The largest number of games; all by default.
    #[param(minimum = 1, maximum = 1000000000)]
    limit: Option<u32>,
    /// Whether games as JSON come with the state after every ply.
    #[serde(default)]
    states: bool,
}

/// Export games
///
/// Returns public games, oldest first: as MKN in file form (`text/plain`, the default), with an empty line between them, or
/// one JSON object a line (`application/x-ndjson`). It may be packed with gzip or zstd. A response that breaks off ends
/// without the end of its transfer coding, which HTTP libraries report: go on with `after`, the id of the last game that you have.
#[utoipa::path(
    tag = "records",
    params(ExportQuery),
    responses(
        (status = 200, description = "The games", content((String = "text/plain"), (ExportedGame = "application/x-ndjson"))),
        Refusals<(BadQuery, UnknownRuleset, (NoSuchForm, NoSuchPlace), (StoreError, TooMuchWaits))>,
    ),
)]
#[get("/v1/export")]
pub async fn export_games(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: ExportQuery = request::query(&req)?;
    let form = request::accepted(&req, &[MKN, NDJSON])?;
    let (list, service) = (query.read(&app).await?, app.clone().into_inner());
    let settle = req.app_data().map_or(Duration::ZERO, |ExportDelay(settle)| *settle);
    // What is hidden is masked for a spectator, so what is packed together keeps no secret.
    let place = bulk_place(&req)?;
    let (mut out, response) = Outgoing::response(&req, form, true);
    app.start_behind(async move {
        let _place = place;
        let export = Export { query, form, list, settle };
        let written = async { Ok(export.write(&service, &mut out).await.map(|_| out)?.finish().await?) };
        if let Err(BrokeOff::Stopped(problem)) = written.await {
            tracing::warn!("an export broke off: {}", problem.log_line());
        }
    })?;
    Ok(response)
}

/// Count the games of an export
///
/// Takes the query of an export, and returns how many games it would have.
#[utoipa::path(
    tag = "records",
    params(ExportQuery),
    responses(
        (status = 200, description = "How many games there are", body = ExportCount),
        Refusals<(BadQuery, UnknownRuleset, NoSuchPlace, (StoreError, TooMuchWaits))>,
    ),
)]
#[get("/v1/export/count")]
pub async fn count_exported_games(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: ExportQuery = request::query(&req)?;
    let (list, service) = (query.read(&app).await?, app.clone());
    let games = app.run_behind(async move { service.count_games(&list).await }).await??;
    let games = query.limit.map_or(games, |limit| games.min(limit.into()));
    Ok(Reply::about_service(&req).ok(&ExportCount { games }))
}

/// Why an export is not written to its end.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The query is refused.
    #[error("{0}")]
    Refused(String),
    /// The store fails.
    #[error("{0}")]
    Failed(String),
    /// Nobody wants more.
    #[error("nobody wants more")]
    NotHeard,
}

impl From<Problem> for NotExported {
    fn from(problem: Problem) -> Self {
        let is_failure = problem.status >= 500;
        let flaws = problem
            .errors
            .iter()
            .map(|flaw| format!("{} {}", flaw.parameter.as_deref().unwrap_or_default(), flaw.detail));
        let flaws: Vec<String> = flaws.collect();
        let cause = problem.cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        let detail = if flaws.is_empty() { problem.detail + &cause } else { flaws.join("; ") };
        if is_failure { Self::Failed(detail) } else { Self::Refused(detail) }
    }
}

/// A game after which nothing can be exported: it is not public, or not over where that is the order.
struct NoSuchPlace;

impl From<NoSuchPlace> for Problem {
    fn from(_: NoSuchPlace) -> Self {
        Self::new(
            Code::GameNotFound,
            "there is no public game with this id, or it has no place in this order",
        )
    }
}

impl Refuses for NoSuchPlace {
    fn codes() -> Vec<Code> {
        vec![Code::GameNotFound]
    }
}

/// An export.
pub struct Export {
    query: ExportQuery,
    form: &'static str,
    list: ListQuery,
    settle: Duration,
}

/// Whoever takes an export, game by game.
pub trait ExportTaker {
    /// Takes what is said of a game.
    ///
    /// # Errors
    /// Where nobody wants more.
    fn take(&mut self, text: &[u8]) -> impl Future<Output = Result<(), NotHeard>> + Send;
}

impl ExportTaker for Outgoing {
    async fn take(&mut self, text: &[u8]) -> Result<(), NotHeard> {
        self.write(text).await
    }
}

/// How often an export that has begun asks again for games where the database does not answer, and how long it waits before that.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// How long an export waits with games that are that new, so that none is missed that is still being written.
#[derive(Clone, Copy, Debug)]
pub struct ExportDelay(pub Duration);

impl Export {
    /// Reads the query of an export, as it stands in a URL; games that are not older than `settle` are waited for.
    ///
    /// # Errors
    /// What is wrong with the query, in sentences, or why the store cannot be read.
    pub async fn of(app: &App, query: &str, is_json: bool, settle: Duration) -> Result<Self, NotExported> {
        let query: ExportQuery = request::read_query(query)?;
        let form = if is_json { NDJSON } else { MKN };
        Ok(Self { list: query.read(app).await?, query, form, settle })
    }

    /// Returns how many games it has.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn count(&self, app: &App) -> Result<u64, NotExported> {
        let games = app.count_games(&self.list).await.map_err(Problem::from)?;
        Ok(self.query.limit.map_or(games, |limit| games.min(limit.into())))
    }

    /// Writes all games.
    ///
    /// # Errors
    /// Where the store fails, and where nobody wants more.
    pub async fn write_to(self, app: &App, out: &mut impl ExportTaker) -> Result<(), NotExported> {
        self.write(app, out).await.map_err(|broke_off| match broke_off {
            BrokeOff::NotHeard => NotExported::NotHeard,
            BrokeOff::Stopped(problem) => (*problem).into(),
        })
    }

    #[expect(clippy::disallowed_methods, reason = "games settle while time passes")]
    async fn write(mut self, app: &App, out: &mut impl ExportTaker) -> Result<(), BrokeOff> {
        let mut left = self.query.limit.map_or(u64::MAX, u64::from);
        let mut is_first = true;
        while left > 0 {
            self.list.limit = left.min(PAGE.into()) as u32;
            let page = self.page(app, is_first).await?;
            let wait = page.wait_ms(self.list.order, self.settle);
            if wait > 0 {
                sleep(Duration::from_millis(wait)).await;
                continue;
            }
            for game in &page.games {
                let text = self.text(game, is_first)?;
                is_first = false;
                out.take(text.as_bytes()).await?;
                // Others have their turn.
                yield_now().await;
            }
            left = left.saturating_sub(page.games.len() as u64);
            self.list.after = page.next;
            if page.next.is_none() {
                break;
            }
        }
        Ok(())
    }

    /// Reads the next games. Where the database is away for a moment, an export that has begun waits for it: it would have to be asked
    /// for again.
    #[expect(clippy::disallowed_methods, reason = "the database may come back while time passes")]
    async fn page(&self, app: &App, is_first: bool) -> Result<ExportPage, StoreError> {
        let attempts = if is_first { 0 } else { ATTEMPTS };
        for _ in 0..attempts {
            match app.export(&self.list).await {
                Err(StoreError::Unavailable(_)) => sleep(PAUSE).await,
                read => return read,
            }
        }
        app.export(&self.list).await
    }

    /// Returns what the export says of a game.
    fn text(&self, game: &StoredGame, is_first: bool) -> Result<String, Damaged> {
        let last = game.info.head.map_or(0, |head| head.ply);
        let record = record(game, Viewer::Spectator, last)?;
        if self.form == MKN {
            let blank = if is_first { "" } else { "\n" };
            return Ok(format!("{blank}{record}"));
        }
        let states = self.query.states.then(|| states(game)).transpose()?;
        let Summary { info, standing } = Summary::of(game)?;
        let game = ExportedGame { game: GameSummary::of(&info, &standing), record, states };
        // It has string keys only, and nothing that fails.
        Ok(serde_json::to_string(&game).unwrap_or_default() + "\n")
    }
}

fn states(game: &StoredGame) -> Result<Vec<StateAtPly>, Damaged> {
    let mut states = Vec::new();
    ply_by_ply(Viewer::Spectator, game, |seen| states.push(StateAtPly::of(seen)))?;
    Ok(states)
}

impl ExportQuery {
    async fn read(&self, app: &App) -> Result<ListQuery, Problem> {
        let order = match self.sort {
            PublicSort::Created => SortBy::Created,
            PublicSort::Finished => SortBy::Finished,
        };
        let statuses = match &self.status[..] {
            [] => vec![Status::Finished, Status::Aborted],
            statuses => statuses.iter().map(|status| status.read()).collect(),
        };
        let after = match self.after {
            Some(id) => Some(app.place_in(order, id).await?.ok_or(NoSuchPlace)?),
            None => None,
        };
        // What comes after the request is none of its games: it would never end.
        let end = now().saturating_add(SignedDuration::from_millis(1)).unwrap_or(Timestamp::MAX);
        Ok(ListQuery {
            among: self.player.map_or(Among::Public, Among::PublicOf),
            order,
            statuses,
            ruleset: self.ruleset.as_deref().map(named_ruleset).transpose()?,
            imported: self.imported,
            since: self.since.map(|since| since.0),
            until: Some(self.until.map_or(end, |until| until.0.min(end))),
            is_ascending: true,
            after,
            ..ListQuery::default()
        })
    }
}

impl ExportStatus {
    const fn read(self) -> Status {
        match self {
            Self::Running => Status::Running,
            Self::Finished => Status::Finished,
            Self::Aborted => Status::Aborted,
        }
    }
}
