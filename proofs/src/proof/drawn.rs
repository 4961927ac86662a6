//! Repeats the draws of a proof and compares them with its words.

use assam_record::chance::{self, ChanceSource, Draw};
use assam_record::game::Bytes32;
use assam_referee::{AnyWord, Refusal, tokens};
use assam_rules::Pool;

use super::fault::{shown, shown_or_none};
use super::{Fault, ProvedPart, Scope, What};

/// The chance of a ply as revealed by a proof.
pub(super) struct Told {
    /// The key of the ply.
    pub(super) key: Bytes32,
    /// The seed, if it is known.
    pub(super) seed: Option<Bytes32>,
    /// The head before the first word, in hex.
    pub(super) start: String,
}

impl ChanceSource for Told {
    /// Without a seed, no draws from hidden pools are requested.
    fn draw(&self, draw: Draw, range: u64) -> u64 {
        let key = match (draw.pool, &self.seed) {
            (Pool::Hidden, Some(seed)) => seed,
            (Pool::Open, _) | (Pool::Hidden, None) => &self.key,
        };
        chance::number(key, &self.start, draw, range)
    }
}

/// Checks that outcomes drawn from open pools match the repeated draws.
pub(super) fn same_outcomes(ply: u32, again: &[(u32, String)], given: &[ProvedPart]) -> Result<(), Fault> {
    for (number, expected) in again {
        let found = given.iter().find(|part| part.part == *number).map(|part| part.token.as_str());
        if found != Some(expected) {
            let (expected, found) = (shown(expected), shown_or_none(found));
            return Err(Fault::at(Scope::Part(ply, *number), What::Chance, expected, found));
        }
    }
    Ok(())
}

/// Checks that the played word has exactly these tokens.
pub(super) fn same_word(ply: u32, played: &AnyWord<'_>, given: &[&str]) -> Result<(), Fault> {
    let first = u32::from(ply == 0);
    let mut expected = tokens(played.text()).map(|(_, token)| token);
    let mut found = given.iter().copied();
    for number in first.. {
        match (expected.next(), found.next()) {
            (None, None) => break,
            (expected, found) if expected == found => {}
            (expected, found) => {
                let what = if number == 0 { What::Word } else { What::Chance };
                let (expected, found) = (shown_or_none(expected), shown_or_none(found));
                return Err(Fault::at(Scope::Part(ply, number), what, expected, found));
            }
        }
    }
    Ok(())
}

/// Returns the expectation to show for a broken rule.
pub(super) fn legal(what: &str, refusal: &Refusal) -> String {
    format!("{what} ({}: {})", refusal.rule, refusal.text)
}
