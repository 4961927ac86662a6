//! Tables as CSV (RFC 4180).

use std::fmt::Write as _;

use assam_referee::Datum;
use csv::{Terminator, Writer, WriterBuilder};

use super::Sheet;

/// Rows of a table as CSV.
pub struct CsvRows {
    writer: Writer<Vec<u8>>,
    field: String,
}

/// Returns whether a spreadsheet would take a text for a formula, or for an already escaped one. Such texts
/// get an apostrophe, and removing one apostrophe restores every text.
fn is_formula(text: &str) -> bool {
    let begins = ['=', '+', '-', '@', '\t', '\r', '\n', '\'', '＝', '＋', '－', '＠'];
    text.starts_with(begins)
}

impl CsvRows {
    /// Begins without rows or a header, after the contents of `text`.
    pub fn behind(text: Vec<u8>) -> Self {
        let writer = WriterBuilder::new().terminator(Terminator::CRLF).from_writer(text);
        Self { writer, field: String::new() }
    }

    pub fn header(sheet: Sheet) -> Vec<u8> {
        let mut rows = Self::behind(Vec::new());
        // Writing to memory cannot fail.
        let _ = rows.writer.write_record(sheet.layout().columns.iter().map(|column| &column.name));
        rows.finish()
    }

    pub fn add(&mut self, row: &[Datum]) {
        for datum in row {
            self.field.clear();
            let field = match datum {
                Datum::Nothing => "",
                Datum::Number(number) => {
                    let _ = write!(self.field, "{number}");
                    &self.field
                }
                Datum::Flag(flag) => {
                    if *flag {
                        "true"
                    } else {
                        "false"
                    }
                }
                Datum::Text(text) if is_formula(text) => {
                    self.field.push('\'');
                    self.field.push_str(text);
                    &self.field
                }
                Datum::Text(text) => text,
            };
            let _ = self.writer.write_field(field);
        }
        let _ = self.writer.write_record(None::<&[u8]>);
    }

    /// Returns the text.
    pub fn finish(self) -> Vec<u8> {
        self.writer.into_inner().unwrap_or_default()
    }
}
