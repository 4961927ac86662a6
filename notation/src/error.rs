//! Errors in records and their places.

use alloc::borrow::Cow;
use alloc::string::String;
use core::fmt;

/// The kind of an error, from a closed list that HTTP responses and the command line share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The text is not in the notation. No board is needed to see this.
    NotationSyntax,
    /// The version of the notation is unknown.
    UnsupportedNotation,
    /// The rule set or its version is unknown.
    UnknownRuleset,
    /// The rule set does not have the option, or not with this value.
    UnknownOption,
    /// The position fails a check of the rule set. See
    /// [`PositionError::Impossible`](crate::PositionError::Impossible).
    ImpossiblePosition,
    /// The move breaks a rule of the game.
    IllegalMove,
    /// The end marker's scores differ from the scores of the replay.
    ScoreMismatch,
    /// The kind of the end marker does not match the state of the game.
    WrongMarker,
    /// The end marker is missing, so the record was cut off.
    MissingMarker,
}

impl ErrorKind {
    /// Returns the kind as written in responses, such as `notation_syntax`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotationSyntax => "notation_syntax",
            Self::UnsupportedNotation => "unsupported_notation",
            Self::UnknownRuleset => "unknown_ruleset",
            Self::UnknownOption => "unknown_option",
            Self::ImpossiblePosition => "impossible_position",
            Self::IllegalMove => "illegal_move",
            Self::ScoreMismatch => "score_mismatch",
            Self::WrongMarker => "wrong_marker",
            Self::MissingMarker => "missing_marker",
        }
    }
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// A place in a record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based, in characters.
    pub column: u32,
    /// The word, 1-based in the body. `None` outside the body.
    pub word: Option<u32>,
    /// The ply that the word is or would be. `None` outside the body and at the end marker.
    pub ply: Option<u32>,
}

impl Place {
    /// Returns the place of a byte offset in a text.
    pub(crate) fn at(text: &[u8], offset: usize) -> Self {
        let before = &text[..offset.min(text.len())];
        // Editors end a line at a CR without LF, so people who look for a place count it too.
        let ends_line =
            |&at: &usize| before[at] == b'\n' || before[at] == b'\r' && text.get(at + 1) != Some(&b'\n');
        let line_start = (0..before.len()).rev().find(ends_line).map_or(0, |at| at + 1);
        let lines = (0..before.len()).filter(ends_line).count();
        // Characters are counted by their first byte, so that text outside UTF-8 has columns too.
        let characters = before[line_start..].iter().filter(|&&b| b & 0xC0 != 0x80).count();
        Self { line: lines as u32 + 1, column: characters as u32 + 1, word: None, ply: None }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)?;
        self.ply.map_or(Ok(()), |ply| write!(f, ", ply {ply}"))
    }
}

/// An error in a record: the rule, the place, and what was expected.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The finer identifier, such as `notation.rug.no-common-side` or `marrakech.rug.covers-whole-rug`.
    pub rule: &'static str,
    /// A sentence for people that states the rule, independent of the position.
    pub detail: String,
    /// The reason the rule applies here, if a position is known: `c3d3 would cover both halves of the rug
    /// that seat 2 laid at ply 14`.
    pub why: Option<String>,
    /// The expected text, if it can be named.
    pub expected: Option<Cow<'static, str>>,
    /// The place of the error.
    pub place: Place,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} [{}, {}]", self.place, self.detail, self.kind, self.rule)?;
        if let Some(why) = &self.why {
            write!(f, "; here {why}")?;
        }
        if let Some(expected) = &self.expected {
            write!(f, "; expected {expected}")?;
        }
        Ok(())
    }
}

impl core::error::Error for Error {}
