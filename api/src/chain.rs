//! The hash chain: one hash, the head, stands for everything that was written up to a ply.
//!
//! Every token of Marrakech may be read by everyone when it is written, so every part is an open one; the byte
//! in front of each hashed thing keeps parts, leaves and heads apart.

use sha2::{Digest, Sha256};

use crate::game::Bytes32;

const OPEN_PART: u8 = 0x00;
const LEAF: u8 = 0x02;
const HEAD: u8 = 0x03;

/// The head behind one more word, which is in canonical form.
///
/// `part = SHA-256(0x00 | token)` for the decision and for each chance token without its `+`;
/// `leaf = SHA-256(0x02 | parts)`; `head = SHA-256(0x03 | head before | leaf)`.
pub fn extend(head: &Bytes32, word: &str) -> Bytes32 {
    let mut leaf = Sha256::new_with_prefix([LEAF]);
    // The leading word begins with `+`: it has no decision, and so no part 0.
    for token in word.split('+').filter(|token| !token.is_empty()) {
        let part: Bytes32 = Sha256::new_with_prefix([OPEN_PART]).chain_update(token).finalize().into();
        leaf.update(part);
    }
    let leaf: Bytes32 = leaf.finalize().into();
    Sha256::new_with_prefix([HEAD]).chain_update(head).chain_update(leaf).finalize().into()
}
