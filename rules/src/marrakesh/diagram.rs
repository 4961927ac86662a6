//! A position laid out in full, and the proof that play could have led to it.

use arrayvec::ArrayVec;

use super::{BySide, Card, Cards, Hand, Ovals, Phase, Points, RoundScore, Stop, Trick};

/// Everything that a position consists of, not yet known to be possible.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagram {
    /// The round that is played, 1..=12; the last one when the match is over.
    pub round: u8,
    /// What the match waits for, or waited for when it was stopped. Chance is never waited for in a diagram.
    pub phase: Phase,
    /// Was the match stopped before its end?
    pub stop: Option<Stop>,
    /// The pieces on the boards.
    pub points: BySide<Points>,
    /// The ovals beside them.
    pub ovals: BySide<Ovals>,
    /// The cards in hand.
    pub hands: BySide<Hand>,
    /// The finished tricks of this round, in order.
    pub tricks: ArrayVec<Trick, 6>,
    /// The discard pile: the bonus cards of this round, and all cards of the rounds before it since the last shuffle.
    pub discards: Discards,
    /// What each finished round brought, the first round first.
    pub scores: ArrayVec<RoundScore, 12>,
}

/// The squared discard pile, of which only the top card can be seen.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Discards {
    /// The cards that are known.
    pub known: Cards,
    /// Cards that are not known here: unplayed ones of an unknown hand.
    pub unknown: u8,
    /// The card on top; none where the pile is empty.
    pub top: Option<Card>,
}

impl Discards {
    /// How many cards there are, 0..=52.
    pub const fn len(self) -> u8 {
        self.known.len() + self.unknown
    }

    /// Are there none?
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}
