//! Importing many records at once.

use std::sync::Arc;
use std::time::Duration;

use actix_web::{HttpRequest, HttpResponse, post, web};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use serde::Serialize;
use tokio::task::yield_now;
use tokio::time::sleep;
use utoipa::ToSchema;

use super::incoming::Incoming;
use super::rows::Rows;
use super::{BadBulk, BrokeOff, Stopped};
use crate::app::{App, Import, ImportError, Imported, StoreError};
use crate::bulk::{Cut, Cutter, NoRecord, NotHeard, RowError};
use crate::game::{Bytes32, GameId};
use crate::http::caller::{BadSecret, caller};
use crate::http::limits::{ImportPace, bulk_place};
use crate::http::refusals::{Refusals, TooMuchWaits};
use crate::problem::Problem;

/// How many records of one request may wait to be written.
const AHEAD: usize = 64;
/// How long to wait where too much waits to be written.
const PAUSE: Duration = Duration::from_millis(20);

/// A line of the response: what became of a record, or the last line.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ImportLine {
    /// What became of a record.
    Record(ImportRow),
    /// The last line, where the body could not be read to its end, or the database does not answer.
    Stopped(Stopped),
    /// The last line.
    Summary(ImportSummary),
}

/// What became of a record.
#[derive(Serialize, ToSchema)]
pub struct ImportRow {
    /// The number of the record, from 1.
    #[schema(minimum = 1, example = 1)]
    number: u64,
    /// The line on which it begins, from 1.
    #[schema(minimum = 1, example = 1)]
    line: u64,
    /// What became of it.
    outcome: ImportOutcome,
    /// The id of the game; null if the record was refused.
    #[schema(value_type = Option<String>, example = "0f8fad5bd9cb469fa165708f67d64b2a")]
    game: Option<GameId>,
    /// The names of the tags of the record that the game, which was there before, has not, or with another value. They are
    /// not kept.
    #[schema(example = json!(["event"]))]
    ignored_tags: Vec<String>,
    /// Why the record was refused; null if it was not.
    error: Option<RowError<'static>>,
}

/// What became of a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportOutcome {
    /// It is a new game now.
    New,
    /// It was there before.
    Known,
    /// It was refused.
    Refused,
}

/// How many records there were.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct ImportSummary {
    /// The records.
    records: u64,
    /// Those that are new games now.
    new: u64,
    /// Those that were there before.
    known: u64,
    /// Those that were refused.
    refused: u64,
}

/// Import many finished records
///
/// Takes any number of records, up to 1 GiB unpacked: MKN, one after another, or one JSON object a line with a member
/// `record`. The body may be packed with gzip or zstd. The response has a line for each record, in order, while the body
/// still comes, and a last line: `summary`, or `stopped` if not all could be read or written. A bad record never stops
/// the rest. Importing the same records again changes nothing, so a request that broke off may be repeated.
#[utoipa::path(
    tag = "records",
    request_body(content((String = "text/plain"), (String = "application/x-ndjson"))),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "One JSON object a line", body = ImportLine, content_type = "application/x-ndjson"),
        Refusals<(BadBulk, BadSecret, TooMuchWaits)>,
    ),
)]
#[post("/v1/imports/bulk")]
pub async fn import_records(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let (place, pace) = (bulk_place(&req)?, ImportPace::of(&req));
    let incoming = Incoming::of(&req, payload)?;
    let (rows, response) = Rows::response();
    let service = app.clone().into_inner();
    let owner = caller.secret().map(|secret| secret.hash());
    app.start_behind(async move {
        let _place = place;
        let imports = Imports { app: service, owner, pace, rows, summary: ImportSummary::default() };
        // Where nobody listens any more, nothing is left to do.
        let _ = imports.all(incoming).await;
    })?;
    Ok(response)
}

/// Imports under way.
struct Imports {
    app: Arc<App>,
    owner: Option<Bytes32>,
    pace: ImportPace,
    rows: Rows,
    summary: ImportSummary,
}

/// What became of a record of a body.
struct Handled {
    number: u64,
    line: u64,
    /// The line that its first line counts as in messages.
    first: u64,
    outcome: Result<Imported, NotImported>,
}

/// Why a record is not imported.
enum NotImported {
    Missing(NoRecord),
    Refused(ImportError),
}

