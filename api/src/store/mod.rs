//! The stores of games: one trait to read and one to write, two databases. SQL, rows and pools stay inside this folder.

use std::path::Path;
use std::sync::Arc;

use assam_referee::Ruleset;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::beacon::GameBeacon;
use crate::game::{Access, Bytes32, GameId, Head, Holder, Info, PlayerId, Status, StoredGame};
use crate::public_log::Milestone;
use crate::signed::PublishedKey;

mod batch;
mod database_fault;
mod health;
mod list;
mod listing;
mod point_reads;
mod postgres;
mod postgres_copy;
mod postgres_error;
mod postgres_log;
mod postgres_session;
mod public_log;
mod pulse;
mod row;
mod seal;
mod sqlite;
mod sqlite_copy;
mod sqlite_error;
mod sqlite_file;
mod sqlite_log;
mod sqlite_session;
mod statement;
mod value;
mod whole;

pub use health::DatabaseHealth;
pub use listing::Listing;
pub use postgres::PostgresStore;
pub use public_log::{NewEntry, PublicLog, WaitingEntry, hashes};
pub use row::UnreadableColumn;
pub use seal::{check as check_backup, may_become_backup, seal as seal_backup};
pub use sqlite::SqliteStore;
pub use sqlite_copy::copy as copy_sqlite_file;
pub use sqlite_log::WholeLog;

/// Why a store could not do something.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The game is no longer the one that the change was computed from: read it again.
    #[error("the game has changed in the meantime")]
    Conflict,
    /// A game with this id was there before; nothing was changed.
    #[error("the game exists already")]
    Exists,
    /// No such game.
    #[error("no such game")]
    NotFound,
    /// Too many changes or lists wait. A later try may succeed.
    #[error("too many requests wait")]
    Busy,
    /// The operator took the game down.
    #[error("the operator has removed this game: {0}")]
    TakenDown(String),
    /// Somebody else holds the game; nothing was changed.
    #[error("the game is held by another session of the database")]
    Locked,
    /// The database does not answer, or has no connection free. A later try may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database answers, but takes no changes: its disk is full, or somebody holds all of it. A later try may succeed.
    #[error("the database cannot be written: {0}")]
    Unwritable(String),
    /// The game is damaged, or another version of the service stored it.
    #[error("{column}")]
    Unreadable {
        /// The column.
        column: UnreadableColumn,
        /// Those who may know of the game.
        access: Box<Access>,
    },
    /// The database answered with something that should not happen.
    #[error("the database failed: {0}")]
    Backend(String),
}

impl StoreError {
    /// Returns why a change found no row to change; `is_there` says whether the game exists.
    pub(crate) fn of_unchanged(change: &Write, is_there: bool) -> Self {
        match change {
            Write::Create { .. } => Self::Exists,
            Write::Reseat { .. } | Write::Append { .. } | Write::Remove { .. } | Write::TakeDown { .. } => {
                if is_there {
                    Self::Conflict
                } else {
                    Self::NotFound
                }
            }
        }
    }
}

/// The part that one submission appends to a log.
#[derive(Clone, PartialEq, Eq)]
pub struct Extension {
    /// The new entries, newest first, separated by single spaces; may be empty at the start.
    pub entries: String,
    /// The head after them.
    pub head: Head,
    /// The status after them.
    pub status: Status,
    /// When the game ended, if it ends with them.
    pub finished_at: Option<Timestamp>,
}

/// The start of a game, in the same change that takes its last seat, or with which its beacon comes.
#[derive(Clone, PartialEq, Eq)]
pub struct Start {
    /// The moment of the start.
    pub at: Timestamp,
    /// The first words: what is drawn before the first decision, and the first moves of built-in players.
    pub extension: Extension,
}

/// The games among which a query looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Among {
    /// All public games.
    #[default]
    Public,
    /// The public games in which this player holds a seat.
    PublicOf(PlayerId),
    /// All games, public or not, in which this secret holds a seat.
    AllOf {
        /// The public id that belongs to it.
        player: PlayerId,
        /// Its hash.
        secret: Bytes32,
    },
}

/// The order of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SortBy {
    /// By when games were created.
    #[default]
    Created,
    /// By when games ended; those that are not over are left out.
    Finished,
}

/// A query for [`Reads::list`]: it finds games that meet every condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Where it looks.
    pub among: Among,
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

/// Tells two states of a game apart: each change of the seats makes another revision, each word another head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Grows by one with every change of the seats.
    pub revision: i64,
    /// The last ply and its hash; none before the start.
    pub head: Option<Head>,
}

impl Version {
    /// Returns the version of a game.
    pub const fn of(info: &Info) -> Self {
        Self { revision: info.revision, head: info.head }
    }
}

/// A place from which games are read.
#[async_trait]
pub trait Reads: Send + Sync {
    /// Returns the version of the game with this id, which costs less than to load it.
    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError>;

    /// Returns the game with this id.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where there is one that cannot be read.
    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;

    /// Returns the game that has the record of which an import would have this id; one of them, where there are several.
    async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError>;

    /// Returns how many games a query finds, whatever its limit, without a look at open seats.
    async fn count(&self, query: &ListQuery) -> Result<u64, StoreError>;

    /// Returns games in the order of the query, without those that cannot be read.
    async fn list(&self, query: &ListQuery) -> Result<ListPage, StoreError>;

