//! `assam validate --json`: one JSON object a line, for machines.

use assam_notation::{Error, Piece};
use assam_referee::Verdict;
use serde::Serialize;

use super::tally::Tally;

/// One line of the report.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Row<'a> {
    /// A record that was judged.
    Record(RecordRow<'a>),
    /// A source that cannot be read to its end.
    Unreadable { source: &'a str, reason: String },
    /// The last line, with the counts.
    Summary { sources: u64, unreadable: u64, records: u64, good: u64, masked: u64, refused: u64 },
}

/// A record that was judged.
#[derive(Serialize)]
pub struct RecordRow<'a> {
    source: &'a str,
    /// The number of the record in its source, from 1.
    number: u64,
    /// The line of its source on which it begins, from 1.
    line: u64,
    valid: bool,
    /// The last valid ply.
    ply: u32,
    /// The end marker that belongs there; empty where the first line broke.
    marker: &'a str,
    /// Whether anything in it is masked. If so, it is valid in everything that is visible.
    masked: bool,
    error: Option<RowError<'a>>,
}

/// Where and why a record broke.
#[derive(Serialize)]
struct RowError<'a> {
    code: &'static str,
    rule: &'static str,
    /// The line of the source, from 1.
    line: u64,
    /// The column, in characters, from 1.
    column: u32,
    /// The word of the body, from 1.
    word: Option<u32>,
    ply: Option<u32>,
    detail: &'a str,
    why: Option<&'a str>,
    expected: Option<&'a str>,
}

impl<'a> Row<'a> {
    /// Returns the row of a record.
    pub fn record(source: &'a str, number: u64, piece: Piece<'_>, verdict: &'a Verdict) -> Self {
        Self::Record(RecordRow {
            source,
            number,
            line: piece.line,
            valid: verdict.error.is_none(),
            ply: verdict.ply,
            marker: &verdict.marker,
            masked: verdict.masked,
            error: verdict.error.as_ref().map(|error| RowError::of(error, piece)),
        })
    }

    /// Returns the row with the counts.
    pub fn summary(tally: &Tally) -> Self {
        let Tally { sources, unreadable, good, masked, refused } = *tally;
        Self::Summary { sources, unreadable, records: good + refused, good, masked, refused }
    }

    /// Returns the line, with its end.
    pub fn line(&self) -> String {
        let mut line =
            serde_json::to_string(self).expect("rows have string keys only, and nothing that fails");
        line.push('\n');
        line
    }
}

impl<'a> RowError<'a> {
    fn of(error: &'a Error, piece: Piece<'_>) -> Self {
        Self {
            code: error.kind.as_str(),
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
