//! Seats: the places at the table in the order of play.

use core::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

use crate::letters::written_in_letters;

/// A list of seats that never allocates.
pub type Seats = ArrayVec<Seat, { Seat::MAX as usize }>;

/// A place at the table, numbered from 1 in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The largest number of seats in a game.
    pub const MAX: u8 = 4;

    /// The first seat.
    pub const FIRST: Self = Self(0);

    /// Returns the seat with this number if it is 1..=4.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=Self::MAX => Some(Self(number - 1)),
            _ => None,
        }
    }

    /// Returns the number, 1..=4.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns the number as a digit.
    pub const fn letter(self) -> char {
        (b'0' + self.number()) as char
    }

    /// Returns the seat with this digit, if any.
    pub const fn from_letter(digit: char) -> Option<Self> {
        match digit {
            '1'..='4' => Self::new(digit as u8 - b'0'),
            _ => None,
        }
    }

    /// Returns the index into arrays, 0..=3.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the next seat clockwise at a table of `seats`.
    pub const fn next(self, seats: u8) -> Self {
        Self((self.0 + 1) % seats)
    }

    /// Returns the seats of a table in order.
    ///
    /// `seats` above [`Seat::MAX`] counts as [`Seat::MAX`].
    pub fn all(seats: u8) -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..seats.min(Self::MAX)).map(Self)
    }
}

written_in_letters!(Seat: letter, "the number of a seat, 1 to 4");

/// One `T` per seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct BySeat<T>(pub [T; Seat::MAX as usize]);

impl<T> Index<Seat> for BySeat<T> {
    type Output = T;
    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
