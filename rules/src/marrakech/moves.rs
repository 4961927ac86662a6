//! Decisions, chance outcomes and payments.

use super::{Colour, Direction, Rug};
use crate::Seat;
use crate::letters::written_in_letters;

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Turn Assam to this compass point.
    Orient(Direction),
    /// Lay the rug in hand here.
    Lay(Rug),
}

/// A chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// The colour of the rug turned up from the mixed pile of the seat on turn.
    Colour(Colour),
    /// The roll of the die.
    Die(Die),
}

/// A face of the die: a number of slippers, one step each.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Die {
    /// On one face.
    One = 1,
    /// On two faces.
    Two = 2,
    /// On two faces.
    Three = 3,
    /// On one face.
    Four = 4,
}

impl Die {
    /// The six faces of the die, in drawing order.
    pub const FACES: [Self; 6] = [Self::One, Self::Two, Self::Two, Self::Three, Self::Three, Self::Four];

    /// Returns the number of steps, 1..=4.
    pub const fn steps(self) -> u8 {
        self as u8
    }

    /// Returns the number of steps as a digit.
    pub const fn letter(self) -> char {
        (b'0' + self.steps()) as char
    }

    /// Returns the face with this digit, if any.
    pub fn from_letter(digit: char) -> Option<Self> {
        Self::FACES.into_iter().find(|one| one.letter() == digit)
    }
}

written_in_letters!(Die: letter, "a die, 1 to 4");

/// A payment caused by a roll.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Payment {
    /// The seat whose roll ended on a rug.
    pub payer: Seat,
    /// The owner of the rug.
    pub payee: Seat,
    /// The dirhams due: one per square of the field.
    pub due: u16,
    /// The dirhams paid: less than `due` if the payer had less.
    pub paid: u16,
    /// Whether the payment put the payer out.
    pub eliminated: bool,
}
