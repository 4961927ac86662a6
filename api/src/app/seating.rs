//! A change of the seats of a game.

use assam_record::beacon::GameBeacon;
use assam_record::game::{Bytes32, GameId, Head, Holder};
use assam_record::log::Start;

/// A change of the seats.
#[derive(Default)]
pub(super) struct Seating {
    /// The head that the change was made for, if another one makes a difference.
    pub(super) at: Option<Head>,
    /// The holders of the seats.
    pub(super) seats: Vec<Holder>,
    /// The tags of the game, if others are kept from then on.
    pub(super) tags: Option<String>,
    /// The hash of the secret that owns the game from then on, if that is another one.
    pub(super) heir: Option<Bytes32>,
    /// The beacon of the game, if it has its round or its signature from then on.
    pub(super) beacon: Option<GameBeacon>,
    /// The rematch of the game, if it has another one from then on.
    pub(super) rematch: Option<GameId>,
    /// The start of the game.
    pub(super) start: Option<Start>,
}
