//! Splits a stream of bytes into records, one at a time, in bounded memory.

use alloc::vec::Vec;

use crate::{MAX_LINE, MAX_RECORD, Place};

/// Splits a stream into records.
///
/// Text before a setup line belongs to the record of that line, so junk never damages the record before it.
/// The splitter holds little more than [`MAX_RECORD`] bytes. A longer record is cut one byte above that
/// limit, so reading it reports that it is too long. The records after it are not affected.
#[derive(Clone, Debug, Default)]
pub struct Splitter {
    /// The current record: its first [`MAX_RECORD`] + 1 bytes, and at least the last [`MAX_LINE`].
    record: Vec<u8>,
    /// Whether dropped bytes were anything but white space. Every record but the first begins with text.
    has_text: bool,
    part: Part,
    /// The bytes of the record on the current line.
    line_length: usize,
    /// Whether the last byte was a CR.
    after_cr: bool,
    line: u64,
    record_line: u64,
    /// The characters before it on that line.
    record_column: u64,
}

/// The part of a record that a line belongs to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Part {
    /// None: no record has begun.
    #[default]
    Before,
    SetupLine,
    Tags,
    Body,
    /// A line after the beginning of the end marker.
    Finished,
}

/// One record of a stream.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Piece<'a> {
    /// The line of the stream where it begins, 1-based.
    pub line: u64,
    /// The column on that line, 1-based, in characters. It is 1 unless the previous record ends on the line.
    pub column: u64,
    /// The bytes, at most [`MAX_RECORD`] + 1.
    pub bytes: &'a [u8],
}

impl Piece<'_> {
    /// Returns the place in the stream for a place in the record.
    pub fn place(&self, place: Place) -> Place {
        let before = |count: u64| u32::try_from(count - 1).unwrap_or(u32::MAX);
        let column = if place.line == 1 { before(self.column) } else { 0 };
        Place {
            line: place.line.saturating_add(before(self.line)),
            column: place.column.saturating_add(column),
            ..place
        }
    }
}

/// The beginning of every record's first line.
pub(crate) const RECORD_START: &[u8] = b"MKN/";

/// The part that every first line has, and no body.
const SEATS: &[u8] = b"seats=";

/// The beginnings of UTF-16 text.
const UTF16_MARKS: [&[u8]; 2] = [b"\xff\xfe", b"\xfe\xff"];

/// Returns whether a byte can stray before a record: a blank, a quotation mark, or beyond ASCII.
const fn is_lead(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'>' | b'`' | b'"' | b'\'' | b'|' | b'#' | 0x80..)
}

pub(crate) const fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn ends_with(line: &[u8], end: &[u8]) -> bool {
    line.len() >= end.len() && line[line.len() - end.len()..].eq_ignore_ascii_case(end)
}

/// Returns `text` without a final `MKN`, in lower or upper case. Characters beyond ASCII may replace letters
/// or separate them, such as letters of other scripts, fullwidth letters and invisible characters.
fn without_letters(text: &[u8]) -> &[u8] {
    let without_foreign = |text: &[u8]| text.iter().rposition(u8::is_ascii).map_or(0, |at| at + 1);
    let mut length = without_foreign(text);
    for letter in *b"NKM" {
        if text[..length].last().is_some_and(|last| last.eq_ignore_ascii_case(&letter)) {
            length = without_foreign(&text[..length - 1]);
        }
    }
    &text[..length]
}

/// Returns whether a text ends as a setup line may begin, or with what only a setup line has. A fast check,
/// as most text does not.
pub(crate) fn may_begin(text: &[u8]) -> bool {
    let letters = |before: &[u8]| {
        let letters = &before[without_letters(before).len()..];
        // Three characters. Continuation bytes do not count.
        letters.iter().filter(|&&byte| byte & 0xC0 != 0x80).count() >= RECORD_START.len() - 1
    };
    match text {
        [before @ .., b'/'] => letters(before),
        [.., b'='] => ends_with(text, SEATS),
        _ => false,
    }
}

/// Returns the start of the last word that begins like an end marker.
pub(crate) fn marker(text: &[u8]) -> Option<usize> {
    let is_marker =
        |&at: &usize| matches!(text[at], b'*' | b'=') && (at == 0 || text[at - 1].is_ascii_whitespace());
    (0..text.len()).rev().find(is_marker)
}

