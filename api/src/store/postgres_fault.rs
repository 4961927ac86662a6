//! What can go wrong with PostgreSQL.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use super::StoreError;

/// Why an attempt failed.
pub(super) enum PostgresFault {
    /// The outcome is final.
    Store(StoreError),
    /// The database failed, or the connection to it.
    Database(Error),
}

impl From<Error> for PostgresFault {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<PostgresFault> for StoreError {
    fn from(fault: PostgresFault) -> Self {
        match fault {
            PostgresFault::Store(error) => error,
            PostgresFault::Database(error) if error.code() == Some(&SqlState::LOCK_NOT_AVAILABLE) => {
                Self::Locked
            }
            PostgresFault::Database(error) if is_passing(&error) => Self::Unavailable(describe(&error)),
            PostgresFault::Database(error) => Self::Backend(describe(&error)),
        }
    }
}

/// Returns whether an attempt collided with another transaction: it left nothing behind.
pub(super) fn is_collision(error: &Error) -> bool {
    error.code() == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
        || error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// Returns whether a later try may succeed. A broken connection counts: what was under way may have
/// been committed, and the caller has to read again.
fn is_passing(error: &Error) -> bool {
    let Some(state) = error.code() else {
        return error.is_closed() || io_error(error).is_some();
    };
    // Connection, collision, resources, operator (shutting down, starting up, cancelled).
    ["08", "40", "53", "57"].contains(&state.code().get(..2).unwrap_or_default())
        || *state == SqlState::READ_ONLY_SQL_TRANSACTION // a standby, just after a switch
}

/// Returns the primary message only, as the server's detail, hint and context quote rows.
pub(super) fn describe(error: &Error) -> String {
    if let Some(answer) = error.as_db_error() {
        return format!("{} (SQLSTATE {})", answer.message(), answer.code().code());
    }
    match io_error(error) {
        Some(cause) => format!("{error}: {cause}"),
        None => error.to_string(),
    }
}

fn io_error(error: &Error) -> Option<&io::Error> {
    error.source()?.downcast_ref()
}

pub(super) fn migration_fault(error: &refinery::Error) -> PostgresFault {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    PostgresFault::Store(match cause {
        Some(cause) if is_passing(cause) => StoreError::Unavailable(describe(cause)),
        Some(cause) => StoreError::Backend(format!("migration: {}", describe(cause))),
        None => StoreError::Backend(format!("migration: {error}")),
    })
}
