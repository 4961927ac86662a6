//! A position laid out in full.

use super::{BySide, Card, Cards, Hand, Lead, List, Ovals, Phase, Points, RoundScore, Stop, Trick};

/// Everything that a position consists of. [`Position::from_diagram`](super::Position::from_diagram) checks a diagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The current round, 1..=12; the last one when the match is over.
    pub round: u8,
    /// What the match waits for, or waited for when it was stopped. A diagram of a position can wait for something to
    /// be drawn, but [`Position::from_diagram`](super::Position::from_diagram) refuses one that does.
    pub phase: Phase,
    /// How the match was stopped before its end, if it was.
    pub stop: Option<Stop>,
    /// The pieces on the boards.
    pub points: BySide<Points>,
    /// The ovals beside them.
    pub ovals: BySide<Ovals>,
    /// The cards in hand.
    pub hands: BySide<Hand>,
    /// The finished tricks of this round, in order.
    pub tricks: List<Trick, 6>,
    /// The discard pile: the bonus cards of this round, and all cards of earlier rounds since the last shuffle.
    pub discards: Discards,
    /// The score of each finished round, the first round first.
    pub scores: List<RoundScore, 12>,
}

impl Diagram {
    /// Returns the known cards that were played in this round: those of the tricks, then those on the table.
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

/// The squared discard pile, of which only the top card can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discards {
    /// The cards that are known.
    pub known: Cards,
    /// The number of cards that are not known here: unplayed cards of unknown hands.
    pub unknown: u8,
    /// The card on top; none where the pile is empty.
    pub top: Option<Card>,
}

impl Discards {
    /// Returns the number of cards, 0..=52.
    pub const fn len(self) -> u8 {
        self.known.len().saturating_add(self.unknown)
    }

    /// Returns whether there are no cards.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}
