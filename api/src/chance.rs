//! Committed chance: every outcome follows from a seed that was fixed, and committed to, before the first move.
//!
//! docs/chance.md says how a client verifies it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::game::{Bytes32, Seat};

/// What is published of the seed when the game is created: its SHA-256.
pub fn commitment(seed: &Bytes32) -> Bytes32 {
    Sha256::digest(seed).into()
}

/// The hash that fixes everything the chance depends on, taken when the last seat is taken. It is the head
/// before the first word.
pub fn start(setup: &str, game: &str, commitment: &Bytes32, seats: &[Seat]) -> Bytes32 {
    let mut lines = format!("assam/1\n{setup}\ngame {game}\ncommitment {}\n", hex::encode(commitment));
    for (number, seat) in (1..).zip(seats) {
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let (player, entropy) = (or_dash(&seat.player), or_dash(&seat.entropy));
        lines.push_str(&format!("seat {number} {} {player} {entropy}\n", seat.kind.name()));
    }
    Sha256::digest(lines.as_bytes()).into()
}

/// The id of an imported game: it follows from its record in canonical form, so that a game is imported once.
pub fn import_id(canonical: &str) -> [u8; 16] {
    let hash: Bytes32 = Sha256::digest(format!("assam/import\n{canonical}")).into();
    let mut id = [0; 16];
    id.copy_from_slice(&hash[..16]);
    id
}

/// The head before the first word of an imported record: nothing is committed.
pub fn import_start(setup: &str) -> Bytes32 {
    Sha256::digest(format!("assam/1\nimport\n{setup}\n").as_bytes()).into()
}

/// What is drawn for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// The chance of a ply: dice, rugs, cards.
    Chance,
    /// What a built-in player decides, in the ply that it writes.
    Choice,
}

/// Where the numbers that are drawn come from. There is one source, [`Committed`]; tests of what nobody may see have another.
pub trait Source {
    /// Draw number `k`, from 0, of a ply: a number below `range`, each equally likely. `range` is never 0.
    fn draw(&self, purpose: Purpose, ply: u32, k: u32, range: u64) -> u64;
}

/// What follows from the seed of a game, to which it is committed: its draws, and what hidden tokens are sealed with.
#[derive(Clone)]
pub struct Committed {
    seed: Bytes32,
    /// The head before the first word, in hex.
    start: String,
}

impl Committed {
    /// Of the game with this seed and this head before its first word.
    pub fn new(seed: &Bytes32, start: &Bytes32) -> Self {
        Self { seed: *seed, start: hex::encode(start) }
    }

    /// What a part of a word is sealed with: `HMAC-SHA-256(seed, "salt\n" + hex(start) + "\n" + ply + " " + part)`.
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

impl Source for Committed {
    /// The first 8 bytes of an HMAC make x; the x at the top that would favour small numbers are refused, and
    /// the counter goes on.
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

/// The draws of one ply for one purpose, counted from 0.
pub fn counted(source: &dyn Source, purpose: Purpose, ply: u32) -> impl FnMut(u64) -> u64 {
    let mut drawn = 0;
    move |range| {
        let k = drawn;
        drawn += 1;
        source.draw(purpose, ply, k, range)
    }
}
