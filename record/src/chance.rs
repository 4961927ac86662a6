//! Committed chance: every outcome follows from secrets that were fixed and committed to before the first
//! move.
//!
//! Draws from public information depend on the key of their ply, which is published with the ply. Anyone can
//! repeat them while the game continues. The keys are a hash chain, published from its end: each key is the
//! SHA-256 of the next ply's key, so a key reveals nothing about later ones. Everything else depends on the
//! seed, which is published when the game is over. That covers hands, bonus cards, cards chosen by built-in
//! players, and the salts that seal hidden tokens.
//!
//! `docs/guides/verify-the-dice.md` describes the checks for clients. This module also derives the id and the
//! first head of imported games, which have no commitment.

use assam_referee::Setup;
use assam_rules::Pool;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

use crate::beacon::{BeaconName, BeaconRound};
use crate::game::{Bytes32, GameId, Holder, Info, StoredGame};
use crate::hex::{Hex, digits};

const COMMITMENT: u8 = 0x04;

/// Returns the commitment published at a game's creation. It binds the keys of all its plies, and the seed.
pub fn commitment(seed: &Bytes32, setup: &Setup) -> Bytes32 {
    commitment_of(&Keys::new(seed, setup.most_plies()).anchor(), &seed_hash(seed))
}

/// Returns the commitment to the keys that end in an anchor, and to the seed with a hash: `SHA-256(0x04 |
/// anchor | hash of the seed)`.
pub fn commitment_of(anchor: &Bytes32, seed_hash: &Bytes32) -> Bytes32 {
    Sha256::new_with_prefix([COMMITMENT]).chain_update(anchor).chain_update(seed_hash).finalize().into()
}

/// Returns the hash of a seed that the commitment binds.
pub fn seed_hash(seed: &Bytes32) -> Bytes32 {
    Sha256::digest(seed).into()
}

/// Returns the key of the ply before the one with this key. For ply 0, that is the anchor.
pub fn key_before(key: &Bytes32) -> Bytes32 {
    Sha256::digest(key).into()
}

/// Returns the hash that fixes everything the chance depends on. It is the head before the first word.
///
/// It is taken with the last seat, or in a game with a beacon when its round is delivered.
pub fn start(
    setup: &str,
    game: GameId,
    commitment: &Bytes32,
    seats: &[Holder],
    beacon: Option<&BeaconRound>,
) -> Bytes32 {
    let mut lines = format!("assam/1\n{}", lines(setup, game, commitment, seats));
    if let Some(signed) = beacon {
        let BeaconRound { chain, round, .. } = signed;
        lines.push_str(&format!("beacon {chain} {round} {}\n", digits(signed.randomness())));
    }
    Sha256::digest(lines.as_bytes()).into()
}

/// Returns the digest of the seats of an unstarted game at a revision.
///
/// It covers everything in [`start`] that is fixed by then, and the game's beacon. A player who sends entropy
/// with the digest fixes what the chance depends on before the service knows that entropy. That includes the
/// revision of the player's seat, which is the next one.
pub fn seats_digest(
    setup: &str,
    game: GameId,
    commitment: &Bytes32,
    seats: &[Holder],
    chain: Option<BeaconName>,
    revision: i64,
) -> Bytes32 {
    let mut lines = format!("assam/seats\n{}", lines(setup, game, commitment, seats));
    if let Some(chain) = chain {
        lines.push_str(&format!("beacon {chain}\n"));
    }
    lines.push_str(&format!("revision {revision}\n"));
    Sha256::digest(lines.as_bytes()).into()
}

/// Returns the digest of a game's current seats, or `None` for an imported game.
pub fn seats_digest_of(game: &StoredGame) -> Option<Hex<32>> {
    let Info { setup, id, seats, revision, .. } = &game.info;
    let chain = game.beacon.as_ref().map(|beacon| beacon.chain);
    let of = |commitment| Hex(seats_digest(setup.line(), *id, commitment, seats, chain, *revision));
    game.commitment.as_ref().map(of)
}

