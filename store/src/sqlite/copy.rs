//! Copies whole databases as SQLite files.

use std::ops::ControlFlow;
use std::path::Path;

use rusqlite::{Connection, Error, ErrorCode, OpenFlags};

use super::error::SqliteFault;
use super::session::{bind, cells, prepare};
use crate::StoreError;
use crate::sql::tables::{CopiedTable, WITHOUT_KEYS, tables};
use crate::sql::value::Value;

/// Copies an existing database, as of one moment, into a file that is missing or empty, while others may read
/// and write it. Returns whether it did, which it does not for other kinds of databases.
///
/// # Errors
/// Database errors, and if the file cannot be written.
pub fn copy(from: &Path, to: &Path) -> Result<bool, StoreError> {
    // Does not create a missing file. It is only read, and may be write-protected.
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let copied = || -> Result<bool, SqliteFault> {
        let connection = Connection::open_with_flags(from, flags)?;
        let ours =
            "SELECT count(*) = 2 FROM sqlite_schema WHERE name IN ('games', 'refinery_schema_history')";
        match connection.query_row(ours, [], |row| row.get(0)) {
            Ok(true) => {}
            Ok(false) => return Ok(false),
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => return Ok(false),
            Err(error) => return Err(error.into()),
        }
        connection.execute("VACUUM INTO ?1", [name(to)?])?;
        Ok(true)
    };
    Ok(copied()?)
}

fn name(path: &Path) -> Result<&str, SqliteFault> {
    let unnamed = || StoreError::Backend("SQLite cannot use a path that is not UTF-8".to_owned());
    path.to_str().ok_or_else(|| SqliteFault::Store(unnamed()))
}

/// Reads the rows of a statement, as long as `take` wants more.
pub(super) fn each_row(
    connection: &Connection,
    select: &str,
    mut take: impl FnMut(Vec<Value>) -> ControlFlow<()>,
) -> Result<(), SqliteFault> {
    let mut prepared = connection.prepare(select)?;
    let width = prepared.column_count();
    let mut rows = prepared.raw_query();
    while let Some(row) = rows.next()? {
        if take(cells(row, width)?).is_break() {
            break;
        }
    }
    Ok(())
}

/// Writes rows of a table, in one transaction.
pub(super) fn write_rows(
    connection: &mut Connection,
    table: &CopiedTable,
    rows: &[Vec<Value>],
) -> Result<(), SqliteFault> {
    let transaction = connection.transaction()?;
    let mut insert = prepare(&transaction, &table.insert())?;
    for row in rows {
        bind(&mut insert, row)?;
        insert.raw_execute()?;
    }
    drop(insert);
    Ok(transaction.commit()?)
}

/// Takes over all rows of a copy in one transaction, and returns whether it did, which it does not if there
/// are games.
pub(super) fn take_all(connection: &mut Connection, copy: &Path) -> Result<bool, SqliteFault> {
    connection.execute("ATTACH ?1 AS copy", [name(copy)?])?;
    let taken = take_attached(connection);
    connection.execute("DETACH copy", [])?;
    Ok(taken?)
}

fn take_attached(connection: &mut Connection) -> Result<bool, Error> {
    let transaction = connection.transaction()?;
    if transaction.query_row("SELECT EXISTS (SELECT 1 FROM main.games)", [], |row| row.get(0))? {
        return Ok(false);
    }
    transaction.execute(WITHOUT_KEYS, [])?;
    for table in tables() {
        transaction.execute(&table.insert_from("copy"), [])?;
    }
    transaction.commit()?;
    Ok(true)
}
