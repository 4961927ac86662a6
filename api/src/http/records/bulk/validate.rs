//! Validating many records at once.

use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_notation::Piece;
use assam_referee::verdict;
use assam_store::counted::Total;
use serde::{Deserialize, Serialize};
use tokio::task::yield_now;
use utoipa::{IntoParams, ToSchema};

use super::incoming::Incoming;
use super::rows::Rows;
use super::{BadBulk, RecordStream, Stopped};
use crate::app::App;
use crate::bulk::{Cut, Cutter, NotHeard, RecordRow};
use crate::http::limits::bulk_place;
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::position_parts::PositionPart;
use crate::problem::Problem;

/// A line of the response: a verdict, or the last line.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ValidationLine<'a> {
    /// The verdict on a record.
    Record(Box<RecordRow<'a>>),
    /// The last line, where the body could not be read to its end.
    Stopped(Stopped),
    /// The last line.
    Summary(ValidationSummary),
}

/// How many records there were.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct ValidationSummary {
    /// The records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    records: u64,
    /// Those that are complete and valid.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    good: u64,
    /// Those of the good ones in which something is masked: they are valid in everything that is visible.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    masked: u64,
    /// Those that are not.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    refused: u64,
}

/// What the line of a record has.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BulkValidationQuery {
    /// Parts of the position after the valid words that each line has, too: `position`, `score`, `legal-moves` and `state`, separated by commas; none by default.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    include: Vec<PositionPart>,
}

/// Validate many records
///
/// Takes any number of records, up to 1 GiB unpacked: MKN, one after another, or one JSON object a line with a member
/// `record`. The body may be packed with gzip or zstd. The response has a line for each record, in order, while the body
/// still comes, and a last line: `summary`, or `stopped` if the body could not be read to its end. A bad record never
/// stops the rest. Nothing is stored.
#[utoipa::path(
    tag = "records",
    params(BulkValidationQuery),
    request_body(content((inline(RecordStream) = "text/plain"), (inline(RecordStream) = "application/x-ndjson"))),
    responses(
        (status = 200, description = "One JSON object a line", body = ValidationLine, content_type = "application/x-ndjson"),
        Refusals<(BadBulk, BadQuery, TooMuchWaits)>,
    ),
)]
#[post("/v1/validate/bulk")]
pub async fn validate_records(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let BulkValidationQuery { include } = request::query(&req)?;
    let place = bulk_place(&req)?;
    let incoming = Incoming::from_request(&req, payload)?;
    let (rows, response) = Rows::response();
    let service = app.clone().into_inner();
    app.start_background(async move {
        let _place = place;
        // Where nobody listens any more, nothing is left to do.
        let _ = judge_all(&service, &include, incoming, rows).await;
    })?;
    Ok(response)
}

/// How much is judged before what is said of it may be sent, in bytes.
const PART: usize = 1024;

async fn judge_all(
    app: &App,
    include: &[PositionPart],
    mut incoming: Incoming,
    mut rows: Rows,
) -> Result<(), NotHeard> {
    let validated = &app.counts().validated;
    let (mut cutter, mut tally) = (Cutter::new(incoming.bundle), ValidationSummary::default());
    loop {
        rows.came(incoming.take_came());
        match incoming.next().await {
            Ok([]) => break,
            Ok(bytes) => {
                // More may be said of a line than it has.
                for part in bytes.chunks(PART) {
                    cutter.feed(part, |cut| tally.judge(&cut, include, &mut rows, validated));
                    if rows.is_much() {
                        rows.send().await?;
                    }
                }
            }
            Err(problem) => {
                rows.add(&ValidationLine::Stopped(problem.into()));
                return rows.end().await;
            }
        }
        rows.send().await?;
        // Others have their turn.
        yield_now().await;
    }
    cutter.finish(|cut| tally.judge(&cut, include, &mut rows, validated));
    rows.add(&ValidationLine::Summary(tally));
    rows.end().await
}

impl ValidationSummary {
    /// Judges a record, counts it, and says what comes of it.
    fn judge(&mut self, cut: &Cut<'_>, include: &[PositionPart], rows: &mut Rows, validated: &Total) {
        self.records += 1;
        validated.add(1);
        let (is_good, is_masked) = match &cut.record {
            Ok(bytes) => {
                let verdict = verdict(bytes);
                let piece = Piece { line: cut.line, column: cut.column, bytes };
                let row = RecordRow::new(None, self.records, piece, cut.first, &verdict);
                rows.add(&ValidationLine::Record(Box::new(row.with(include, verdict.table.as_deref()))));
                (verdict.error.is_none(), verdict.masked)
            }
            Err(missing) => {
                rows.add(&ValidationLine::Record(Box::new(RecordRow::missing(
                    self.records,
                    cut.line,
                    missing,
                ))));
                (false, false)
            }
        };
        self.good += u64::from(is_good);
        self.masked += u64::from(is_good && is_masked);
        self.refused += u64::from(!is_good);
    }
}
