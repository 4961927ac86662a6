//! Verdicts on records, and what is said of them.

use assam_notation::Piece;
use assam_referee::{Verdict, verdict};

use super::row::Row;
use super::tally::Tally;
use crate::diagnosis;
use crate::look::Look;
use crate::parallel_records::RecordChunk;

/// The format of a report.
#[derive(Clone, Copy)]
pub enum Format {
    /// For people: the refused records, each with the line where it broke.
    Text {
        /// Whether good records are listed too.
        verbose: bool,
        look: Look,
    },
    /// For machines: one JSON object per line, for every record.
    Json,
}

/// What is said of some records.
#[derive(Default)]
pub struct Judged {
    /// The lines of the report.
    pub told: String,
    /// How many records are good, masked and refused.
    pub tally: Tally,
}

impl Judged {
    /// Judges the records of a chunk.
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
