//! Cuts arriving text into records, in bounded memory.

use std::borrow::Cow;
use std::convert::Infallible;
use std::mem;

use assam_notation::{MAX_RECORD, Piece, Splitter};
use serde::Deserialize;

/// The longest line of JSON, in bytes: room for a record in which JSON escapes every byte, and as much for
/// other members.
pub const MAX_LINE: usize = 12 * MAX_RECORD + 1024;

/// The arrangement of records in a text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bundle {
    /// One after another, each with its setup line.
    Mkn,
    /// One JSON object per line, with the record in its member `record`.
    Ndjson,
}

/// A record cut from a text.
pub struct Cut<'a> {
    /// The line of the text on which it begins, from 1.
    pub line: u64,
    /// The line number for its first line in messages: the same, or 1 for a record in JSON.
    pub first: u64,
    /// The column number for the first column of its first line.
    pub column: u64,
    /// The record, or why there is none.
    pub record: Result<Cow<'a, [u8]>, NoRecord>,
}

impl<'a> Cut<'a> {
    /// Returns the cut of a record from a stream.
    pub fn new(piece: Piece<'a>) -> Self {
        let Piece { line, column, bytes } = piece;
        Self { line, first: line, column, record: Ok(bytes.into()) }
    }
}

/// A line of JSON without a record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoRecord {
    /// The line is longer than any record can make it.
    #[error("the line has more than {MAX_LINE} bytes")]
    TooLong,
    /// The line is not JSON, or has no record.
    #[error("the line is not a JSON object with a string `record`: {0}")]
    NotJson(String),
}

/// Cuts a text into records as it arrives.
pub struct Cutter {
    inner: Inner,
}

enum Inner {
    /// With whether there was a record.
    Mkn(Splitter, bool),
    Ndjson(Lines),
}

/// The unfinished line.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
    /// The number of finished lines.
    ended: u64,
}

#[derive(Deserialize)]
struct RecordLine<'a> {
    #[serde(borrow)]
    record: Cow<'a, str>,
}

impl Cutter {
    /// Begins a text.
    pub fn new(bundle: Bundle) -> Self {
        let inner = match bundle {
            Bundle::Mkn => Inner::Mkn(Splitter::new(), false),
            Bundle::Ndjson => Inner::Ndjson(Lines::default()),
        };
        Self { inner }
    }

    /// Takes the next bytes, and passes on every record that ends in them.
    pub fn feed(&mut self, bytes: &[u8], mut each: impl FnMut(Cut<'_>)) {
        match &mut self.inner {
            Inner::Mkn(splitter, any) => {
                let Ok(()) = splitter.feed(bytes, |piece| {
                    *any = true;
                    each(Cut::new(piece));
                    Ok::<_, Infallible>(())
                });
            }
            Inner::Ndjson(lines) => {
                for part in bytes.split_inclusive(|&byte| byte == b'\n') {
                    lines.keep(part);
                    if part.ends_with(b"\n") {
                        lines.end(&mut each);
                    }
                }
            }
        }
    }

    /// Ends the text, and passes on the last record. A text without records counts as one empty record.
    pub fn finish(self, mut each: impl FnMut(Cut<'_>)) {
        match self.inner {
            Inner::Mkn(splitter, mut any) => {
                let Ok(()) = splitter.finish(|piece| {
                    any = true;
                    each(Cut::new(piece));
                    Ok::<_, Infallible>(())
                });
                if !any {
                    each(Cut::new(Piece { line: 1, column: 1, bytes: b"" }));
                }
            }
            Inner::Ndjson(mut lines) => lines.end(&mut each),
        }
    }
}

impl Lines {
    fn keep(&mut self, part: &[u8]) {
        // One byte more than allowed shows that the line is too long.
        let room = (MAX_LINE + 1).saturating_sub(self.begun.len());
        self.begun.extend_from_slice(&part[..part.len().min(room)]);
    }

    fn end(&mut self, each: &mut impl FnMut(Cut<'_>)) {
        self.ended += 1;
        let line = mem::take(&mut self.begun);
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        let record = if line.len() > MAX_LINE {
            Err(NoRecord::TooLong)
        } else if line.trim_ascii_start().first() != Some(&b'{') {
            Err(NoRecord::NotJson("expected `{`".to_owned()))
        } else {
            match serde_json::from_slice::<RecordLine<'_>>(&line) {
                Ok(found) => Ok(Cow::Owned(found.record.into_owned().into_bytes())),
                Err(error) => Err(NoRecord::NotJson(error.to_string())),
            }
        };
        each(Cut { line: self.ended, first: 1, column: 1, record });
    }
}