/// Returns the lines that list what the chance of a game depends on.
fn lines(setup: &str, game: GameId, commitment: &Bytes32, seats: &[Holder]) -> String {
    let mut lines = format!("{setup}\ngame {game}\ncommitment {}\n", digits(commitment));
    for (number, seat) in (1..).zip(seats) {
        let player = seat.player.map_or_else(|| "-".to_owned(), |player| player.to_string());
        let entropy = seat.entropy.map_or_else(|| "-".to_owned(), |entropy| entropy.to_string());
        let revision = seat.revision.map_or_else(|| "-".to_owned(), |revision| revision.to_string());
        lines.push_str(&format!("seat {number} {} {player} {entropy} {revision}\n", seat.kind.name()));
    }
    lines
}

/// Returns the id of an imported game. It is derived from the canonical record, so each record is imported
/// only once.
pub fn import_id(canonical: &str) -> GameId {
    Hex::digest(&format!("assam/import\n{canonical}"))
}

/// Returns the head before the first word of an imported record, which has no committed seed.
pub fn import_start(setup: &str) -> Bytes32 {
    Sha256::digest(format!("assam/1\nimport\n{setup}\n").as_bytes()).into()
}

/// The purpose of a drawn number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Purpose {
    /// The chance of a ply: dice, rugs, cards.
    Chance,
    /// The decision of a built-in player, in the ply that it writes.
    Choice,
}

/// A draw: its purpose, and its place among the draws of its ply.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Draw {
    /// The purpose.
    pub purpose: Purpose,
    /// The pool, which determines the key or seed used.
    pub pool: Pool,
    /// The ply.
    pub ply: u32,
    /// The number, from 0, among the draws of its ply with this purpose and pool.
    pub k: u32,
}

/// A source of drawn numbers. The service has one, [`Committed`]. Tests of hidden information have another.
pub trait ChanceSource {
    /// Returns a number below `range`, with equal probability. `range` is never 0.
    fn draw(&self, draw: Draw, range: u64) -> u64;
}

/// The keys of a game's plies. Each key is the SHA-256 of the next ply's key.
#[derive(Clone)]
pub struct Keys {
    /// The key of ply `last`, which is never published.
    tip: Bytes32,
    /// The last ply that can have a word.
    last: u32,
    /// Some consecutive keys that are cached: of a ply, of the next one, ..
    near: Vec<Bytes32>,
    /// The ply of the first cached key.
    first: u32,
}

impl Keys {
    /// Derives the keys of plies 0 to `last` from a seed.
    pub fn new(seed: &Bytes32, last: u32) -> Self {
        Self { tip: hmac(seed, "keys"), last, near: Vec::new(), first: 0 }
    }

    /// Returns the hash of the key of ply 0, which the commitment binds.
    pub fn anchor(&self) -> Bytes32 {
        key_before(&self.of(0))
    }

    /// Returns the key of a ply. Plies beyond the last one that can have a word get its key.
    pub fn of(&self, ply: u32) -> Bytes32 {
        let at_hand = ply.checked_sub(self.first).and_then(|index| self.near.get(index as usize));
        at_hand.copied().unwrap_or_else(|| back(&self.tip, self.last.saturating_sub(ply)))
    }

    /// The number of keys after the next ply's that are always cached. One request may write a few words.
    const NEXT: u32 = 3;

    /// Caches the keys of a ply and the next ones, if they are missing. Computing one means hashing from the
    /// tip. The cache is small enough to save memory, and large enough that a key costs few hashes on
    /// average.
    pub fn look_ahead(&mut self, ply: u32) {
        let end = self.first + self.near.len() as u32;
        if !(self.first <= ply && (ply + Self::NEXT < end || end > self.last)) {
            self.put_at_hand(ply, ply + Self::ahead(self.last));
        }
    }

    /// Returns the memory of the cached keys in bytes, for a game that can end at this ply.
    pub fn bytes(last: u32) -> u64 {
        u64::from(Self::ahead(last) + 1) * 32
    }

    const fn ahead(last: u32) -> u32 {
        Self::NEXT + last.isqrt()
    }

    /// Caches the keys of all plies up to one.
    pub fn look_back(&mut self, ply: u32) {
        self.put_at_hand(0, ply);
    }

