//! A rug as it lies: two squares that share a side.

use super::{Direction, Square};

/// Two squares that share a side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Rug {
    /// The western or southern square.
    low: Square,
    /// North or East of it lies the other half.
    upright: bool,
}

impl Rug {
    /// The rug on these two squares, in either order; none where they share no side.
    pub fn new(a: Square, b: Square) -> Option<Self> {
        let (low, high) = if a <= b { (a, b) } else { (b, a) };
        [false, true]
            .map(|upright| Self { low, upright })
            .into_iter()
            .find(|rug| low.step(rug.direction()) == Some(high))
    }

    /// Both squares, the western or southern one first.
    pub fn squares(self) -> [Square; 2] {
        let high = self.low.step(self.direction());
        [self.low, high.expect("a rug is only made where both squares are on the board")]
    }

    /// Where the second square lies, seen from the first: North or East.
    pub(super) const fn direction(self) -> Direction {
        if self.upright { Direction::North } else { Direction::East }
    }
}
