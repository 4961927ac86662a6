//! Failures of a database.

use std::error::Error;

use refinery::Runner;

use crate::StoreError;
use crate::sql::migration_check::misfit;

/// An error of a database, or of the connection to it.
pub(crate) trait DatabaseError: Error + 'static {
    /// Returns whether another session holds the row to change.
    fn is_locked(&self) -> bool;

    /// Returns what the database fails to do for every caller, if the error shows that.
    fn failing(&self) -> Option<Failing>;

    /// Returns whether a later attempt may succeed. The change may still have been committed, so the caller
    /// has to read again.
    fn is_passing(&self) -> bool;

    /// Returns a message that quotes no row, value or path.
    fn describe(&self) -> String;
}

/// An operation that a database fails for every caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failing {
    /// It does not respond.
    Answering,
    /// It responds, but one of its several servers does not.
    AnsweringWhole,
    /// It responds, but accepts no changes: its disk is full or read-only.
    Writing,
}

/// Why an attempt failed.
pub(crate) enum DatabaseFault<E> {
    /// The outcome is final.
    Store(StoreError),
    /// The database or the connection to it failed.
    Database(E),
}

impl<E: DatabaseError> DatabaseFault<E> {
    /// Returns why the migrations of this program failed.
    pub(crate) fn of_migration(known: &Runner, error: &refinery::Error) -> Self {
        let cause: Option<&E> = error.source().and_then(|cause| cause.downcast_ref());
        Self::Store(match cause {
            Some(cause) if cause.is_passing() => StoreError::Unavailable(cause.describe()),
            Some(cause) => StoreError::Backend(format!("migration: {}", cause.describe())),
            None => {
                StoreError::Backend(misfit(known, error).unwrap_or_else(|| format!("migration: {error}")))
            }
        })
    }
}

impl<E: DatabaseError> From<E> for DatabaseFault<E> {
    fn from(error: E) -> Self {
        Self::Database(error)
    }
}

impl<E: DatabaseError> From<DatabaseFault<E>> for StoreError {
    fn from(fault: DatabaseFault<E>) -> Self {
        match fault {
            DatabaseFault::Store(error) => error,
            DatabaseFault::Database(error) if error.is_locked() => Self::Locked,
            DatabaseFault::Database(error) if error.failing() == Some(Failing::Writing) => {
                Self::Unwritable(error.describe())
            }
            DatabaseFault::Database(error) if error.is_passing() => Self::Unavailable(error.describe()),
            DatabaseFault::Database(error) => Self::Backend(error.describe()),
        }
    }
}
