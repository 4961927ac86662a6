//! The tokens and options of Marrakesh, implemented for its [`Position`].

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use assam_rules::Move;
use assam_rules::marrakesh::{Action, Chance, Phase, Position, Rule, Setup, Side};

use crate::names::{choose, option};
use crate::{
    Cursor, Explain, History, Notation, OptionSpec, OptionValue, PositionError, SetupError, TokenError,
};
use card::{read_card, read_digit, write_hand};
use chance::{read_deal, read_dice, write_throw};
use options::{FULL_OVALS, OPTIONS, ROUNDS, SN_BONUS, VALUE_ORDER};

mod card;
mod chance;
mod explain;
mod options;
mod position;
mod score;

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
            expected: "a card, number and suit, such as 6s, Ah or Qc, or ?? for an unknown one, or a number and the point it is used at, such as 6@5",
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
            Action::Play(card) => out.extend(card.letters()),
            Action::LeadUnknown => out.push_str("??"),
            Action::Use { number, point } => out.extend([number.letter(), '@', point.letter()]),
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
                out.push(side.letter());
                out.push(':');
                write_hand(deal.hand(), out);
            }
            Chance::Bonus(card) => out.extend(card.letters()),
        }
    }

    fn write_position(&self) -> String {
        position::write(self)
    }

    fn read_position(setup: &Setup, text: &str) -> Result<Self, PositionError> {
        position::read(setup, text)
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

impl Explain for Position {
    fn due(&self) -> String {
        explain::due(self)
    }

    fn explain(&self, mv: Move<Self>, rule: Rule, history: &History<'_, Self>) -> String {
        explain::explain(self, mv, rule, history)
    }
}
