//! A record as text: its first line, tags and body, split without knowing the game.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::setup_line::A_SETUP_LINE;
use crate::splitter::{Part, ends_line, marker, may_begin, start_on};
use crate::{Error, ErrorKind, MAX_LINE, MAX_RECORD, Place, SetupLine, StrayCharacter, foreign};

/// A record split into its parts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RecordText<'a> {
    /// The whole text.
    pub(crate) text: &'a str,
    /// The setup line, split.
    pub setup_line: SetupLine<'a>,
    /// The tags, in the order of the record.
    pub tags: Vec<(&'a str, &'a str)>,
    /// The offset of the body, in bytes.
    body: usize,
    /// The end of the body: the start of another record, or the end of the text.
    end: usize,
    /// The offset of another record that begins after this one, if any.
    pub second: Option<usize>,
}

impl<'a> RecordText<'a> {
    /// Splits a record into its parts.
    ///
    /// # Errors
    /// The first of: a limit, text that is not UTF-8, a setup line that cannot be split, a malformed or
    /// duplicate tag, and a missing blank line.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Error> {
        // Length first: a stream cuts a long record at any byte, even within a character.
        if bytes.len() > MAX_RECORD {
            let (detail, expected) = match foreign::told(bytes) {
                Some(told) => (told, A_SETUP_LINE),
                None => (format!("a record has at most {MAX_RECORD} bytes"), "a shorter record"),
            };
            return Err(syntax(bytes, MAX_RECORD, "notation.limit.record", detail, expected));
        }
        let text = core::str::from_utf8(bytes).map_err(|error| {
            let at = error.valid_up_to();
            let told = || match bytes[at] {
                byte @ 0xa0.. => {
                    format!("this is not UTF-8: byte 0x{byte:02x}, `{}` in Latin-1", char::from(byte))
                }
                byte => format!("this is not UTF-8: byte 0x{byte:02x}"),
            };
            let detail = foreign::told(bytes).unwrap_or_else(told);
            syntax(bytes, at, "notation.text.utf8", detail, "UTF-8 text")
        })?;
        let mut at = 0;
        let mut lines = text.split_inclusive('\n').map(|line| {
            let offset = at;
            at += line.len();
            // A CR belongs to the line end only before LF. Elsewhere it stays in the line and is refused.
            let line = line.strip_suffix('\n').map_or(line, |line| line.strip_suffix('\r').unwrap_or(line));
            (offset, line)
        });
        let mut blank_line = None;
        let (_, first_line) = lines.next().unwrap_or_default();
        check_line(bytes, 0, first_line)?;
        // The version comes first, because a record of another version may have another shape.
        let setup_line = SetupLine::read_of(first_line, bytes).map_err(|error| match bytes.trim_ascii() {
            [] => Error { detail: "there is no record: the text is empty".to_string(), ..error },
            _ => error,
        })?;
        let mut tags: Vec<(&str, &str)> = Vec::new();
        // A set: a record has room for 13,000 tags, and comparing each pair would take half a second.
        let mut names = BTreeSet::new();
        for (offset, line) in lines.by_ref() {
            check_line(bytes, offset, line)?;
            if line.is_empty() {
                blank_line = Some(offset);
                break;
            }
            let (name, value) = read_tag(line).map_err(|(rule, detail, stray)| {
                let expected = "`name: value`, or the blank line before the body";
                match stray {
                    None => syntax(bytes, offset, rule, detail.to_string(), expected),
                    Some(stray) => {
                        let detail = format!("{detail}: found {stray}");
                        syntax(bytes, offset + stray.offset, rule, detail, expected)
                    }
                }
            })?;
            if !names.insert(name) {
                let detail = format!("the tag {name:?} appears twice");
                return Err(syntax(bytes, offset, "notation.tag.duplicate", detail, "each tag once"));
            }
            tags.push((name, value));
        }
        for (offset, line) in lines {
            check_line(bytes, offset, line)?;
        }
        let Some(body) = blank_line else {
            let detail = "the record ends before its body".to_string();
            let expected = "a blank line, words and an end marker";
            return Err(Error {
                kind: ErrorKind::MissingMarker,
                ..syntax(bytes, bytes.len(), "notation.body.missing", detail, expected)
            });
        };
        let next = next_record(bytes, body);
        let (end, second) = next.map_or((bytes.len(), None), |(start, mark)| (start, Some(mark)));
        Ok(Self { text, setup_line, tags, body, end, second })
    }

    /// Returns the words of the body, each with its offset in the text, up to the start of another record.
    pub fn words(&self) -> impl Iterator<Item = (usize, &'a str)> {
        Words { text: &self.text[..self.end], at: self.body }
    }
}

