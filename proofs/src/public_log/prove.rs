//! Verifies proofs about the log without a copy of it (RFC 9162, sections 2.1.3.2 and 2.1.4.2).

use assam_record::game::Bytes32;

use super::tree::{TreeHead, node};

/// The error of a proof that does not lead to the log's root.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the hashes do not lead to the root of the log")]
pub struct NotProved;

/// Checks that the entry with this hash is at a position of a log.
///
/// # Errors
/// The proof does not lead to the root.
pub fn verify_inclusion(
    leaf: &Bytes32,
    position: u64,
    path: &[Bytes32],
    head: &TreeHead,
) -> Result<(), NotProved> {
    let mut last = head.size.checked_sub(1).filter(|last| position <= *last).ok_or(NotProved)?;
    let (mut at, mut hash) = (position, *leaf);
    for beside in path {
        if last == 0 {
            return Err(NotProved);
        }
        if at & 1 == 1 || at == last {
            hash = node(beside, &hash);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            hash = node(&hash, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    if last == 0 && hash == head.root { Ok(()) } else { Err(NotProved) }
}

/// Checks that a log extends an earlier one: every earlier entry kept its place.
///
/// # Errors
/// The proof does not lead to the root.
pub fn verify_consistency(earlier: &TreeHead, later: &TreeHead, path: &[Bytes32]) -> Result<(), NotProved> {
    if earlier.size == later.size {
        return if path.is_empty() && earlier.root == later.root { Ok(()) } else { Err(NotProved) };
    }
    if earlier.size > later.size {
        return Err(NotProved);
    }
    if earlier.size == 0 {
        // Every log extends the empty one.
        return if path.is_empty() { Ok(()) } else { Err(NotProved) };
    }
    let mut hashes = path.iter();
    let (mut at, mut last) = (earlier.size - 1, later.size - 1);
    while at & 1 == 1 {
        (at, last) = (at >> 1, last >> 1);
    }
    // A complete subtree is its own proof.
    let first =
        if earlier.size.is_power_of_two() { earlier.root } else { *hashes.next().ok_or(NotProved)? };
    let (mut before, mut after) = (first, first);
    for beside in hashes {
        if last == 0 {
            return Err(NotProved);
        }
        if at & 1 == 1 || at == last {
            before = node(beside, &before);
            after = node(beside, &after);
            while at & 1 == 0 && at != 0 {
                (at, last) = (at >> 1, last >> 1);
            }
        } else {
            after = node(&after, beside);
        }
        (at, last) = (at >> 1, last >> 1);
    }
    if last == 0 && before == earlier.root && after == later.root { Ok(()) } else { Err(NotProved) }
}
