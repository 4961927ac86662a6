//! Merkle trees as in RFC 6962, section 2.1, for comparison with the service's.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

/// The content of a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Head {
    pub(crate) size: u64,
    pub(crate) root: [u8; 32],
}

/// Reads a checkpoint: the second line is the size, the third one the root.
pub(crate) fn head(checkpoint: &str) -> Head {
    let lines: Vec<&str> = checkpoint.lines().collect();
    assert_eq!((lines[0], lines[3]), ("PeterNeumann", ""), "{checkpoint}");
    Head { size: lines[1].parse().unwrap(), root: STANDARD.decode(lines[2]).unwrap().try_into().unwrap() }
}

/// Returns the hash of an entry.
pub(crate) fn leaf(entry: &[u8]) -> [u8; 32] {
    Sha256::new_with_prefix([0]).chain_update(entry).finalize().into()
}

/// Returns `MTH(D[n])`.
pub(crate) fn root(entries: &[[u8; 32]]) -> [u8; 32] {
    match entries {
        [] => Sha256::digest([]).into(),
        [entry] => leaf(entry),
        entries => {
            let k = 1 << (entries.len() - 1).ilog2();
            Sha256::new_with_prefix([1])
                .chain_update(root(&entries[..k]))
                .chain_update(root(&entries[k..]))
                .finalize()
                .into()
        }
    }
}
