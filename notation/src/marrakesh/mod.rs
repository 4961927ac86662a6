//! The tokens and options of Marrakesh.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use assam_rules::Move;
use assam_rules::marrakesh::{
    Action, Chance, Deal, Digit, FullOvals, Hand, Phase, Points, Position, Rounds, Rule, Setup, Side,
    SnBonus, Throw, ValueOrder,
};

use crate::names::{Names, choose, option};
use crate::{
    Cursor, History, Notation, OptionKind, OptionSpec, OptionValue, PositionError, SetupError, TokenError,
};
use card::{NoCards, card_letters, digit_letter, read_card, read_cards, read_digit, write_cards};

mod card;
mod explain;
mod position;
mod score;

pub use card::card_name;

impl Notation for Position {
    const RULESET: &'static str = "marrakesh/1";
    const TITLE: &'static str = "Marrakesh (Kansil 1978)";
    const SEATS: RangeInclusive<u8> = Setup::SEATS..=Setup::SEATS;
    const OPTIONS: &'static [OptionSpec] = OPTIONS;

    fn read_setup(seats: u8, options: &[(&str, &str)]) -> Result<Setup, SetupError> {
        if seats != Setup::SEATS {
            return Err(SetupError::value("seats", "a match has two seats".to_string()));
        }
        let mut setup = Setup::default();
        for &(name, value) in options {
            match name {
                "full_ovals" => setup.full_ovals = choose(name, value, FULL_OVALS)?,
                "rounds" => setup.rounds = choose(name, value, ROUNDS)?,
                "sn_bonus" => setup.sn_bonus = choose(name, value, SN_BONUS)?,
                "value_order" => setup.value_order = choose(name, value, VALUE_ORDER)?,
                _ => return Err(SetupError::unknown_option(name, OPTIONS)),
            }
        }
        Ok(setup)
    }

    fn seats(_: &Setup) -> u8 {
        Setup::SEATS
    }

    fn options(setup: &Setup) -> Vec<OptionValue> {
        let default = Setup::default();
        Vec::from([
            option("full_ovals", setup.full_ovals, default.full_ovals, FULL_OVALS),
            option("rounds", setup.rounds, default.rounds, ROUNDS),
            option("sn_bonus", setup.sn_bonus, default.sn_bonus, SN_BONUS),
            option("value_order", setup.value_order, default.value_order, VALUE_ORDER),
        ])
    }

    fn read_action(cursor: &mut Cursor<'_>) -> Result<Action, TokenError> {
        if cursor.eat_all(b"??") {
            return Ok(Action::LeadUnknown);
        }
        if let Some(card) = read_card(cursor) {
            return Ok(Action::Play(card));
        }
        let offset = cursor.offset();
        let number = read_digit(cursor).filter(|_| cursor.eat(b'@'));
        let used = number.and_then(|number| Some(Action::Use { number, point: read_digit(cursor)? }));
        used.ok_or(TokenError {
            rule: "notation.decision.unknown",
            detail: "this is neither a card nor a use of a number",
            expected: "a card, number and suit, such as 6s, Ah or Qc, or ?? for one that is not known; or a number and the point that it is used at, such as 6@5",
            offset,
        })
    }

    fn read_chance(cursor: &mut Cursor<'_>) -> Result<Chance, TokenError> {
        match cursor.peek() {
            Some(b'b') => read_deal(cursor, Side::Blue),
            Some(b'r') => read_deal(cursor, Side::Red),
            _ => match read_card(cursor) {
                Some(card) => Ok(Chance::Bonus(card)),
                None => read_dice(cursor),
            },
        }
    }

    fn write_action(action: Action, out: &mut String) {
        match action {
            Action::Play(card) => out.extend(card_letters(card)),
            Action::LeadUnknown => out.push_str("??"),
            Action::Use { number, point } => out.extend([digit_letter(number), '@', digit_letter(point)]),
        }
    }

