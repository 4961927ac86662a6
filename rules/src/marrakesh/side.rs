//! The two players: Blue on seat 1, Red on seat 2.

use core::ops::{Index, IndexMut};

use crate::Seat;
use crate::letters::written_in_letters;

/// A player and their half board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Side {
    /// Seat 1.
    Blue,
    /// Seat 2.
    Red,
}

impl Side {
    /// Both, in the order of the seats.
    pub const BOTH: [Self; 2] = [Self::Blue, Self::Red];

    /// Returns the player on this seat, or `None` beyond the two seats of a match.
    pub const fn of(seat: Seat) -> Option<Self> {
        match seat.number() {
            1 => Some(Self::Blue),
            2 => Some(Self::Red),
            _ => None,
        }
    }

    /// Returns the seat: 1 for Blue, 2 for Red.
    pub const fn seat(self) -> Seat {
        match self {
            Self::Blue => Seat::FIRST,
            Self::Red => Seat::FIRST.next(2),
        }
    }

    /// Returns the other player.
    pub const fn opponent(self) -> Self {
        match self {
            Self::Blue => Self::Red,
            Self::Red => Self::Blue,
        }
    }

    /// Returns the letter: `b` for Blue, `r` for Red.
    pub const fn letter(self) -> char {
        match self {
            Self::Blue => 'b',
            Self::Red => 'r',
        }
    }

    /// Returns the player with this letter, if any.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::BOTH.into_iter().find(|one| one.letter() == letter)
    }
}

written_in_letters!(Side: letter, "a player, b or r");

/// One `T` per player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BySide<T>(pub [T; 2]);

impl<T> Index<Side> for BySide<T> {
    type Output = T;
    fn index(&self, side: Side) -> &T {
        &self.0[side as usize]
    }
}

impl<T> IndexMut<Side> for BySide<T> {
    fn index_mut(&mut self, side: Side) -> &mut T {
        &mut self.0[side as usize]
    }
}
