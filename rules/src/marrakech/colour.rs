//! The four rug colours.

use core::ops::{Index, IndexMut};

use crate::letters::written_in_letters;

/// A rug colour, in the order in which a mixed pile is drawn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Colour {
    /// Red, `r`.
    Red,
    /// Yellow, `y`.
    Yellow,
    /// Blue, `b`.
    Blue,
    /// Green, `g`.
    Green,
}

impl Colour {
    /// All four, in order.
    pub const ALL: [Self; 4] = [Self::Red, Self::Yellow, Self::Blue, Self::Green];

    /// Returns its letter: `r`, `y`, `b` or `g`.
    pub const fn letter(self) -> char {
        match self {
            Self::Red => 'r',
            Self::Yellow => 'y',
            Self::Blue => 'b',
            Self::Green => 'g',
        }
    }

    /// Returns the colour with this letter, if any.
    pub const fn from_letter(letter: char) -> Option<Self> {
        // A match, not a search: a board has up to 49.
        match letter {
            'r' => Some(Self::Red),
            'y' => Some(Self::Yellow),
            'b' => Some(Self::Blue),
            'g' => Some(Self::Green),
            _ => None,
        }
    }
}

written_in_letters!(Colour: letter, "a colour, r, y, b or g");

/// One `T` per colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ByColour<T>(pub [T; 4]);

impl<T> Index<Colour> for ByColour<T> {
    type Output = T;
    fn index(&self, colour: Colour) -> &T {
        &self.0[colour as usize]
    }
}

impl<T> IndexMut<Colour> for ByColour<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        &mut self.0[colour as usize]
    }
}
