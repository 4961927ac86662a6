//! The hash chain: a single hash, the head, covers everything written up to a ply, including what is still
//! hidden.
//!
//! A word has parts: its decision is part 0, chance is part 1 and up. A token that is public when it is
//! written is hashed directly. Any other token is sealed with a separate salt. Viewers who may not read it
//! can check the head with the part's hash, but cannot find the token by trying candidates. The first byte of
//! every hashed text separates parts, leaves and heads.

use assam_referee::{AnyWord, Token};
use sha2::{Digest, Sha256};

use crate::chance::Committed;
use crate::game::Bytes32;

const OPEN_PART: u8 = 0x00;
const SEALED_PART: u8 = 0x01;
const LEAF: u8 = 0x02;
const HEAD: u8 = 0x03;

/// Returns the hash of a token that was public when it was written: `SHA-256(0x00 | token)`.
pub fn open_part(token: &str) -> Bytes32 {
    Sha256::new_with_prefix([OPEN_PART]).chain_update(token).finalize().into()
}

/// Returns the hash of any other token: `SHA-256(0x01 | salt | token)`.
pub fn sealed_part(salt: &Bytes32, token: &str) -> Bytes32 {
    Sha256::new_with_prefix([SEALED_PART]).chain_update(salt).chain_update(token).finalize().into()
}

/// Returns the head after one more word: `leaf = SHA-256(0x02 | parts)`, `head = SHA-256(0x03 | head before |
/// leaf)`.
pub fn extend(head: &Bytes32, parts: impl IntoIterator<Item = Bytes32>) -> Bytes32 {
    let mut leaf = Sha256::new_with_prefix([LEAF]);
    for part in parts {
        leaf.update(part);
    }
    let leaf: Bytes32 = leaf.finalize().into();
    Sha256::new_with_prefix([HEAD]).chain_update(head).chain_update(leaf).finalize().into()
}

/// Returns the head after one more word. Without a seed, as in imported games, every token is public.
pub fn extend_by(head: &Bytes32, ply: u32, word: &AnyWord<'_>, committed: Option<&Committed>) -> Bytes32 {
    let hash = |token: Token<'_>| match committed.filter(|_| token.is_sealed) {
        Some(committed) => sealed_part(&committed.salt(ply, token.part), token.text),
        None => open_part(token.text),
    };
    extend(head, word.tokens().map(hash))
}
