//! A position of Marrakesh, prepared for showing.

use assam_rules::Game as _;
use assam_rules::marrakesh::{
    BySide, Card, Hand, List, Ovals, Phase, Points, Position, RoundScore, Side, Stop, Trick,
};

/// A position of Marrakesh, with everything that can be derived from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct View {
    /// The current round, 1..=12; the last one when the match is over.
    pub round: u8,
    /// The number of rounds of the match, 6 or 12.
    pub rounds: u8,
    /// The phase: what the match waits for; the lead may be unknown.
    pub phase: Phase,
    /// Whether and how the match was stopped before its end.
    pub stop: Option<Stop>,
    /// The pieces on the boards.
    pub points: BySide<Points>,
    /// The ovals beside them.
    pub ovals: BySide<Ovals>,
    /// The hands; either may be unknown.
    pub hands: BySide<Hand>,
    /// The finished tricks of this round, in order.
    pub tricks: List<Trick, 6>,
    /// The number of cards in the deck, 0..=52.
    pub deck: u8,
    /// The number of cards on the discard pile, 0..=52.
    pub discards: u8,
    /// The card on top of it.
    pub top_discard: Option<Card>,
    /// The scores of the finished rounds, in order.
    pub scores: List<RoundScore, 12>,
    /// The totals of the finished rounds.
    pub totals: BySide<u16>,
}

impl View {
    pub(super) fn of(position: &Position) -> Self {
        let is = position.diagram();
        Self {
            round: is.round,
            rounds: position.setup().rounds.number(),
            phase: is.phase,
            stop: is.stop,
            points: is.points,
            ovals: is.ovals,
            hands: is.hands,
            tricks: is.tricks,
            deck: position.deck(),
            discards: is.discards.len(),
            top_discard: is.discards.top,
            scores: is.scores,
            totals: BySide(Side::BOTH.map(|side| position.total(side))),
        }
    }
}
