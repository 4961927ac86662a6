//! Cards as they are written: number, then suit; sorted in a hand.

use alloc::string::String;

use assam_rules::marrakesh::{Card, Cards, Digit, Rank, Suit};

use crate::Cursor;

/// The reason why cards cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NoCards {
    /// They are not sorted.
    Unsorted,
    /// They are more cards of a face than a pack has.
    NotInPack,
}

/// Returns the name of a card, number then suit: `6s`, `Ah`, `Qc`.
pub fn card_name(card: Card) -> String {
    card_letters(card).into_iter().collect()
}

pub(super) const fn card_letters(card: Card) -> [char; 2] {
    let number = match card.rank() {
        Rank::Six => '6',
        Rank::Five => '5',
        Rank::Four => '4',
        Rank::Three => '3',
        Rank::Two => '2',
        Rank::Ace => 'A',
        Rank::Queen => 'Q',
    };
    let suit = match card.suit() {
        Suit::Spades => 's',
        Suit::Hearts => 'h',
        Suit::Diamonds => 'd',
        Suit::Clubs => 'c',
    };
    [number, suit]
}

/// Takes the next two bytes if they are a card.
pub(super) fn read_card(cursor: &mut Cursor<'_>) -> Option<Card> {
    let mut ahead = *cursor;
    let rank = match ahead.bump()? {
        b'6' => Rank::Six,
        b'5' => Rank::Five,
        b'4' => Rank::Four,
        b'3' => Rank::Three,
        b'2' => Rank::Two,
        b'A' => Rank::Ace,
        b'Q' => Rank::Queen,
        _ => return None,
    };
    let suit = match ahead.bump()? {
        b's' => Suit::Spades,
        b'h' => Suit::Hearts,
        b'd' => Suit::Diamonds,
        b'c' => Suit::Clubs,
        _ => return None,
    };
    *cursor = ahead;
    Some(Card::new(suit, rank))
}

/// Takes all cards that follow: s h d c, and in a suit 6 5 4 3 2 A Q.
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
    out.extend(cards.iter().flat_map(card_letters));
}

/// Takes the next byte if it is a digit 1 to 6.
pub(super) fn read_digit(cursor: &mut Cursor<'_>) -> Option<Digit> {
    let digit = cursor.peek().and_then(|digit| Digit::new(digit.wrapping_sub(b'0')))?;
    cursor.bump();
    Some(digit)
}

pub(super) const fn digit_letter(digit: Digit) -> char {
    (b'0' + digit.get()) as char
}
