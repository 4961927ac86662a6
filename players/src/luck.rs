//! The possible results of chance.

use assam_rules::Move;

use crate::Playable;
use crate::equity::{Equity, MeanEquity};

/// Returns the mean over all outcomes of the chance that is due here, and what the seats can expect after one of
/// them. The difference is luck. Its mean is 0, however wrong the values are.
///
/// Dice of a round and hands have too many outcomes to list. There the value before counts as their mean.
pub fn chance<G: Playable>(position: &G, outcome: G::Chance) -> (Equity, Equity) {
    let mut drawn = None;
    let mean = mean_of_outcomes(position, |possible, equity| {
        if possible == outcome {
            drawn = Some(*equity);
        }
    });
    drawn.map_or_else(|| (position.equity(), after(position, outcome)), |drawn| (mean, drawn))
}

/// Returns the mean over all outcomes of the chance that is due here, and shows what the seats can expect after each.
pub(crate) fn mean_of_outcomes<G: Playable>(position: &G, mut see: impl FnMut(G::Chance, &Equity)) -> Equity {
    let mut mean = MeanEquity::default();
    for (outcome, weight) in position.outcomes() {
        let equity = after(position, outcome);
        see(outcome, &equity);
        mean.add(&equity, weight);
    }
    mean.mean()
}

fn after<G: Playable>(position: &G, outcome: G::Chance) -> Equity {
    let mut after = position.clone();
    after.apply(Move::Chance(outcome));
    after.equity()
}
