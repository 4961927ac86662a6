//! The knowledge of a seat.

use assam_rules::{Game, Seat, Turn};

/// A position as the seat on turn may know it, with its legal decisions.
///
/// A player decides from a view and nothing else. Views of two positions that differ only in what is hidden from
/// the seat are equal, so the player's decisions are, too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View<G: Game> {
    seat: Seat,
    position: G,
    actions: G::Actions,
}

impl<G: Game> View<G> {
    /// Returns what the seat on turn knows. Returns `None` if no seat is on turn, or if the position lacks
    /// something that the seat knows, such as its hand.
    pub fn new(position: &G) -> Option<Self> {
        let Turn::Player(seat) = position.turn() else { return None };
        let actions = position.choices_of(seat)?;
        (!actions.is_empty()).then(|| Self { seat, position: position.seen_by(seat), actions })
    }

    /// Returns the seat on turn.
    pub const fn seat(&self) -> Seat {
        self.seat
    }

    /// Returns the position. Everything hidden from the seat is unknown in it.
    pub const fn position(&self) -> &G {
        &self.position
    }

    /// Returns the legal decisions of the seat, at least one, in the order of the rules.
    pub fn actions(&self) -> &[G::Action] {
        &self.actions
    }
}
