//! Export of games.

use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_proofs::public_log::Milestone;
use assam_record::game::StoredGame;
use assam_record::log::Damaged;
use assam_rules::Viewer;
use serde::Serialize;
use tokio::task::yield_now;
use tokio::time::sleep;
use utoipa::ToSchema;

use super::BrokeOff;
use super::export_query::{ExportQuery, NoSuchPlace};
use super::exported::{Detail, ExportedLine, line};
use super::outgoing::Outgoing;
use crate::app::{App, ExportPage, ListQuery, StoreError};
use crate::bulk::NotHeard;
use crate::http::games::lists::UnknownRuleset;
use crate::http::limits::bulk_place;
use crate::http::play::replay::record;
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{NoSuchForm, Refusals, TooMuchWaits};
use crate::http::response::reply::{NDJSON, Reply};
use crate::problem::Problem;

const MKN: &str = "text/plain";
/// The number of games read at a time.
const PAGE: u32 = 64;

/// The number of games in an export.
#[derive(Serialize, ToSchema)]
pub struct ExportCount {
    /// The number of games.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    games: u64,
}

/// Export games
///
/// Returns public games, oldest first, as MKN in file form (`text/plain`, the default) or one JSON object per
/// line (`application/x-ndjson`), optionally compressed with gzip or zstd.
///
/// If a response is interrupted, the end of its transfer coding is missing, which HTTP libraries report as an
/// error. Resume the export with `after`.
#[utoipa::path(
    tag = "records",
    params(ExportQuery),
    responses(
        (status = 200, description = "The games", content((String = "text/plain"), (ExportedLine = "application/x-ndjson"))),
        Refusals<(BadQuery, UnknownRuleset, (NoSuchForm, NoSuchPlace), (StoreError, TooMuchWaits))>,
    ),
)]
#[get("/v1/export")]
pub async fn export_games(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: ExportQuery = request::query(&req)?;
    let forms: &[_] = if query.detail() == Detail::Proof { &[NDJSON] } else { &[MKN, NDJSON] };
    let form = request::accepted(&req, forms)?;
    let (list, service) = (query.read(&app).await?, app.clone().into_inner());
    let settle = req.app_data().map_or(Duration::ZERO, |ExportDelay(settle)| *settle);
    // Hidden cards are masked for spectators, so compression reveals no secret.
    let place = bulk_place(&req)?;
    let (mut out, response) = Outgoing::response(&req, form, true);
    app.start_background(async move {
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
/// Returns how many games an export with this query would contain.
#[utoipa::path(
    tag = "records",
    params(ExportQuery),
    responses(
        (status = 200, description = "The number of games", body = ExportCount),
        Refusals<(BadQuery, UnknownRuleset, NoSuchPlace, (StoreError, TooMuchWaits))>,
    ),
)]
#[get("/v1/export/count")]
pub async fn count_exported_games(req: HttpRequest, app: web::Data<App>) -> Result<HttpResponse, Problem> {
    let query: ExportQuery = request::query(&req)?;
    let (list, service) = (query.read(&app).await?, app.clone());
    let games = app.run_background(async move { service.count_games(&list).await }).await??;
    let games = query.limit.map_or(games, |limit| games.min(limit.into()));
    Ok(Reply::about_service(&req).ok(&ExportCount { games }))
}

/// Why an export ended early.
#[derive(Debug, thiserror::Error)]
pub enum NotExported {
    /// The query was refused.
    #[error("{0}")]
    Refused(String),
    /// The store failed.
    #[error("{0}")]
    Failed(String),
    /// The client is gone.
    #[error("the client is gone")]
    NotHeard,
}

impl From<Problem> for NotExported {
    fn from(problem: Problem) -> Self {
        let is_failure = problem.status >= 500;
        let violations = problem.errors.iter().map(|violation| {
            format!("{} {}", violation.parameter.as_deref().unwrap_or_default(), violation.detail)
        });
        let violations: Vec<String> = violations.collect();
        let cause = problem.cause.map(|cause| format!(": {cause}")).unwrap_or_default();
        let detail = if violations.is_empty() { problem.detail + &cause } else { violations.join("; ") };
        if is_failure { Self::Failed(detail) } else { Self::Refused(detail) }
    }
}

/// An export.
pub struct Export {
    query: ExportQuery,
    form: &'static str,
    list: ListQuery,
    settle: Duration,
}

/// A receiver that takes an export game by game.
pub trait ExportTaker {
    /// Takes the text of a game.
    ///
    /// # Errors
    /// If the client is gone.
    fn take(&mut self, text: &[u8]) -> impl Future<Output = Result<(), NotHeard>> + Send;
}

impl ExportTaker for Outgoing {
    async fn take(&mut self, text: &[u8]) -> Result<(), NotHeard> {
        self.write(text).await
    }
}

/// How often a begun export retries while the database does not answer, and how long it waits between
/// attempts.
const ATTEMPTS: u32 = 20;
const PAUSE: Duration = Duration::from_millis(500);

/// The age that games must reach before an export includes them, so that it misses none still being written.
#[derive(Clone, Copy, Debug)]
pub struct ExportDelay(pub Duration);

impl Export {
    /// Reads an export's query, as in a URL. Games younger than `settle` are waited for.
    ///
    /// # Errors
    /// If the query is refused, or the store cannot be read.
    pub async fn new(app: &App, query: &str, is_json: bool, settle: Duration) -> Result<Self, NotExported> {
        let query: ExportQuery = request::read_query(query)?;
        let form = if is_json { NDJSON } else { MKN };
        Ok(Self { list: query.read(app).await?, query, form, settle })
    }

    /// Returns the number of games.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn count(&self, app: &App) -> Result<u64, NotExported> {
        let games = app.count_games(&self.list).await.map_err(Problem::from)?;
        Ok(self.query.limit.map_or(games, |limit| games.min(limit.into())))
    }

    /// Writes all games.
    ///
    /// # Errors
    /// If the store fails, or the client is gone.
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
                let positions = match self.query.detail() {
                    Detail::Proof => app.log_positions(game.info.id).await?,
                    Detail::Game | Detail::States => Vec::new(),
                };
                let text = self.text(app, game, is_first, &positions)?;
                is_first = false;
                out.take(text.as_bytes()).await?;
                // Other work gets a turn.
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

    /// Reads the next games. A begun export waits for the database, because the client would otherwise have
    /// to start again.
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

    /// Returns a game in the form of the export.
    fn text(
        &self,
        app: &App,
        game: &StoredGame,
        is_first: bool,
        positions: &[(Milestone, Option<u64>)],
    ) -> Result<String, Damaged> {
        if self.form != MKN {
            return line(app, game, self.query.detail(), positions);
        }
        let last = game.info.head.map_or(0, |head| head.ply);
        let blank = if is_first { "" } else { "\n" };
        Ok(format!("{blank}{}", record(game, Viewer::Spectator, last)?))
    }
}
