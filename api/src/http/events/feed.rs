//! The lobby feed as a stream.

use actix_web::{HttpRequest, HttpResponse, get, web};
use assam_record::feed::FeedPlace;
use assam_referee::Ruleset;
use serde::Deserialize;
use utoipa::IntoParams;

use super::feed_message::{FeedMessage, text_of_entry};
use super::frame::{EventForm, SSE};
use super::since::{feed_cursor, feed_id};
use super::stream::{EventSource, EventStream, Frames, Progress};
use super::streamed;
use crate::app::{App, FeedFollower, FeedPart, StoreError};
use crate::http::games::lists::{UnknownRuleset, named_ruleset};
use crate::http::limits::stream_place;
use crate::http::request::{self, BadQuery};
use crate::http::response::refusals::{NoSuchForm, Refusals};
use crate::http::response::reply::NDJSON;
use crate::http::server::closing::Closing;
use crate::problem::Problem;

/// The start of the feed, and whether it continues.
#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct FeedQuery {
    /// The `cursor` or position of your last message. If you send neither this nor `Last-Event-ID`, the feed
    /// starts with the next event.
    #[param(pattern = r"^(0|[1-9][0-9]{0,14})(\.[0-9a-f]{64})?$", max_length = 80)]
    since: Option<String>,
    /// `Last-Event-ID` for clients that cannot set headers. The header takes precedence over this parameter,
    /// which takes precedence over `since`.
    #[serde(rename = "lastEventId")]
    #[param(pattern = r"^(0|[1-9][0-9]{0,14})(\.[0-9a-f]{64})?$", max_length = 80)]
    last_event_id: Option<String>,
    /// Only games of this rule set.
    #[param(example = "marrakech/1")]
    ruleset: Option<String>,
    /// Whether to continue the stream once you have received everything. Default: true.
    follow: Option<bool>,
}

/// Follow all public games
///
/// Streams the creation, seat changes, start, end and removal of public games, as server-sent events (the
/// default) or one JSON object per line (`application/x-ndjson`). It omits moves and imported games. Each
/// message shows the current game.
///
/// Resume with the id of your last message in `Last-Event-ID`, or with `since`. If the feed has no such
/// place, or it is older than 7 days, you get `reset`.
#[utoipa::path(
    tag = "games",
    params(
        FeedQuery,
        ("Last-Event-ID" = Option<String>, Header, nullable = false, max_length = 80, description = "The id of your last message"),
    ),
    responses(
        (status = 200, description = "The messages", content((String = "text/event-stream"), (FeedMessage = "application/x-ndjson"))),
        Refusals<(BadQuery, UnknownRuleset, StoreError, NoSuchForm)>,
    ),
)]
#[get("/v1/events")]
pub async fn get_feed(
    req: HttpRequest,
    app: web::Data<App>,
    closing: web::Data<Closing>,
) -> Result<HttpResponse, Problem> {
    let query: FeedQuery = request::stream_query(&req)?;
    let ruleset = query.ruleset.as_deref().map(named_ruleset).transpose()?;
    let form = request::accepted(&req, &[SSE, NDJSON])?;
    let place = stream_place(&req)?;
    let cursor = feed_cursor(&req, query.last_event_id.as_deref().or(query.since.as_deref()))?;
    let follower = app.follow_feed(cursor).await?;
    let source = FeedSource { app: app.clone(), follower, ruleset, is_caught_up: false };
    let stream = EventStream::new(app, source, EventForm::from_media_type(form), place, &closing);
    stream.answer(&req, streamed(form), query.follow.unwrap_or(true)).await
}

/// The feed as a client follows it.
struct FeedSource {
    app: web::Data<App>,
    follower: FeedFollower,
    ruleset: Option<Ruleset>,
    /// Whether the client was caught up at least once.
    is_caught_up: bool,
}

impl EventSource for FeedSource {
    async fn changed(&mut self) {
        self.follower.changed().await;
    }

    async fn catch_up(&mut self, to: &mut Frames) -> Result<Progress, Problem> {
        match self.app.feed_after(&mut self.follower).await? {
            FeedPart::Entries(entries, is_all) => {
                for entry in entries.iter().filter(|entry| entry.is_of(self.ruleset)) {
                    let text = text_of_entry(entry);
                    if !text.is_empty() {
                        to.say(text, Some(&feed_id(entry.placed.place)));
                    }
                }
                if !is_all {
                    return Ok(Progress::Part);
                }
                if !self.is_caught_up {
                    self.is_caught_up = true;
                    self.say(to, FeedMessage::caught_up);
                }
                Ok(Progress::All)
            }
            FeedPart::Reset => {
                self.is_caught_up = false;
                self.say(to, FeedMessage::reset);
                Ok(Progress::Part)
            }
        }
    }

    fn say_alive(&self, to: &mut Frames) {
        self.say(to, FeedMessage::heartbeat);
    }

    fn closing(retry: u32) -> String {
        FeedMessage::closing(retry).text()
    }
}

impl FeedSource {
    /// Writes a message about the client's place.
    fn say(&self, to: &mut Frames, message: impl FnOnce(FeedPlace) -> FeedMessage) {
        let at = self.follower.at();
        to.say(message(at).text().as_bytes(), Some(&feed_id(at)));
    }
}
