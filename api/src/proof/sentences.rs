//! Plain sentences about what was verified, and about what could not be.

use super::{Proof, Verified};
use crate::game::{Head, SeatKind};

impl Verified {
    /// Returns sentences that begin with `verified: `, then sentences that begin with `not verified: `. `kept` are
    /// heads of the game that someone kept.
    pub fn sentences(&self, proof: &Proof, kept: &[Head]) -> Vec<String> {
        let mut told = Vec::new();
        let mut good = |text: String| told.push(format!("verified: {text}"));
        good(if proof.imported {
            "start is the hash of `assam/1`, `import` and the setup line.".to_owned()
        } else {
            "start is the hash of the setup line, the id, the commitment and the seats.".to_owned()
        });
        let (words, head) = (self.words.len(), &proof.head);
        good(format!("heads that follow from the words: {words}, up to ply {}, {}.", head.ply, head.hash));
        for Head { ply, hash } in kept {
            good(format!("{} is the head of ply {ply}.", hex::encode(hash)));
        }
        good(match self.hidden {
            0 => "every word follows the rules.".to_owned(),
            _ => "every word follows the rules, in everything that is visible.".to_owned(),
        });
        if proof.seed.is_some() {
            good("the seed is the one that was committed to: its SHA-256 is the commitment.".to_owned());
            good(format!("salts that follow from the seed: {}.", self.opened));
            good(format!("outcomes of chance that follow from the seed: {}.", self.drawn));
            for choices in &self.choices {
                let (seat, player, count) = (choices.seat, choices.player.name(), choices.count);
                good(format!("decisions of seat {seat}, {player}, that follow from the seed: {count}."));
            }
        } else if self.opened > 0 {
            good(format!("sealed tokens that are what their hashes say: {}.", self.opened));
        }
        let mut open = |text: &str| told.push(format!("not verified: {text}"));
        if self.hidden > 0 {
            open(&format!("tokens that are hidden from the requester of this proof: {}.", self.hidden));
        }
        if kept.is_empty() && proof.seats.iter().any(|seat| seat.kind == SeatKind::Human) {
            open("what people decided: a head that you kept vouches for the words up to it (--head).");
        }
        if proof.imported {
            open("chance. The game was imported: nobody committed to a seed.");
        } else if proof.seed.is_none() {
            open("chance, salts and built-in players: the seed is published when the game is over.");
        }
        if !proof.imported && proof.seats.iter().all(|seat| seat.entropy.is_none()) {
            open("that the seed was not chosen: no seat added entropy.");
        }
        told
    }
}
