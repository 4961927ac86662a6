//! The stores of games: one trait to read and one to write, on SQLite and on PostgreSQL. SQL, rows and pools stay inside this crate.
//!
//! A store knows records and their proofs. It knows no application and no HTTP.

use std::path::Path;
use std::sync::Arc;

use assam_proofs::public_log::Milestone;
use assam_proofs::signed::PublishedKey;
use assam_record::beacon::GameBeacon;
use assam_record::clock::now;
use assam_record::game::{Bytes32, GameId, Head, Holder, Status, StoredGame};
use assam_record::game_clock::GameClock;
use assam_record::log::{Extension, Start};
use async_trait::async_trait;
use jiff::Timestamp;

pub mod byte_cache;
mod contract;
pub mod counted;
pub mod file_access;
mod health;
mod postgres;
pub mod round;
mod sql;
mod sqlite;

pub use contract::{
    ChangedGame, Checkup, Clocks, Grade, KeepsFeed, Leader, LeadersBy, ListPage, ListQuery, ListScope,
    ListedGame, Listing, NewEntry, Observation, Pause, PeerBus, PeerMessage, PresentIn, PublicLog, SortBy,
    Standings, StoreError, TagKey, UnreadableColumn, Version, WaitingEntry, hashes,
};
pub use health::DatabaseHealth;
pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;
pub use sqlite::copy::copy as copy_sqlite_file;
pub use sqlite::log::WholeLog;
pub use sqlite::seal::{check as check_backup, may_become_backup, seal as seal_backup};

/// A place from which games are read.
#[async_trait]
pub trait Reads: PeerBus {
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

    /// Returns running games after an id, in the order of ids, at most 1,000.
    async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError>;

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
    /// The seats are replaced, and the game may start.
    Reseat(Box<Reseat>),
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
        /// What follows where the game ends with it.
        end: Option<Box<Ending>>,
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

/// A change of the seats of a game. It is written if the row still has this `revision`, and stands at this head where one is given; the
/// revision grows by one.
#[derive(Clone)]
pub struct Reseat {
    /// The game.
    pub id: GameId,
    /// The revision that the change was made for.
    pub revision: i64,
    /// The head that the change was made for, if another one makes a difference.
    pub at: Option<Head>,
    /// Where lists found the game, if they find it elsewhere then.
    pub was: Option<Listing>,
    /// The holders of the seats.
    pub seats: Vec<Holder>,
    /// The tags, if others are kept from then on.
    pub tags: Option<String>,
    /// The hash of the secret that owns the game from then on, if that is another one.
    pub heir: Option<Bytes32>,
    /// The beacon of the game, if it has its round or its signature from then on.
    pub beacon: Option<Box<GameBeacon>>,
    /// The rematch of the game, if it has another one from then on.
    pub rematch: Option<GameId>,
    /// The start of the game, if it starts with it.
    pub start: Option<Start>,
    /// The id that an import of the record would have, if the game is to be found by that from then on.
    pub record: Option<GameId>,
    /// What comes into the public log with it, as far as that is known.
    pub entries: Vec<(Milestone, Bytes32)>,
}

/// What follows from the end of a game.
#[derive(Clone)]
pub struct Ending {
    /// Where lists found the game.
    pub was: Listing,
    /// The id that an import of the record would have, if the game is to be found by that from then on.
    pub record: Option<GameId>,
    /// What comes into the public log with it, as far as that is known.
    pub entries: Vec<(Milestone, Bytes32)>,
}

impl Write {
    /// Returns the game that changes.
    pub fn id(&self) -> GameId {
        match self {
            Self::Create { game, .. } => game.info.id,
            Self::Reseat(reseat) => reseat.id,
            Self::Append { id, .. } | Self::Remove { id, .. } | Self::TakeDown { id, .. } => *id,
        }
    }

    /// Returns the game and the revision that it has then, where seats are taken or change with this.
    pub fn seated(&self) -> Option<(GameId, i64)> {
        match self {
            Self::Create { game, .. } => Some((game.info.id, game.info.revision)),
            Self::Reseat(reseat) => Some((reseat.id, reseat.revision + 1)),
            Self::Append { .. } | Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }

    /// Returns whether this appends to the log of a game that goes on, and changes nothing else.
    #[must_use]
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Append { extension, .. } if extension.status == Status::Running)
    }

