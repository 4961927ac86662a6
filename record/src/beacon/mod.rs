//! Public randomness: rounds of a drand beacon, which cannot be known before they are published, and which
//! anyone can check.
//!
//! A drand chain signs the number of each round with a key that its operators hold in shares. Without enough
//! shares, a round cannot be computed early. A round has a single signature, so there is no choice among
//! several.

mod chain;
mod known;
mod of_game;

pub use chain::{DrandChain, NoBeacon, NotAChain};
pub use known::KnownBeacons;
pub use of_game::{BeaconName, BeaconRound, DueRound, GameBeacon};
