//! Plain sentences about what was verified and what could not be.

use assam_record::beacon::BeaconRound;
use assam_record::game::{Head, SeatKind};
use assam_record::hex::digits;

use super::verify::Choices;
use super::{Proof, ProvedSeat, Verified};

impl Verified {
    /// Returns sentences that begin with `verified: `, then sentences that begin with `not verified: `.
    /// `kept` are heads of the game that someone kept.
    pub fn sentences(&self, proof: &Proof, kept: &[Head]) -> Vec<String> {
        let mut told = Vec::new();
        let mut good = |text: String| told.push(format!("verified: {text}"));
        good(if proof.imported {
            "start is the hash of `assam/1`, `import` and the setup line.".to_owned()
        } else {
            match proof.beacon {
                None => "start is the hash of the setup line, the id, the commitment and the seats.",
                Some(_) => {
                    "start is the hash of the setup line, the id, the commitment, the seats and the beacon."
                }
            }
            .to_owned()
        });
        if let Some(BeaconRound { chain, round, .. }) = &proof.beacon {
            good(format!("start includes the randomness of round {round} of {chain}."));
            if self.beacon == Some(true) {
                good(
                    "the chain of the beacon signed that round, and only one signature is possible."
                        .to_owned(),
                );
            }
        }
        let (words, head) = (self.words.len(), &proof.head);
        good(format!("heads that follow from the words: {words}, up to ply {}, {}.", head.ply, head.hash));
        for Head { ply, hash } in kept {
            good(format!("{} is the head of ply {ply}.", digits(hash)));
        }
        good(match self.hidden {
            0 => "every word follows the rules.".to_owned(),
            _ => "every word follows the rules, in everything that is visible.".to_owned(),
        });
        if !proof.imported {
            good("the commitment covers anchor and seed_hash.".to_owned());
            good(format!("keys of plies that lead to the anchor: {words}."));
            good(format!(
                "outcomes of chance that follow from the keys of their plies: {}.",
                self.drawn_open
            ));
        }
        if proof.seed.is_some() {
            good("the seed matches its commitment: its SHA-256 is seed_hash.".to_owned());
            if self.opened > 0 {
                good(format!("salts that follow from the seed: {}.", self.opened));
            }
            if self.drawn_hidden > 0 {
                good(format!("outcomes of chance that follow from the seed: {}.", self.drawn_hidden));
            }
        } else if self.opened > 0 {
            good(format!("sealed tokens that match their hashes: {}.", self.opened));
        }
        for Choices { seat, player, count, proved } in &self.choices {
            let hangs_on = if proof.seed.is_some() { "keys or from the seed" } else { "keys of their plies" };
            let player = player.name();
            let left = count - proved;
            if proved > &0 || left == 0 {
                good(format!(
                    "decisions of seat {seat}, {player}, that follow from the {hangs_on}: {proved} of {count}."
                ));
            }
        }
        let entropy = entropy(proof);
        if !entropy.is_empty() {
            good(format!(
                "start includes the entropy of {}, in the order in which it came.",
                seats(&entropy)
            ));
        }
        let mut open = |text: &str| told.push(format!("not verified: {text}"));
        for Choices { seat, player, count, proved } in self.choices.iter().filter(|of| of.proved < of.count) {
            let (player, left) = (player.name(), count - proved);
            open(&format!(
                "decisions of seat {seat}, {player}, that follow from what is not published yet: {left}."
            ));
        }
        if self.hidden > 0 {
            open(&format!("tokens that are hidden from the requester of this proof: {}.", self.hidden));
        }
        if kept.is_empty() && proof.seats.iter().any(|seat| seat.kind == SeatKind::Human) {
            open("what people decided: a head that you kept vouches for the words up to it (--head).");
        }
        if proof.imported {
            open("chance. The game was imported and has no commitment.");
            return told;
        }
        if proof.seed.is_none() && self.drawn_hidden > 0 {
            open(&format!(
                "salts, and outcomes that depend on the seed, which is published when the game is over: {}.",
                self.drawn_hidden
            ));
        }
        if let Some(BeaconRound { chain, round, .. }) = &proof.beacon {
            if self.beacon == Some(false) {
                open(&format!(
                    "the signature of the beacon: the chain {chain} is not known here (--beacon)."
                ));
            }
            let out = self.beacon_at.map_or_else(String::new, |at| format!(", at {at}"));
            open(&format!(
                "that the last seat was taken before round {round} of the beacon was out{out}. If so, the chance could not be chosen. Anyone who saw all seats taken by then can confirm it, and so does the signed receipt of the last seat."
            ));
            return told;
        }
        let last = came(proof).last().copied();
        match last.filter(|_| !entropy.is_empty()) {
            None => open("that the chance was not chosen: no seat added entropy."),
            Some(ProvedSeat { seat, entropy: Some(_), .. }) => open(&format!(
                "that no one chose the chance: seat {seat} came last, with entropy, and could try many values if it knew the keys. If the seat is yours, its receipt rules that out (--receipt)."
            )),
            Some(ProvedSeat { seat, entropy: None, .. }) => open(&format!(
                "that no one chose the chance: seat {seat} came last, without entropy, and its player's id is hashed too: it could try many if it knew the keys."
            )),
        }
        told
    }
}

/// Returns the seats of people, in the order in which they came.
fn came(proof: &Proof) -> Vec<&ProvedSeat> {
    let mut came: Vec<&ProvedSeat> =
        proof.seats.iter().filter(|seat| seat.kind == SeatKind::Human && seat.revision.is_some()).collect();
    came.sort_unstable_by_key(|seat| seat.revision);
    came
}

/// Returns the seats that added entropy, in the order in which they came.
fn entropy(proof: &Proof) -> Vec<u8> {
    came(proof).into_iter().filter(|seat| seat.entropy.is_some()).map(|seat| seat.seat).collect()
}

/// Returns a readable list of seats: `seat 1`, `seats 1 and 2`, `seats 1, 2 and 3`.
fn seats(numbers: &[u8]) -> String {
    let mut numbers: Vec<String> = numbers.iter().map(u8::to_string).collect();
    match (numbers.pop(), numbers.is_empty()) {
        (Some(only), true) => format!("seat {only}"),
        (Some(last), false) => format!("seats {} and {last}", numbers.join(", ")),
        (None, _) => "no seat".to_owned(),
    }
}
