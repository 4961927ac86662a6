//! Verdicts on records, and their reports.

use assam_api::bulk::RecordRow;
use assam_notation::Piece;
use assam_referee::{Verdict, verdict};
use serde::Serialize;

use crate::process::look::Look;
use crate::records::diagnosis;
use crate::records::parallel_records::RecordChunk;

/// The format of a report.
#[derive(Clone, Copy)]
pub enum Format {
    /// For people: the refused records, each with the line where it breaks.
    Text {
        /// Whether good records are listed too.
        verbose: bool,
        look: Look,
    },
    /// For machines: one JSON object per line, for every record.
    Json,
}

/// The report on some records.
#[derive(Default)]
pub struct Judged {
    /// The lines of the report.
    pub told: String,
    /// The numbers of good, masked and refused records.
    pub tally: Tally,
}

impl Judged {
    pub fn new(format: Format, chunk: &RecordChunk) -> Self {
        let mut judged = Self::default();
        for given in chunk.records() {
            judged.add(format, &chunk.source, given.number, given.piece);
        }
        judged
    }

    fn add(&mut self, format: Format, source: &str, number: u64, piece: Piece<'_>) {
        let verdict = verdict(piece.bytes);
        match verdict.error {
            None => {
                self.tally.good += 1;
                self.tally.masked += u64::from(verdict.masked);
            }
            Some(_) => self.tally.refused += 1,
        }
        self.told += &match format {
            Format::Json => Row::record(source, number, piece, &verdict).line(),
            Format::Text { verbose, look } => match &verdict.error {
                Some(error) => diagnosis::render(source, piece, error, look),
                None if verbose => good_line(source, piece, &verdict),
                None => return,
            },
        };
    }
}

fn good_line(source: &str, piece: Piece<'_>, verdict: &Verdict) -> String {
    let good = if verdict.masked { "good as far as visible" } else { "good" };
    format!("{source}:{}: {good}, {} plies, {}\n", piece.line, verdict.ply, verdict.marker)
}

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

/// Counts of records and of their sources.
#[derive(Default)]
pub struct Tally {
    pub sources: u64,
    pub unreadable: u64,
    pub good: u64,
    /// The good ones that are masked, and so good only as far as visible.
    pub masked: u64,
    pub refused: u64,
}

impl Tally {
    /// Adds the counts of others.
    pub fn add(&mut self, others: &Self) {
        let Self { sources, unreadable, good, masked, refused } = others;
        self.sources += sources;
        self.unreadable += unreadable;
        self.good += good;
        self.masked += masked;
        self.refused += refused;
    }
}
