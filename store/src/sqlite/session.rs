//! Connections to SQLite: their settings, and their statements.

use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;

use rusqlite::config::DbConfig;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, Error, OpenFlags, Row, ToSql};

use super::error::SqliteFault;
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::Value;

/// How long a connection waits for a lock of another process.
pub(super) const LOCKED: Duration = Duration::from_secs(2);

/// The wait between two attempts.
pub(super) const LOOK: Duration = Duration::from_millis(1);

/// Prepared statements of a connection: all that write, and half of the statements of lists under every
/// filter. The widest takes 50 kB.
const PREPARED: usize = 128;

#[derive(Clone, Debug)]
pub(super) struct SqliteFile {
    pub(super) path: PathBuf,
    pub(super) access: FileAccess,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum FileAccess {
    /// It is read and written.
    Write,
    /// It is read, while others may write.
    Read,
    /// It is read and never written, so SQLite creates no file next to it.
    ReadUnchanging,
}

pub(super) fn connect(file: &SqliteFile) -> Result<Connection, Error> {
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = match file.access {
        FileAccess::Write => Connection::open(&file.path)?,
        FileAccess::Read => Connection::open_with_flags(&file.path, flags)?,
        FileAccess::ReadUnchanging => {
            let uri = format!("file:{}?immutable=1", escaped(&file.path));
            Connection::open_with_flags(uri, flags | OpenFlags::SQLITE_OPEN_URI)?
        }
    };
    wait_for_others(&connection)?;
    connection.set_prepared_statement_cache_capacity(PREPARED);
    // A statement is planned once, not again for every bound value.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    Ok(connection)
}

/// Makes a connection wait for a lock of another process. SQLite's own timeout ends up checking every 100 ms,
/// and misses a process that writes without a pause and releases the lock for a moment after each change.
pub(super) fn wait_for_others(connection: &Connection) -> Result<(), Error> {
    connection.busy_handler(Some(|looks| has_waited(looks, LOCKED)))
}

/// Waits for a lock, and returns whether to try again after this many attempts.
#[expect(clippy::disallowed_methods, reason = "SQLite waits on the thread that asks")]
pub(super) fn has_waited(looks: i32, patience: Duration) -> bool {
    let goes_on = LOOK.saturating_mul(looks.unsigned_abs()) < patience;
    if goes_on {
        thread::sleep(LOOK);
    }
    goes_on
}

/// Returns a path as a part of a URI.
fn escaped(path: &Path) -> String {
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/-_.~".contains(byte);
    let escape =
        |byte: u8| if is_plain(&byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    path.as_os_str().as_encoded_bytes().iter().copied().map(escape).collect()
}

/// Runs a statement that changes rows, and returns their number.
pub(super) fn execute(connection: &Connection, statement: &Statement) -> Result<usize, Error> {
    let mut prepared = prepare(connection, &statement.sql)?;
    bind(&mut prepared, &statement.params)?;
    prepared.raw_execute()
}

/// Runs a statement that changes rows with parameters such as `:id`, and returns their number. Ignores values
/// without a parameter.
pub(super) fn execute_named(
    connection: &Connection,
    sql: &str,
    row: &[(&str, Value)],
) -> Result<usize, Error> {
    let mut prepared = connection.prepare_cached(sql)?;
    for place in 1..=prepared.parameter_count() {
        let name = prepared.parameter_name(place).map(|name| &name[1..]);
        let value = row.iter().find(|(known, _)| Some(*known) == name).map(|(_, value)| value);
        prepared.raw_bind_parameter(place, value)?;
    }
    prepared.raw_execute()
}

/// Runs a statement that reads rows.
pub(super) fn query(connection: &Connection, statement: &Statement) -> Result<Vec<SqlRow>, SqliteFault> {
    let mut prepared = prepare(connection, &statement.sql)?;
    let width = prepared.column_count();
    bind(&mut prepared, &statement.params)?;
    let mut found = prepared.raw_query();
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        rows.push(SqlRow::new(cells(row, width)?));
    }
    Ok(rows)
}

/// Returns the columns of a row.
pub(super) fn cells(row: &Row<'_>, width: usize) -> Result<Vec<Value>, Error> {
    (0..width).map(|column| row.get_ref(column).map(Value::from)).collect()
}

/// Prepares a statement once. SQLite numbers `$1` and `$2` by first appearance, but `?1` and `?2` by their
/// numbers.
pub(super) fn prepare<'a>(connection: &'a Connection, sql: &str) -> Result<CachedStatement<'a>, Error> {
    connection.prepare_cached(&sql.replace('$', "?"))
}

/// Binds each parameter to its number, and ignores those that the statement does not have.
pub(super) fn bind(prepared: &mut rusqlite::Statement<'_>, params: &[Value]) -> Result<(), Error> {
    let places = 1..=prepared.parameter_count();
    places.zip(params).try_for_each(|(place, value)| prepared.raw_bind_parameter(place, value))
}

impl ToSql for Value {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, Error> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Flag(flag) => ValueRef::Integer((*flag).into()),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
            Self::Id(id) => ValueRef::Blob(id),
        }))
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            // Tables are STRICT, and no column holds a fraction.
            ValueRef::Real(_) => Self::Null,
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}
