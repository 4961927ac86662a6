//! The letters and names of Marrakech: colours, squares, directions, rugs.

use alloc::string::String;

use assam_rules::marrakech::{Chance, Colour, Die, Direction, Rug, Square};

use crate::names::{Names, name_of};
use crate::{Cursor, TokenError};

/// Returns the letter of a colour: `r`, `y`, `b` or `g`.
pub fn colour_letter(colour: Colour) -> char {
    match colour {
        Colour::Red => 'r',
        Colour::Yellow => 'y',
        Colour::Blue => 'b',
        Colour::Green => 'g',
    }
}

pub(super) fn colour_from(letter: u8) -> Option<Colour> {
    match CHANCE[usize::from(letter)] {
        Some(Chance::Colour(colour)) => Some(colour),
        Some(Chance::Die(_)) | None => None,
    }
}

/// Returns the name of a square: `a1` to `g7`.
pub fn square_name(square: Square) -> String {
    square_letters(square).into_iter().collect()
}

/// Returns the name of a direction: `N`, `E`, `S` or `W`.
pub fn direction_name(direction: Direction) -> &'static str {
    name_of(direction, FACING)
}

/// Returns the name of a rug, its two squares with the western or southern one first: `d6e6`.
pub fn rug_name(rug: Rug) -> String {
    rug.squares().into_iter().flat_map(square_letters).collect()
}

pub(super) fn square_letters(square: Square) -> [char; 2] {
    [char::from(b'a' + square.file()), char::from(b'1' + square.rank())]
}

pub(super) fn direction_from(byte: u8) -> Option<Direction> {
    COMPASS[usize::from(byte)]
}

// The meaning of a byte is looked up, not matched: a branch on dice is one that the processor cannot predict.

/// The meaning of a byte where something was drawn.
pub(super) static CHANCE: [Option<Chance>; 256] = {
    let mut meanings = [None; 256];
    meanings[b'1' as usize] = Some(Chance::Die(Die::One));
    meanings[b'2' as usize] = Some(Chance::Die(Die::Two));
    meanings[b'3' as usize] = Some(Chance::Die(Die::Three));
    meanings[b'4' as usize] = Some(Chance::Die(Die::Four));
    meanings[b'r' as usize] = Some(Chance::Colour(Colour::Red));
    meanings[b'y' as usize] = Some(Chance::Colour(Colour::Yellow));
    meanings[b'b' as usize] = Some(Chance::Colour(Colour::Blue));
    meanings[b'g' as usize] = Some(Chance::Colour(Colour::Green));
    meanings
};

/// The meaning of a byte where Assam is turned.
pub(super) static COMPASS: [Option<Direction>; 256] = {
    let mut meanings = [None; 256];
    meanings[b'N' as usize] = Some(Direction::North);
    meanings[b'E' as usize] = Some(Direction::East);
    meanings[b'S' as usize] = Some(Direction::South);
    meanings[b'W' as usize] = Some(Direction::West);
    meanings
};

#[inline]
pub(super) fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, TokenError> {
    let offset = cursor.offset();
    let file = cursor.bump().and_then(|file| file.checked_sub(b'a'));
    let rank = cursor.bump().and_then(|rank| rank.checked_sub(b'1'));
    file.zip(rank).and_then(|(file, rank)| Square::new(file, rank)).ok_or(TokenError {
        rule: "notation.decision.unknown",
        detail: "this is neither a compass point nor a rug",
        expected: "a compass point N, E, S or W, or a rug written as two squares a1 to g7, such as d6e6",
        offset,
    })
}

pub(super) const FACING: Names<Direction> =
    &[("N", Direction::North), ("E", Direction::East), ("S", Direction::South), ("W", Direction::West)];
