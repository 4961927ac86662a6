//! Bulk import.

use std::sync::Arc;

use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_record::game::Bytes32;
use futures_util::StreamExt as _;
use futures_util::stream::FuturesOrdered;
use serde::Serialize;
use tokio::task::yield_now;
use utoipa::ToSchema;

use super::incoming::Incoming;
use super::rows::Rows;
use super::{BadBulk, BrokeOff, RecordStream, Stopped};
use crate::app::{App, StoreError};
use crate::bulk::{Cut, Cutter, ImportRow, ImportSummary, NotHeard, ReadRecord};
use crate::http::limits::{ImportPace, bulk_place};
use crate::http::request::caller::{BadSecret, caller};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::problem::Problem;

/// The number of records of one request that may wait to be written.
const AHEAD: usize = 64;

/// A line of the response: the outcome for a record, or the last line.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ImportLine {
    /// The outcome for a record.
    Record(ImportRow),
    /// The last line, if not everything could be read or written.
    Stopped(Stopped),
    /// The last line.
    Summary(ImportSummary),
}

/// Import many finished records
///
/// Accepts up to 1 GiB of records, uncompressed: MKN records, one after another, or one JSON object per line
/// with a `record`. The body may be compressed with gzip or zstd. The response has a line for each record,
/// even while you are still sending the body. It ends with `summary`, or with `stopped` if not everything
/// could be read or written. Invalid records do not stop the rest. Repeating the request changes nothing.
#[utoipa::path(
    tag = "records",
    request_body(content((inline(RecordStream) = "text/plain"), (inline(RecordStream) = "application/x-ndjson"))),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "One JSON object per line", body = ImportLine, content_type = "application/x-ndjson"),
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
    let (place, pace) = (bulk_place(&req)?, ImportPace::new(&req));
    let incoming = Incoming::from_request(&req, payload)?;
    let (rows, response) = Rows::response();
    let service = app.clone().into_inner();
    let owner = caller.secret().map(|secret| secret.hash());
    app.start_background(async move {
        let _place = place;
        let imports = Imports { app: service, owner, pace, rows, summary: ImportSummary::default() };
        // If the client is gone, nothing is left to do.
        let _ = imports.all(incoming).await;
    })?;
    Ok(response)
}

/// Imports in progress.
struct Imports {
    app: Arc<App>,
    owner: Option<Bytes32>,
    pace: ImportPace,
    rows: Rows,
    summary: ImportSummary,
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
        let mut cutter = Some(Cutter::new(incoming.bundle));
        let (mut count, mut writing, mut stopped) = (0, FuturesOrdered::new(), None);
        loop {
            self.rows.came(incoming.take_came());
            let mut read = Vec::new();
            tokio::select! {
                Some(told) = writing.next() => self.tell(told)?,
                bytes = incoming.next(), if cutter.is_some() && writing.len() < AHEAD => {
                    let owner = self.owner;
                    let mut keep = |cut: Cut<'_>| read.push(ReadRecord::new(&cut, owner));
                    match bytes {
                        Ok([]) => cutter.take().into_iter().for_each(|cutter| cutter.finish(&mut keep)),
                        Ok(bytes) => cutter.iter_mut().for_each(|cutter| cutter.feed(bytes, &mut keep)),
                        // Records being written are reported first.
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
                let (app, pace) = (Arc::clone(&self.app), self.pace.clone());
                writing.push_back(async move {
                    pace.wait().await;
                    read.added(&app, count).await
                });
            }
            self.rows.send().await?;
            // Other work gets a turn.
            yield_now().await;
        }
    }

    /// Counts and reports the outcome for a record.
    fn tell(&mut self, told: Result<ImportRow, StoreError>) -> Result<(), BrokeOff> {
        let row = told?;
        self.summary.count(row.outcome);
        self.rows.add(&ImportLine::Record(row));
        Ok(())
    }
}
