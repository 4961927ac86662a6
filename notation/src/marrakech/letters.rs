//! The meaning of bytes in Marrakech, as lookup tables.
//!
//! A match would branch on dice, and the processor cannot predict that branch.

use assam_rules::marrakech::{Chance, Colour, Die, Direction, Square};

use crate::{Cursor, TokenError};

/// The meaning of a byte that was drawn.
pub(super) static CHANCE: [Option<Chance>; 256] = {
    let mut meanings = [None; 256];
    let mut n = 0;
    while n < Die::FACES.len() {
        meanings[Die::FACES[n].letter() as usize] = Some(Chance::Die(Die::FACES[n]));
        n += 1;
    }
    let mut n = 0;
    while n < Colour::ALL.len() {
        meanings[Colour::ALL[n].letter() as usize] = Some(Chance::Colour(Colour::ALL[n]));
        n += 1;
    }
    meanings
};

/// The meaning of a byte that turns Assam.
pub(super) static COMPASS: [Option<Direction>; 256] = {
    let mut meanings = [None; 256];
    let mut n = 0;
    while n < Direction::ALL.len() {
        meanings[Direction::ALL[n].letter() as usize] = Some(Direction::ALL[n]);
        n += 1;
    }
    meanings
};

#[inline]
pub(super) fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, TokenError> {
    let offset = cursor.offset();
    let letters = cursor.bump().zip(cursor.bump());
    letters.and_then(|(file, rank)| Square::from_letters([file.into(), rank.into()])).ok_or(TokenError {
        rule: "notation.decision.unknown",
        detail: "this is neither a compass point nor a rug",
        expected: "a compass point N, E, S or W, or a rug written as two squares a1 to g7, such as d6e6",
        offset,
    })
}
