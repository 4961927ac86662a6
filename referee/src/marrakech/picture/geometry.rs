//! The places of the squares of the market in a drawing.

use assam_rules::marrakech::{Direction, Square};

/// The side of a square, and of the market, in units.
pub(super) const SQUARE: i32 = 40;
pub(super) const MARKET: i32 = SQUARE * Square::SIDE as i32;

/// Returns the north-western corner of a square.
pub(super) fn corner(square: Square) -> (i32, i32) {
    let south = i32::from(Square::SIDE - 1 - square.rank());
    (SQUARE * i32::from(square.file()), SQUARE * south)
}

/// Returns the middle of a square.
pub(super) fn middle(square: Square) -> (i32, i32) {
    let (x, y) = corner(square);
    (x + SQUARE / 2, y + SQUARE / 2)
}

/// Returns the place at a distance from another.
pub(super) const fn shift((x, y): (i32, i32), towards: Direction, units: i32) -> (i32, i32) {
    match towards {
        Direction::North => (x, y - units),
        Direction::East => (x + units, y),
        Direction::South => (x, y + units),
        Direction::West => (x - units, y),
    }
}
