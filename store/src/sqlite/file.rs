//! The file of an SQLite database: its path and its creation.

use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rusqlite::Error;

use super::session::{FileAccess, LOCKED, SqliteFile, connect};
use crate::StoreError;
use crate::file_access::explained;
use crate::health::database_fault::DatabaseError as _;

/// Returns the absolute path of a file in a directory that exists. In an absolute path, no file name is
/// special to SQLite (`:memory:`, `file:..`).
pub(super) fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path
        .file_name()
        .ok_or_else(|| StoreError::Backend("the path of the SQLite file does not end in a name".into()))?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    let directory = directory.canonicalize().map_err(|error| {
        let why = explained(directory, error);
        StoreError::Backend(format!("the directory for the SQLite file cannot be used: {why}"))
    })?;
    Ok(directory.join(name))
}

/// Creates the file if it is missing, and turns on the write-ahead log, a setting that the file keeps.
#[expect(clippy::disallowed_methods, reason = "once, before the service serves")]
pub(super) fn start_wal(file: &SqliteFile) -> Result<(), Error> {
    create_for_owner_only(&file.path);
    let connection = connect(file)?;
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            // Two processes that set this on a new file could wait for each other forever, so SQLite fails
            // one at once, regardless of the timeout. By then the other has nearly finished.
            Err(error) if error.is_passing() && begun.elapsed() < LOCKED => {
                thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

/// Returns how a file can be read. Readers and writers share files next to it. If SQLite cannot create them
/// and the write-ahead log is empty, no process is writing, and the file is read without them.
///
/// # Errors
/// If it cannot be read, or not without its log.
pub(super) fn access_to_read(path: &Path) -> Result<FileAccess, Error> {
    let can_be_read = |access| {
        let connection = connect(&SqliteFile { path: path.to_owned(), access })?;
        connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))
    };
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    match can_be_read(FileAccess::Read) {
        Ok(()) => Ok(FileAccess::Read),
        Err(error) if fs::metadata(log).is_ok_and(|log| log.len() > 0) => Err(error),
        Err(_) => can_be_read(FileAccess::ReadUnchanging).map(|()| FileAccess::ReadUnchanging),
    }
}

/// Creates a missing file that only its owner may read, as it holds the secret seeds of running games. SQLite
/// gives its other files the same mode. If this fails, opening the database reports the reason.
fn create_for_owner_only(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}
