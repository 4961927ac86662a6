//! What is planned for a game that is stored.

use assam_record::beacon::GameBeacon;
use assam_record::game::{Bytes32, GameId, Head, Holder};
use assam_record::log::{Extension, Replayed, Start};

/// A change of a stored game.
pub(in crate::app) enum Change {
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
    pub(in crate::app) fn change(self) -> Change {
        Change::Seats(Box::new(self))
    }
}

/// The outcome of a plan.
pub(in crate::app) enum Plan<T> {
    /// Nothing is to be changed.
    Stands(T),
    /// This is to be changed.
    Change(Change, T),
}

/// A change of the seats.
#[derive(Default)]
pub(in crate::app) struct Seating {
    /// The head that the change was made for, if another one makes a difference.
    pub(in crate::app) at: Option<Head>,
    /// The holders of the seats.
    pub(in crate::app) seats: Vec<Holder>,
    /// The tags of the game, if others are kept from then on.
    pub(in crate::app) tags: Option<String>,
    /// The hash of the secret that owns the game from then on, if that is another one.
    pub(in crate::app) heir: Option<Bytes32>,
    /// The beacon of the game, if it has its round or its signature from then on.
    pub(in crate::app) beacon: Option<GameBeacon>,
    /// The rematch of the game, if it has another one from then on.
    pub(in crate::app) rematch: Option<GameId>,
    /// The start of the game.
    pub(in crate::app) start: Option<Start>,
}
