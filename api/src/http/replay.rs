//! A game's log, its state at any ply, its score at any ply.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_SECURITY_POLICY, HeaderValue, X_CONTENT_TYPE_OPTIONS};
use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::access::Caller;
use super::moves::{at_ply, started};
use super::reply::{Freshness, Reply};
use super::request;
use super::{LogProblems, ReadProblems, Service, TurnProblems};
use crate::clock::rfc3339;
use crate::game::{Game, Head};
use crate::picture::Moment;
use crate::problem::{HeadView, Problem};
use crate::record::{Seen, referee};
use crate::view::{Event, Score, State};

/// A log.
#[derive(Serialize, ToSchema)]
pub struct LogView {
    /// The setup line.
    #[schema(example = "MKN/1 marrakech/1 seats=3")]
    setup: String,
    /// The words, oldest first.
    words: Vec<LogWord>,
    /// The end marker: `*`, `= 36 43 41` or `= -`.
    #[schema(example = "*")]
    marker: String,
    /// The head behind the last word.
    head: HeadView,
}

/// A word of a log.
#[derive(Serialize, ToSchema)]
pub struct LogWord {
    /// Its ply.
    ply: u32,
    /// The word in canonical form.
    #[schema(example = "N+3")]
    word: String,
    /// When it was written; null in an imported game.
    #[schema(format = DateTime)]
    at: Option<String>,
}

/// The state after a ply.
#[derive(Serialize, ToSchema)]
pub struct StateAtPly {
    /// The ply; 0 is the start.
    ply: u32,
    /// The word that led here; null at a start where nothing was drawn.
    word: Option<String>,
    /// What followed from it.
    events: Vec<Event>,
    /// The position as a position line; what is hidden from you is unknown in it.
    position: String,
    /// The position.
    state: State,
    /// The head behind it.
    head: HeadView,
}

/// A score at a ply.
#[derive(Serialize, ToSchema)]
pub struct ScoreAtPly {
    /// The ply.
    ply: u32,
    #[serde(flatten)]
    score: Score,
    /// The head behind it.
    head: HeadView,
}

/// When to look at the score.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct ScoreQuery {
    /// A ply; the last one where none is given.
    #[param(value_type = Option<u32>)]
    ply: Option<String>,
}

const MKN: &str = "text/plain";
const JSON: &str = "application/json";
const SVG: &str = "image/svg+xml";

/// Fetch the log
///
/// As MKN in file form with tags (`text/plain`, the default), or as JSON with the canonical words.
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game")),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The log", content((String = "text/plain", examples(
            ("Marrakech" = (value = json!("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n"))),
            ("Marrakesh, for seat 1 while the match goes on" = (value = json!("MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:????????????\n6s 2c 6@6\n*\n"))),
        )), (LogView = "application/json"))),
        LogProblems,
    ),
)]
#[get("/v1/games/{id}/log")]
pub async fn get_log(
    req: HttpRequest,
    id: web::Path<String>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let media_type = request::accepted(&req, &[MKN, JSON])?;
    let head = started(&game)?;
    let seen = Seen::by(caller.viewer(&game), &game, head.ply).map_err(Problem::internal)?;
    let reply = Reply::about(&req, &game.info);
    if media_type == MKN {
        let text = file_form(&game, &seen)?;
        return Ok(reply.send(StatusCode::OK, "text/plain; charset=utf-8", text));
    }
    let words = seen.words.iter().map(|written| LogWord {
        ply: written.ply,
        word: written.word().to_owned(),
        at: written.time(&game).map(rfc3339),
    });
    let view = LogView {
        setup: game.info.setup.clone(),
        words: words.collect(),
        marker: seen.table.marker(),
        head: HeadView::from(head),
    };
    Ok(reply.ok(&view))
}

/// Look at the state after a ply
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game"), ("ply" = u32, Path, description = "0 for the start, up to the last ply")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The position, and the word that led to it", body = StateAtPly), ReadProblems),
)]
#[get("/v1/games/{id}/states/{ply}")]
pub async fn get_state(
    req: HttpRequest,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, ply) = path.into_inner();
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let seen = at_ply(&game, &caller, &ply)?;
    let Moment { ply, word, events } = moment(&seen);
    let view = StateAtPly {
        ply,
        word,
        events,
        position: seen.table.position_line(),
        state: seen.table.state(),
        head: HeadView::from(&seen.head),
    };
    Ok(of_ply(&req, &game, &seen.head).ok(&view))
}

