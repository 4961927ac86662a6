//! Committed chance: every outcome follows from a seed that was fixed, and committed to, before the first move.
//!
//! docs/chance.md says how a client verifies it. The id and the first head of an imported game, for which nobody
//! committed to a seed, are derived here too.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::game::{Bytes32, GameId, Holder};
use crate::hex::Hex;

/// Returns the commitment that is published when the game is created: the SHA-256 of its seed.
pub fn commitment(seed: &Bytes32) -> Bytes32 {
    Sha256::digest(seed).into()
}

/// Returns the hash that fixes everything the chance depends on, taken when the last seat is taken. It is the head
/// before the first word.
pub fn start(setup: &str, game: GameId, commitment: &Bytes32, seats: &[Holder]) -> Bytes32 {
    let mut lines = format!("assam/1\n{setup}\ngame {game}\ncommitment {}\n", hex::encode(commitment));
    for (number, seat) in (1..).zip(seats) {
        let player = seat.player.map_or_else(|| "-".to_owned(), |player| player.to_string());
        let entropy = seat.entropy.map_or_else(|| "-".to_owned(), |entropy| entropy.to_string());
        lines.push_str(&format!("seat {number} {} {player} {entropy}\n", seat.kind.name()));
    }
    Sha256::digest(lines.as_bytes()).into()
}

/// Returns the id of an imported game. It is derived from the record in canonical form, so a game is imported only
/// once.
pub fn import_id(canonical: &str) -> GameId {
    Hex::digest(&format!("assam/import\n{canonical}"))
}

/// Returns the head before the first word of an imported record, for which nobody committed to a seed.
pub fn import_start(setup: &str) -> Bytes32 {
    Sha256::digest(format!("assam/1\nimport\n{setup}\n").as_bytes()).into()
}

/// The purpose of a drawn number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To draw the chance of a ply: dice, rugs, cards.
    Chance,
    /// To choose the decision of a built-in player, in the ply that it writes.
    Choice,
}

/// A source of drawn numbers. The service has one source, [`Committed`]; tests of hidden information have another.
pub trait ChanceSource {
    /// Returns draw number `k`, from 0, of a ply: a number below `range`, each equally likely. `range` is never 0.
    fn draw(&self, purpose: Purpose, ply: u32, k: u32, range: u64) -> u64;
}

/// Everything that follows from the committed seed of a game: its draws, and the salts that seal hidden tokens.
#[derive(Clone)]
pub struct Committed {
    seed: Bytes32,
    /// The head before the first word, in hex.
    start: String,
}

impl Committed {
    /// Derives from this seed, in a game with this head before its first word.
    pub fn new(seed: &Bytes32, start: &Bytes32) -> Self {
        Self { seed: *seed, start: hex::encode(start) }
    }

    /// Returns the salt that seals a part of a word: `HMAC-SHA-256(seed, "salt\n" + hex(start) + "\n" + ply + " " +
    /// part)`.
    pub fn salt(&self, ply: u32, part: u32) -> Bytes32 {
        self.derive("salt", &format!("{ply} {part}"))
    }

    fn value(&self, label: &str, ply: u32, k: u32, counter: u32) -> u64 {
        let bytes = self.derive(label, &format!("{ply} {k} {counter}"));
        bytes.iter().take(8).fold(0, |x, &byte| x << 8 | u64::from(byte))
    }

    /// `HMAC-SHA-256(seed, label + "\n" + hex(start) + "\n" + numbers)`.
    fn derive(&self, label: &str, numbers: &str) -> Bytes32 {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.seed).expect("HMAC takes a key of any length");
        mac.update(format!("{label}\n{}\n{numbers}", self.start).as_bytes());
        mac.finalize().into_bytes().into()
    }
}

impl ChanceSource for Committed {
    /// The first 8 bytes of an HMAC make x. The highest values of x, which would favour small numbers, are rejected,
    /// and the counter goes on.
    fn draw(&self, purpose: Purpose, ply: u32, k: u32, range: u64) -> u64 {
        let label = match purpose {
            Purpose::Chance => "chance",
            Purpose::Choice => "choice",
        };
        let values = 1_u128 << 64;
        let limit = values - values % u128::from(range.max(1));
        let accepted = (0_u32..)
            .map(|counter| self.value(label, ply, k, counter))
            .find(|&x| u128::from(x) < limit)
            .expect("more than half of all x are below the limit");
        accepted % range.max(1)
    }
}

/// Returns the draws of one ply for one purpose, counted from 0.
pub fn counted(source: &dyn ChanceSource, purpose: Purpose, ply: u32) -> impl FnMut(u64) -> u64 {
    let mut drawn = 0;
    move |range| {
        let k = drawn;
        drawn += 1;
        source.draw(purpose, ply, k, range)
    }
}
