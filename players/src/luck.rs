//! The possible results of chance.

use assam_rules::Move;

use crate::Playable;
use crate::equity::{Equity, MeanEquity};

/// Returns the mean over all outcomes of the chance that is due here, and what the seats can expect after one of
/// them. The difference is luck. Its mean is 0, however wrong the values are.
///
/// Dice of a round and hands have too many outcomes to list. There the value before counts as their mean.
pub fn chance<G: Playable>(position: &G, outcome: G::Chance) -> (Equity, Equity) {
    let after = |outcome| {
        let mut after = position.clone();
        after.apply(Move::Chance(outcome));
        after.equity()
    };
    let mut mean = MeanEquity::default();
    let mut drawn: Option<Equity> = None;
    for (possible, weight) in position.outcomes() {
        let equity = after(possible);
        mean.add(&equity, weight);
        if possible == outcome {
            drawn = Some(equity);
        }
    }
    drawn.map_or_else(|| (position.equity(), after(outcome)), |drawn| (mean.mean(), drawn))
}