/// Returns where a record begins on a line, and the place of its `MKN/` if there is one. `line` ends with the
/// byte that shows the beginning.
///
/// `MKN/` in upper or lower case begins a record: anywhere in a body and after it, elsewhere only after stray
/// characters. Lookalikes of `MKN/` do so after stray characters, and `seats=` outside setup lines and tags.
/// The line belongs to the new record, except for the end of the previous one: a control character, or an end
/// marker that begins on this line.
pub(crate) fn start_on(line: &[u8], part: Part) -> Option<(usize, Option<usize>)> {
    if part == Part::SetupLine || !may_begin(line) {
        return None;
    }
    let mark = ends_with(line, RECORD_START).then(|| line.len() - RECORD_START.len());
    let before = &line[..mark.unwrap_or(line.len() - 1)];
    let strays = |before: &[u8]| before.iter().all(|&byte| is_lead(byte) || byte.is_ascii_control());
    let begins = match part {
        Part::Body | Part::Finished if mark.is_some() => true,
        _ if line.ends_with(b"/") => strays(without_letters(&line[..line.len() - 1])),
        Part::Tags => !line.contains(&b':'),
        Part::Before | Part::SetupLine | Part::Body | Part::Finished => true,
    };
    if !begins {
        return None;
    }
    // A control character ends the text before it: Ctrl-Z a file, a NUL a character in UTF-16.
    let line_start = before.iter().rposition(|b| b.is_ascii_control() && *b != b'\t').map_or(0, |at| at + 1);
    let start = match marker(before) {
        _ if part != Part::Body => line_start,
        Some(marker) => {
            let is_of_it = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b' ' | b'\t' | b'-');
            let length = before[marker + 1..].iter().take_while(|byte| is_of_it(byte)).count();
            line_start.max(marker + 1 + length)
        }
        None if mark.is_some() => before.iter().rposition(|&byte| !is_lead(byte)).map_or(0, |at| at + 1),
        None => line_start,
    };
    Some((start, mark))
}

impl Splitter {
    /// Returns a splitter at the start of a stream.
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes and passes on every record that they end.
    pub fn feed<E>(
        &mut self,
        mut bytes: &[u8],
        mut each: impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        while let [byte, rest @ ..] = bytes {
            if self.line_length >= UTF16_MARKS[0].len() {
                // Within a line most bytes begin nothing.
                let is_next = |byte: &u8| ends_line(*byte) || matches!(byte, b'/' | b'=');
                let length = bytes.iter().position(is_next).unwrap_or(bytes.len());
                if length > 0 {
                    self.keep(&bytes[..length]);
                    self.line_length += length;
                    bytes = &bytes[length..];
                    continue;
                }
            }
            self.step(*byte, &mut each)?;
            bytes = rest;
        }
        Ok(())
    }

    /// Ends the stream and passes on the last record.
    pub fn finish<E>(mut self, mut each: impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        self.give(&mut each)
    }

    fn step<E>(&mut self, byte: u8, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        let is_crlf = byte == b'\n' && self.after_cr;
        self.after_cr = byte == b'\r';
        if ends_line(byte) {
            if !is_crlf {
                self.line += 1;
                self.part = match self.part {
                    Part::SetupLine => Part::Tags,
                    Part::Tags if self.line_length == 0 => Part::Body,
                    Part::Body if marker(self.line_so_far()).is_some() => Part::Finished,
                    part @ (Part::Before | Part::Tags | Part::Body | Part::Finished) => part,
                };
            }
            self.line_length = 0;
            self.keep(&[byte]);
            return Ok(());
        }
        self.keep(&[byte]);
        self.line_length += 1;
        let line = self.line_so_far();
        let start = if UTF16_MARKS.contains(&line) {
            Some(0)
        } else {
            start_on(line, self.part).map(|(start, _)| start)
        };
        if let Some(start) = start {
            // Continuation bytes do not count as characters.
            let column = line[..start].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() as u64;
            let length = line.len() - start;
            return self.begin(length, column, each);
        }
        Ok(())
    }

    /// Returns the last bytes of the line, up to a maximum.
    fn line_so_far(&self) -> &[u8] {
        &self.record[self.record.len() - self.line_length.min(MAX_LINE)..]
    }

    /// Passes on the current record and begins the next one with its last bytes.
    fn begin<E>(
        &mut self,
        length: usize,
        column: u64,
        each: &mut impl FnMut(Piece<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let next = self.record.split_off(self.record.len() - length);
        let result = self.give(each);
        *self = Self {
            record: next,
            part: Part::SetupLine,
            line_length: length,
            line: self.line,
            record_line: self.line,
            record_column: column,
            ..Self::default()
        };
        result
    }

    fn keep(&mut self, bytes: &[u8]) {
        for part in bytes.chunks(MAX_LINE) {
            self.record.extend_from_slice(part);
            // More than one line, so that bytes are rarely moved.
            if self.record.len() > MAX_RECORD + 1 + 2 * MAX_LINE {
                let mut between = self.record.drain(MAX_RECORD + 1..self.record.len() - MAX_LINE);
                self.has_text |= between.any(|byte| !byte.is_ascii_whitespace());
            }
        }
    }

    fn give<E>(&mut self, each: &mut impl FnMut(Piece<'_>) -> Result<(), E>) -> Result<(), E> {
        // Blank lines before the first record belong to none. Other text there is passed on, and refused when
        // read.
        if self.has_text || !self.record.iter().all(u8::is_ascii_whitespace) {
            let length = self.record.len().min(MAX_RECORD + 1);
            let (line, column) = (self.record_line + 1, self.record_column + 1);
            each(Piece { line, column, bytes: &self.record[..length] })
        } else {
            Ok(())
        }
    }
}
