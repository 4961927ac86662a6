//! The log, state and score of a game at any ply.

use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::{FromRequest as _, HttpRequest, HttpResponse, get};
use assam_notation::FileForm;
use assam_record::clock::rfc3339;
use assam_record::game::{HeadView, NotStarted, StoredGame};
use assam_record::log::{Damaged, MaskedReplay, ReplayedWord, SeenPly};
use assam_referee::picture::{Moment, PictureForm, Theme};
use assam_referee::{Event, Score, State};
use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::app::tags_of;
use crate::http::games::game_request::{LogRequest, NoGame, NoSuchPly, PlyRequest};
use crate::http::request::{self, BadQuery};
use crate::http::response::finished::{PictureVariant, ResponseKind};
use crate::http::response::refusals::{NoSuchForm, Refusals};
use crate::http::response::reply::{Freshness, Reply};
use crate::problem::Problem;

/// The log of a game.
#[derive(Serialize, ToSchema)]
pub struct LogView {
    /// The setup line.
    #[schema(max_length = 4096, example = "MKN/1 marrakech/1 seats=3")]
    setup: String,
    /// The words, oldest first. A card hidden from you is `??`.
    #[schema(max_items = 65_536)]
    words: Vec<LogWord>,
    /// The end marker: `*` while running, final scores as in `= 36 43 41`, or `= -` if aborted.
    #[schema(max_length = 4096, example = "*")]
    marker: String,
    /// The head after the last word.
    head: HeadView,
}

/// A word of a log.
#[derive(Serialize, ToSchema)]
pub struct LogWord {
    /// The ply of the word.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word in canonical form.
    #[schema(max_length = 64, example = "N+3")]
    word: String,
    /// When it was written. Null in imported games.
    #[schema(format = DateTime)]
    at: Option<String>,
}

/// The state after a ply.
#[derive(Serialize, ToSchema)]
pub struct StateAtPly {
    /// The ply, with 0 for the start.
    #[schema(maximum = 65_536)]
    ply: u32,
    /// The word that led to this state. Null at a start without a draw.
    #[schema(max_length = 64)]
    word: Option<String>,
    /// The consequences of the word, in order.
    #[schema(max_items = 1000)]
    events: Vec<Event>,
    /// The position line, with `??` for everything hidden from you.
    #[schema(max_length = 4096)]
    position: String,
    /// The position.
    state: State,
    /// The head after this ply.
    head: HeadView,
}

/// A score at a ply.
#[derive(Serialize, ToSchema)]
pub struct ScoreAtPly {
    /// The ply.
    #[schema(maximum = 65_536)]
    ply: u32,
    #[serde(flatten)]
    score: Score,
    /// The head after this ply.
    head: HeadView,
}

/// The ply of a score.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ScoreQuery {
    /// The ply to score. Default: the last.
    #[param(minimum = 0, maximum = 4294967295u32)]
    ply: Option<u32>,
}

/// The form of a picture.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct PictureQuery {
    /// `true`: only the board with labels. It has a background only if `theme` is `light` or `dark`.
    #[serde(default)]
    board_only: bool,
    /// The colours. Default: `auto`.
    #[serde(default)]
    #[param(inline)]
    theme: PictureTheme,
}

/// The colours of a picture.
#[derive(Clone, Copy, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PictureTheme {
    /// Light or dark, by the reader's preference.
    #[default]
    Auto,
    /// Colours for a light page.
    Light,
    /// Colours for a dark page.
    Dark,
}

const MKN: &str = "text/plain";
const JSON: &str = "application/json";
/// The media type of pictures.
pub const SVG: &str = "image/svg+xml";

/// Get the log
///
/// Returns MKN in file form (`text/plain`, the default), or JSON with the canonical words.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The log", content((String = "text/plain"), (LogView = "application/json"))),
        Refusals<(NoGame, NoSuchForm, NotStarted)>,
    ),
)]
#[get("/v1/games/{id}/log")]
pub async fn get_log(LogRequest(of): LogRequest) -> Result<HttpResponse, Problem> {
    let media_type = request::accepted(of.http(), &[MKN, JSON])?;
    let head = of.started()?;
    if media_type == MKN {
        return of.answer(ResponseKind::Record, head.ply, || {
            Ok(of.reply().finish("text/plain; charset=utf-8", record(&of.game, of.viewer(), head.ply)?))
        });
    }
    of.answer(ResponseKind::Log, head.ply, || {
        let mut words = Vec::new();
        let seen = MaskedReplay::word_by_word(of.viewer(), &of.game, head.ply, |written| {
            words.push(LogWord::new(written, &of.game));
        })?;
        let setup = of.game.info.setup.line().to_owned();
        let marker = seen.table.marker();
        of.reply().finish_json(&LogView { setup, words, marker, head: HeadView::from(head) })
    })
}

