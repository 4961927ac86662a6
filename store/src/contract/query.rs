//! Queries for lists of games, and their results.

use assam_record::game::{Bytes32, GameId, Info, PlayerId, Status};
use assam_referee::Ruleset;
use jiff::Timestamp;

use super::TagKey;

/// The games that a query searches.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ListScope {
    /// All public games.
    #[default]
    Public,
    /// The public games in which this player holds a seat.
    PublicOf(PlayerId),
    /// Imported games with some tags.
    Tagged(TagKey),
    /// All games, public or not, in which this secret holds a seat.
    AllOf {
        /// The public id of the secret.
        player: PlayerId,
        /// Its hash.
        secret: Bytes32,
    },
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SortBy {
    /// By when games were created.
    #[default]
    Created,
    /// By when games ended, without games that are not over.
    Finished,
}

/// A query for [`Reads::list`](crate::Reads::list). It finds games that meet every condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListQuery {
    /// The games to search.
    pub scope: ListScope,
    /// The order, newest first unless [`ListQuery::is_ascending`].
    pub order: SortBy,
    /// Only games in one of these statuses. Empty means any.
    pub statuses: Vec<Status>,
    /// Only games of this rule set.
    pub ruleset: Option<Ruleset>,
    /// Only games that were imported, or only games that were not.
    pub imported: Option<bool>,
    /// Only games with one of these numbers of open seats. Empty means any.
    pub open_seats: Vec<u8>,
    /// Only games at or after this time in the order.
    pub since: Option<Timestamp>,
    /// Only games before this time in the order.
    pub until: Option<Timestamp>,
    /// Whether the oldest come first.
    pub is_ascending: bool,
    /// Only games after this one in the order (time, then id).
    pub after: Option<(Timestamp, GameId)>,
    /// The largest number of games to return, 1..=1000.
    pub limit: u32,
}

/// A page of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct ListPage {
    /// The games, in the order of the list. Fewer than requested only at the end, or if many cannot be read
    /// or have another number of open seats.
    pub games: Vec<ListedGame>,
    /// The place where the list continues, or none at its end.
    pub next: Option<(Timestamp, GameId)>,
}

/// A game in a list.
#[derive(Clone, PartialEq, Eq)]
pub struct ListedGame {
    /// The part that lists show.
    pub info: Info,
    /// Its log, if it is running.
    pub log: Option<String>,
}
