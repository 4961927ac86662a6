//! Seats: the places at the table, in the order of play.

use core::ops::{Index, IndexMut};

use arrayvec::ArrayVec;

/// A list of seats that allocates nothing.
pub type Seats = ArrayVec<Seat, { Seat::MAX as usize }>;

/// A place at the table, numbered from 1 in the order of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Seat(u8);

impl Seat {
    /// The most seats that a game has.
    pub const MAX: u8 = 4;

    /// The first seat.
    pub const FIRST: Self = Self(0);

    /// Returns the seat with this number, 1..=4; none for any other number.
    pub const fn new(number: u8) -> Option<Self> {
        match number {
            1..=Self::MAX => Some(Self(number - 1)),
            _ => None,
        }
    }

    /// Returns its number, 1..=4, as people count.
    pub const fn number(self) -> u8 {
        self.0 + 1
    }

    /// Returns its index, 0..=3, as arrays count.
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
