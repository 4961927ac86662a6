//! The destination of converted records, as text or as rows.

use std::io::{self, BufWriter, Write};

use super::made::Target;
use crate::records::sheet::csv::CsvRows;
#[cfg(feature = "parquet")]
use crate::records::sheet::parquet::{ParquetFile, RowBatch};

/// An output being written.
pub enum Destination<W: Write + Send> {
    Text(BufWriter<W>),
    /// Rows of a table.
    #[cfg(feature = "parquet")]
    Parquet(Box<ParquetFile<W>>),
}

impl<W: Write + Send> Destination<W> {
    /// Begins an output. A CSV table begins with its header.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn begin(target: Target, out: W) -> io::Result<Self> {
        match target {
            #[cfg(feature = "parquet")]
            Target::Parquet(sheet) => Ok(Self::Parquet(Box::new(ParquetFile::begin(sheet, out)?))),
            Target::Csv(sheet) => {
                let mut out = BufWriter::new(out);
                out.write_all(&CsvRows::header(sheet))?;
                Ok(Self::Text(out))
            }
            Target::Canonical | Target::File | Target::Json { .. } | Target::Positions => {
                Ok(Self::Text(BufWriter::new(out)))
            }
        }
    }

    /// Writes text, if this destination takes text.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn text(&mut self, text: &[u8]) -> io::Result<()> {
        match self {
            Self::Text(out) => out.write_all(text),
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => Ok(()),
        }
    }

    /// Writes rows, if this destination takes rows.
    ///
    /// # Errors
    /// The errors of the output.
    #[cfg(feature = "parquet")]
    pub fn rows(&mut self, rows: &RowBatch) -> io::Result<()> {
        match self {
            Self::Text(_) => Ok(()),
            Self::Parquet(file) => file.add(rows),
        }
    }

    /// Writes buffered output, as far as the form allows.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Text(out) => out.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(_) => Ok(()),
        }
    }

    /// Ends the output, and returns its writer.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Text(out) => out.into_inner().map_err(io::IntoInnerError::into_error),
            #[cfg(feature = "parquet")]
            Self::Parquet(file) => file.finish(),
        }
    }
}
