//! What tells two states of a game apart.

use assam_record::game::{Head, Info};

/// Tells two states of a game apart: each change of the seats makes another revision, each word another head.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Version {
    /// Grows by one with every change of the seats, and where time is counted anew.
    pub revision: i64,
    /// The last ply and its hash; none before the start.
    pub head: Option<Head>,
}

impl Version {
    /// Returns the version of a game.
    pub const fn from_info(info: &Info) -> Self {
        Self { revision: info.revision, head: info.head }
    }
}
