//! What comes of records in another form.

use assam_referee::AnyRecord;

use super::json;
use crate::diagnosis;
use crate::look::Look;
use crate::plies::Plies;
use crate::shares::{Given, Share};
use crate::sheet::Sheet;
use crate::sheet::csv::CsvRows;
#[cfg(feature = "parquet")]
use crate::sheet::parquet::RowBatch;

/// What is made of records.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// Canonical text.
    Canonical,
    /// The file form.
    File,
    /// A line of JSON for each.
    Json {
        /// Whether it has the state after every ply.
        has_states: bool,
    },
    /// Position lines.
    Positions,
    /// Rows of a table as CSV.
    Csv(Sheet),
    /// Rows of a table as Parquet.
    #[cfg(feature = "parquet")]
    Parquet(Sheet),
}

/// What came of the records of a share.
pub struct Converted {
    /// How many are good.
    pub good: u64,
    /// The diagnoses of those that are refused.
    pub refused: Vec<String>,
    /// What was made of the good ones.
    pub made: Made,
}

/// What was made of records.
pub enum Made {
    /// A text: with an empty line before each record, if records are separated in this form.
    Text(Vec<u8>),
    /// Rows.
    #[cfg(feature = "parquet")]
    Rows(RowBatch),
}

impl Target {
    /// Returns whether there is an empty line between records.
    pub const fn is_separated(self) -> bool {
        matches!(self, Self::Canonical | Self::File | Self::Positions)
    }
}

impl Converted {
    /// Converts the records of a share.
    pub fn of(target: Target, look: Look, share: &Share) -> Self {
        let mut refused = Vec::new();
        let good = share.records().filter_map(|given| {
            let record = AnyRecord::read(given.piece.bytes);
            match &record.verdict {
                Ok(()) => Some((given, record)),
                Err(error) => {
                    refused.push(diagnosis::render(&share.source, given.piece, error, look));
                    None
                }
            }
        });
        let mut count = 0;
        let good = good.inspect(|_| count += 1);
        let made = Made::of(target, &share.source, good);
        Self { good: count, refused, made }
    }
}

impl Made {
    fn of<'a>(target: Target, source: &str, records: impl Iterator<Item = (Given<'a>, AnyRecord)>) -> Self {
        let text = |form: fn(&AnyRecord) -> String,
                    records: &mut dyn Iterator<Item = (Given<'a>, AnyRecord)>| {
            Self::Text(records.flat_map(|(_, record)| format!("\n{}", form(&record)).into_bytes()).collect())
        };
        let mut records = records;
        match target {
            Target::Canonical => text(AnyRecord::canonical, &mut records),
            Target::File => text(AnyRecord::file_form, &mut records),
            Target::Positions => text(positions, &mut records),
            Target::Json { has_states } => {
                let line = |record: &AnyRecord| Some(json::line(record, Plies::of(record)?, has_states));
                let mut lines = String::new();
                records.for_each(|(_, record)| lines.extend(line(&record)));
                Self::Text(lines.into_bytes())
            }
            Target::Csv(sheet) => {
                let mut rows = CsvRows::new();
                records
                    .for_each(|(given, record)| sheet.each_row(source, given, &record, |row| rows.add(row)));
                Self::Text(rows.finish())
            }
            #[cfg(feature = "parquet")]
            Target::Parquet(sheet) => {
                let mut rows = RowBatch::of(sheet);
                records
                    .for_each(|(given, record)| sheet.each_row(source, given, &record, |row| rows.add(row)));
                Self::Rows(rows)
            }
        }
    }
}

fn positions(record: &AnyRecord) -> String {
    let mut lines = String::new();
    let Some(mut plies) = Plies::of(record) else { return lines };
    loop {
        lines.extend([&plies.table().position_line(), "\n"]);
        if !plies.advance() {
            return lines;
        }
    }
}
