//! The version of a game.

use assam_record::game::{Head, Info};

/// Distinguishes two states of a game: each change of the seats makes another revision, each word another
/// head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Grows by one with every change of the seats, and when clocks restart.
    pub revision: i64,
    /// The last ply and its hash, or none before the start.
    pub head: Option<Head>,
}

impl Version {
    /// Returns the version of a game.
    pub const fn from_info(info: &Info) -> Self {
        Self { revision: info.revision, head: info.head }
    }
}
