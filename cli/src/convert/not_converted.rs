//! Why conversion stops.

use std::io;

/// Why conversion stops.
pub enum NotConverted {
    /// The output cannot be written.
    Unwritable(io::Error),
    /// The requested output cannot be made.
    Impossible(String),
}

impl From<io::Error> for NotConverted {
    fn from(error: io::Error) -> Self {
        Self::Unwritable(error)
    }
}