    fn write_chance(chance: Chance, out: &mut String) {
        match chance {
            Chance::Dice { blue, red } => {
                write_throw(blue, out);
                out.push('/');
                write_throw(red, out);
            }
            Chance::Deal(side, deal) => {
                out.push(side_letter(side));
                out.push(':');
                write_hand(deal.hand(), out);
            }
            Chance::Bonus(card) => out.extend(card_letters(card)),
        }
    }

    fn write_position(&self) -> String {
        position::write(self)
    }

    fn read_position(setup: &Setup, text: &str) -> Result<Self, PositionError> {
        position::read(setup, text)
    }

    fn due(&self) -> String {
        explain::due(self)
    }

    fn explain(&self, mv: Move<Self>, rule: Rule, history: &History<'_, Self>) -> String {
        explain::explain(self, mv, rule, history)
    }

    fn line_starts(&self) -> impl FnMut(Action) -> bool {
        let mut is_lead_next = !matches!(self.diagram().phase, Phase::Reply { .. });
        move |action| match action {
            Action::Play(_) | Action::LeadUnknown => {
                let is_lead = is_lead_next;
                is_lead_next = !is_lead;
                is_lead
            }
            Action::Use { .. } => false,
        }
    }
}

/// `b` for Blue, `r` for Red.
pub const fn side_letter(side: Side) -> char {
    match side {
        Side::Blue => 'b',
        Side::Red => 'r',
    }
}

fn side_from(letter: u8) -> Option<Side> {
    match letter {
        b'b' => Some(Side::Blue),
        b'r' => Some(Side::Red),
        _ => None,
    }
}

/// Two `?` for each card that is not known.
fn write_hand(hand: Hand, out: &mut String) {
    match hand {
        Hand::Known(cards) => write_cards(cards, out),
        Hand::Unknown(number) => out.extend((0..number).map(|_| "??")),
    }
}

fn read_deal(cursor: &mut Cursor<'_>, side: Side) -> Result<Chance, TokenError> {
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

fn read_dice(cursor: &mut Cursor<'_>) -> Result<Chance, TokenError> {
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

fn write_throw(throw: Throw, out: &mut String) {
    for point in Digit::all() {
        out.extend(core::iter::repeat_n(digit_letter(point), throw.points().on(point).into()));
    }
}

const FULL_OVALS: Names<FullOvals> = &[("move", FullOvals::Move), ("null-only", FullOvals::NullOnly)];
const ROUNDS: Names<Rounds> = &[("12", Rounds::Twelve), ("6", Rounds::Six)];
const SN_BONUS: Names<SnBonus> = &[("4", SnBonus::Four), ("1", SnBonus::One)];
const VALUE_ORDER: Names<ValueOrder> = &[("free", ValueOrder::Free), ("high-first", ValueOrder::HighFirst)];

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "full_ovals",
        meaning: "What the winner of a trick does whose three ovals are full.",
        kind: OptionKind::Choice(&[
            ("move", "She moves inside her board, and bears nothing off."),
            ("null-only", "Nothing is moved, and no bonus card is drawn."),
        ]),
        default: "move",
    },
    OptionSpec {
        name: "rounds",
        meaning: "Rounds of a match.",
        kind: OptionKind::Choice(&[("12", "A match."), ("6", "A short match.")]),
        default: "12",
    },
    OptionSpec {
        name: "sn_bonus",
        meaning: "How often the number of a bonus card is used that matches nothing, after a trick of two identical cards.",
        kind: OptionKind::Choice(&[("4", "Four times."), ("1", "Once.")]),
        default: "4",
    },
    OptionSpec {
        name: "value_order",
        meaning: "Which of the two numbers of a trick is used first.",
        kind: OptionKind::Choice(&[
            ("free", "The winner chooses."),
            ("high-first", "The larger one that can be used."),
        ]),
        default: "free",
    },
];
