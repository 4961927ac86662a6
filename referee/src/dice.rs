//! Thrown dice.

use assam_players::Amount;
use assam_rules::{BySeat, Seat};

/// How many of some dice show each face from 1 to 6.
pub type Faces = [u8; 6];

/// Dice that were thrown at once: one in Marrakech, six by each seat in Marrakesh.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Roll {
    /// The ply.
    pub ply: u32,
    /// The seats that threw, each with how many of its dice show each face.
    pub thrown: Vec<(Seat, Faces)>,
    /// The luck of each seat.
    pub luck: BySeat<Amount>,
}
