//! Judges records and position lines from elsewhere. Their first line names the rule set.

use std::convert::Infallible;

use assam_notation::{Error, MAX_RECORD, Piece, Splitter, read_record, validate_record};

use crate::record::ruleset_of;
use crate::slip::add_slip;
use crate::table_of::TableOf;
use crate::{AnyRecord, Play as _, Ruleset, Shown, Table, Visitor};

/// The verdict on a record, without its words.
pub struct Verdict {
    /// The last valid ply.
    pub ply: u32,
    /// The end marker that fits there, empty if the first line broke.
    pub marker: String,
    /// Whether something in it is masked. The record is then valid in everything visible.
    pub masked: bool,
    /// The game after the valid part, or `None` if the first line broke.
    pub table: Option<Box<dyn Table>>,
    /// The first error, or `None` if the record is complete and valid.
    pub error: Option<Error>,
}

/// Returns the single record of a text without the blank lines before it, which a [`Splitter`] skips too. A
/// text with more records, or with none, is returned unchanged.
pub fn record_in(text: &[u8]) -> Piece<'_> {
    let mut found = Vec::new();
    let mut keep = |piece: Piece<'_>| {
        found.push((piece.bytes.len(), piece.line, piece.column));
        Ok::<(), Infallible>(())
    };
    let mut splitter = Splitter::new();
    let Ok(()) = splitter.feed(text, &mut keep);
    let Ok(()) = splitter.finish(&mut keep);
    match found[..] {
        [(length, line, column)] if length <= MAX_RECORD => {
            Piece { line, column, bytes: &text[text.len() - length..] }
        }
        _ => Piece { line: 1, column: 1, bytes: text },
    }
}

/// Judges a record or a position line.
pub fn judge(text: &[u8]) -> AnyRecord {
    let piece = record_in(text);
    let mut record = judge_alone(piece.bytes);
    if let Err(error) = &mut record.verdict {
        error.place = piece.place(error.place);
    }
    record
}

fn judge_alone(text: &[u8]) -> AnyRecord {
    let line = std::str::from_utf8(text).ok().map(|text| text.strip_suffix('\n').unwrap_or(text));
    let line = line.map(|line| line.strip_suffix('\r').unwrap_or(line));
    let is_position =
        |line: &&str| !line.starts_with("MKN/") && !line.contains('\n') && line.contains(" position=");
    line.filter(is_position).map_or_else(|| AnyRecord::read(text), AnyRecord::of_position_line)
}

/// Judges a record without keeping its words.
pub fn verdict(record: &[u8]) -> Verdict {
    ruleset_of(record).visit(Briefly(record))
}

struct Briefly<'a>(&'a [u8]);

impl Visitor for Briefly<'_> {
    type Output = Verdict;

    fn visit<G: Shown>(self, _: Ruleset) -> Verdict {
        // Most records are good and need not keep their words.
        let (replay, error) = match validate_record::<G>(self.0) {
            Ok(replay) => (Some(replay), None),
            Err(error) => {
                let record = read_record::<G>(self.0);
                let error = add_slip(self.0, &record, error);
                (record.replay, Some(error))
            }
        };
        let table = replay.map(TableOf::new);
        Verdict {
            ply: table.as_ref().map(|table| table.ply()).unwrap_or_default(),
            marker: table.as_ref().map(|table| table.marker()).unwrap_or_default(),
            masked: table.as_ref().is_some_and(|table| table.is_masked()),
            table: table.map(|table| Box::new(table) as Box<dyn Table>),
            error: error.map(|error| Ruleset::name_known(error, self.0)),
        }
    }
}
