//! Queries for lists of games, and what they find.

use assam_record::game::{Bytes32, GameId, Info, PlayerId, Status};
use assam_referee::Ruleset;
use jiff::Timestamp;

use super::TagKey;

/// The games among which a query looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ListScope {
    /// All public games.
    #[default]
    Public,
    /// The public games in which this player holds a seat.
    PublicOf(PlayerId),
    /// The imported games with some tags.
    Tagged(TagKey),
    /// All games, public or not, in which this secret holds a seat.
    AllOf {
        /// The public id that belongs to it.
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
    /// By when games ended; those that are not over are left out.
    Finished,
}

/// A query for [`Reads::list`](crate::Reads::list): it finds games that meet every condition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct ListQuery {
    /// Where it looks.
    pub scope: ListScope,
    /// The order, newest first unless [`ListQuery::is_ascending`].
    pub order: SortBy,
    /// Only games in one of these statuses; in any, where there is none.
    pub statuses: Vec<Status>,
    /// Only games of this rule set.
    pub ruleset: Option<Ruleset>,
    /// Only games that were imported, or only games that were not.
    pub imported: Option<bool>,
    /// Only games with one of these numbers of open seats; any, where there is none.
    pub open_seats: Vec<u8>,
    /// Only games whose time in the order is this one or later.
    pub since: Option<Timestamp>,
    /// Only games whose time in the order is earlier.
    pub until: Option<Timestamp>,
    /// Whether the oldest come first.
    pub is_ascending: bool,
    /// Only games that come after this one in the order (time, then id).
    pub after: Option<(Timestamp, GameId)>,
    /// The largest number of games to return, 1..=1000.
    pub limit: u32,
}

/// A part of a list.
#[derive(Clone, PartialEq, Eq)]
pub struct ListPage {
    /// The games, in the order of the list: as many as were wanted, but at the end, and where many cannot be read or have
    /// another number of open seats.
    pub games: Vec<ListedGame>,
    /// The place after which the list goes on; none at its end.
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
