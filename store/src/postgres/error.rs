//! Failures of PostgreSQL.

use std::error::Error as _;
use std::io;

use tokio_postgres::Error;
use tokio_postgres::error::SqlState;

use crate::health::database_fault::{DatabaseError, DatabaseFault, Failing};

/// Why an attempt on PostgreSQL failed.
pub(super) type PostgresFault = DatabaseFault<Error>;

impl DatabaseError for Error {
    fn is_locked(&self) -> bool {
        self.code() == Some(&SqlState::LOCK_NOT_AVAILABLE)
    }

    fn failing(&self) -> Option<Failing> {
        let Some(state) = self.code() else {
            return self.is_passing().then_some(Failing::Answering);
        };
        if [SqlState::DISK_FULL, SqlState::READ_ONLY_SQL_TRANSACTION].contains(state) {
            return Some(Failing::Writing);
        }
        // A server that reports this responds itself, but cannot reach another server.
        if *state == SqlState::CONNECTION_FAILURE {
            return Some(Failing::AnsweringWhole);
        }
        // Connection, operator (shutting down, starting up), and no connection left.
        let is_away = state.code().starts_with("08")
            || state.code().starts_with("57P")
            || *state == SqlState::TOO_MANY_CONNECTIONS;
        is_away.then_some(Failing::Answering)
    }

    /// Includes a broken connection.
    fn is_passing(&self) -> bool {
        let Some(state) = self.code() else {
            return self.is_closed() || io_error(self).is_some();
        };
        // Connection, collision, resources, operator (shutting down, starting up, cancelled).
        ["08", "40", "53", "57"].contains(&state.code().get(..2).unwrap_or_default())
            || *state == SqlState::READ_ONLY_SQL_TRANSACTION // a standby, just after a switch
    }

    /// Only the primary message, since the detail, hint and context of the server quote rows.
    fn describe(&self) -> String {
        if let Some(answer) = self.as_db_error() {
            return format!("{} (SQLSTATE {})", answer.message(), answer.code().code());
        }
        match io_error(self) {
            Some(cause) => format!("{self}: {cause}"),
            None => self.to_string(),
        }
    }
}

/// Returns whether an attempt collided with another transaction, and so left nothing behind.
pub(super) fn is_collision(error: &Error) -> bool {
    error.code() == Some(&SqlState::T_R_SERIALIZATION_FAILURE)
        || error.code() == Some(&SqlState::T_R_DEADLOCK_DETECTED)
}

/// Returns whether the server refused a statement because of its data. Nothing was written, but a part of the
/// changes may succeed separately.
pub(super) fn is_refusal(error: &Error) -> bool {
    error.code().is_some() && (is_collision(error) || !error.is_passing())
}

/// Returns whether the server does not support a statement, for example because rows are on several servers.
pub(super) fn is_unsupported(error: &Error) -> bool {
    error.code() == Some(&SqlState::FEATURE_NOT_SUPPORTED)
}

fn io_error(error: &Error) -> Option<&io::Error> {
    error.source()?.downcast_ref()
}
