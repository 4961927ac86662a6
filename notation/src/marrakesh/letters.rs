//! The letters of players, and hands.

use alloc::string::String;

use assam_rules::marrakesh::{Hand, Side};

use super::card::write_cards;

/// Returns the letter of a side: `b` for Blue, `r` for Red.
pub const fn side_letter(side: Side) -> char {
    match side {
        Side::Blue => 'b',
        Side::Red => 'r',
    }
}

pub(super) fn side_from(letter: u8) -> Option<Side> {
    match letter {
        b'b' => Some(Side::Blue),
        b'r' => Some(Side::Red),
        _ => None,
    }
}

/// Writes a hand, with two `?` for each card that is not known.
pub(super) fn write_hand(hand: Hand, out: &mut String) {
    match hand {
        Hand::Known(cards) => write_cards(cards, out),
        Hand::Unknown(number) => out.extend((0..number).map(|_| "??")),
    }
}