    /// Returns the clock of a game that starts or goes on with it.
    fn clock_mut(&mut self) -> Option<&mut GameClock> {
        match self {
            Self::Reseat(reseat) => reseat.start.as_mut()?.extension.clock.as_deref_mut(),
            Self::Append { extension, .. } => extension.clock.as_deref_mut(),
            Self::Create { .. } | Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }

    /// Counts time from a moment on, in the game that starts or goes on with it.
    fn restart_clock(&mut self, since: Timestamp) {
        if let Some(clock) = self.clock_mut() {
            clock.restart(since);
        }
    }

    /// Counts time from now on, in all games that start or go on with these.
    pub fn restart_clocks(changes: &mut [Self]) {
        let now = now();
        changes.iter_mut().for_each(|change| change.restart_clock(now));
    }

    /// Returns the clock of the game that starts or goes on with it.
    pub fn into_clock(mut self) -> Option<GameClock> {
        self.clock_mut().cloned()
    }

    /// Returns the id that an import of the game's record would have, if the game is to be found by that from then on.
    pub fn record(&self) -> Option<GameId> {
        match self {
            Self::Create { record, .. } => *record,
            Self::Reseat(reseat) => reseat.record,
            Self::Append { end, .. } => end.as_ref()?.record,
            Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }
}

/// A place that keeps games.
#[async_trait]
pub trait Store: Reads + PublicLog + Standings + KeepsFeed + Clocks + Checkup {
    /// Returns whether it is opened to be read alone: whatever would change something fails.
    fn is_to_read(&self) -> bool;

    /// Applies the migrations that are missing; harmless to repeat, also by several processes at once. Where the store is opened to be
    /// read, finds out whether none is missing.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Writes changes of as many games, and returns the outcome of each, in order. Each is written as a whole or not at
    /// all, and what is written is durable when this returns. The clocks of games that go on run from when the database takes the
    /// changes, which is noted in them. It may block its thread: one thread writes.
    ///
    /// # Errors
    /// For each change: [`StoreError::Exists`] for a new game whose id exists, [`StoreError::Conflict`] where a game is
    /// no longer the one that a change was made for, [`StoreError::NotFound`] where there is none, [`StoreError::Locked`]
    /// where somebody else holds the game.
    async fn write(&self, changes: &mut [Write]) -> Vec<Result<(), StoreError>>;

    /// Returns whether the thread that writes is free for other work meanwhile: the database is another process.
    fn is_networked(&self) -> bool;

    /// Returns whether a lone change is best written on the thread that brings it: the database is another process, and nothing else of this
    /// thread is on its way there.
    fn can_write_inline(&self) -> bool {
        false
    }

    /// Writes those changes whose games nobody else holds, and waits for no other game. It may be called while something
    /// else is written.
    ///
    /// # Errors
    /// As [`Store::write`].
    async fn write_skip_locked(&self, changes: &mut [Write]) -> Vec<Result<(), StoreError>>;

    /// Makes a key known with which the service signs from a moment on, unless it is known; where `is_first`, only if none is.
    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError>;

    /// Copies everything, as of one moment, into an SQLite file that is missing or empty, while others read and write. The
    /// file has the tables of `migrations/sqlite`, from an SQLite database those that it has.
    async fn copy_into(&self, file: &Path) -> Result<(), StoreError>;

    /// Takes over everything from a copy with the tables of this version, in one transaction; returns false where there are games.
    async fn take_over(&self, copy: &Arc<SqliteStore>) -> Result<bool, StoreError>;

    /// Tries to write something that leaves no trace, to find out whether the database can be written again.
    async fn try_to_write(&self) -> Result<(), StoreError>;

    /// Ends writing, and leaves an SQLite file that has everything by itself.
    ///
    /// # Errors
    /// Where that fails; nothing is lost then.
    fn end(&self) -> Result<(), StoreError> {
        Ok(())
    }
}