    /// Returns when open games were created, and their ids: those after this place and before a moment, the oldest first,
    /// at most 100.
    async fn open_before(
        &self,
        moment: Timestamp,
        after: (Timestamp, GameId),
    ) -> Result<Vec<(Timestamp, GameId)>, StoreError>;

    /// Returns the keys with which the service signs, the oldest first.
    async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError>;

    /// Checks that the database answers.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Returns what attempts have shown of the database.
    fn health(&self) -> &DatabaseHealth;
}

/// A change of one game that is to be written.
#[derive(Clone)]
pub enum Write {
    /// A new game is stored, unless its id exists.
    Create {
        /// The game.
        game: Box<StoredGame>,
        /// The id that an import of its record would have, if it is to be found by that.
        record: Option<GameId>,
        /// What comes into the public log with it, as far as that is known.
        entries: Vec<(Milestone, Bytes32)>,
    },
    /// The seats are replaced, and the game starts where `start` is given, if the row still has this `revision`, and stands
    /// at this head where one is given; the revision grows by one.
    Reseat {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// The head that the change was made for, if another one makes a difference.
        at: Option<Head>,
        /// Where lists found the game, if they find it elsewhere then.
        was: Option<Listing>,
        /// The holders of the seats.
        seats: Vec<Holder>,
        /// The tags, if others are kept from then on.
        tags: Option<String>,
        /// The hash of the secret that owns the game from then on, if that is another one.
        heir: Option<Bytes32>,
        /// The beacon of the game, if it has its round or its signature from then on.
        beacon: Option<Box<GameBeacon>>,
        /// The start of the game.
        start: Option<Start>,
        /// The id that an import of the record would have, if the game is to be found by that from then on.
        record: Option<GameId>,
        /// What comes into the public log with it, as far as that is known.
        entries: Vec<(Milestone, Bytes32)>,
    },
    /// The log grows, if the row still has this `revision`, and the game still stands at this head (ply and hash): whoever
    /// wrote holds the seat still.
    Append {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// The head that the extension was made for.
        at: Head,
        /// The part that is appended.
        extension: Extension,
        /// Where lists found the game, if they find it elsewhere then.
        was: Option<Listing>,
        /// The id that an import of the record would have, if the game is to be found by that from then on.
        record: Option<GameId>,
        /// What comes into the public log with it, as far as that is known.
        entries: Vec<(Milestone, Bytes32)>,
    },
    /// The game goes, if the row still has this `revision` and the game never started.
    Remove {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// Where lists found the game.
        was: Listing,
    },
    /// The game is hidden from everybody, without its tags, if the row still has this `revision`; the revision grows by one.
    TakeDown {
        /// The game.
        id: GameId,
        /// The revision that the change was made for.
        revision: i64,
        /// Why.
        reason: String,
        /// The holders of the seats, without their names.
        seats: Vec<Holder>,
        /// Where lists found the game.
        was: Listing,
    },
}

impl Write {
    /// Returns the game that changes.
    pub fn id(&self) -> GameId {
        match self {
            Self::Create { game, .. } => game.info.id,
            Self::Reseat { id, .. }
            | Self::Append { id, .. }
            | Self::Remove { id, .. }
            | Self::TakeDown { id, .. } => *id,
        }
    }

    /// Returns the id that an import of the game's record would have, if the game is to be found by that from then on.
    pub const fn record(&self) -> Option<GameId> {
        match self {
            Self::Create { record, .. } | Self::Reseat { record, .. } | Self::Append { record, .. } => {
                *record
            }
            Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }
}

/// A place that keeps games.
#[async_trait]
pub trait Store: Reads + PublicLog {
    /// Applies the migrations that are missing; harmless to repeat, also by several processes at once.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Writes changes of as many games, and returns the outcome of each, in order. Each is written as a whole or not at
    /// all, and what is written is durable when this returns. It may block its thread: one thread writes.
    ///
    /// # Errors
    /// For each change: [`StoreError::Exists`] for a new game whose id exists, [`StoreError::Conflict`] where a game is
    /// no longer the one that a change was made for, [`StoreError::NotFound`] where there is none, [`StoreError::Locked`]
    /// where somebody else holds the game.
    async fn write(&self, changes: &[Write]) -> Vec<Result<(), StoreError>>;

    /// Writes those changes whose games nobody else holds, and waits for no other game. It may be called while something
    /// else is written.
    ///
    /// # Errors
    /// As [`Store::write`].
    async fn write_free(&self, changes: &[Write]) -> Vec<Result<(), StoreError>>;

    /// Makes a key known with which the service signs from a moment on, unless it is known; where `is_first`, only if none is.
    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError>;

    /// Copies everything, as of one moment, into an SQLite file that is missing or empty, while others read and write. The
    /// file has the tables of `migrations/sqlite`, from an SQLite database those that it has.
    async fn copy_into(&self, file: &Path) -> Result<(), StoreError>;

    /// Takes over everything from a copy that has the tables of this version, in one transaction, and returns whether it
    /// did: not where there are games.
    async fn take_over(&self, copy: &Arc<SqliteStore>) -> Result<bool, StoreError>;

    /// Tries to write something that leaves no trace, to find out whether the database can be written again.
    async fn try_to_write(&self) -> Result<(), StoreError>;
}
