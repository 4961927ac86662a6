//! Planned changes of stored games.

use assam_record::game::Head;
use assam_record::log::{Extension, Replayed};
use assam_store::Update;

/// The outcome of a plan.
pub(in crate::app) enum Plan<T> {
    /// No change.
    Stands(T),
    /// A change.
    Change(PlannedChange, T),
}

/// A change of a stored game.
pub(in crate::app) enum PlannedChange {
    /// Update its seats, or more than its log.
    Update(Box<Update>),
    /// Extend its log.
    Append {
        /// The head that the extension was made for.
        at: Head,
        /// The appended part.
        extension: Extension,
        /// The replay of the extended log.
        replayed: Box<Replayed>,
    },
    /// Delete it.
    Delete,
}

impl<T> Plan<T> {
    /// Returns a plan to update a game.
    pub(in crate::app) fn update(update: Update, outcome: T) -> Self {
        Self::Change(PlannedChange::Update(Box::new(update)), outcome)
    }
}
