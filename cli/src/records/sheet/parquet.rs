//! Tables as Parquet.

use std::io::{self, Write};
use std::sync::Arc;

use assam_referee::{ColumnKind, Datum};
use bytes::Bytes;
use parquet::basic::{Compression, LogicalType, Repetition, Type as PhysicalType, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

use super::Sheet;

/// The approximate number of rows in a row group.
const GROUP: usize = 32 * 1024;

/// Rows of a table, column by column.
pub struct RowBatch {
    rows: usize,
    columns: Vec<ColumnCells>,
}

/// A column of some rows.
struct ColumnCells {
    /// For each row, 1 if it has a value, else 0.
    levels: Vec<i16>,
    values: Filled,
}

/// The values of a column, without gaps.
enum Filled {
    Numbers(Vec<i64>),
    Flags(Vec<bool>),
    /// Texts one after another, and the end of each.
    Texts(Vec<u8>, Vec<usize>),
}

/// A file being written.
pub struct ParquetFile<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    sheet: Sheet,
    gathered: RowBatch,
}

impl RowBatch {
    /// Begins without rows.
    pub fn new(sheet: Sheet) -> Self {
        let cells = |kind| ColumnCells {
            levels: Vec::new(),
            values: match kind {
                ColumnKind::Number => Filled::Numbers(Vec::new()),
                ColumnKind::Flag => Filled::Flags(Vec::new()),
                ColumnKind::Text | ColumnKind::Dice => Filled::Texts(Vec::new(), Vec::new()),
            },
        };
        Self { rows: 0, columns: sheet.layout().columns.iter().map(|column| cells(column.kind)).collect() }
    }

    pub fn add(&mut self, row: &[Datum]) {
        self.rows += 1;
        for (ColumnCells { levels, values }, datum) in self.columns.iter_mut().zip(row) {
            let is_there = match (values, datum) {
                (Filled::Numbers(numbers), Datum::Number(number)) => {
                    numbers.push(*number);
                    true
                }
                (Filled::Flags(flags), Datum::Flag(flag)) => {
                    flags.push(*flag);
                    true
                }
                (Filled::Texts(texts, ends), Datum::Text(text)) => {
                    texts.extend_from_slice(text.as_bytes());
                    ends.push(texts.len());
                    true
                }
                (_, Datum::Nothing | Datum::Number(_) | Datum::Flag(_) | Datum::Text(_)) => false,
            };
            levels.push(is_there.into());
        }
    }

    fn append(&mut self, other: &Self) {
        self.rows += other.rows;
        for (ColumnCells { levels, values }, more) in self.columns.iter_mut().zip(&other.columns) {
            levels.extend_from_slice(&more.levels);
            match (values, &more.values) {
                (Filled::Numbers(numbers), Filled::Numbers(more)) => numbers.extend_from_slice(more),
                (Filled::Flags(flags), Filled::Flags(more)) => flags.extend_from_slice(more),
                (Filled::Texts(texts, ends), Filled::Texts(more, more_ends)) => {
                    let before = texts.len();
                    texts.extend_from_slice(more);
                    ends.extend(more_ends.iter().map(|end| before + end));
                }
                // Both belong to one sheet.
                (Filled::Numbers(_) | Filled::Flags(_) | Filled::Texts(..), _) => {}
            }
        }
    }
}

impl ColumnCells {
    fn write(self, writer: &mut SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
        let levels = Some(&self.levels[..]);
        match self.values {
            Filled::Numbers(numbers) => writer.typed::<Int64Type>().write_batch(&numbers, levels, None)?,
            Filled::Flags(flags) => writer.typed::<BoolType>().write_batch(&flags, levels, None)?,
            Filled::Texts(texts, ends) => {
                let texts = Bytes::from(texts);
                let begins = [0].into_iter().chain(ends.iter().copied());
                let texts = begins.zip(&ends).map(|(begin, &end)| ByteArray::from(texts.slice(begin..end)));
                let texts: Vec<ByteArray> = texts.collect();
                writer.typed::<ByteArrayType>().write_batch(&texts, levels, None)?
            }
        };
        Ok(())
    }
}

impl<W: Write + Send> ParquetFile<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// The errors of `out`.
    pub fn begin(sheet: Sheet, out: W) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            .set_created_by(concat!("assam ", env!("CARGO_PKG_VERSION")).to_owned())
            .build();
        let schema = schema(sheet).map_err(failed)?;
        let writer =
            SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(failed)?;
        Ok(Self { writer, sheet, gathered: RowBatch::new(sheet) })
    }

    /// Adds rows.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn add(&mut self, batch: &RowBatch) -> io::Result<()> {
        self.gathered.append(batch);
        if self.gathered.rows < GROUP { Ok(()) } else { self.write().map_err(failed) }
    }

    /// Ends the file, and returns the output.
    ///
    /// # Errors
    /// The errors of the output.
    pub fn finish(mut self) -> io::Result<W> {
        self.write().map_err(failed)?;
        self.writer.into_inner().map_err(failed)
    }

    /// Writes the gathered rows as a row group.
    fn write(&mut self) -> Result<(), ParquetError> {
        let gathered = std::mem::replace(&mut self.gathered, RowBatch::new(self.sheet));
        if gathered.rows == 0 {
            return Ok(());
        }
        let mut group = self.writer.next_row_group()?;
        for cells in gathered.columns {
            if let Some(mut column) = group.next_column()? {
                cells.write(&mut column)?;
                column.close()?;
            }
        }
        group.close()?;
        Ok(())
    }
}

fn schema(sheet: Sheet) -> Result<Type, ParquetError> {
    let column = |name: &str, kind| {
        let (physical, logical) = match kind {
            ColumnKind::Number => (PhysicalType::INT64, None),
            ColumnKind::Flag => (PhysicalType::BOOLEAN, None),
            ColumnKind::Text | ColumnKind::Dice => (PhysicalType::BYTE_ARRAY, Some(LogicalType::String)),
        };
        let column = Type::primitive_type_builder(name, physical).with_repetition(Repetition::OPTIONAL);
        column.with_logical_type(logical).build().map(Arc::new)
    };
    let columns = sheet.layout().columns.iter().map(|of| column(&of.name, of.kind));
    let name = match sheet {
        Sheet::Games => "games",
        Sheet::Plies(_) => "plies",
    };
    Type::group_type_builder(name).with_fields(columns.collect::<Result<_, _>>()?).build()
}

/// Returns the output error behind an error of the format.
fn failed(error: ParquetError) -> io::Error {
    let ParquetError::External(source) = error else { return io::Error::other(error) };
    source.downcast::<io::Error>().map_or_else(io::Error::other, |error| *error)
}
