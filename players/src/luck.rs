//! The luck of a chance outcome.

use assam_rules::{Move, Seat};

use crate::Playable;
use crate::share::{Share, Shares};

/// Returns the luck of an outcome that is drawn here: what each seat will probably win after it, less the mean over
/// all outcomes. The mean of the luck itself is 0, however wrong the values are. Returns `None` if the outcomes are
/// too many to list.
pub fn luck<G: Playable>(position: &G, outcome: G::Chance) -> Option<Shares> {
    let after = |outcome| {
        let mut after = position.clone();
        after.apply(Move::Chance(outcome));
        after.value()
    };
    let mut sums = [0_i64; Seat::MAX as usize];
    let mut weights = 0;
    for (possible, weight) in position.outcomes() {
        for (sum, share) in sums.iter_mut().zip(after(possible).0) {
            *sum += i64::from(weight) * i64::from(share);
        }
        weights += i64::from(weight);
    }
    let mut luck = if weights == 0 { return None } else { after(outcome) };
    for (luck, sum) in luck.0.iter_mut().zip(sums) {
        *luck -= (sum / weights) as Share;
    }
    Some(luck)
}
