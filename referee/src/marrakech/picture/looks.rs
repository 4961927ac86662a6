//! The looks and names of things on the market: colours, compass points and whole rugs.

use anstyle::AnsiColor;
use assam_rules::Seat;
use assam_rules::marrakech::{Board, Colour, Direction, Rug, Square};

use super::super::view::View;
use crate::picture::Swatch;

pub(super) fn compass(facing: Direction) -> &'static str {
    match facing {
        Direction::North => "north",
        Direction::East => "east",
        Direction::South => "south",
        Direction::West => "west",
    }
}

pub(super) fn swatch(colour: Colour) -> Swatch {
    let (name, style) = match colour {
        Colour::Red => ("red", AnsiColor::BrightWhite.on(AnsiColor::Red)),
        Colour::Yellow => ("yellow", AnsiColor::Black.on(AnsiColor::Yellow)),
        Colour::Blue => ("blue", AnsiColor::BrightWhite.on(AnsiColor::Blue)),
        Colour::Green => ("green", AnsiColor::Black.on(AnsiColor::Green)),
    };
    Swatch { letter: colour.letter(), name, style }
}

/// Returns the seat that lays a colour.
pub(super) fn owner(view: &View, colour: Colour) -> Option<Seat> {
    view.seats.iter().find(|seat| seat.colours.contains(&colour)).map(|seat| seat.seat)
}

pub(super) fn is_joined(board: &Board, one: Square, other: Square) -> bool {
    Rug::new(one, other).is_some_and(|rug| board.is_whole(rug))
}

pub(super) fn is_of_whole_rug(board: &Board, square: Square) -> bool {
    let neighbours = Direction::ALL.into_iter().filter_map(|direction| square.step(direction));
    neighbours.into_iter().any(|neighbour| is_joined(board, square, neighbour))
}
