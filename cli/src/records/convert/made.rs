//! Conversion of chunks of records.

use std::sync::Arc;

use assam_referee::{AnyRecord, Depth};
use parking_lot::Mutex;

use super::json;
use crate::process::look::Look;
use crate::records::diagnosis;
use crate::records::parallel_records::{ChunkRecord, RecordChunk};
use crate::records::plies::Plies;
use crate::records::sheet::csv::CsvRows;
#[cfg(feature = "parquet")]
use crate::records::sheet::parquet::RowBatch;
use crate::records::sheet::{Sheet, account_of};

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    Canonical,
    File,
    /// A line of JSON for each record.
    Json {
        /// Whether it has the state after every ply.
        has_states: bool,
    },
    Positions,
    /// Rows of a CSV table.
    Csv(Sheet),
    /// Rows of a Parquet table.
    #[cfg(feature = "parquet")]
    Parquet(Sheet),
}

/// The result for a chunk of records.
pub struct Converted {
    /// The number of good records.
    pub good: u64,
    /// The diagnoses of refused records.
    pub refused: Vec<String>,
    /// The output for the good ones.
    pub made: Made,
}

/// The output for some records.
pub enum Made {
    /// A text, with an empty line before each record if this form separates records.
    Text(Vec<u8>),
    #[cfg(feature = "parquet")]
    Rows(RowBatch),
}

/// Buffers of written texts, for reuse. If one thread frees the buffers of another, an allocator keeps them
/// for a while.
#[derive(Clone, Default)]
pub struct Spent(Arc<Mutex<Vec<Vec<u8>>>>);

impl Spent {
    /// Gives back the buffer of a written text.
    pub fn give(&self, text: Vec<u8>) {
        self.0.lock().push(text);
    }

    /// Returns an empty text.
    fn take(&self) -> Vec<u8> {
        let mut text = self.0.lock().pop().unwrap_or_default();
        text.clear();
        text
    }
}

impl Target {
    /// Returns whether it is a table of plies.
    pub const fn is_of_plies(self) -> bool {
        match self {
            Self::Csv(sheet) => matches!(sheet, Sheet::Plies(_)),
            #[cfg(feature = "parquet")]
            Self::Parquet(sheet) => matches!(sheet, Sheet::Plies(_)),
            Self::Canonical | Self::File | Self::Json { .. } | Self::Positions => false,
        }
    }

    /// Returns whether it is a table.
    pub const fn is_table(self) -> bool {
        match self {
            Self::Csv(_) => true,
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => true,
            Self::Canonical | Self::File | Self::Json { .. } | Self::Positions => false,
        }
    }

    /// Returns whether there is an empty line between records.
    pub const fn is_separated(self) -> bool {
        matches!(self, Self::Canonical | Self::File | Self::Positions)
    }
}

impl Converted {
    /// Converts the records of a chunk, in a spent buffer if there is one.
    pub fn new(target: Target, judge: Option<Depth>, look: Look, chunk: &RecordChunk, spent: &Spent) -> Self {
        let mut refused = Vec::new();
        let good = chunk.records().filter_map(|given| {
            let record = AnyRecord::read(given.piece.bytes);
            match &record.verdict {
                Ok(()) => Some((given, record)),
                Err(error) => {
                    refused.push(diagnosis::render(&chunk.source, given.piece, error, look));
                    None
                }
            }
        });
        let mut count = 0;
        let good = good.inspect(|_| count += 1);
        let made = Made::new(target, judge, &chunk.source, good, spent);
        Self { good: count, refused, made }
    }
}

impl Made {
    fn new<'a>(
        target: Target,
        judge: Option<Depth>,
        source: &str,
        records: impl Iterator<Item = (ChunkRecord<'a>, AnyRecord)>,
        spent: &Spent,
    ) -> Self {
        let separated = |text: String| format!("\n{text}");
        match target {
            Target::Canonical => Self::text(records, spent, |record| separated(record.canonical())),
            Target::File => Self::text(records, spent, |record| separated(record.file_form())),
            Target::Positions => Self::text(records, spent, |record| separated(positions(record))),
            Target::Json { has_states } => Self::text(records, spent, |record| {
                Plies::new(record).map(|plies| json::line(record, plies, has_states)).unwrap_or_default()
            }),
            Target::Csv(sheet) => {
                let mut rows = CsvRows::behind(spent.take());
                records.for_each(|(given, record)| {
                    let account = account_of(&record, judge);
                    sheet.each_row((source, given), &record, account.as_ref(), |row| rows.add(row));
                });
                Self::Text(rows.finish())
            }
            #[cfg(feature = "parquet")]
            Target::Parquet(sheet) => {
                let mut rows = RowBatch::new(sheet);
                records.for_each(|(given, record)| {
                    let account = account_of(&record, judge);
                    sheet.each_row((source, given), &record, account.as_ref(), |row| rows.add(row));
                });
                Self::Rows(rows)
            }
        }
    }

    fn text<'a>(
        records: impl Iterator<Item = (ChunkRecord<'a>, AnyRecord)>,
        spent: &Spent,
        form: impl Fn(&AnyRecord) -> String,
    ) -> Self {
        let mut text = spent.take();
        records.for_each(|(_, record)| text.extend_from_slice(form(&record).as_bytes()));
        Self::Text(text)
    }
}

fn positions(record: &AnyRecord) -> String {
    let mut lines = String::new();
    let Some(mut plies) = Plies::new(record) else { return lines };
    loop {
        lines.extend([&plies.table().position_line(), "\n"]);
        if !plies.advance() {
            return lines;
        }
    }
}
