//! Following games without polling: event streams and long polls. The stream of a single game is here.

use actix_web::http::StatusCode;
use actix_web::http::header::{CACHE_CONTROL, HeaderName, HeaderValue};
use actix_web::{HttpMessage as _, HttpRequest, HttpResponse, HttpResponseBuilder, get, web};
use frame::{EventForm, SSE};
use message::GameMessage;
use of_game::GameSource;
use serde::Deserialize;
use stream::EventStream;
use utoipa::{IntoParams, ToSchema};

use crate::app::App;
use crate::http::games::game_request::{NoGame, game_id};
use crate::http::limits::stream_place;
use crate::http::request::caller::caller;
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{NoSuchForm, Refusals};
use crate::http::response::reply::{NDJSON, done};
use crate::http::server::closing::Closing;
use crate::problem::Problem;
use long_poll::{HasWaited, PlaceAwaited, wait_for_place};
use since::Since;

pub mod feed;
mod feed_message;
mod frame;
pub mod long_poll;
mod message;
mod of_game;
pub mod of_games;
pub mod own;
mod own_message;
pub mod since;
mod stream;

/// Optional parts of a `word` message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IncludedInWord {
    /// The position after the word.
    State,
}

/// The start and contents of a stream, and whether it continues.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct EventsQuery {
    /// The last ply that you have, or the id of your last message. If you send neither this nor
    /// `Last-Event-ID`, a snapshot comes first.
    #[param(pattern = r"^(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64}(\.over)?)?$", max_length = 80)]
    since: Option<String>,
    /// `Last-Event-ID` for clients that cannot set headers. The header takes precedence over this parameter,
    /// which takes precedence over `since`.
    #[serde(rename = "lastEventId")]
    #[param(pattern = r"^(0|[1-9][0-9]{0,8})(\.[0-9a-f]{64}(\.over)?)?$", max_length = 80)]
    last_event_id: Option<String>,
    /// Whether to continue the stream once you have received everything. Default: true.
    follow: Option<bool>,
    /// `state`: adds to each `word` the position after it, as you could see it then.
    #[serde(default)]
    #[param(inline, max_items = 1)]
    include: Vec<IncludedInWord>,
    /// Whether to show the other players that you are connected while this stream is open. Default: false.
    presence: Option<bool>,
}

/// Follow a game
///
/// Streams what happens in a game, as server-sent events (the default) or one JSON object per line
/// (`application/x-ndjson`). When the game is over, the stream sends `over` and ends.
///
/// Resume with the id of your last message in `Last-Event-ID`, or with `since`. You get every later word
/// once, with everything that it revealed to you. For an id of another game or beyond the head, you get
/// `reset` and a snapshot. A read-only process, whose database may lag, first waits up to 5 seconds for that
/// ply.
#[utoipa::path(
    tag = "play",
    params(
        request::GamePath,
        EventsQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false, max_length = 96, description = "The id of your last message"),
    ),
    security((), ("secret" = [])),
    responses(
        (status = 200, description = "The messages", content((String = "text/event-stream"), (GameMessage = "application/x-ndjson"))),
        (status = 204, description = "The game is over, and you already have all of it"),
        Refusals<(NoGame, BadQuery, NoSuchForm)>,
    ),
)]
#[get("/v1/games/{id}/events")]
pub async fn get_events(
    req: HttpRequest,
    app: web::Data<App>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let mut follower = app.follow(&caller, game_id(&req)?).await?;
    let query: EventsQuery = request::stream_query(&req)?;
    let form = request::accepted(&req, &[SSE, NDJSON])?;
    let place = stream_place(&req)?;
    let mut awaited = PlaceAwaited::No;
    if let Some(since) = Since::from_request(&req, query.last_event_id.as_deref().or(query.since.as_deref()))?
    {
        awaited = wait_for_place(&app, &mut follower, since, &closing).await?;
        if awaited != PlaceAwaited::No {
            req.extensions_mut().insert(HasWaited);
        }
        if let Ok(game) = follower.game()
            && game.info.is_over()
            && since.is_end(game.info.head)
        {
            return Ok(done());
        }
        follower.resume(since.place);
    }
    if query.include.contains(&IncludedInWord::State) {
        follower.with_states();
    }
    let goes_on = query.follow.unwrap_or(true);
    if goes_on && query.presence.unwrap_or(false) {
        follower.show();
    }
    let source = GameSource::new(app.clone(), follower, caller);
    let mut stream = EventStream::new(app, source, EventForm::from_media_type(form), place, &closing);
    if awaited == PlaceAwaited::ServiceEnds {
        stream.close();
    }
    stream.answer(&req, streamed(form), goes_on).await
}

/// Begins a stream's response. It is never compressed, because it mixes an opponent's choices with what is
/// hidden from them.
fn streamed(form: &'static str) -> HttpResponseBuilder {
    let mut response = HttpResponse::build(StatusCode::OK);
    response
        .content_type(form)
        .insert_header((CACHE_CONTROL, HeaderValue::from_static("no-store")))
        .insert_header((X_ACCEL_BUFFERING, HeaderValue::from_static("no")));
    response
}

/// Makes nginx pass messages on without buffering.
const X_ACCEL_BUFFERING: HeaderName = HeaderName::from_static("x-accel-buffering");
