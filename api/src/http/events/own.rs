//! Your own games as a stream.

use actix_web::{HttpRequest, HttpResponse, get, web};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

use super::frame::{EventForm, SSE};
use super::own_message::OwnMessage;
use super::stream::{EventSource, EventStream, Frames, Progress};
use super::streamed;
use crate::app::{App, OwnFollower, OwnNotice, StoreError};
use crate::http::limits::stream_place;
use crate::http::request::caller::{BadSecret, NoSecret, caller, required};
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{NoSuchForm, Refusals, TooMuchWaits};
use crate::http::response::reply::NDJSON;
use crate::http::server::closing::Closing;
use crate::problem::Problem;

/// Optional parts of a `turn` message.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum IncludedInTurn {
    /// The position.
    State,
    /// The legal moves.
    LegalMoves,
}

/// The contents of a stream of your games, and whether it continues.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct OwnEventsQuery {
    /// Optional parts of each `turn`, separated by commas.
    #[serde(default)]
    #[param(inline, max_items = 2)]
    include: Vec<IncludedInTurn>,
    /// Whether to continue the stream once you have received everything. Default: true.
    follow: Option<bool>,
    /// Ignored, because there is nothing to resume.
    #[serde(rename = "lastEventId")]
    #[param(max_length = 80)]
    #[expect(dead_code, reason = "clients send it unasked")]
    last_event_id: Option<String>,
}

/// Follow your games
///
/// Streams a `turn` for each game that is waiting for you, now or later, and an `over` for each of your games
/// that ends. Messages are server-sent events (the default) or one JSON object per line
/// (`application/x-ndjson`). There is nothing to resume: each connection starts with the games that are
/// waiting for you. Only the newest 1,000 running games are followed.
#[utoipa::path(
    tag = "play",
    params(OwnEventsQuery),
    security(("secret" = [])),
    responses(
        (status = 200, description = "The messages", content((String = "text/event-stream"), (OwnMessage = "application/x-ndjson"))),
        Refusals<(BadQuery, (BadSecret, NoSecret), (StoreError, TooMuchWaits), NoSuchForm)>,
    ),
)]
#[get("/v1/me/events")]
pub async fn get_own_events(
    req: HttpRequest,
    app: web::Data<App>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let caller = caller(&req)?;
    let secret = required(&caller)?;
    let OwnEventsQuery { include, follow, .. } = request::stream_query(&req)?;
    let form = request::accepted(&req, &[SSE, NDJSON])?;
    let place = stream_place(&req)?;
    let follower = app.follow_own(secret);
    let source = OwnSource { app: app.clone(), follower, include, is_caught_up: false };
    let stream = EventStream::new(app, source, EventForm::from_media_type(form), place, &closing);
    stream.answer(&req, streamed(form), follow.unwrap_or(true)).await
}

/// A player's own games as a stream.
struct OwnSource {
    app: web::Data<App>,
    follower: OwnFollower,
    include: Vec<IncludedInTurn>,
    /// Whether the client was caught up at least once.
    is_caught_up: bool,
}

impl EventSource for OwnSource {
    async fn changed(&mut self) {
        self.follower.changed().await;
    }

    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem> {
        let (notices, is_all) = match self.app.own_news(&mut self.follower).await {
            Ok(news) => news,
            // The list is read again later. Followed games are still reported.
            Err(error) if self.is_caught_up => {
                tracing::debug!("a stream of a player's games reads the list again: {error}");
                return Ok(Progress::All);
            }
            Err(error) => return Err(error.into()),
        };
        for notice in notices {
            say(to, &self.message(notice)?);
        }
        if !is_all {
            return Ok(Progress::Part);
        }
        if !self.is_caught_up {
            self.is_caught_up = true;
            say(to, &OwnMessage::caught_up(self.follower.running()));
        }
        Ok(Progress::All)
    }

    fn say_alive(&self, to: &mut Frames) {
        say(to, &OwnMessage::heartbeat(self.follower.running()));
    }

    fn closing(retry: u32) -> String {
        OwnMessage::closing(retry).text()
    }
}

impl OwnSource {
    fn message(&self, notice: OwnNotice) -> Result<OwnMessage, Problem> {
        let caller = self.follower.caller();
        match notice {
            OwnNotice::Turn(game) => {
                let is_included = |part| self.include.contains(&part);
                OwnMessage::turn(
                    &game,
                    caller,
                    is_included(IncludedInTurn::State),
                    is_included(IncludedInTurn::LegalMoves),
                )
            }
            OwnNotice::Over(game) => OwnMessage::over(&game, caller),
            OwnNotice::Gone(id, why) => Ok(OwnMessage::gone(id, why)),
            OwnNotice::SeatLost(id) => Ok(OwnMessage::seat_lost(id)),
        }
    }
}

fn say(to: &mut Frames, message: &OwnMessage) {
    to.say(message.text().as_bytes(), None);
}
