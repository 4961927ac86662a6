//! The feed for lobbies: what happens to public games, but for their moves, each at a position. It knows no clock, store or HTTP.

use assam_referee::Ruleset;
use jiff::Timestamp;
use sha2::{Digest as _, Sha256};

use crate::game::{Bytes32, GameId};

/// Something that happens to a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum FeedKind {
    /// It was created.
    Created,
    /// Its seats changed: one was taken, left or renamed.
    Seats,
    /// It started.
    Started,
    /// It was played to its end.
    Finished,
    /// It was aborted.
    Aborted,
    /// It was removed, or taken down.
    Removed,
}

impl FeedKind {
    /// Every kind, in the order in which they happen at one moment.
    pub const ALL: [Self; 6] =
        [Self::Created, Self::Seats, Self::Started, Self::Finished, Self::Aborted, Self::Removed];
}

/// A place in the feed: a position, and what tells histories apart that have other entries up to it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct FeedPlace {
    /// The position of the last entry, from 1; 0 before the first.
    pub position: u64,
    /// A hash of the last entry and all before it.
    pub mark: Bytes32,
}

/// What an entry of the feed is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FeedNews {
    /// The game.
    pub game: GameId,
    /// The revision of its seats then.
    pub revision: i64,
    /// What happened to it.
    pub kind: FeedKind,
    /// Its rule set; none where this version does not know it.
    pub ruleset: Option<Ruleset>,
    /// When that was.
    pub at: Timestamp,
}

/// An entry of the feed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedNews {
    /// Its place.
    pub place: FeedPlace,
    /// What it is about.
    pub news: FeedNews,
}

impl FeedNews {
    /// Returns whether a game at this revision, which is over or not, has got as far as this.
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