/// Returns the start of another record in a body or after it, and the place of its `MKN/` if it has one.
fn next_record(text: &[u8], body: usize) -> Option<(usize, usize)> {
    let may_begin = |&end: &usize| may_begin(&text[body..end]);
    // Hardly any body has one.
    (body + 1..=text.len()).find(may_begin)?;
    let (mut part, mut line) = (Part::Body, body);
    for end in body + 1..=text.len() {
        if ends_line(text[end - 1]) {
            if marker(&text[line..end]).is_some() {
                part = Part::Finished;
            }
            line = end;
        } else if let Some((start, mark)) = start_on(&text[line..end], part) {
            return Some((line + start, line + mark.unwrap_or(start)));
        }
    }
    None
}

/// The words between white space.
struct Words<'a> {
    text: &'a str,
    /// In bytes. Beyond the end once everything is read.
    at: usize,
}

impl<'a> Iterator for Words<'a> {
    type Item = (usize, &'a str);

    fn next(&mut self) -> Option<(usize, &'a str)> {
        loop {
            let start = self.at;
            let rest = self.text.as_bytes().get(start..)?;
            let length = rest.iter().position(|b| matches!(b, b' ' | b'\t' | b'\n')).unwrap_or(rest.len());
            self.at = start + length + 1;
            // A CR is white space only before LF. Elsewhere it stays in the word and is refused.
            let word = match rest.get(length) {
                Some(b'\n') => rest[..length].strip_suffix(b"\r").unwrap_or(&rest[..length]),
                Some(_) | None => &rest[..length],
            };
            if !word.is_empty() {
                return Some((start, &self.text[start..start + word.len()]));
            }
        }
    }
}

/// Returns whether a tag can be written. The name has lower-case letters, digits and `-`. The value has no
/// control characters and no blanks at its ends. Both fit on a line.
pub fn check_tag(name: &str, value: &str) -> bool {
    is_tag_name(name) && is_tag_value(value) && name.len() + value.len() + 2 <= MAX_LINE
}

fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
}

fn is_tag_value(value: &str) -> bool {
    !value.chars().any(char::is_control) && value.trim() == value
}

/// The fault of a tag: the rule, the reason, and the offending character.
type WrongTag = (&'static str, &'static str, Option<StrayCharacter>);

fn read_tag(line: &str) -> Result<(&str, &str), WrongTag> {
    let stray = |from: usize, is_stray: &dyn Fn(char) -> bool| {
        let found = StrayCharacter::first(&line[from..], is_stray);
        found.map(|stray| StrayCharacter { offset: from + stray.offset, ..stray })
    };
    let Some((name, value)) = line.split_once(':').filter(|(name, _)| is_tag_name(name)) else {
        let end = line.find(':').unwrap_or(line.len());
        if end < line.len() && is_tag_name(&line[..end].to_ascii_lowercase()) {
            return Err(("notation.tag.name", "the name of a tag has no capital letters", None));
        }
        // People take a line of blanks for a blank line.
        let is_blank = line.trim().is_empty();
        let stray =
            stray(0, &|c| is_blank || c != ' ' && !c.is_ascii_graphic()).filter(|stray| stray.offset < end);
        return Err(("notation.tag.name", "this is neither a tag nor a blank line", stray));
    };
    let start = name.len() + 1;
    let value = match value.strip_prefix(' ') {
        Some(value) => value,
        None if value.is_empty() => value,
        None => {
            let stray = stray(start, &|c| !c.is_ascii_graphic()).filter(|stray| stray.offset == start);
            return Err(("notation.tag.space", "a tag has one space after its colon", stray));
        }
    };
    if is_tag_value(value) {
        return Ok((name, value));
    }
    let stray = if value.starts_with(char::is_whitespace) {
        stray(start + 1, &|_| true)
    } else {
        stray(start + 1, &char::is_control).or_else(|| stray(start + 1 + value.trim_end().len(), &|_| true))
    };
    Err(("notation.tag.value", "a tag's value has no control characters and no blanks at its ends", stray))
}

fn check_line(text: &[u8], offset: usize, line: &str) -> Result<(), Error> {
    if line.len() <= MAX_LINE {
        return Ok(());
    }
    let detail = format!("a line has at most {MAX_LINE} bytes");
    Err(syntax(text, offset + MAX_LINE, "notation.limit.line", detail, "a line end"))
}

fn syntax(text: &[u8], offset: usize, rule: &'static str, detail: String, expected: &'static str) -> Error {
    Error {
        kind: ErrorKind::NotationSyntax,
        rule,
        detail,
        why: None,
        expected: Some(Cow::Borrowed(expected)),
        place: Place::at(text, offset),
    }
}
