//! The things on the table of Marrakesh: cards, tricks and remaining uses.

use anstyle::{AnsiColor, Style};
use assam_rules::marrakesh::{BySide, Card, Digit, Hand, Lead, Phase, Side, Suit, Trick, Values};

use super::super::view::View;
use crate::picture::Swatch;

/// A card, face up or face down.
#[derive(Clone, Copy)]
pub(super) enum Face {
    /// A visible card.
    Up(Card),
    /// A card with only its back visible.
    Down,
}

/// A trick, finished or on the table.
pub(super) struct Played {
    pub(super) leader: Side,
    pub(super) cards: BySide<Option<Face>>,
    /// `None` before the reply.
    pub(super) winner: Option<Side>,
}

/// Everything on the table except the two cards of the trick.
#[derive(Default)]
pub(super) struct Use {
    pub(super) bonus: Option<Card>,
    pub(super) values: Values,
    /// The pieces borne off in this trick so far.
    pub(super) off: u8,
}

/// Returns the number of a side's pieces that are off the board.
pub(super) fn off(view: &View, side: Side) -> u8 {
    view.ovals[side].pieces().saturating_add(view.phase.off(side))
}

/// Returns the finished tricks of the round.
pub(super) fn finished(view: &View) -> impl Iterator<Item = Played> {
    view.tricks.iter().copied().map(Played::of)
}

/// Returns the trick on the table.
pub(super) fn on_table(view: &View) -> Option<Played> {
    match view.phase {
        Phase::Reply { leader, lead } => {
            let mut cards = BySide([None; 2]);
            cards[leader] = Some(match lead {
                Lead::Known(card) => Face::Up(card),
                Lead::Unknown => Face::Down,
            });
            Some(Played { leader, cards, winner: None })
        }
        Phase::Use { trick, .. } | Phase::Bonus { trick, .. } => Some(Played::of(trick)),
        Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Over => None,
    }
}

/// Returns all tricks of the round, the one on the table last.
pub(super) fn tricks(view: &View) -> impl Iterator<Item = Played> {
    finished(view).chain(on_table(view))
}

pub(super) fn in_use(view: &View) -> Use {
    match view.phase {
        Phase::Use { values, bonus, off, .. } => Use { bonus, values, off },
        Phase::Bonus { off, .. } => Use { off, ..Use::default() },
        Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Reply { .. } | Phase::Over => {
            Use::default()
        }
    }
}

/// Returns the next use of a trick's numbers as text, such as `6 or 2` or `5, 4 times`.
pub(super) fn to_use(values: Values, usable: &[Digit]) -> String {
    let numbers: Vec<String> = usable.iter().map(|number| number.get().to_string()).collect();
    let times = if usize::from(values.total()) > values.numbers().count() {
        format!(", {} times", values.total())
    } else {
        String::new()
    };
    numbers.join(" or ") + &times
}

pub(super) fn hand(hand: Hand) -> Vec<Face> {
    match hand {
        Hand::Known(cards) => cards.iter().map(Face::Up).collect(),
        Hand::Unknown(cards) => vec![Face::Down; cards.into()],
    }
}

/// Returns a card in notation.
pub(super) fn face_name(face: Face) -> String {
    match face {
        Face::Up(card) => card.to_string(),
        Face::Down => "??".to_owned(),
    }
}

pub(super) fn swatch(side: Side) -> Swatch {
    let (letter, name, colour) = match side {
        Side::Blue => ('B', "blue", AnsiColor::BrightBlue),
        Side::Red => ('R', "red", AnsiColor::BrightRed),
    };
    Swatch { letter, name, style: colour.on_default().bold() }
}

/// Returns the terminal style of a card: one colour per suit, none for a back.
pub(super) fn face_style(face: Face) -> Style {
    let Face::Up(card) = face else { return Style::new().dimmed() };
    match card.suit() {
        Suit::Spades => Style::new().bold(),
        Suit::Hearts => AnsiColor::Red.on_default(),
        Suit::Diamonds => AnsiColor::Cyan.on_default(),
        Suit::Clubs => AnsiColor::Green.on_default(),
    }
}

impl Played {
    fn of(trick: Trick) -> Self {
        let mut cards = BySide([None; 2]);
        cards[trick.leader] = Some(Face::Up(trick.lead));
        cards[trick.leader.opponent()] = Some(Face::Up(trick.reply));
        Self { leader: trick.leader, cards, winner: Some(trick.winner()) }
    }
}
