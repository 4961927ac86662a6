//! `assam validate --json`: one JSON object a line, for machines.

use assam_api::bulk::RecordRow;
use assam_notation::Piece;
use assam_referee::Verdict;
use serde::Serialize;

use super::tally::Tally;

/// One line of the report.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Row<'a> {
    /// A record that was judged.
    Record(Box<RecordRow<'a>>),
    /// A source that cannot be read to its end.
    Unreadable { source: &'a str, reason: String },
    /// The last line, with the counts.
    Summary { sources: u64, unreadable: u64, records: u64, good: u64, masked: u64, refused: u64 },
}

impl<'a> Row<'a> {
    /// Returns the row of a record.
    pub fn record(source: &'a str, number: u64, piece: Piece<'_>, verdict: &'a Verdict) -> Self {
        Self::Record(Box::new(RecordRow::new(Some(source), number, piece, piece.line, verdict)))
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
