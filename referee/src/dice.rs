//! Thrown dice.

use assam_players::Amount;
use assam_rules::Seat;

/// How many of some dice show each face from 1 to 6.
pub type Faces = [u8; 6];

/// Dice that a seat threw at once: one in Marrakech, six in Marrakesh.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Roll {
    /// The ply.
    pub ply: u32,
    /// The seat that threw.
    pub seat: Seat,
    /// How many dice show each face.
    pub faces: Faces,
    /// The seat's luck.
    pub luck: Amount,
}
