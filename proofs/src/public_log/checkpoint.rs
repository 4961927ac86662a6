//! Checkpoints: how many entries the log has, and their root, as signed notes (<https://c2sp.org/tlog-checkpoint>).

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::tree::TreeHead;

/// What a checkpoint states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The name of the log: that of the first key of the service.
    pub origin: String,
    /// The head of the log.
    pub head: TreeHead,
}

/// A text is no checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a checkpoint is three lines: the name of the log, the number of its entries, and their root in base64"
)]
pub struct NotACheckpoint;

/// The text that is signed.
impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let TreeHead { size, root } = &self.head;
        write!(f, "{}\n{size}\n{}\n", self.origin, BASE64.encode(root))
    }
}

impl FromStr for Checkpoint {
    type Err = NotACheckpoint;

    fn from_str(text: &str) -> Result<Self, NotACheckpoint> {
        let mut lines = text.lines();
        let mut line = || lines.next().ok_or(NotACheckpoint);
        let (origin, size, root) = (line()?, line()?, line()?);
        let root = BASE64.decode(root).ok().and_then(|root| root.try_into().ok()).ok_or(NotACheckpoint)?;
        let size = size.parse().map_err(|_| NotACheckpoint)?;
        let checkpoint = Self { origin: origin.to_owned(), head: TreeHead { size, root } };
        // Of one form, without the extension lines that others may have, as this log has none.
        let is_one = !origin.is_empty() && checkpoint.to_string() == text;
        if is_one { Ok(checkpoint) } else { Err(NotACheckpoint) }
    }
}