    fn put_at_hand(&mut self, first: u32, last: u32) {
        let last = last.min(self.last);
        let mut key = self.of(last);
        let mut keys = vec![key];
        for _ in first..last {
            key = key_before(&key);
            keys.push(key);
        }
        keys.reverse();
        (self.near, self.first) = (keys, first.min(last));
    }
}

/// Returns the key some plies before the one with this key.
pub fn back(key: &Bytes32, plies: u32) -> Bytes32 {
    (0..plies).fold(*key, |key, _| key_before(&key))
}

/// Everything derived from a game's committed secrets: its draws, and the salts that seal hidden tokens.
#[derive(Clone)]
pub struct Committed {
    seed: Bytes32,
    /// The keys of the plies.
    pub keys: Keys,
    /// The head before the first word, in hex.
    start: String,
}

impl Committed {
    /// Derives everything from a seed, for a game with this setup and this head before its first word.
    pub fn new(seed: &Bytes32, setup: &Setup, start: &Bytes32) -> Self {
        Self { seed: *seed, keys: Keys::new(seed, setup.most_plies()), start: digits(start) }
    }

    /// Returns the salt that seals a part of a word:
    /// `HMAC-SHA-256(seed, "salt\n" + hex(start) + "\n" + ply + " " + part)`.
    pub fn salt(&self, ply: u32, part: u32) -> Bytes32 {
        salt(&self.seed, &self.start, ply, part)
    }
}

impl ChanceSource for Committed {
    fn draw(&self, draw: Draw, range: u64) -> u64 {
        let key = match draw.pool {
            Pool::Open => &self.keys.of(draw.ply),
            Pool::Hidden => &self.seed,
        };
        number(key, &self.start, draw, range)
    }
}

/// Returns the salt that seals a part of a word:
/// `HMAC-SHA-256(seed, "salt\n" + hex(start) + "\n" + ply + " " + part)`.
pub fn salt(seed: &Bytes32, start: &str, ply: u32, part: u32) -> Bytes32 {
    hmac(seed, &format!("salt\n{start}\n{ply} {part}"))
}

/// Returns the salt of an entry of the log of games: `HMAC-SHA-256(seed, "entry\n" + hex(start) + "\n" +
/// moment)`.
pub fn entry_salt(seed: &Bytes32, start: &Bytes32, moment: &str) -> Bytes32 {
    hmac(seed, &format!("entry\n{}\n{moment}", digits(start)))
}

/// Returns the number that a draw gives with this key: the key of its ply, or the seed.
///
/// The first 8 bytes of an HMAC make x. The highest values of x would favour small numbers, so they are
/// rejected and the counter continues.
pub fn number(key: &Bytes32, start: &str, draw: Draw, range: u64) -> u64 {
    let Draw { purpose, ply, k, .. } = draw;
    let label = match purpose {
        Purpose::Chance => "chance",
        Purpose::Choice => "choice",
    };
    let value = |counter: u32| {
        let bytes = hmac(key, &format!("{label}\n{start}\n{ply} {k} {counter}"));
        bytes.iter().take(8).fold(0, |x, &byte| x << 8 | u64::from(byte))
    };
    let values = 1_u128 << 64;
    let limit = values - values % u128::from(range.max(1));
    let accepted = (0_u32..)
        .map(value)
        .find(|&x: &u64| u128::from(x) < limit)
        .expect("more than half of all x are below the limit");
    accepted % range.max(1)
}

fn hmac(key: &Bytes32, text: &str) -> Bytes32 {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).expect("HMAC takes a key of any length");
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().into()
}

/// Returns the draws of one ply for one purpose, counted from 0 for each pool.
pub fn counted(source: &dyn ChanceSource, purpose: Purpose, ply: u32) -> impl FnMut(Pool, u64) -> u64 {
    let (mut open, mut hidden) = (0, 0);
    move |pool, range| {
        let drawn = match pool {
            Pool::Open => &mut open,
            Pool::Hidden => &mut hidden,
        };
        let k = *drawn;
        *drawn += 1;
        source.draw(Draw { purpose, pool, ply, k }, range)
    }
}
