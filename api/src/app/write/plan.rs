//! What is planned for a game that is stored.

use assam_record::game::Head;
use assam_record::log::{Extension, Replayed};
use assam_store::Update;

/// The outcome of a plan.
pub(in crate::app) enum Plan<T> {
    /// Nothing is to be changed.
    Stands(T),
    /// This is to be changed.
    Change(PlannedChange, T),
}

/// A change of a stored game.
pub(in crate::app) enum PlannedChange {
    /// Its seats change, or more than its log.
    Update(Box<Update>),
    /// Its log grows.
    Append {
        /// The head that the extension was made for.
        at: Head,
        /// The part that is appended.
        extension: Extension,
        /// What the log leads to then.
        replayed: Box<Replayed>,
    },
    /// It goes.
    Delete,
}

impl<T> Plan<T> {
    /// Returns a plan to update a game.
    pub(in crate::app) fn update(update: Update, outcome: T) -> Self {
        Self::Change(PlannedChange::Update(Box::new(update)), outcome)
    }
}
