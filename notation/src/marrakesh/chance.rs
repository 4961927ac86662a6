//! The text of chance in Marrakesh: dice and hands.

use alloc::string::String;

use assam_rules::marrakesh::{Chance, Deal, Digit, Points, Side, Throw};

use super::card::{NoCards, read_cards, read_digit};
use crate::{Cursor, TokenError};

pub(super) fn read_deal(cursor: &mut Cursor<'_>, side: Side) -> Result<Chance, TokenError> {
    cursor.bump();
    let wrong = |cursor: &Cursor<'_>, rule, detail| TokenError {
        rule,
        detail,
        expected: "six cards, spades first, then hearts, diamonds and clubs, and in a suit 6 5 4 3 2 A Q, such as b:6sAsQh3d5c4c, or twelve ?",
        offset: cursor.offset(),
    };
    let six = "a hand is six cards, or six that are not known";
    if !cursor.eat(b':') {
        return Err(wrong(cursor, "notation.deal.cards", six));
    }
    if cursor.eat_all(b"????????????") {
        return Ok(Chance::Deal(side, Deal::UNKNOWN));
    }
    let cards = read_cards(cursor).map_err(|no_cards| match no_cards {
        NoCards::Unsorted => wrong(cursor, "notation.deal.order", "the cards of a hand are sorted"),
        NoCards::NotInPack => {
            let detail = "a pack has one queen of each suit and two cards of each other face";
            wrong(cursor, "notation.deal.not-in-pack", detail)
        }
    })?;
    let deal = Deal::new(cards).ok_or_else(|| wrong(cursor, "notation.deal.cards", six))?;
    Ok(Chance::Deal(side, deal))
}

pub(super) fn read_dice(cursor: &mut Cursor<'_>) -> Result<Chance, TokenError> {
    let offset = cursor.offset();
    if cursor.peek().is_none_or(|byte| !byte.is_ascii_digit()) {
        return Err(TokenError {
            rule: "notation.chance.unknown",
            detail: "this is neither dice, a hand nor a bonus card",
            expected: "dice such as 112446/455566, a hand such as b:6sAsQh3d5c4c, or a card such as 5c",
            offset,
        });
    }
    let blue = read_throw(cursor)?;
    if !cursor.eat(b'/') {
        return Err(wrong_dice(cursor, "notation.dice.count", "the dice are six of Blue and six of Red"));
    }
    let red = read_throw(cursor)?;
    Ok(Chance::Dice { blue, red })
}

fn read_throw(cursor: &mut Cursor<'_>) -> Result<Throw, TokenError> {
    let mut counts = [0; 6];
    let mut last: Option<Digit> = None;
    for _ in 0..Points::PIECES {
        let before = *cursor;
        let six = "the dice are six of Blue and six of Red";
        let die = read_digit(cursor).ok_or_else(|| wrong_dice(&before, "notation.dice.count", six))?;
        if last > Some(die) {
            return Err(wrong_dice(&before, "notation.dice.order", "the dice of a throw are sorted"));
        }
        counts[die.index()] += 1;
        last = Some(die);
    }
    Ok(Points::new(counts).and_then(Throw::new).expect("six dice place six pieces"))
}

fn wrong_dice(cursor: &Cursor<'_>, rule: &'static str, detail: &'static str) -> TokenError {
    let expected = "six dice 1 to 6, the lowest first, for Blue and for Red, such as 112446/455566";
    TokenError { rule, detail, expected, offset: cursor.offset() }
}

pub(super) fn write_throw(throw: Throw, out: &mut String) {
    for point in Digit::all() {
        out.extend(core::iter::repeat_n(point.letter(), throw.points().on(point).into()));
    }
}
