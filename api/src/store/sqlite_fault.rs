//! What can go wrong with SQLite, and whether a later try may succeed.

use std::error::Error as _;

use rusqlite::{Error, ErrorCode};

use super::StoreError;

/// Why work on a connection failed.
pub(super) enum SqliteFault {
    /// The outcome is final.
    Store(StoreError),
    /// SQLite failed.
    Database(Error),
}

impl From<Error> for SqliteFault {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<SqliteFault> for StoreError {
    fn from(fault: SqliteFault) -> Self {
        match fault {
            SqliteFault::Store(error) => error,
            SqliteFault::Database(error) if is_passing(&error) => Self::Unavailable(describe(&error)),
            SqliteFault::Database(error) => Self::Backend(describe(&error)),
        }
    }
}

/// Returns whether a later try may succeed. An I/O error counts: it may have come after the commit, and
/// the caller has to read again.
pub(super) fn is_passing(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::CannotOpen
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
        )
    )
}

/// Returns SQLite's message, which names tables and columns but no values, and never the statement or the path.
fn describe(error: &Error) -> String {
    if let Error::SqlInputError { msg, .. } | Error::SqliteFailure(_, Some(msg)) = error
        && !is_passing(error)
    {
        return msg.clone();
    }
    match error.sqlite_error() {
        Some(code) => code.to_string(),
        None => "SQLite gave an unexpected response".to_owned(),
    }
}

pub(super) fn migration_fault(error: &refinery::Error) -> SqliteFault {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    SqliteFault::Store(match cause {
        Some(cause) if is_passing(cause) => StoreError::Unavailable(describe(cause)),
        Some(cause) => StoreError::Backend(format!("migration: {}", describe(cause))),
        None => StoreError::Backend(format!("migration: {error}")),
    })
}
