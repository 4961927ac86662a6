//! Analysis: luck, errors, and what would have been better.

use std::fmt;

use actix_web::http::StatusCode;
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_notation::Error;
use assam_referee::{AnyRecord, Depth, GameAccount, WrongDepth, judge};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{IntoParams, PartialSchema, ToSchema};

use super::validate::{RecordInput, read_record};
use crate::app::App;
use crate::http::request::{self, BadBody, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::finish_about_service;
use crate::problem::{Code, HasProblemCodes, Problem};

/// The effects of chance and of the players' decisions in a game, with the best decisions. Each seat's columns add up
/// to its result.
#[derive(Serialize, ToSchema)]
#[schema(as = Analysis)]
pub struct AnalysisView {
    /// About how many positions the judge searched for each decision.
    #[schema(maximum = 1_000_000, example = 2400)]
    nodes: u64,
    #[serde(flatten)]
    account: GameAccount,
}

/// The judge of an analysis.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct AnalysisQuery {
    /// The merchant whose search judges the game. Default: a search two turns ahead in games for two, and one turn
    /// in others.
    #[param(inline, value_type = Option<JudgeName>)]
    pub(super) judge: Option<JudgeName>,
}

/// The name of a merchant.
#[derive(Clone, Copy)]
pub struct JudgeName(Depth);

/// Why a record cannot be analysed.
pub enum NotAnalysed {
    /// The record is invalid.
    Refused(Error),
    /// Parts of the record are masked.
    Masked,
    /// The judge plays another game.
    WrongJudge(WrongDepth),
}

/// Analyse a record
///
/// Judges every decision and every roll of a record, finished or not. For a position line, `next` has the best
/// decisions there. Nothing is stored.
#[utoipa::path(
    tag = "analysis",
    params(AnalysisQuery),
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n"))),
        ("A position line" = (value = json!("marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"))),
    )))),
    responses((status = 200, description = "The analysis", body = AnalysisView), Refusals<(BadBody, BadQuery, NotAnalysed, TooMuchWaits)>),
)]
#[post("/v1/analysis")]
pub async fn analyse_record(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let AnalysisQuery { judge: name } = request::query(&req)?;
    let record = read_record(&req, payload).await?;
    let finished = app.run_analysis(async move {
        let finished = finish_about_service(&AnalysisView::of(&judge(&record), name)?)?;
        finished.gzip();
        Ok::<_, Problem>(finished)
    });
    Ok(finished.await??.send(&req, StatusCode::OK))
}

impl AnalysisView {
    /// Analyses a record. This takes about a tenth of a second for a game of two.
    ///
    /// # Errors
    /// If the record is invalid or masked, or the judge plays another game.
    pub fn of(record: &AnyRecord, judge: Option<JudgeName>) -> Result<Self, NotAnalysed> {
        record.verdict.clone().map_err(NotAnalysed::Refused)?;
        if record.table.as_ref().is_some_and(|table| table.is_masked() || table.hides_something()) {
            return Err(NotAnalysed::Masked);
        }
        let depth = judge.map_or_else(Depth::default, |JudgeName(depth)| depth);
        let ruleset = record.setup.as_ref().map(|setup| setup.ruleset());
        let nodes = ruleset.map_or(Ok(0), |ruleset| depth.nodes(ruleset)).map_err(NotAnalysed::WrongJudge)?;
        // A valid record has an account.
        let account = record.account(nodes).ok_or(NotAnalysed::Masked)?;
        Ok(Self { nodes, account })
    }
}

impl<'de> Deserialize<'de> for JudgeName {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map(Self).map_err(D::Error::custom)
    }
}

impl PartialSchema for JudgeName {
    fn schema() -> RefOr<Schema> {
        let names = || Depth::merchants().map(|player| player.name());
        let newest = names().filter_map(|name| name.split_once('/')).map(|(family, _)| family);
        ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names().chain(newest))).build().into()
    }
}

impl ToSchema for JudgeName {}

impl fmt::Display for NotAnalysed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused(error) => f.write_str(&error.detail),
            Self::Masked => f.write_str("a record with masked cards cannot be judged"),
            Self::WrongJudge(wrong) => wrong.fmt(f),
        }
    }
}

impl From<NotAnalysed> for Problem {
    fn from(error: NotAnalysed) -> Self {
        let detail = error.to_string();
        match error {
            NotAnalysed::Refused(error) => error.into(),
            NotAnalysed::Masked => Self::new(Code::MaskedRecord, detail),
            NotAnalysed::WrongJudge(_) => Self::new(Code::BadRequest, detail).at_parameter("judge"),
        }
    }
}

impl HasProblemCodes for NotAnalysed {
    fn codes() -> Vec<Code> {
        [Error::codes(), vec![Code::MaskedRecord]].concat()
    }
}