impl Imports {
    async fn all(mut self, incoming: Incoming) -> Result<(), NotHeard> {
        let last = match self.each(incoming).await {
            Ok(()) => ImportLine::Summary(self.summary),
            Err(BrokeOff::NotHeard) => return Err(NotHeard),
            Err(BrokeOff::Stopped(problem)) => ImportLine::Stopped((*problem).into()),
        };
        self.rows.add(&last);
        self.rows.end().await
    }

    async fn each(&mut self, mut incoming: Incoming) -> Result<(), BrokeOff> {
        let mut cutter = Some(Cutter::of(incoming.bundle));
        let (mut count, mut writing, mut stopped) = (0, FuturesOrdered::new(), None);
        loop {
            self.rows.came(incoming.take_came());
            let mut read = Vec::new();
            tokio::select! {
                Some(handled) = writing.next() => self.tell(handled)?,
                bytes = incoming.next(), if cutter.is_some() && writing.len() < AHEAD => {
                    let owner = self.owner;
                    let mut keep = |cut: Cut<'_>| read.push(ReadRecord::of(&cut, owner));
                    match bytes {
                        Ok([]) => cutter.take().into_iter().for_each(|cutter| cutter.finish(&mut keep)),
                        Ok(bytes) => cutter.iter_mut().for_each(|cutter| cutter.feed(bytes, &mut keep)),
                        // What is being written is told first.
                        Err(problem) => {
                            cutter = None;
                            stopped = Some(Box::new(problem));
                        }
                    }
                }
                else => return stopped.map_or(Ok(()), |problem| Err(BrokeOff::Stopped(problem))),
            }
            for read in read {
                count += 1;
                writing.push_back(read.added(Arc::clone(&self.app), self.pace.clone(), count));
            }
            self.rows.send().await?;
            // Others have their turn.
            yield_now().await;
        }
    }

    /// Says what became of a record.
    fn tell(&mut self, Handled { number, line, first, outcome }: Handled) -> Result<(), BrokeOff> {
        let error = match outcome {
            Ok(Imported { game, is_new, ignored_tags }) => {
                let outcome = if is_new { ImportOutcome::New } else { ImportOutcome::Known };
                let game = Some(game.info.id);
                self.row(ImportRow { number, line, outcome, game, ignored_tags, error: None });
                return Ok(());
            }
            Err(NotImported::Missing(why)) => RowError::missing(&why, line),
            Err(NotImported::Refused(ImportError::Store(error)))
                if !matches!(error, StoreError::TakenDown(_)) =>
            {
                return Err(error.into());
            }
            Err(NotImported::Refused(ImportError::Refused(error))) => {
                RowError::of(&error, first).into_owned()
            }
            Err(NotImported::Refused(error)) => {
                let Problem { code, detail, .. } = error.into();
                RowError::plain(code.as_str(), detail, line)
            }
        };
        let (outcome, error) = (ImportOutcome::Refused, Some(error));
        self.row(ImportRow { number, line, outcome, game: None, ignored_tags: Vec::new(), error });
        Ok(())
    }

    /// Counts what became of a record, and writes it.
    fn row(&mut self, row: ImportRow) {
        self.summary.records += 1;
        *match row.outcome {
            ImportOutcome::New => &mut self.summary.new,
            ImportOutcome::Known => &mut self.summary.known,
            ImportOutcome::Refused => &mut self.summary.refused,
        } += 1;
        self.rows.add(&ImportLine::Record(row));
    }
}

/// A record of a body, as it was read.
struct ReadRecord {
    line: u64,
    first: u64,
    import: Result<Import, NotImported>,
}

impl ReadRecord {
    fn of(cut: &Cut<'_>, owner: Option<Bytes32>) -> Self {
        let import = match &cut.record {
            Ok(record) => Import::read(record, owner).map_err(NotImported::Refused),
            Err(missing) => Err(NotImported::Missing(missing.clone())),
        };
        Self { line: cut.line, first: cut.first, import }
    }

    /// Adds it to the games, once there is room for it.
    #[expect(clippy::disallowed_methods, reason = "others make room while time passes")]
    async fn added(self, app: Arc<App>, pace: ImportPace, number: u64) -> Handled {
        let Self { line, first, import } = self;
        let outcome = match import {
            Err(error) => Err(error),
            Ok(import) => loop {
                pace.wait().await;
                match app.add_import(&import).await {
                    Err(ImportError::Store(StoreError::Busy)) => sleep(PAUSE).await,
                    outcome => break outcome.map_err(NotImported::Refused),
                }
            },
        };
        Handled { number, line, first, outcome }
    }
}
