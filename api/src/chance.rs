//! Committed chance: every outcome follows from a seed that was fixed, and committed to, before the first move.
//!
//! docs/chance.md says how a client verifies it.

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::game::{Bytes32, Info, Seat, SeatKind};

/// What is published of the seed when the game is created: its SHA-256.
pub fn commitment(seed: &Bytes32) -> Bytes32 {
    Sha256::digest(seed).into()
}

/// The hash that fixes everything the chance depends on, taken when the last seat is taken. It is the head
/// before the first word.
pub fn start(info: &Info, seats: &[Seat], seed: &Bytes32) -> Bytes32 {
    let mut lines =
        format!("assam/1\n{}\ngame {}\ncommitment {}\n", info.setup, info.id, hex::encode(commitment(seed)));
    for (number, seat) in (1..).zip(seats) {
        let kind = match seat.kind {
            SeatKind::Open => "open",
            SeatKind::Human => "human",
        };
        let or_dash = |text: &Option<String>| text.clone().unwrap_or_else(|| "-".to_owned());
        let (player, entropy) = (or_dash(&seat.player), or_dash(&seat.entropy));
        lines.push_str(&format!("seat {number} {kind} {player} {entropy}\n"));
    }
    Sha256::digest(lines.as_bytes()).into()
}

/// The head before the first word of an imported record: nothing is committed.
pub fn import_start(setup: &str) -> Bytes32 {
    Sha256::digest(format!("assam/1\nimport\n{setup}\n").as_bytes()).into()
}

/// The draws of one ply, one after another.
pub struct Draws<'a> {
    seed: &'a Bytes32,
    /// `"chance\n" + hex(start) + "\n" + ply + " "`.
    label: String,
    drawn: u32,
}

impl<'a> Draws<'a> {
    /// Before the first draw of a ply.
    pub fn new(seed: &'a Bytes32, start: &Bytes32, ply: u32) -> Self {
        Self { seed, label: format!("chance\n{}\n{ply} ", hex::encode(start)), drawn: 0 }
    }

    /// A number below `range`, each equally likely. A `range` of 0 gives 0.
    ///
    /// The first 8 bytes of an HMAC make x; the x at the top that would favour small numbers are refused, and
    /// the counter goes on.
    pub fn draw(&mut self, range: u64) -> u64 {
        if range == 0 {
            return 0;
        }
        let values = 1_u128 << 64;
        let limit = values - values % u128::from(range);
        let accepted = (0_u32..)
            .map(|counter| self.value(counter))
            .find(|&x| u128::from(x) < limit)
            .expect("more than half of all x are below the limit");
        self.drawn += 1;
        accepted % range
    }

    fn value(&self, counter: u32) -> u64 {
        let mut mac = Hmac::<Sha256>::new_from_slice(self.seed).expect("HMAC takes a key of any length");
        mac.update(format!("{}{} {counter}", self.label, self.drawn).as_bytes());
        let bytes = mac.finalize().into_bytes();
        bytes.iter().take(8).fold(0, |x, &byte| x << 8 | u64::from(byte))
    }
}