/// Get the state after a ply
///
/// Returns the position as you may see it now. Once a card that was led face down is turned up, earlier
/// states show it too.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath, ("ply" = u32, Path, maximum = 65_536, description = "A ply, from 0 (the start) to the last")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The position, and the word that led to it", body = StateAtPly), Refusals<(NoGame, NoSuchPly)>),
)]
#[get("/v1/games/{id}/states/{ply}")]
pub async fn get_state(PlyRequest { of, ply }: PlyRequest) -> Result<HttpResponse, Problem> {
    of.answer(ResponseKind::State, ply, || {
        let seen = of.seen(ply)?;
        let word = seen.last.as_ref().map(|written| &*written.told);
        let seen_ply = SeenPly { word, table: &*seen.table, head: seen.head };
        of.reply_about(&seen.head).finish_json(&StateAtPly::new(seen_ply))
    })
}

/// Get a picture of the state after a ply
///
/// Draws the board, or what you may see of it, as SVG, with labels for screen readers and `data-` attributes
/// for scripts.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath, ("ply" = u32, Path, maximum = 65_536, description = "A ply, from 0 (the start) to the last"), PictureQuery),
    security((), ("secret" = [])),
    responses((status = 200, description = "The position as SVG", body = String, content_type = "image/svg+xml"), Refusals<(NoGame, BadQuery, NoSuchPly)>),
)]
#[get("/v1/games/{id}/states/{ply}.svg")]
pub async fn get_picture(req: HttpRequest) -> Result<HttpResponse, Problem> {
    let query: PictureQuery = request::query_among_others(&req)?;
    let PlyRequest { of, ply } = PlyRequest::extract(&req).await?;
    let (board_only, theme) = (query.board_only, query.theme.into());
    let kind = ResponseKind::Picture(PictureVariant { board_only, theme });
    let response = of.answer(kind, ply, || {
        let seen = of.seen(ply)?;
        let form = PictureForm { board_only, theme, ..PictureForm::default() };
        let svg = seen.table.svg(&moment(&seen), &form);
        // The position never changes, but its drawing may improve.
        let reply = Reply { freshness: Freshness::Changing, ..of.reply_about(&seen.head) };
        Ok(reply.finish(SVG, svg))
    })?;
    Ok(only_displayed(response))
}

/// Restricts a picture to display. Opened directly, an SVG is a document that could run scripts.
pub fn only_displayed(mut response: HttpResponse) -> HttpResponse {
    let harmless = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, harmless);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    response
}

/// Get the score
///
/// Returns scores and ranking, now or after any ply.
#[utoipa::path(
    tag = "replay",
    params(request::GamePath, ScoreQuery),
    security((), ("secret" = [])),
    responses((status = 200, description = "Scores, their parts, and the ranking", body = ScoreAtPly), Refusals<(NoGame, BadQuery, NoSuchPly, NotStarted)>),
)]
#[get("/v1/games/{id}/score")]
pub async fn get_score(LogRequest(of): LogRequest) -> Result<HttpResponse, Problem> {
    let query: ScoreQuery = request::query(of.http())?;
    let head = of.started()?;
    let (ply, kind) = match query.ply {
        Some(ply) => (of.written(ply)?, ResponseKind::Score),
        None => (head.ply, ResponseKind::ScoreNow),
    };
    of.answer(kind, ply, || {
        let seen = of.seen(ply)?;
        let reply = if kind == ResponseKind::Score { of.reply_about(&seen.head) } else { of.reply() };
        reply.finish_json(&ScoreAtPly { ply, score: seen.table.score(), head: HeadView::from(seen.head) })
    })
}

/// Returns the last replayed ply, with its word and events.
fn moment(seen: &MaskedReplay<'_>) -> Moment {
    let word = seen.last.as_ref().map(|written| written.told.to_string());
    Moment { ply: seen.head.ply, word, events: seen.table.events() }
}

/// Returns the record of a game up to a ply, in file form, as a viewer may read it.
///
/// # Errors
/// If the stored log is damaged.
pub fn record(game: &StoredGame, viewer: Viewer, last: u32) -> Result<String, Damaged> {
    let mut text = opening_of_file(game);
    let each = |written: &ReplayedWord<'_>| text.word(&written.told, written.begins_line);
    let seen = MaskedReplay::word_by_word(viewer, game, last, each)?;
    Ok(text.end(&seen.table.marker()))
}

impl From<PictureTheme> for Theme {
    fn from(theme: PictureTheme) -> Self {
        match theme {
            PictureTheme::Auto => Self::Auto,
            PictureTheme::Light => Self::Light,
            PictureTheme::Dark => Self::Dark,
        }
    }
}

impl LogWord {
    /// Returns a word of a game.
    pub fn new(written: &ReplayedWord<'_>, game: &StoredGame) -> Self {
        Self { ply: written.ply, word: written.told.to_string(), at: written.time(game).map(rfc3339) }
    }
}

impl StateAtPly {
    /// Returns the state after a ply.
    pub fn new(SeenPly { word, table, head }: SeenPly<'_>) -> Self {
        Self {
            ply: head.ply,
            word: word.map(str::to_owned),
            events: table.events(),
            position: table.position_line(),
            state: table.state(),
            head: HeadView::from(head),
        }
    }
}

/// Begins a game's record in file form, with its setup and tags.
fn opening_of_file(game: &StoredGame) -> FileForm {
    let mut text = FileForm::new(game.info.setup.line());
    text.tag_lines(&tags_of(game));
    text
}
