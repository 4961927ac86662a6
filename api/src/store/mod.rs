//! Where games are kept: one trait, two stores. SQL, rows and pools stay inside this folder.

use async_trait::async_trait;
use jiff::Timestamp;

use crate::game::{Game, Head, Info, Seat, Status};

mod postgres;
mod row;
mod sqlite;
mod statement;

pub use postgres::PostgresStore;
pub use sqlite::SqliteStore;

/// What a store could not do.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The row is no longer what the change was computed from. Read again.
    #[error("the game has changed in the meantime")]
    Conflict,
    /// No such game.
    #[error("no such game")]
    NotFound,
    /// The database does not answer, or has no connection free. A later try may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database answered with something that should not happen.
    #[error("the database failed: {0}")]
    Backend(String),
}

/// What [`Store::create`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Creation {
    /// The game is stored.
    Created,
    /// A game with this id was there before; nothing was changed.
    Exists,
}

/// What one submission appends.
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
    /// Ply 0: what is drawn before the first decision.
    pub extension: Extension,
}

/// Which games [`Store::list`] gives: public ones that meet every condition, newest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListQuery {
    /// Only games in this status.
    pub status: Option<Status>,
    /// Only games of this rule set, e.g. `marrakech/1`.
    pub ruleset: Option<String>,
    /// Only games in which this player (public id) holds a seat.
    pub player: Option<String>,
    /// Only games that come after this one in the order (creation time falling, then id falling).
    pub after: Option<(Timestamp, String)>,
    /// At most so many, 1..=1000.
    pub limit: u32,
}

/// A place that keeps games. Every method is one transaction: all or nothing, durable when it returns.
#[async_trait]
pub trait Store: Send + Sync {
    /// Applies the migrations that are missing; harmless to repeat, also by several processes at once.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Stores a new game, unless its id exists.
    async fn create(&self, game: &Game) -> Result<Creation, StoreError>;

    /// The game with this id.
    async fn load(&self, id: &str) -> Result<Option<Game>, StoreError>;

    /// Replaces the seats, and starts the game where `start` is given, if the row still has this
    /// `revision`; the revision grows by one.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where the revision is another, [`StoreError::NotFound`] where the game is.
    async fn reseat(
        &self,
        id: &str,
        revision: i64,
        seats: &[Seat],
        start: Option<&Start>,
    ) -> Result<(), StoreError>;

    /// Extends the log, if the game still stands at `at` (ply and hash).
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where it does not, [`StoreError::NotFound`] where there is no such game.
    async fn append(&self, id: &str, at: &Head, extension: &Extension) -> Result<(), StoreError>;

    /// Public games, newest first.
    async fn list(&self, query: &ListQuery) -> Result<Vec<Info>, StoreError>;

    /// Answers when the database does.
    async fn ping(&self) -> Result<(), StoreError>;
}
