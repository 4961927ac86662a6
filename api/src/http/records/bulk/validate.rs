//! Bulk validation.

use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_notation::Piece;
use assam_referee::verdict;
use assam_store::counted::Total;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::incoming::Incoming;
use super::rows::Rows;
use super::{BadBulk, BrokeOff, RecordStream, Stopped, each_record};
use crate::app::App;
use crate::bulk::{Cut, NotHeard, RecordRow};
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
    /// The last line, if not everything could be read.
    Stopped(Stopped),
    /// The last line.
    Summary(ValidationSummary),
}

/// Counts of records.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct ValidationSummary {
    /// All records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    records: u64,
    /// Complete and valid records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    good: u64,
    /// Good records with masked parts.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    masked: u64,
    /// Other records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    refused: u64,
}

/// The contents of a record's line.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct BulkValidationQuery {
    /// Parts of the position after the valid words, separated by commas. Default: none.
    #[serde(default)]
    #[param(inline, max_items = 4)]
    include: Vec<PositionPart>,
}

/// Validate many records
///
/// Accepts up to 1 GiB of records, uncompressed: MKN records, one after another, or one JSON object per line
/// with a `record`. The body may be compressed with gzip or zstd. The response has a line for each record,
/// even while you are still sending the body. It ends with `summary`, or with `stopped` if not everything
/// could be read. Invalid records do not stop the rest. Nothing is stored.
#[utoipa::path(
    tag = "records",
    params(BulkValidationQuery),
    request_body(content((inline(RecordStream) = "text/plain"), (inline(RecordStream) = "application/x-ndjson"))),
    responses(
        (status = 200, description = "One JSON object per line", body = ValidationLine, content_type = "application/x-ndjson"),
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
        // If the client is gone, nothing is left to do.
        let _ = judge_all(&service, &include, incoming, rows).await;
    })?;
    Ok(response)
}

async fn judge_all(
    app: &App,
    include: &[PositionPart],
    incoming: Incoming,
    mut rows: Rows,
) -> Result<(), NotHeard> {
    let (validated, mut tally) = (&app.counts().validated, ValidationSummary::default());
    let judge = |cut: &Cut<'_>, rows: &mut Rows| tally.judge(cut, include, rows, validated);
    let read = each_record(incoming, &mut rows, judge).await;
    rows.add(&match read {
        Ok(()) => ValidationLine::Summary(tally),
        Err(BrokeOff::NotHeard) => return Err(NotHeard),
        Err(BrokeOff::Stopped(problem)) => ValidationLine::Stopped((*problem).into()),
    });
    rows.end().await
}

impl ValidationSummary {
    /// Judges a record, counts it, and adds its line.
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
