//! A full layout of a position.

use super::{BySide, Card, Cards, Hand, Lead, List, Ovals, Phase, Points, RoundScore, Stop, Trick};

/// All parts of a position. [`Position::from_diagram`](super::Position::from_diagram) checks a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The current round, 1..=12, or the last round when the match is over.
    pub round: u8,
    /// The current phase, or the phase in which the match was stopped.
    /// [`Position::from_diagram`](super::Position::from_diagram) refuses phases that wait for chance.
    pub phase: Phase,
    /// The early end of the match, if there was one.
    pub stop: Option<Stop>,
    /// The pieces on the boards.
    pub points: BySide<Points>,
    /// The ovals next to the boards.
    pub ovals: BySide<Ovals>,
    /// The cards in hand.
    pub hands: BySide<Hand>,
    /// The finished tricks of this round, in order.
    pub tricks: List<Trick, 6>,
    /// The discard pile: bonus cards of this round, and all cards of earlier rounds since the last shuffle.
    pub discards: Discards,
    /// The scores of the finished rounds, in order.
    pub scores: List<RoundScore, 12>,
}

impl Diagram {
    /// Returns the known cards played in this round: first those of the tricks, then those on the table.
    pub fn played(&self) -> impl Iterator<Item = Card> {
        let on_table = match self.phase {
            Phase::Reply { lead: Lead::Known(card), .. } => [Some(card), None],
            Phase::Use { trick, .. } | Phase::Bonus { trick, .. } => [Some(trick.lead), Some(trick.reply)],
            Phase::Reply { lead: Lead::Unknown, .. }
            | Phase::Dice
            | Phase::Deal(_)
            | Phase::Lead { .. }
            | Phase::Over => [None; 2],
        };
        let in_tricks = self.tricks.iter().flat_map(|trick| [trick.lead, trick.reply]);
        in_tricks.chain(on_table.into_iter().flatten())
    }
}

/// The squared discard pile. Only its top card is visible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discards {
    /// The known cards.
    pub known: Cards,
    /// The number of unknown cards: unplayed cards of unknown hands.
    pub unknown: u8,
    /// The card on top, or `None` if the pile is empty.
    pub top: Option<Card>,
}

impl Discards {
    /// Returns the number of cards, 0..=52.
    pub const fn len(self) -> u8 {
        self.known.len().saturating_add(self.unknown)
    }

    /// Returns the pile as it looks: only the card on top is known.
    pub(super) fn seen(self) -> Self {
        let known = self.top.map_or(Cards::new(), |top| Cards::new().and_card(top));
        Self { known, unknown: self.len().saturating_sub(known.len()), top: self.top }
    }

    /// Returns whether there are no cards.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}
