//! The hash chain: one hash, the head, stands for everything that was written up to a ply, also for what is not open yet.
//!
//! A word has parts: its decision is part 0, what was drawn is part 1 and on. A token that everyone may read when it is
//! written is hashed as it is; any other is sealed with a salt of its own, so that who may not read it can check the head
//! with the part's hash, and cannot find the token by trying. The byte in front of each hashed thing keeps parts, leaves
//! and heads apart.

use sha2::{Digest, Sha256};

use crate::chance::Committed;
use crate::game::Bytes32;
use crate::referee::Played;

const OPEN_PART: u8 = 0x00;
const SEALED_PART: u8 = 0x01;
const LEAF: u8 = 0x02;
const HEAD: u8 = 0x03;

/// One token of a word.
pub struct Part<'a> {
    /// 0 for the decision, 1 and on for what was drawn; the leading word has no part 0.
    pub number: u32,
    /// The token, without the `+`.
    pub token: &'a str,
    /// Was it hidden from somebody when it was written?
    pub is_sealed: bool,
}

/// The parts of a word that was played.
pub fn parts(played: &Played) -> impl Iterator<Item = Part<'_>> {
    tokens(&played.word).zip(&played.sealed).map(|((number, token), &is_sealed)| Part {
        number,
        token,
        is_sealed,
    })
}

/// The tokens of a word with their numbers.
pub fn tokens(word: &str) -> impl Iterator<Item = (u32, &str)> {
    // The leading word begins with `+`: it has no decision, and so no part 0.
    (0..).zip(word.split('+')).filter(|(_, token)| !token.is_empty())
}

/// The hash of a token that everyone could read when it was written: `SHA-256(0x00 | token)`.
pub fn open_part(token: &str) -> Bytes32 {
    Sha256::new_with_prefix([OPEN_PART]).chain_update(token).finalize().into()
}

/// The hash of any other token: `SHA-256(0x01 | salt | token)`.
pub fn sealed_part(salt: &Bytes32, token: &str) -> Bytes32 {
    Sha256::new_with_prefix([SEALED_PART]).chain_update(salt).chain_update(token).finalize().into()
}

/// The head behind one more word: `leaf = SHA-256(0x02 | parts)`, `head = SHA-256(0x03 | head before | leaf)`.
pub fn extend(head: &Bytes32, parts: impl IntoIterator<Item = Bytes32>) -> Bytes32 {
    let mut leaf = Sha256::new_with_prefix([LEAF]);
    for part in parts {
        leaf.update(part);
    }
    let leaf: Bytes32 = leaf.finalize().into();
    Sha256::new_with_prefix([HEAD]).chain_update(head).chain_update(leaf).finalize().into()
}

/// The head behind one more word. Without a seed, in an imported game, every token is public.
pub fn extend_by(head: &Bytes32, ply: u32, played: &Played, committed: Option<&Committed>) -> Bytes32 {
    let hash = |part: Part<'_>| match committed.filter(|_| part.is_sealed) {
        Some(committed) => sealed_part(&committed.salt(ply, part.number), part.token),
        None => open_part(part.token),
    };
    extend(head, parts(played).map(hash))
}
