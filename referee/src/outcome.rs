//! The possible results of a decision: every outcome of the chance it triggers, with its probability.

use std::fmt;

use assam_notation::Word;
use assam_rules::{Bounded as _, Move, Turn};

use crate::{Refusal, Shown};

/// An exact probability, in lowest terms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probability {
    numerator: u64,
    denominator: u64,
}

/// The reason outcomes are not listed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoOutcomes {
    /// The decision is refused.
    Refused(Refusal),
    /// There are too many outcomes, as for a deal.
    TooMany,
}

impl Probability {
    /// Certainty.
    pub const CERTAIN: Self = Self { numerator: 1, denominator: 1 };

    /// Returns the probability of this and then of `weight` out of `total`, or `None` if it has no exact
    /// form.
    fn and(self, weight: u64, total: u64) -> Option<Self> {
        let [numerator, denominator] =
            [self.numerator.checked_mul(weight)?, self.denominator.checked_mul(total)?];
        let common = greatest_common_divisor(numerator, denominator).max(1);
        Some(Self { numerator: numerator / common, denominator: denominator / common })
    }

    /// Returns the nearest decimal number.
    pub fn value(self) -> f64 {
        self.numerator as f64 / self.denominator as f64
    }
}

impl fmt::Display for Probability {
    /// Writes the fraction, such as `1/3`, or `1` for certainty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.numerator)?;
        if self.denominator == 1 { Ok(()) } else { write!(f, "/{}", self.denominator) }
    }
}

const fn greatest_common_divisor(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// Returns the words that a word can become when played here, at most `most`. Each has all its chance, in the
/// order in which the rules list the outcomes.
pub(crate) fn drawn<G: Shown>(
    position: &G,
    word: Word<G>,
    most: usize,
) -> Result<Vec<(Word<G>, Probability)>, NoOutcomes> {
    let refused = |rule| NoOutcomes::Refused(Refusal::of_rule(rule));
    let mut begun = position.clone();
    if let Some(decision) = word.decision {
        begun.play(decision.to_move()).map_err(refused)?;
    }
    for &chance in word.chance.iter() {
        begun.play(Move::Chance(chance)).map_err(refused)?;
    }
    let (mut open, mut words) = (vec![(begun, word, Probability::CERTAIN)], Vec::new());
    while let Some((at, word, probability)) = open.pop() {
        if at.turn() != Turn::Chance {
            words.push((word, probability));
            continue;
        }
        let outcomes = at.outcomes();
        if outcomes.is_empty() || words.len() + open.len() + outcomes.len() > most {
            return Err(NoOutcomes::TooMany);
        }
        let total = outcomes.iter().map(|(_, weight)| u64::from(*weight)).sum();
        // The first outcome is taken up next.
        for &(chance, weight) in outcomes.iter().rev() {
            let (mut next, mut word) = (at.clone(), word.clone());
            next.apply(Move::Chance(chance));
            let probability = probability.and(weight.into(), total).ok_or(NoOutcomes::TooMany)?;
            if !word.chance.add(chance) {
                return Err(NoOutcomes::TooMany);
            }
            open.push((next, word, probability));
        }
    }
    Ok(words)
}
