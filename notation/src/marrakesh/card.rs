//! The text of cards: number, then suit, sorted in a hand.

use alloc::string::String;

use assam_rules::marrakesh::{Card, Cards, Digit, Hand};

use crate::Cursor;
use crate::field::take;

/// The reason cards cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoCards {
    /// The cards are not sorted.
    Unsorted,
    /// A pack has fewer cards of some face.
    NotInPack,
}

/// Takes the next two bytes if they are a card.
pub(super) fn read_card(cursor: &mut Cursor<'_>) -> Option<Card> {
    let mut ahead = *cursor;
    let card = Card::from_letters([ahead.bump()?.into(), ahead.bump()?.into()])?;
    *cursor = ahead;
    Some(card)
}

/// Takes all cards that follow: s h d c, and 6 5 4 3 2 A Q within a suit.
pub(super) fn read_cards(cursor: &mut Cursor<'_>) -> Result<Cards, NoCards> {
    let mut cards = Cards::new();
    let mut last = None;
    let mut before = *cursor;
    while let Some(card) = read_card(cursor) {
        let inserted = if last > Some(card) {
            Err(NoCards::Unsorted)
        } else {
            cards.insert(card).map_err(|_| NoCards::NotInPack)
        };
        if let Err(wrong) = inserted {
            *cursor = before;
            return Err(wrong);
        }
        last = Some(card);
        before = *cursor;
    }
    Ok(cards)
}

pub(super) fn write_cards(cards: Cards, out: &mut String) {
    out.extend(cards.iter().flat_map(Card::letters));
}

/// Writes a hand, with `??` for each unknown card.
pub(super) fn write_hand(hand: Hand, out: &mut String) {
    match hand {
        Hand::Known(cards) => write_cards(cards, out),
        Hand::Unknown(number) => out.extend((0..number).map(|_| "??")),
    }
}

/// Takes the next byte if it is a digit 1 to 6.
pub(super) fn read_digit(cursor: &mut Cursor<'_>) -> Option<Digit> {
    take(cursor, Digit::from_letter)
}
