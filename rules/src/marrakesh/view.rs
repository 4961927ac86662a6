//! What a viewer may know of a position.

use super::{BySide, Card, Hand, List, Ovals, Phase, Points, Position, RoundScore, Side, Stop, Trick};
use crate::{Game, Viewer};

/// A position of Marrakesh as one viewer sees it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The round that is played, 1..=12; the last one when the match is over.
    pub round: u8,
    /// Rounds of the match, 6 or 12.
    pub rounds: u8,
    /// What the match waits for; a lead that the viewer may not see is unknown.
    pub phase: Phase,
    /// Was the match stopped before its end?
    pub stop: Option<Stop>,
    /// The pieces on the boards.
    pub points: BySide<Points>,
    /// The ovals beside them.
    pub ovals: BySide<Ovals>,
    /// The hands; one that the viewer may not see is unknown.
    pub hands: BySide<Hand>,
    /// The finished tricks of this round, in order.
    pub tricks: List<Trick, 6>,
    /// Cards in the deck, 0..=52.
    pub deck: u8,
    /// Cards on the discard pile, 0..=52.
    pub discards: u8,
    /// The card on top of it.
    pub top_discard: Option<Card>,
    /// What each finished round brought, the first round first.
    pub scores: List<RoundScore, 12>,
    /// The totals of the finished rounds.
    pub totals: BySide<u16>,
}

impl View {
    pub(super) fn of(position: &Position, viewer: Viewer) -> Self {
        let position = &position.masked(viewer, false);
        let is = position.diagram();
        Self {
            round: is.round,
            rounds: position.setup.rounds.number(),
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
