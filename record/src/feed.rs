//! The feed for lobbies: everything that happens to public games except their moves, each entry at a
//! position. It knows no clock, store or HTTP.

use assam_referee::Ruleset;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::game::{Bytes32, GameId};

/// The kind of an event in a game's life.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FeedKind {
    /// The game was created.
    Created,
    /// A seat was taken, left or renamed.
    Seats,
    /// The game started.
    Started,
    /// The game was played to its end.
    Finished,
    /// The game was aborted.
    Aborted,
    /// The game was removed or taken down.
    Removed,
}

impl FeedKind {
    /// Every kind, in the order of events at the same moment.
    pub const ALL: [Self; 6] =
        [Self::Created, Self::Seats, Self::Started, Self::Finished, Self::Aborted, Self::Removed];
}

/// A place in the feed: a position, and a mark that differs between histories with different earlier entries.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FeedPlace {
    /// The position of the last entry, from 1, or 0 before the first.
    pub position: u64,
    /// A hash of the last entry and all entries before it.
    pub mark: Bytes32,
}

/// The contents of a feed entry.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedNews {
    /// The game.
    pub game: GameId,
    /// The revision of its seats at that moment.
    pub revision: i64,
    /// The event.
    pub kind: FeedKind,
    /// The rule set, or `None` if this version does not know it.
    pub ruleset: Option<Ruleset>,
    /// The time.
    pub at: Timestamp,
}

/// An entry of the feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedNews {
    /// The place.
    pub place: FeedPlace,
    /// The contents.
    pub news: FeedNews,
}

impl FeedNews {
    /// Returns whether a game at this revision, over or not, has reached this event.
    pub const fn has_happened(&self, revision: i64, is_over: bool) -> bool {
        let is_end = matches!(self.kind, FeedKind::Finished | FeedKind::Aborted);
        revision >= self.revision && (is_over || !is_end)
    }
}

impl FeedPlace {
    /// The place before the first entry.
    pub const BEGINNING: Self = Self { position: 0, mark: [0; 32] };

    /// Returns the place of the next entry.
    pub fn next(&self, news: &FeedNews) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.mark);
        hash.update(news.game.0);
        hash.update(news.revision.to_be_bytes());
        hash.update([news.kind as u8]);
        Self { position: self.position + 1, mark: hash.finalize().into() }
    }
}
