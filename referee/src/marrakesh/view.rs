//! A position of Marrakesh with everything derived from it, for showing.

use std::ops::Deref;

use assam_rules::Game as _;
use assam_rules::marrakesh::{BySide, Diagram, Position, Side};

/// A position of Marrakesh with everything derived from it.
pub(super) struct View {
    is: Diagram,
    /// The player who must decide.
    pub on_turn: Option<Side>,
    /// The number of rounds in the match, 6 or 12.
    pub rounds: u8,
    /// The number of cards in the deck, 0..=52.
    pub deck: u8,
    /// The totals of the finished rounds.
    pub totals: BySide<u16>,
}

impl View {
    pub(super) fn of(position: &Position) -> Self {
        Self {
            is: *position.diagram(),
            on_turn: position.turn().seat().and_then(Side::of),
            rounds: position.setup().rounds.number(),
            deck: position.deck(),
            totals: BySide(Side::BOTH.map(|side| position.total(side))),
        }
    }
}

impl Deref for View {
    type Target = Diagram;

    fn deref(&self) -> &Diagram {
        &self.is
    }
}
