//! Streams of records: bytes in, records out one at a time, in bounded memory.

use alloc::vec::Vec;

use crate::MAX_RECORD;

/// A splitter of a stream into records. Every record begins with a line that begins with `MKN/`.
///
/// It holds little more than [`MAX_RECORD`] bytes. A longer record is cut off one byte above that limit, so that
/// reading it reports it as too long; the records after it are not affected.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// The record so far.
    record: Vec<u8>,
    /// Whether there was anything but white space, bytes that are not held included. Every record but the first begins
    /// with text.
    has_text: bool,
    /// The line so far, while it may still turn out to begin a record.
    line_start: Vec<u8>,
    /// Whether the beginning of the line has been checked already.
    inside_line: bool,
    line: u64,
    record_line: u64,
}

/// One record of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'a> {
    /// The line of the stream on which it begins, 1-based.
    pub line: u64,
    /// Its bytes; at most [`MAX_RECORD`] + 1.
    pub bytes: &'a [u8],
}

/// What the first line of every record begins with.
pub(crate) const RECORD_START: &[u8] = b"MKN/";

impl Splitter {
    /// Returns a splitter at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, and passes on every record that they end.
    pub fn feed<E>(
        &mut self,
        bytes: &[u8],
        mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        for line in bytes.split_inclusive(|&b| b == b'\n') {
            let mut rest = line;
            if !self.inside_line {
                let missing = RECORD_START.len() - self.line_start.len();
                let (head, tail) = rest.split_at(missing.min(rest.len()));
                self.line_start.extend_from_slice(head);
                rest = tail;
                let begins = self.line_start == RECORD_START;
                if !begins && RECORD_START.starts_with(&self.line_start) {
                    continue;
                }
                if begins {
                    self.give(&mut each)?;
                    self.record_line = self.line;
                }
                self.inside_line = true;
                let start = core::mem::take(&mut self.line_start);
                self.keep(&start);
                self.line_start = start;
                self.line_start.clear();
            }
            self.keep(rest);
            if line.ends_with(b"\n") {
                self.line += 1;
                self.inside_line = false;
            }
        }
        Ok(())
    }

    /// Ends the stream, and passes on the last record.
    pub fn finish<E>(mut self, mut each: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let start = core::mem::take(&mut self.line_start);
        self.keep(&start);
        self.give(&mut each)
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.has_text = self.has_text || !bytes.iter().all(u8::is_ascii_whitespace);
        let room = (MAX_RECORD + 1).saturating_sub(self.record.len());
        self.record.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn give<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        // Blank lines before the first record belong to none; any other text there is passed on, and refused when read.
        let result = if self.has_text {
            each(Piece { line: self.record_line + 1, bytes: &self.record })
        } else {
            Ok(())
        };
        self.record.clear();
        result
    }
}
