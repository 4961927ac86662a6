//! `assam validate --json`: one JSON object a line, for machines.

use assam_notation::{Error, Piece};
use serde::Serialize;

use super::Tally;
use crate::referee::Verdict;

/// One line of the report.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Row<'a> {
    /// What became of a record.
    Record(Record<'a>),
    /// A source that cannot be read, or not to its end.
    Unreadable { source: &'a str, reason: String },
    /// The last line.
    Summary { sources: u64, unreadable: u64, records: u64, good: u64, masked: u64, refused: u64 },
}

/// What became of a record.
#[derive(Serialize)]
pub struct Record<'a> {
    source: &'a str,
    /// From 1 in its source.
    number: u64,
    /// Line of its source on which it begins, from 1.
    line: u64,
    valid: bool,
    /// The last valid ply.
    ply: u32,
    /// The end marker that belongs there; empty where the first line broke.
    marker: &'a str,
    /// Is something in it masked? Then it is right as far as can be seen.
    masked: bool,
    error: Option<Broken<'a>>,
}

/// Where and why a record broke.
#[derive(Serialize)]
struct Broken<'a> {
    code: &'static str,
    rule: &'static str,
    /// Line of the source, from 1.
    line: u64,
    /// In characters, from 1.
    column: u32,
    /// From 1 in the body.
    word: Option<u32>,
    ply: Option<u32>,
    detail: &'a str,
    why: Option<&'a str>,
    expected: Option<&'a str>,
}

impl<'a> Row<'a> {
    /// What became of a record.
    pub fn record(source: &'a str, number: u64, piece: Piece<'_>, verdict: &'a Verdict) -> Self {
        Self::Record(Record {
            source,
            number,
            line: piece.line,
            valid: verdict.error.is_none(),
            ply: verdict.ply,
            marker: &verdict.marker,
            masked: verdict.masked,
            error: verdict.error.as_ref().map(|error| Broken::of(error, piece)),
        })
    }

    /// How many of each there were.
    pub fn summary(tally: &Tally) -> Self {
        let Tally { sources, unreadable, good, masked, refused } = *tally;
        Self::Summary { sources, unreadable, records: good + refused, good, masked, refused }
    }

    /// The line, with its end.
    pub fn line(&self) -> String {
        let mut line =
            serde_json::to_string(self).expect("rows have string keys only, and nothing that fails");
        line.push('\n');
        line
    }
}

impl<'a> Broken<'a> {
    fn of(error: &'a Error, piece: Piece<'_>) -> Self {
        Self {
            code: error.code.as_str(),
            rule: error.rule,
            line: piece.line + u64::from(error.place.line) - 1,
            column: error.place.column,
            word: error.place.word,
            ply: error.place.ply,
            detail: &error.detail,
            why: error.why.as_deref(),
            expected: error.expected.as_deref(),
        }
    }
}
