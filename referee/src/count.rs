//! Counts the lines of play that the rules allow, the usual check of a move generator.

use assam_rules::{Move, perft};

use crate::Shown;

/// Counts the lines of play from a position.
pub trait Count {
    /// Returns the number of lines of `decisions` decisions, with every distinct outcome of chance.
    fn perft(&self, decisions: u32) -> u64;

    /// Returns every legal decision or first chance outcome, each with the number of lines of `decisions`
    /// decisions that begin with it.
    fn divide(&self, decisions: u32) -> Vec<(String, u64)>;
}

/// A position of the game `G`, to count from.
pub(crate) struct CountOf<G>(pub(crate) G);

impl<G: Shown> Count for CountOf<G> {
    fn perft(&self, decisions: u32) -> u64 {
        perft(&self.0, decisions)
    }

    fn divide(&self, decisions: u32) -> Vec<(String, u64)> {
        let lines_after = |mv, decisions| {
            let mut after = self.0.clone();
            after.apply(mv);
            perft(&after, decisions)
        };
        let drawn = self.0.outcomes().into_iter().map(|(chance, _)| {
            let mut text = "+".to_owned();
            G::write_chance(chance, &mut text);
            (text, lines_after(Move::Chance(chance), decisions))
        });
        let decided = self.0.legal_actions().into_iter().map(|action| {
            let mut text = String::new();
            G::write_action(action, &mut text);
            (text, lines_after(Move::Action(action), decisions.saturating_sub(1)))
        });
        drawn.chain(decided).collect()
    }
}
