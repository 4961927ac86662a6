//! Finds a record of a source by its number.

use std::io;

use crate::process::input::{Source, for_each_record};

/// A record found in a stream.
pub struct NumberedRecord {
    /// The line of the stream on which it begins, from 1.
    pub line: u64,
    /// The column on that line, from 1.
    pub column: u64,
    pub bytes: Vec<u8>,
    /// Whether another record follows.
    pub has_next: bool,
}

/// Why there is no such record.
pub enum NotFound {
    Unreadable(io::Error),
    /// The source has fewer records.
    Beyond {
        /// The number of the record, from 1.
        number: u64,
        count: u64,
    },
}

/// Why reading ends early.
enum Stop {
    Unreadable(io::Error),
    /// Everything needed was read.
    Found,
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

/// Returns the record with this number, from 1.
///
/// # Errors
/// Why there is none.
pub fn find(source: &Source, number: u64) -> Result<NumberedRecord, NotFound> {
    let mut count = 0;
    let mut found: Option<NumberedRecord> = None;
    let input = source.open().map_err(NotFound::Unreadable)?;
    let read = for_each_record(input, |piece| {
        count += 1;
        match &mut found {
            Some(found) => {
                found.has_next = true;
                Err(Stop::Found)
            }
            None => {
                let is_it = count == number;
                found = is_it.then(|| NumberedRecord {
                    line: piece.line,
                    column: piece.column,
                    bytes: piece.bytes.to_vec(),
                    has_next: false,
                });
                Ok(())
            }
        }
    });
    match (read, found) {
        (Ok(()) | Err(Stop::Found), Some(found)) => Ok(found),
        (Err(Stop::Unreadable(error)), _) => Err(NotFound::Unreadable(error)),
        (Ok(()) | Err(Stop::Found), None) => Err(NotFound::Beyond { number, count }),
    }
}

/// Returns the message that a source has fewer records.
pub fn no_such_record(number: u64, count: u64) -> String {
    format!("there is no record {number}: the last one is {count}")
}
