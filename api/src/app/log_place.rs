//! Where a follower stands.

use assam_record::game::{Bytes32, Head};

/// A place in the log of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPlace {
    /// The ply.
    pub ply: u32,
    /// The hash of the head there, where it is known.
    pub hash: Option<Bytes32>,
}

impl From<Head> for LogPlace {
    fn from(head: Head) -> Self {
        Self { ply: head.ply, hash: Some(head.hash) }
    }
}
