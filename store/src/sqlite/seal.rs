//! Files that are backups: how they are told from databases that are served, and whether they still hold what was written.

use std::path::{Path, PathBuf};

use assam_record::game::Bytes32;
use rusqlite::types::ValueRef;
use rusqlite::{Connection, Error, OpenFlags};
use sha2::{Digest as _, Sha256};

use super::error::SqliteFault;
use super::session::{FileAccess, SqliteFile, connect};
use crate::StoreError;
use crate::health::database_fault::DatabaseError as _;

/// What SQLite calls the application id of a file: "Assb" in ASCII.
const BACKUP: i32 = 0x4173_7362;

/// Marks a file as a backup, and writes into it what its rows hash to.
///
/// # Errors
/// Of the database.
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

/// Makes a file that was a backup an ordinary database: it is served, and changes.
pub(super) fn unseal(connection: &Connection) -> Result<(), Error> {
    if is_sealed(connection)? {
        connection.execute_batch("DROP TABLE IF EXISTS backup")?;
        connection.pragma_update(None, "application_id", 0)?;
    }
    Ok(())
}

/// Checks that a backup holds what was written; the file of a service is not sealed, and not checked.
///
/// # Errors
/// What is wrong with it.
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
        Ok(false) => Err("it does not hold what was written".to_owned()),
        Err(error) => Err(error.describe()),
    }
}

/// Returns whether a backup may get this name: where there is no file, or an earlier backup that nobody uses as a database.
/// SQLite would take what such a database left beside its file for a part of the new one.
pub fn may_become_backup(file: &Path) -> bool {
    let beside = ["-wal", "-shm", "-journal"].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    });
    let is_earlier = || {
        // Nobody writes to a backup: read so, SQLite makes no file beside it, nor beside anything else.
        let opened = connect(&SqliteFile { path: file.to_owned(), access: FileAccess::ReadUnchanging });
        file.is_file() && opened.and_then(|file| is_sealed(&file)).unwrap_or(false)
    };
    (!file.exists() || is_earlier()) && !beside.iter().any(|path| path.exists())
}

/// Either of its marks is enough: the other may be damaged.
fn is_sealed(connection: &Connection) -> Result<bool, Error> {
    let id: i32 = connection.pragma_query_value(None, "application_id", |row| row.get(0))?;
    let table = "SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = 'backup')";
    Ok(id == BACKUP || connection.query_row(table, [], |row| row.get(0))?)
}

/// Returns the SHA-256 of all rows of all tables, whatever the order in which they stand in the file.
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
        // The order of the primary key of each.
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
