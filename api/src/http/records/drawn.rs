//! Pictures of positions in records from elsewhere.

use actix_web::{HttpRequest, HttpResponse, post, web};
use assam_notation::Error;
use assam_referee::picture::{Moment, PictureForm};
use assam_referee::{AnyRecord, Setup, Table, judge};
use serde::Deserialize;
use utoipa::IntoParams;

use super::validate::{RecordInput, read_record};
use crate::app::App;
use crate::http::play::replay::{PictureTheme, SVG, only_displayed};
use crate::http::request::{self, BadBody, BadQuery};
use crate::http::response::refusals::{Refusals, TooMuchWaits};
use crate::http::response::reply::Reply;
use crate::problem::{Code, HasProblemCodes, Problem};

/// The position of a record to draw, and the form of the picture.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct DrawnQuery {
    /// The ply to draw, 0 for the start. Default: the last valid ply.
    #[param(minimum = 0, maximum = 4294967295u32)]
    ply: Option<u32>,
    /// `true`: only the board with labels. It has a background only if `theme` is `light` or `dark`.
    #[serde(default)]
    board_only: bool,
    /// The colours. Default: `auto`.
    #[serde(default)]
    #[param(inline)]
    theme: PictureTheme,
}

/// A position that cannot be drawn.
pub enum NoPicture {
    /// The first line is invalid.
    Broken(Error),
    /// The valid part of the record ends before the ply.
    Beyond {
        /// The wanted ply.
        ply: u32,
        /// The last valid ply.
        last: u32,
    },
}

impl From<NoPicture> for Problem {
    fn from(error: NoPicture) -> Self {
        match error {
            NoPicture::Broken(error) => error.into(),
            NoPicture::Beyond { ply, last } => Self {
                ply: Some(ply),
                ..Self::new(Code::PlyNotFound, format!("the last valid ply of the record is {last}"))
            },
        }
    }
}

impl HasProblemCodes for NoPicture {
    fn codes() -> Vec<Code> {
        vec![
            Code::NotationSyntax,
            Code::UnsupportedNotation,
            Code::UnknownRuleset,
            Code::UnknownOption,
            Code::ImpossiblePosition,
            Code::PlyNotFound,
        ]
    }
}

/// Draw a position of a record
///
/// Draws the position after a valid ply of a record, finished or not, or a position line, as SVG. Nothing is
/// stored. `POST /v1/validate` explains invalid records.
#[utoipa::path(
    tag = "records",
    params(DrawnQuery),
    request_body(content((RecordInput = "application/json"), (String = "text/plain", examples(
        ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n"))),
        ("A position line" = (value = json!("marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"))),
    )))),
    responses(
        (status = 200, description = "The position as SVG", body = String, content_type = "image/svg+xml"),
        Refusals<(BadBody, BadQuery, NoPicture, TooMuchWaits)>,
    ),
)]
#[post("/v1/validate/picture")]
pub async fn draw_record(
    req: HttpRequest,
    payload: web::Payload,
    app: web::Data<App>,
) -> Result<HttpResponse, Problem> {
    let query: DrawnQuery = request::query(&req)?;
    let record = read_record(&req, payload).await?;
    let drawn = app.run_background(async move { draw(&judge(&record), &query) }).await?;
    app.counts().validated.add(1);
    Ok(only_displayed(Reply::about_service(&req).send(SVG, drawn?)))
}

/// Draws the position after a ply of a record.
fn draw(record: &AnyRecord, query: &DrawnQuery) -> Result<String, NoPicture> {
    let form =
        PictureForm { board_only: query.board_only, theme: query.theme.into(), ..PictureForm::default() };
    let setup = match (&record.setup, &record.verdict) {
        (None, Err(error)) => return Err(NoPicture::Broken(error.clone())),
        (setup, _) => setup.as_ref(),
    };
    let last = record.table.as_ref().map_or(0, |table| table.ply());
    let ply = query.ply.unwrap_or(last);
    let step = record.steps().filter_map(Result::ok).find(|step| step.ply() == ply);
    // If nothing is drawn at the start, no word leads to it.
    let start = setup.filter(|_| ply == 0).map(Setup::table);
    let (table, word): (Box<dyn Table>, _) = match (step, start) {
        (Some(step), _) => (step.table, Some(step.word)),
        (None, Some(start)) => (start, None),
        (None, None) => return Err(NoPicture::Beyond { ply, last }),
    };
    let moment = Moment { ply, word, events: table.events() };
    Ok(table.svg(&moment, &form))
}
