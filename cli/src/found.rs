//! A record of several in a source, found by its number.

use super::screen::{NotShown, no_such_record};
use crate::records::{Source, for_each_record};

/// A record found in a stream.
pub(super) struct Found {
    /// The line of the stream on which it begins, from 1.
    pub(super) line: u64,
    pub(super) bytes: Vec<u8>,
    /// Whether another record follows.
    pub(super) has_next: bool,
}

/// Returns the record with this number, from 1.
pub(super) fn find(source: &Source, number: u64) -> Result<Found, NotShown> {
    let mut count = 0;
    let mut found: Option<Found> = None;
    let read = for_each_record(source.open()?, |piece| {
        count += 1;
        match &mut found {
            Some(found) => {
                found.has_next = true;
                Err(NotShown::Found)
            }
            None => {
                let is_it = count == number;
                found =
                    is_it.then(|| Found { line: piece.line, bytes: piece.bytes.to_vec(), has_next: false });
                Ok(())
            }
        }
    });
    match (read, found) {
        (Ok(()) | Err(NotShown::Found), Some(found)) => Ok(found),
        (Err(stop), _) => Err(stop),
        (Ok(()), None) => Err(no_such_record(number, count)),
    }
}
