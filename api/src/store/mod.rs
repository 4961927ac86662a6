//! The stores of games: one trait to read and one to write, two databases. SQL, rows and pools stay inside this folder.

use assam_referee::Ruleset;
use async_trait::async_trait;
use jiff::Timestamp;

use crate::game::{Access, GameId, Head, Holder, Info, PlayerId, Status, StoredGame};

mod list;
mod postgres;
mod row;
mod sqlite;
mod statement;

pub use postgres::PostgresStore;
pub use row::UnreadableColumn;
pub use sqlite::SqliteStore;

/// Why a store could not do something.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The game is no longer the one that the change was computed from: read it again.
    #[error("the game has changed in the meantime")]
    Conflict,
    /// No such game.
    #[error("no such game")]
    NotFound,
    /// The database does not answer, or has no connection free. A later try may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
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

/// The outcome of [`Store::create`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// The game is stored.
    Created,
    /// A game with this id was there before; nothing was changed.
    Exists,
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
}

/// The start of a game, in the same change that takes its last seat.
#[derive(Clone, PartialEq, Eq)]
pub struct Start {
    /// The moment of the start.
    pub at: Timestamp,
    /// The first words: what is drawn before the first decision, and the first moves of built-in players.
    pub extension: Extension,
}

/// A query for [`Reads::list`]: it finds public games that meet every condition.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Only games in this status.
    pub status: Option<Status>,
    /// Only games of this rule set.
    pub ruleset: Option<Ruleset>,
    /// Only games in which this player holds a seat.
    pub player: Option<PlayerId>,
    /// Only games that come after this one in the order (creation time falling, then id falling).
    pub after: Option<(Timestamp, GameId)>,
    /// The largest number of games to return, 1..=1000.
    pub limit: u32,
}

/// A place from which games are read.
#[async_trait]
pub trait Reads: Send + Sync {
    /// Returns the game with this id.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where there is one that cannot be read.
    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;

    /// Returns public games, newest first, without those that cannot be read.
    async fn list(&self, query: &ListQuery) -> Result<Vec<Info>, StoreError>;

    /// Checks that the database answers.
    async fn ping(&self) -> Result<(), StoreError>;
}

/// A place that keeps games. Every method is one transaction: all or nothing, durable when it returns.
#[async_trait]
pub trait Store: Reads {
    /// Applies the migrations that are missing; harmless to repeat, also by several processes at once.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Stores a new game, unless its id exists.
    async fn create(&self, game: &StoredGame) -> Result<Creation, StoreError>;

    /// Replaces the seats, and starts the game where `start` is given, if the row still has this
    /// `revision`; the revision grows by one.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where the revision differs, [`StoreError::NotFound`] where there is no such game.
    async fn reseat(
        &self,
        id: GameId,
        revision: i64,
        seats: &[Holder],
        start: Option<&Start>,
    ) -> Result<(), StoreError>;

    /// Extends the log, if the game still stands at `at` (ply and hash).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where it does not, [`StoreError::NotFound`] where there is no such game.
    async fn append(&self, id: GameId, at: &Head, extension: &Extension) -> Result<(), StoreError>;
}
