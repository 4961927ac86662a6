//! The value of decisions to a player.

use arrayvec::ArrayVec;
use assam_rules::Game;

use crate::equity::Equity;

/// The most decisions that a seat can have in any game.
pub const MOST_LINES: usize = 32;

/// Decisions of the seat on turn with what the seats will probably win, best first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis<G: Game> {
    /// The decisions, best first. Decisions that looked bad before the search was done are left out.
    pub lines: ArrayVec<AnalysisLine<G>, MOST_LINES>,
    /// The number of positions that were evaluated.
    pub nodes: u64,
}

/// A decision and what follows from it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnalysisLine<G: Game> {
    /// The decision.
    pub action: G::Action,
    /// The expectations of the seats.
    pub equity: Equity,
}

impl<G: Game> Analysis<G> {
    /// Returns the best decision.
    pub fn best(&self) -> Option<G::Action> {
        self.lines.first().map(|line| line.action)
    }

    /// Sorts the lines by the share of the seat on turn, best first. Equal lines keep their order.
    pub(crate) fn sort(&mut self, seat: assam_rules::Seat) {
        // An insertion sort is stable and needs no memory.
        for end in 1..self.lines.len() {
            let mut at = end;
            while at > 0 && self.lines[at - 1].equity.shares[seat] < self.lines[at].equity.shares[seat] {
                self.lines.swap(at - 1, at);
                at -= 1;
            }
        }
    }
}
