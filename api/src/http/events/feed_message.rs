//! The messages of the lobby feed.

use assam_record::clock::rfc3339;
use assam_record::feed::{FeedKind, FeedPlace};
use assam_record::game::GameId;
use serde::Serialize;
use utoipa::ToSchema;

use super::message::ClosingMessage;
use super::since::feed_id;
use crate::app::{SharedNews, Summary};
use crate::http::games::game_view::GameSummary;

/// A message about public games.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum FeedMessage {
    /// Something happened to a game.
    Game(Box<FeedGameMessage>),
    /// A game was removed.
    Removed(FeedRemovedMessage),
    /// You have received every entry so far.
    CaughtUp(FeedCaughtUpMessage),
    /// Nothing has happened.
    Heartbeat(FeedHeartbeatMessage),
    /// The place is not in the feed, or no longer.
    Reset(FeedResetMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// An event in a public game, with the current game, which may already reflect later events.
#[derive(Serialize, ToSchema)]
pub struct FeedGameMessage {
    /// The position, from 1. It is 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, to resume from.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
    /// The event.
    happened: FeedKindView,
    /// When the event happened.
    #[schema(format = DateTime)]
    at: String,
    /// The game as in lists.
    game: GameSummary,
}

/// A public game was removed by its owner or the operator.
#[derive(Serialize, ToSchema)]
pub struct FeedRemovedMessage {
    /// The position, from 1. It is 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, to resume from.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
    /// When it was removed.
    #[schema(format = DateTime)]
    at: String,
    /// The id of the game: 32 hex digits.
    game_id: GameId,
}

/// You have received every entry so far.
#[derive(Serialize, ToSchema)]
pub struct FeedCaughtUpMessage {
    /// The position, from 1. It is 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, to resume from.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// The connection is alive, but nothing has happened for a while.
#[derive(Serialize, ToSchema)]
pub struct FeedHeartbeatMessage {
    /// The position, from 1. It is 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, to resume from.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// The feed does not have the place that you named, or no longer has it. List the games again. The feed
/// continues from here.
#[derive(Serialize, ToSchema)]
pub struct FeedResetMessage {
    /// The position, from 1. It is 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, to resume from.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// An event of a game.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedKindView {
    /// It was created.
    Created,
    /// A seat was taken, left or renamed.
    Seats,
    /// It started: its last seat was taken, or its beacon was delivered.
    Started,
    /// It was played to its end.
    Finished,
    /// It was aborted.
    Aborted,
}

impl FeedMessage {
    /// Returns the message of an entry, or none if there is nothing to send. If the game is gone by then,
    /// only its removal is sent.
    fn entry(shared: &SharedNews) -> Option<Self> {
        let (place, news) = (shared.placed.place, &shared.placed.news);
        let (position, cursor, at) = (place.position, feed_id(place), rfc3339(news.at));
        let happened = match news.kind {
            FeedKind::Created => FeedKindView::Created,
            FeedKind::Seats => FeedKindView::Seats,
            FeedKind::Started => FeedKindView::Started,
            FeedKind::Finished => FeedKindView::Finished,
            FeedKind::Aborted => FeedKindView::Aborted,
            FeedKind::Removed => {
                let game_id = news.game;
                return Some(Self::Removed(FeedRemovedMessage { position, cursor, at, game_id }));
            }
        };
        let Summary { info, standing } = shared.game.as_ref()?;
        let game = GameSummary::new(info, standing);
        Some(Self::Game(Box::new(FeedGameMessage { position, cursor, happened, at, game })))
    }

    /// Returns the message that ends a catch-up at a place.
    pub fn caught_up(place: FeedPlace) -> Self {
        Self::CaughtUp(FeedCaughtUpMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Returns a heartbeat.
    pub fn heartbeat(place: FeedPlace) -> Self {
        Self::Heartbeat(FeedHeartbeatMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Returns the message that the feed continues from a place, regardless of what the client has.
    pub fn reset(place: FeedPlace) -> Self {
        Self::Reset(FeedResetMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Returns the message that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the message as one line of JSON.
    pub fn text(&self) -> String {
        // Keys are strings, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the text of an entry, shared by all followers. Empty if there is nothing to send.
pub fn text_of_entry(shared: &SharedNews) -> &[u8] {
    shared.text(|shared| FeedMessage::entry(shared).map(|message| message.text()).unwrap_or_default().into())
}
