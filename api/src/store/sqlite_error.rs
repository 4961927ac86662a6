//! What can go wrong with SQLite.

use rusqlite::{Error, ErrorCode};

use super::database_fault::{DatabaseError, DatabaseFault};

/// Why work on a connection to SQLite failed.
pub(super) type SqliteFault = DatabaseFault<Error>;

impl DatabaseError for Error {
    /// SQLite locks no rows.
    fn is_locked(&self) -> bool {
        false
    }

    /// An I/O error counts: it may have come after the commit.
    fn is_passing(&self) -> bool {
        matches!(
            self.sqlite_error_code(),
            Some(
                ErrorCode::DatabaseBusy
                    | ErrorCode::DatabaseLocked
                    | ErrorCode::CannotOpen
                    | ErrorCode::DiskFull
                    | ErrorCode::SystemIoFailure
            )
        )
    }

    /// The message of SQLite names tables and columns but no values, and never the statement or the path.
    fn describe(&self) -> String {
        if let Self::SqlInputError { msg, .. } | Self::SqliteFailure(_, Some(msg)) = self
            && !self.is_passing()
        {
            return msg.clone();
        }
        match self.sqlite_error() {
            Some(code) => code.to_string(),
            None => "SQLite gave an unexpected response".to_owned(),
        }
    }
}
