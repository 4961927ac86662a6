//! What is planned for a game that is stored.

use assam_record::game::Head;
use assam_record::log::{Extension, Replayed};

use super::seating::Seating;

/// A change of a stored game.
pub(super) enum Change {
    /// Its seats change; with the last seat taken, it starts.
    Seats(Box<Seating>),
    /// Its log grows.
    Log {
        /// The head that the extension was made for.
        at: Head,
        /// The part that is appended.
        extension: Extension,
        /// What the log leads to then.
        replayed: Box<Replayed>,
    },
    /// It goes.
    Removal,
    /// It is hidden, for a reason.
    TakeDown(String),
}

impl Seating {
    /// Returns the change.
    pub(super) fn change(self) -> Change {
        Change::Seats(Box::new(self))
    }
}

/// The outcome of a plan.
pub(super) enum Plan<T> {
    /// Nothing is to be changed.
    Stands(T),
    /// This is to be changed.
    Change(Change, T),
}
