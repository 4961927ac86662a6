//! The four rug colours.

use core::ops::{Index, IndexMut};

/// A rug colour, ordered as a mixed pile is drawn from.
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
}

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
