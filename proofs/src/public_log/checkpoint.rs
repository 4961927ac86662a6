//! Checkpoints: the log's number of entries and their root, as signed notes
//! (<https://c2sp.org/tlog-checkpoint>).

use std::fmt;
use std::str::FromStr;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

use super::tree::TreeHead;

/// The contents of a checkpoint.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checkpoint {
    /// The name of the log, from the first key of the service.
    pub origin: String,
    /// The head of the log.
    pub head: TreeHead,
}

/// The error of a text that is not a checkpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a checkpoint is three lines: the name of the log, the number of its entries, and their root in base64"
)]
pub struct NotACheckpoint;

/// Writes the signed text.
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
        // Only one form is accepted. This log has no extension lines.
        let is_one = !origin.is_empty() && checkpoint.to_string() == text;
        if is_one { Ok(checkpoint) } else { Err(NotACheckpoint) }
    }
}