/// Look at a picture of the state after a ply
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game"), ("ply" = u32, Path, description = "0 for the start, up to the last ply")),
    security((), ("secret" = [])),
    responses((status = 200, description = "The position, drawn", body = String, content_type = "image/svg+xml"), ReadProblems),
)]
#[get("/v1/games/{id}/states/{ply}.svg")]
pub async fn get_picture(
    req: HttpRequest,
    path: web::Path<(String, String)>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let (id, ply) = path.into_inner();
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let seen = at_ply(&game, &caller, &ply)?;
    let svg = seen.table.svg(&moment(&seen));
    // The position stays for ever, but how it is drawn may get better.
    let reply = Reply { freshness: Freshness::Changing, ..of_ply(&req, &game, &seen.head) };
    let mut response = reply.send(StatusCode::OK, SVG, svg);
    // Opened by itself, a picture is a document: it may do nothing but look as it does.
    let harmless = HeaderValue::from_static("default-src 'none'; style-src 'unsafe-inline'; sandbox");
    response.headers_mut().insert(CONTENT_SECURITY_POLICY, harmless);
    response.headers_mut().insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Fetch the score
///
/// Scores and ranking now, or after any ply.
#[utoipa::path(
    tag = "replay",
    params(("id" = String, Path, description = "Id of the game"), ScoreQuery),
    security((), ("secret" = [])),
    responses((status = 200, description = "Scores, what they consist of, and the ranking", body = ScoreAtPly), TurnProblems),
)]
#[get("/v1/games/{id}/score")]
pub async fn get_score(
    req: HttpRequest,
    id: web::Path<String>,
    service: web::Data<Service>,
) -> Result<HttpResponse, Problem> {
    let caller = Caller::of(&req);
    let game = caller.game(&*service.store, &id).await?;
    let query: ScoreQuery = request::query(&req)?;
    let now = started(&game)?;
    let seen = match &query.ply {
        Some(ply) => at_ply(&game, &caller, ply)?,
        None => Seen::by(caller.viewer(&game), &game, now.ply).map_err(Problem::internal)?,
    };
    let view = ScoreAtPly { ply: seen.head.ply, score: seen.table.score(), head: HeadView::from(&seen.head) };
    let reply = match query.ply {
        Some(_) => of_ply(&req, &game, &seen.head),
        None => Reply::about(&req, &game.info),
    };
    Ok(reply.ok(&view))
}

/// How the last of the words that were replayed came about.
fn moment(seen: &Seen) -> Moment {
    let last = seen.words.last();
    Moment {
        ply: seen.head.ply,
        word: last.map(|written| written.word().to_owned()),
        events: last.map(|written| written.events().to_vec()).unwrap_or_default(),
    }
}

/// An answer about a ply that is written: nothing changes it any more.
fn of_ply<'a>(req: &'a HttpRequest, game: &'a Game, head: &'a Head) -> Reply<'a> {
    Reply { req, game: Some(&game.info), head: Some(head), freshness: Freshness::Immutable }
}

fn file_form(game: &Game, seen: &Seen) -> Result<String, Problem> {
    let mut text = format!("{}\n", game.info.setup);
    if game.info.imported {
        text.push_str(&game.tags);
    } else {
        for (number, name) in (1..).zip(game.info.seats.iter().map(|seat| &seat.name)) {
            if let Some(name) = name {
                text.push_str(&format!("seat{number}: {name}\n"));
            }
        }
        if let Some(date) = game.info.started_at {
            text.push_str(&format!("date: {}\n", rfc3339(date)));
        }
        text.push_str(&format!("game: {}\n", game.info.id));
    }
    text.push('\n');
    for written in &seen.words {
        text.push_str(written.word());
        text.push(' ');
    }
    text.push_str(&seen.table.marker());
    text.push('\n');
    referee(game).map_err(Problem::internal)?.file_form(&text).map_err(Problem::internal)
}
