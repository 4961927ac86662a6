//! Streams of records: bytes in, records out one at a time, in bounded memory.

use alloc::vec::Vec;

use crate::MAX_RECORD;

/// A splitter of a stream into records. A record begins at `MKN/`: in a body wherever it stands, elsewhere at the beginning
/// of a line. What no record has before it there, such as a byte order mark or the `> ` of quoted mail, belongs to the record
/// that it stands before, so that it is never the record before which is refused for it.
///
/// It holds little more than [`MAX_RECORD`] bytes. A longer record is cut off one byte above that limit, so that
/// reading it reports it as too long; the records after it are not affected.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// The record so far.
    record: Vec<u8>,
    /// Whether it has more bytes than are held.
    is_cut: bool,
    /// Whether there was anything but white space, bytes that are not held included. Every record but the first begins
    /// with text.
    has_text: bool,
    /// Whether the record began as one; what stands before the first record did not.
    has_begun: bool,
    /// Whether it has come to its body.
    in_body: bool,
    /// How many bytes of [`RECORD_START`] came last.
    matched: usize,
    /// How many bytes the line has so far.
    line_length: u64,
    /// Whether one of them may not stand before a record.
    has_other: bool,
    /// Whether the last byte was a CR.
    after_cr: bool,
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

/// How many bytes more are held, so that a record of just the limit is whole when the next one shows.
const AHEAD: usize = 16;

/// What the first line of every record begins with.
pub(crate) const RECORD_START: &[u8] = b"MKN/";

/// What text in UTF-16 begins with.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Returns whether a byte is of something that strays before a record and belongs to it: a blank, a mark of quoting, what is not
/// ASCII. Behind a valid record only blanks can stand.
pub(crate) const fn is_lead(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>' | b'`' | b'"' | b'\'' | b'|' | b'#' | 0x80..)
}

const fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns where that begins which strays before the end of a text.
pub(crate) fn lead_start(text: &[u8]) -> usize {
    text.iter().rposition(|&byte| !is_lead(byte)).map_or(0, |at| at + 1)
}

impl Splitter {
    /// Returns a splitter at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes, and passes on every record that they end.
    pub fn feed<E>(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while let [byte, rest @ ..] = bytes {
            if self.matched == 0 && self.has_other && !self.after_cr {
                // Within a line most bytes begin nothing.
                let is_next = |&byte: &u8| ends_line(byte) || byte == RECORD_START[0] && self.in_body;
                let length = bytes.iter().position(is_next).unwrap_or(bytes.len());
                if length > 0 {
                    self.keep(&bytes[..length]);
                    self.line_length += length as u64;
                    bytes = &bytes[length..];
                    continue;
                }
            }
            self.step(*byte, &mut each)?;
            bytes = rest;
        }
        Ok(())
    }

    /// Ends the stream, and passes on the last record.
    pub fn finish<E>(mut self, mut each: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.give(&mut each)
    }

    fn step<E>(&mut self, byte: u8, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.keep(&[byte]);
        let is_crlf = byte == b'\n' && self.after_cr;
        self.after_cr = byte == b'\r';
        if ends_line(byte) {
            self.line += u64::from(!is_crlf);
            self.in_body |= self.has_begun && self.line_length == 0 && !is_crlf;
            (self.matched, self.line_length, self.has_other) = (0, 0, false);
            return Ok(());
        }
        self.line_length += 1;
        let ends_with = |mark: &&&[u8]| !self.is_cut && self.record.ends_with(mark);
        if self.line_length == 2
            && let Some(mark) = UTF16_MARKS.iter().find(ends_with)
        {
            return self.begin(mark, each);
        }
        if byte == RECORD_START[self.matched] && (self.matched > 0 || !self.has_other || self.in_body) {
            self.matched += 1;
            return if self.matched == RECORD_START.len() { self.begin(RECORD_START, each) } else { Ok(()) };
        }
        // A control character ends what was before: Ctrl-Z a file, a NUL a character in UTF-16.
        self.has_other |= self.matched > 0 || !is_lead(byte) && !byte.is_ascii_control();
        self.matched = usize::from(byte == RECORD_START[0] && self.in_body);
        Ok(())
    }

    /// Passes on the record so far, and begins the next one with `start`, which came last, and with what strays before it.
    fn begin<E>(&mut self, start: &[u8], each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let next = if self.is_cut {
            start.to_vec()
        } else {
            let next = self.record.split_off(lead_start(&self.record[..self.record.len() - start.len()]));
            self.has_text = !self.record.iter().all(u8::is_ascii_whitespace);
            next
        };
        let result = self.give(each);
        *self = Self {
            record: next,
            has_text: true,
            has_begun: start == RECORD_START,
            has_other: true,
            line_length: self.line_length,
            line: self.line,
            record_line: self.line,
            ..Self::default()
        };
        result
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.has_text = self.has_text || !bytes.iter().all(u8::is_ascii_whitespace);
        let room = (MAX_RECORD + 1 + AHEAD).saturating_sub(self.record.len());
        self.is_cut |= bytes.len() > room;
        self.record.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn give<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        // Blank lines before the first record belong to none; any other text there is passed on, and refused when read.
        if self.has_text {
            let length = self.record.len().min(MAX_RECORD + 1);
            each(Piece { line: self.record_line + 1, bytes: &self.record[..length] })
        } else {
            Ok(())
        }
    }
}
