//! Failures of SQLite.

use rusqlite::ffi::{
    SQLITE_IOERR_FSYNC, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_TRUNCATE, SQLITE_IOERR_WRITE, code_to_str,
};
use rusqlite::{Error, ErrorCode};

use crate::health::database_fault::{DatabaseError, DatabaseFault, Failing};

/// SQLite's error codes for a full or broken disk.
const NOT_WRITTEN: [i32; 4] =
    [SQLITE_IOERR_WRITE, SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_FSYNC, SQLITE_IOERR_TRUNCATE];

/// Why work on a connection to SQLite failed.
pub(super) type SqliteFault = DatabaseFault<Error>;

impl DatabaseError for Error {
    /// SQLite locks no rows.
    fn is_locked(&self) -> bool {
        false
    }

    /// Readers wait for no lock, so a lock belongs to another process that writes.
    fn failing(&self) -> Option<Failing> {
        let error = self.sqlite_error()?;
        let is_answer = !matches!(error.code, ErrorCode::CannotOpen | ErrorCode::SystemIoFailure);
        match is_answer || NOT_WRITTEN.contains(&error.extended_code) {
            true => self.is_passing().then_some(Failing::Writing),
            false => Some(Failing::Answering),
        }
    }

    /// Includes an I/O error, which may have come after the commit.
    fn is_passing(&self) -> bool {
        matches!(
            self.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::CannotOpen
                    | ErrorCode::DiskFull
                    | ErrorCode::ReadOnly
                    | ErrorCode::SystemIoFailure
            )
        )
    }

    /// The message of SQLite names tables and columns, but no values, and never the statement or the path.
    fn describe(&self) -> String {
        if let Self::SqlInputError { msg, .. } | Self::SqliteFailure(_, Some(msg)) = self
            && !self.is_passing()
        {
            return msg.clone();
        }
        match self.sqlite_error() {
            Some(code) => {
                format!("{} (SQLite error {})", code_to_str(code.extended_code), code.extended_code)
            }
            None => "SQLite gave an unexpected response".to_owned(),
        }
    }
}
