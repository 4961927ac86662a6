//! Squares and compass points.

use crate::letters::written_in_letters;

/// A square of the market, a1 (south-west) to g7 (north-east).
///
/// Stored as rank * 8 + file. The eighth file is unused, so a step off the east or west side leaves the board
/// instead of reaching the next rank, and bitboards need no masks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Square(u8);

impl Square {
    /// Squares per side of the board.
    pub const SIDE: u8 = 7;

    /// The bits of a bitboard from a1 to g7.
    pub(super) const BITS: usize = 55;

    /// d4, where Assam starts.
    pub const CENTRE: Self = Self(3 * 8 + 3);

    /// Returns the square on this file (0 = a) and rank (0 = 1), or `None` if either is not 0..=6.
    pub const fn new(file: u8, rank: u8) -> Option<Self> {
        if file < Self::SIDE && rank < Self::SIDE { Some(Self(rank * 8 + file)) } else { None }
    }

    /// Returns the file, 0..=6, 0 = a, west to east.
    pub const fn file(self) -> u8 {
        self.0 % 8
    }

    /// Returns the rank, 0..=6, 0 = rank 1, south to north.
    pub const fn rank(self) -> u8 {
        self.0 / 8
    }

    /// Returns the letters of the file and the rank, such as `d` and `6`.
    #[inline]
    pub const fn letters(self) -> [char; 2] {
        [(b'a' + self.file()) as char, (b'1' + self.rank()) as char]
    }

    /// Returns the square with these letters of file and rank, if any.
    #[inline]
    pub const fn from_letters(letters: [char; 2]) -> Option<Self> {
        match letters {
            [file @ 'a'..='g', rank @ '1'..='7'] => Self::new(file as u8 - b'a', rank as u8 - b'1'),
            _ => None,
        }
    }

    /// Returns all 49 squares: a1, b1 .. g1, a2 .. g7.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..Self::SIDE * Self::SIDE).map(Self::nth)
    }

    /// Returns number `n` of [`Square::all`], 0..=48.
    pub(super) const fn nth(n: u8) -> Self {
        Self(n / Self::SIDE * 8 + n % Self::SIDE)
    }

    /// Returns the neighbour that shares the side in this direction, or `None` at the border.
    pub const fn step(self, direction: Direction) -> Option<Self> {
        match direction {
            Direction::North if self.rank() < Self::SIDE - 1 => Some(Self(self.0 + 8)),
            Direction::East if self.file() < Self::SIDE - 1 => Some(Self(self.0 + 1)),
            Direction::South if self.rank() > 0 => Some(Self(self.0 - 8)),
            Direction::West if self.file() > 0 => Some(Self(self.0 - 1)),
            Direction::North | Direction::East | Direction::South | Direction::West => None,
        }
    }

    /// Returns the bit of this square in a bitboard.
    pub(super) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Returns the bits of all squares that share a side with this one. Bits off the board may be set and
    /// mean nothing.
    pub(super) const fn beside(self) -> u64 {
        let bit = self.bit();
        bit << 1 | bit >> 1 | bit << 8 | bit >> 8
    }

    /// Returns the number of this square's bit in a bitboard: eight times the rank plus the file, 0..=54.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

written_in_letters!(Square: letters, "a square, a1 to g7");

/// A compass point.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Direction {
    /// Towards rank 7.
    North,
    /// Towards file g.
    East,
    /// Towards rank 1.
    South,
    /// Towards file a.
    West,
}

impl Direction {
    /// All four, clockwise from North.
    pub const ALL: [Self; 4] = [Self::North, Self::East, Self::South, Self::West];

    /// Returns the opposite compass point.
    pub const fn opposite(self) -> Self {
        match self {
            Self::North => Self::South,
            Self::East => Self::West,
            Self::South => Self::North,
            Self::West => Self::East,
        }
    }

    /// Returns its letter: `N`, `E`, `S` or `W`.
    pub const fn letter(self) -> char {
        match self {
            Self::North => 'N',
            Self::East => 'E',
            Self::South => 'S',
            Self::West => 'W',
        }
    }

    /// Returns the compass point with this letter, if any.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|one| one.letter() == letter)
    }
}

written_in_letters!(Direction: letter, "a compass point, N, E, S or W");
