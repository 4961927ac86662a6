//! Bulk analysis.

use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_referee::judge;
use serde::Serialize;
use utoipa::ToSchema;

use super::incoming::Incoming;
use super::rows::Rows;
use super::{BadBulk, BrokeOff, RecordStream, Stopped, each_record};
use crate::app::App;
use crate::bulk::{Cut, NotHeard, RowError};
use crate::http::limits::bulk_place;
use crate::http::records::analysis::{AnalysisQuery, AnalysisView, JudgeName, NotAnalysed};
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::problem::{Code, Problem};

/// A line of the response: an analysis, or the last line.
#[derive(Serialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AnalysedLine<'a> {
    /// The analysis of a record.
    Record(Box<AnalysedRecord<'a>>),
    /// The last line, if not everything could be read.
    Stopped(Stopped),
    /// The last line.
    Summary(AnalysisSummary),
}

/// The analysis of a record.
#[derive(Serialize, ToSchema)]
pub struct AnalysedRecord<'a> {
    /// The number of the record, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    number: u64,
    /// The line on which it begins, from 1.
    #[schema(maximum = 9_007_199_254_740_991_u64, minimum = 1, example = 1)]
    line: u64,
    /// Why the record was not analysed. Null if it was.
    error: Option<RowError<'a>>,
    /// The analysis. Null if the record was not analysed.
    analysis: Option<AnalysisView>,
}

/// Counts of records.
#[derive(Clone, Copy, Default, Serialize, ToSchema)]
pub struct AnalysisSummary {
    /// All records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    records: u64,
    /// Analysed records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    analysed: u64,
    /// Other records.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    refused: u64,
}

/// Analyse many records
///
/// Accepts records as `POST /v1/validate/bulk` does, and returns a line for each. Invalid records do not stop the
/// rest. Nothing is stored.
#[utoipa::path(
    tag = "analysis",
    params(AnalysisQuery),
    request_body(content((inline(RecordStream) = "text/plain"), (inline(RecordStream) = "application/x-ndjson"))),
    responses(
        (status = 200, description = "One JSON object per line", body = AnalysedLine, content_type = "application/x-ndjson"),
        Refusals<(BadBulk, BadQuery, TooMuchWaits)>,
    ),
)]
#[post("/v1/analysis/bulk")]
pub async fn analyse_records(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let AnalysisQuery { judge } = request::query(&req)?;
    let place = bulk_place(&req)?;
    let incoming = Incoming::from_request(&req, payload)?;
    let (rows, response) = Rows::response();
    app.start_analysis(async move {
        let _place = place;
        // If the client is gone, nothing is left to do.
        let _ = analyse_all(judge, incoming, rows).await;
    })?;
    Ok(response)
}

async fn analyse_all(judge: Option<JudgeName>, incoming: Incoming, mut rows: Rows) -> Result<(), NotHeard> {
    let mut summary = AnalysisSummary::default();
    let read = each_record(incoming, &mut rows, |cut, rows| summary.analyse(cut, judge, rows)).await;
    rows.add(&match read {
        Ok(()) => AnalysedLine::Summary(summary),
        Err(BrokeOff::NotHeard) => return Err(NotHeard),
        Err(BrokeOff::Stopped(problem)) => AnalysedLine::Stopped((*problem).into()),
    });
    rows.end().await
}

impl AnalysisSummary {
    /// Analyses a record, counts it, and adds its line.
    fn analyse(&mut self, cut: &Cut<'_>, name: Option<JudgeName>, rows: &mut Rows) {
        self.records += 1;
        let analysis = match &cut.record {
            Ok(bytes) => AnalysisView::of(&judge(bytes), name).map_err(|error| row_error(error, cut)),
            Err(missing) => Err(RowError::missing(missing, cut.line)),
        };
        self.analysed += u64::from(analysis.is_ok());
        self.refused += u64::from(analysis.is_err());
        let (analysis, error) = match analysis {
            Ok(analysis) => (Some(analysis), None),
            Err(error) => (None, Some(error)),
        };
        let row = AnalysedRecord { number: self.records, line: cut.line, error, analysis };
        rows.add(&AnalysedLine::Record(Box::new(row)));
    }
}

fn row_error(error: NotAnalysed, cut: &Cut<'_>) -> RowError<'static> {
    let detail = error.to_string();
    match error {
        NotAnalysed::Refused(error) => RowError::new(&error, cut.first, cut.column).into_owned(),
        NotAnalysed::Masked => RowError::plain(Code::MaskedRecord.as_str(), detail, cut.line),
        NotAnalysed::WrongJudge(_) => RowError::plain(Code::BadRequest.as_str(), detail, cut.line),
    }
}
