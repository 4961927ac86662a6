//! Outside randomness: rounds of a drand beacon, which nobody knows before they are out, and everybody can check.
//!
//! A chain of drand signs the number of each round with a key that its operators have in shares: whoever has fewer than
//! enough of these knows no round before its time. There is one signature of a round, so nobody can choose among several.

mod chain;
mod known;
mod of_game;

pub use chain::{DrandChain, NoBeacon, NotAChain};
pub use known::KnownBeacons;
pub use of_game::{BeaconName, BeaconRound, DueRound, GameBeacon};
