//! Compares a proof with a record that was kept.

use super::fault::{shown, shown_or_none};
use super::{Fault, Proof, Scope, Verified, What};

impl Verified {
    /// Checks that a record has the same words. Returns the last ply that both have, or `None` if they share
    /// no word. A hidden card in either agrees with any card, and an unfinished game may stop before the
    /// other.
    ///
    /// # Errors
    /// The first difference.
    pub fn agrees(
        &self,
        proof: &Proof,
        setup: &str,
        words: &[String],
        is_over: bool,
    ) -> Result<Option<u32>, Fault> {
        if setup != proof.setup {
            return Err(Fault::at(Scope::Proof, What::Record, shown(&proof.setup), shown(setup)));
        }
        let plies = self.heads.iter().skip(1).map(|head| head.ply).chain(proof.head.ply + 1..);
        // A proof has the seed exactly if its game is over, as was checked before.
        let is_proof_over = proof.imported || proof.seed.is_some();
        let longest = self.words.len().max(words.len());
        let mut last = None;
        for (index, ply) in (0..longest).zip(plies) {
            let [expected, found] = [&self.words, words].map(|words| words.get(index).map(String::as_str));
            let agree = match (expected, found) {
                (Some(expected), Some(found)) => is_as_far_as_told(expected, found),
                (Some(_), None) => !is_over,
                (None, _) => !is_proof_over,
            };
            if !agree {
                let (expected, found) = (shown_or_none(expected), shown_or_none(found));
                return Err(Fault::at(Scope::Ply(ply), What::Record, expected, found));
            }
            if expected.is_some() && found.is_some() {
                last = Some(ply);
            }
        }
        Ok(last)
    }
}

/// Returns whether two words agree in everything that neither masks.
fn is_as_far_as_told(one: &str, other: &str) -> bool {
    let is_same = |(one, other): (u8, u8)| one == other || one == b'?' || other == b'?';
    one.len() == other.len() && one.bytes().zip(other.bytes()).all(is_same)
}
