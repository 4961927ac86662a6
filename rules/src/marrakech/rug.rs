//! Rugs, each on two squares that share a side.

use super::{Direction, Square};
use crate::letters::written_in_letters;

/// A rug on the board: two squares that share a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rug {
    /// The western or southern square.
    low: Square,
    high: Square,
}

impl Rug {
    /// Returns the rug on these two squares, in either order, or `None` if they share no side.
    #[inline]
    pub fn new(a: Square, b: Square) -> Option<Self> {
        /// A bit for each distance between two squares that share a side, eastwards and northwards. The
        /// unused eighth file keeps the east end of a rank two apart from the west end of the next.
        const APART: u64 = 1 << 1 | 1 << 8;
        let (low, high) = (a.min(b), a.max(b));
        (APART >> (high.index() - low.index()) & 1 == 1).then_some(Self { low, high })
    }

    /// Returns both squares, the western or southern one first.
    pub const fn squares(self) -> [Square; 2] {
        [self.low, self.high]
    }

    /// Returns the letters of both squares, the western or southern one first, such as `d6e6`.
    #[inline]
    pub const fn letters(self) -> [char; 4] {
        let ([file, rank], [high_file, high_rank]) = (self.low.letters(), self.high.letters());
        [file, rank, high_file, high_rank]
    }

    /// Returns the rug on the squares with these letters, in either order, or `None` if they share no side.
    pub fn from_letters([file, rank, other_file, other_rank]: [char; 4]) -> Option<Self> {
        Self::new(Square::from_letters([file, rank])?, Square::from_letters([other_file, other_rank])?)
    }

    /// Returns the direction from the first square to the second: North or East.
    pub(super) const fn direction(self) -> Direction {
        if self.low.file() == self.high.file() { Direction::North } else { Direction::East }
    }

    /// Returns the bits of both squares in a bitboard.
    pub(super) const fn bits(self) -> u64 {
        self.low.bit() | self.high.bit()
    }
}

written_in_letters!(Rug: letters, "a rug, two squares that share a side, such as d6e6");
