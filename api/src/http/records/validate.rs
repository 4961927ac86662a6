//! Validation and import of single records.

use actix_web::http::StatusCode;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_notation::MAX_LINE;
use assam_record::secret::Secret;
use assam_referee::{AnyRecord, Score, State, judge};
use assam_rules::{Seat, Viewer};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::{App, ImportError, Imported};
use crate::http::games::game_view::GameView;
use crate::http::request::caller::{BadSecret, caller};
use crate::http::request::{self, BadBody, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::{Reply, set_content_location, set_location};
use crate::position_parts::PositionPart;
use crate::problem::Problem;

/// A record.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordInput {
    /// A record in MKN or, for validation, a position line.
    #[schema(example = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n")]
    record: String,
}

/// The verdict on a record.
#[derive(Serialize, ToSchema)]
#[schema(as = Verdict)]
pub struct Validation {
    /// Whether the record is complete and valid.
    valid: bool,
    /// Whether anything is masked. If so, `valid` covers only the visible parts.
    masked: bool,
    /// The first error. Null if valid.
    error: Option<Problem>,
    /// The setup line in canonical form. Null if invalid.
    #[schema(max_length = 4096, example = "MKN/1 marrakech/1 seats=3")]
    setup: Option<String>,
    /// The valid words before the first error, in canonical form.
    #[schema(max_items = 65_536, max_length = 64, example = json!(["N+3", "d6e6"]))]
    words: Vec<String>,
    /// The last valid ply.
    #[schema(maximum = 65_536)]
    ply: Option<u32>,
    /// The valid part in canonical form, with its correct end marker. Null if even the draw at the start is
    /// invalid.
    #[schema(max_length = 65_536, example = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n")]
    canonical: Option<String>,
    /// The position after these words, as a position line.
    #[schema(
        max_length = 4096,
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    position: Option<String>,
    /// The position after these words.
    state: Option<State>,
    /// The seat whose turn it is there. Null if there is none.
    #[schema(minimum = 1, maximum = 4)]
    seat: Option<u8>,
    /// The legal decisions of that seat. Null if they depend on masked cards. Empty if it is no seat's turn.
    #[schema(max_items = 1000, max_length = 64)]
    legal_moves: Option<Vec<String>>,
    /// Scores and ranking after these words.
    score: Option<Score>,
}

/// The contents of a verdict.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ValidationQuery {
    /// Ignored, because the verdict on a single record always has all parts.
    #[serde(default, rename = "include")]
    #[param(inline, max_items = 4)]
    _include: Vec<PositionPart>,
}

/// Validate a record
///
/// Checks a record, finished or not, or a position line against the rules. Nothing is stored. For an invalid
/// record, the status is also 200, and the response contains the first error and everything before it.
#[utoipa::path(
    tag = "records",
    params(ValidationQuery),
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n"))),
        ("Marrakesh, masked for seat 1" = (value = json!("MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:???????????? 6s *\n"))),
        ("A position line" = (value = json!("marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"))),
    )))),
    responses((status = 200, description = "The verdict", body = Validation), Refusals<(BadBody, BadQuery, TooMuchWaits)>),
)]
#[post("/v1/validate")]
pub async fn validate(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let _: ValidationQuery = request::query(&req)?;
    let record = read_record(&req, payload).await?;
    let judged = app.run_background(async move { Validation::new(judge(&record)) }).await?;
    app.counts().validated.add(1);
    let error = judged.error.map(|problem| problem.for_request(&req, None));
    Ok(Reply::about_service(&req).ok(&Validation { error, ..judged }))
}

/// Import a finished record
///
/// Stores the record as a game, whose id is derived from the record's canonical text. Repeating the request
/// changes nothing. If the game already exists, `Ignored-Tags` names the tags that were not added to it. If
/// you send a secret, you can remove the names later.
#[utoipa::path(
    tag = "records",
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n"))),
        ("Marrakesh" = (value = json!("MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:Qs4h6d3d3c2c !resign2\n= 0 0\n"))),
    )))),
    responses(
        (status = 201, description = "The imported game", body = GameView, headers(("Location"), ("Content-Location"))),
        (status = 200, description = "The existing game of this record", body = GameView, headers(("Location"), ("Content-Location"), ("Ignored-Tags"))),
        Refusals<(BadBody, BadSecret, ImportError, TooMuchWaits)>,
    ),
    security((), ("secret" = [])),
)]
#[post("/v1/imports")]
pub async fn import_record(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let record = read_record(&req, payload).await?;
    let owner = caller.secret().map(Secret::hash);
    let Imported { game, is_new, ignored_tags } = app.import(record, owner).await?;
    let status = if is_new { StatusCode::CREATED } else { StatusCode::OK };
    let view = GameView::new(&game, &caller)?;
    let mut response = Reply::about(&req, &game.info).json(status, &view);
    let path = format!("/v1/games/{}", game.info.id);
    set_location(&mut response, &path);
    set_content_location(&mut response, &path);
    set_ignored_tags(&mut response, &ignored_tags);
    Ok(response)
}

/// Sets the header with the names of tags that are not kept, as many as fit. The body is the game itself, as
/// `Content-Location` states.
fn set_ignored_tags(response: &mut HttpResponse, names: &[String]) {
    let mut list = names.join(", ");
    if list.len() > MAX_LINE {
        list.truncate(MAX_LINE);
        list.truncate(list.rfind(", ").unwrap_or(MAX_LINE));
    }
    if let Some(value) = HeaderValue::from_str(&list).ok().filter(|_| !list.is_empty()) {
        response.headers_mut().insert(HeaderName::from_static("ignored-tags"), value);
    }
}

/// Reads a body that is a record.
///
/// # Errors
/// `bad_request` or a related problem, if it is none.
pub async fn read_record(req: &HttpRequest, payload: web::Payload) -> Result<Vec<u8>, Problem> {
    let of_json = |bytes: &[u8]| request::json::<RecordInput>(bytes).map(|input| input.record);
    request::record(req, payload, of_json).await
}

impl Validation {
    fn new(record: AnyRecord) -> Self {
        let table = record.table.as_deref();
        // A position that still lacks its draw at the start has no line.
        let started = table.filter(|table| !table.is_start_due());
        Self {
            valid: record.verdict.is_ok(),
            masked: table.is_some_and(|table| table.is_masked()),
            canonical: started.map(|_| record.canonical()),
            position: started.map(|table| table.position_line()),
            ply: table.map(|table| table.ply()),
            state: table.map(|table| table.state()),
            seat: table.and_then(|table| table.turn().seat()).map(Seat::number),
            // A client that sends a record knows everything in it.
            legal_moves: table.map_or(Some(Vec::new()), |table| table.legal_moves(Viewer::Arbiter)),
            score: table.map(|table| table.score()),
            setup: record.setup.map(|setup| setup.line().to_owned()),
            words: record.words,
            error: record.verdict.err().map(Problem::from),
        }
    }
}
