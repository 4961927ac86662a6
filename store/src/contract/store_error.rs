//! Errors of a store.

use assam_record::game::Access;

/// Why a store could not do something.
#[derive(Clone, Debug, thiserror::Error)]
pub enum StoreError {
    /// The game is no longer the one that the change was computed from. Read it again.
    #[error("the game has changed in the meantime")]
    Conflict,
    /// A game with this id already existed. Nothing was changed.
    #[error("the game exists already")]
    Exists,
    /// No such game.
    #[error("no such game")]
    NotFound,
    /// Too many changes or lists wait. A later attempt may succeed.
    #[error("too many requests wait")]
    Busy,
    /// The operator hid the game.
    #[error("the operator has removed this game: {0}")]
    TakenDown(String),
    /// Another session of the database holds the game. Nothing was changed.
    #[error("the game is held by another session of the database")]
    Locked,
    /// The database does not respond, or has no free connection. A later attempt may succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database responds, but accepts no changes: its disk is full, or another session holds all of it. A
    /// later attempt may succeed.
    #[error("the database cannot be written: {0}")]
    Unwritable(String),
    /// This process only reads the database.
    #[error("this process only reads the database")]
    OnlyRead,
    /// The game is damaged, or another version of the service stored it.
    #[error("{column}")]
    Unreadable {
        /// The column.
        column: UnreadableColumn,
        /// The users who may know of the game.
        access: Box<Access>,
    },
    /// The database gave an unexpected response.
    #[error("the database failed: {0}")]
    Backend(String),
}

/// A column that cannot be read: it is damaged, or another version wrote it. Its contents are not shown, as
/// they may be secret.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("column {0} of a stored game cannot be read")]
pub struct UnreadableColumn(pub(crate) &'static str);
