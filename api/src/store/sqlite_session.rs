//! Connections to SQLite: how they are set up, and what is asked of them.

use std::path::Path;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, Row, ToSql};

use super::row::Cells;
use super::sqlite_error::SqliteFault;
use super::statement::Statement;
use super::value::Value;

/// How long a connection waits for a lock of another process.
pub(super) const LOCKED: Duration = Duration::from_secs(2);

/// Opens a connection.
pub(super) fn connect(path: &Path) -> Result<Connection, Error> {
    let connection = Connection::open(path)?;
    connection.busy_timeout(LOCKED)?;
    // A statement is planned once, not again for every value that is bound to it.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// Runs a statement that changes rows, and returns how many.
pub(super) fn execute(connection: &Connection, statement: &Statement) -> Result<usize, Error> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    bind(&mut prepared, &statement.params)?;
    prepared.raw_execute()
}

/// Runs a statement that reads rows.
pub(super) fn query(connection: &Connection, statement: &Statement) -> Result<Vec<Cells>, SqliteFault> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    let width = prepared.column_count();
    bind(&mut prepared, &statement.params)?;
    let mut found = prepared.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(Cells::new(cells(row, width)?));
    }
    Ok(rows)
}

/// Returns the columns of a row.
pub(super) fn cells(row: &Row<'_>, width: usize) -> Result<Vec<Value>, Error> {
    (0..width).map(|column| row.get_ref(column).map(Value::from)).collect()
}

/// Binds `$1` to the first parameter and so on: SQLite numbers them by their first appearance.
pub(super) fn bind(prepared: &mut rusqlite::Statement<'_>, params: &[Value]) -> Result<(), Error> {
    for place in 1..=prepared.parameter_count() {
        let number = prepared.parameter_name(place).and_then(|name| name.strip_prefix('$')?.parse().ok());
        let value = number.and_then(|number: usize| params.get(number.checked_sub(1)?));
        prepared.raw_bind_parameter(place, value.unwrap_or(&Value::Null))?;
    }
    Ok(())
}

impl ToSql for Value {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, Error> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Flag(flag) => ValueRef::Integer((*flag).into()),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            // No column holds a fraction: STRICT tables.
            ValueRef::Real(_) => Self::Null,
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}
