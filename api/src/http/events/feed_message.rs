//! The messages of the feed for lobbies.

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
    /// You have everything that has a position so far.
    CaughtUp(FeedCaughtUpMessage),
    /// Nothing has happened.
    Heartbeat(FeedHeartbeatMessage),
    /// There is no such place, or not any more.
    Reset(FeedResetMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// Something happened to a public game, which is shown as it stands now: more may have happened to it since.
#[derive(Serialize, ToSchema)]
pub struct FeedGameMessage {
    /// The position, from 1 on; 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, from which to resume.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
    /// What happened.
    happened: FeedKindView,
    /// When it happened.
    #[schema(format = DateTime)]
    at: String,
    /// The game, as lists show it.
    game: GameSummary,
}

/// A public game was removed, or the operator took it down: lists have it no longer.
#[derive(Serialize, ToSchema)]
pub struct FeedRemovedMessage {
    /// The position, from 1 on; 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, from which to resume.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
    /// When it was removed.
    #[schema(format = DateTime)]
    at: String,
    /// The id of the game: 32 hex digits.
    game_id: GameId,
}

/// You have everything that has a position so far.
#[derive(Serialize, ToSchema)]
pub struct FeedCaughtUpMessage {
    /// The position, from 1 on; 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, from which to resume.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// Nothing that you want to hear of has happened for a while, and the connection is alive.
#[derive(Serialize, ToSchema)]
pub struct FeedHeartbeatMessage {
    /// The position, from 1 on; 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, from which to resume.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// The place that you named is not in the feed, or not any more: list the games again. The feed goes on from here.
#[derive(Serialize, ToSchema)]
pub struct FeedResetMessage {
    /// The position, from 1 on; 0 before the first entry.
    #[schema(maximum = 9_007_199_254_740_991_u64)]
    position: u64,
    /// The id of the message, from which to resume.
    #[schema(pattern = r"^[0-9]+\.[0-9a-f]{64}$")]
    cursor: String,
}

/// What happened to a game.
#[derive(Clone, Copy, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FeedKindView {
    /// It was created.
    Created,
    /// A seat was taken, left or renamed.
    Seats,
    /// It started: its last seat was taken, or its beacon came.
    Started,
    /// It was played to its end.
    Finished,
    /// It was aborted.
    Aborted,
}

impl FeedMessage {
    /// Returns what is told of an entry; none where there is nothing to tell: of a game that is gone by then, only that is told.
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

    /// Says that this is everything up to a place.
    pub fn caught_up(place: FeedPlace) -> Self {
        Self::CaughtUp(FeedCaughtUpMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Says that a stream is alive.
    pub fn heartbeat(place: FeedPlace) -> Self {
        Self::Heartbeat(FeedHeartbeatMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Says that the feed goes on from a place, whatever the client has.
    pub fn reset(place: FeedPlace) -> Self {
        Self::Reset(FeedResetMessage { position: place.position, cursor: feed_id(place) })
    }

    /// Says that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the text of a message: JSON in one line.
    pub fn text(&self) -> String {
        // It has string keys only, and nothing that fails.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Returns the text of an entry, which all followers share; nothing where there is nothing to tell.
pub fn text_of_entry(shared: &SharedNews) -> &[u8] {
    shared.text(|shared| FeedMessage::entry(shared).map(|message| message.text()).unwrap_or_default().into())
}
