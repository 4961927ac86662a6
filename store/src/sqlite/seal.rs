//! Backup files: how they differ from served databases, and whether they are unchanged.

use std::path::{Path, PathBuf};

use assam_record::game::Bytes32;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};
use sha2::{Digest as _, Sha256};

use super::error::SqliteFault;
use super::session::{FileAccess, SqliteFile, connect};
use crate::StoreError;
use crate::health::database_fault::DatabaseError as _;

/// The application id of the SQLite file: "Assb" in ASCII.
const BACKUP: i32 = 0x4173_7362;

/// Marks a file as a backup, and stores the hash of its rows in it.
///
/// # Errors
/// Database errors.
pub fn seal(file: &Path) -> Result<(), StoreError> {
    let sealed = || -> Result<(), Error> {
        let connection = Connection::open(file)?;
        let digest = digest(&connection)?;
        connection.execute_batch("CREATE TABLE backup (digest BLOB NOT NULL) STRICT")?;
        connection.execute("INSERT INTO backup VALUES (?1)", [digest])?;
        connection.pragma_update(None, "application_id", BACKUP)
    };
    Ok(sealed().map_err(SqliteFault::from)?)
}

/// Turns a backup into an ordinary database, which is served and changes.
pub(super) fn unseal(connection: &Connection) -> Result<(), Error> {
    if is_sealed(connection)? {
        connection.execute_batch("DROP TABLE IF EXISTS backup")?;
        connection.pragma_update(None, "application_id", 0)?;
    }
    Ok(())
}

/// Checks that a backup is unchanged. The file of a service is not sealed, and not checked.
///
/// # Errors
/// A description of the damage.
pub fn check(file: &Path) -> Result<(), String> {
    let checked = || -> Result<bool, Error> {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        if !is_sealed(&connection)? {
            return Ok(true);
        }
        let sealed: Bytes32 = connection.query_row("SELECT digest FROM backup", [], |row| row.get(0))?;
        Ok(sealed == digest(&connection)?)
    };
    match checked() {
        Ok(true) => Ok(()),
        Ok(false) => Err("it has changed since it was written".to_owned()),
        Err(error) => Err(error.describe()),
    }
}

/// Returns whether a backup may get this name: if there is no file, or an earlier backup that no process uses
/// as a database. SQLite would take leftover files of such a database for parts of the new one.
pub fn may_become_backup(file: &Path) -> bool {
    let beside = ["-wal", "-shm", "-journal"].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    let is_earlier = || {
        // Backups are never written. Opened like this, SQLite creates no file next to it, or next to any
        // other file.
        let opened = connect(&SqliteFile { path: file.to_owned(), access: FileAccess::ReadUnchanging });
        file.is_file() && opened.and_then(|file| is_sealed(&file)).unwrap_or(false)
    };
    (!file.exists() || is_earlier()) && !beside.iter().any(|path| path.exists())
}

/// Either of its marks is enough, since the other may be damaged.
fn is_sealed(connection: &Connection) -> Result<bool, Error> {
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let table = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'backup')";
    Ok(id == BACKUP || connection.query_row(table, [], |row| row.get(0))?)
}

/// Returns the SHA-256 of all rows of all tables, regardless of their order in the file.
fn digest(connection: &Connection) -> Result<Bytes32, Error> {
    let mut names = connection.prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'backup' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )?;
    let names: Vec<String> = names.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?;
    let mut hash = Sha256::new();
    let mut add = |kind: u8, bytes: &[u8]| {
        hash.update([kind]);
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    };
    for name in names {
        add(b't', name.as_bytes());
        let width = connection.prepare(&format!("SELECT * FROM \"{name}\""))?.column_count();
        // The order of the primary key of each table.
        let order: Vec<String> = (1..=width.min(5)).map(|column| column.to_string()).collect();
        let select = format!("SELECT * FROM \"{name}\" ORDER BY {}", order.join(", "));
        let mut rows = connection.prepare(&select)?;
        let mut rows = rows.query([])?;
        while let Some(row) = rows.next()? {
            for column in 0..width {
                match row.get_ref(column)? {
                    ValueRef::Null => add(b'n', &[]),
                    ValueRef::Integer(number) => add(b'i', &number.to_be_bytes()),
                    ValueRef::Real(number) => add(b'r', &number.to_be_bytes()),
                    ValueRef::Text(text) => add(b's', text),
                    ValueRef::Blob(bytes) => add(b'b', bytes),
                }
            }
        }
    }
    Ok(hash.finalize().into())
}
