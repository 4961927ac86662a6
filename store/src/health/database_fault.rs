//! What can go wrong with a database.

use std::error::Error;

use refinery::Runner;

use crate::StoreError;
use crate::sql::migration_check::misfit;

/// An error of a database, or of the connection to it.
pub(crate) trait DatabaseError: Error + 'static {
    /// Returns whether somebody else holds the row that was to be changed.
    fn is_locked(&self) -> bool;

    /// Returns what the database fails to do for anybody, if this says that it does.
    fn failing(&self) -> Option<Failing>;

    /// Returns whether a later try may succeed. What was under way may have been committed nevertheless, and the caller
    /// has to read again.
    fn is_passing(&self) -> bool;

    /// Returns a message that quotes no row, no value and no path.
    fn describe(&self) -> String;
}

/// What a database fails to do, whoever wants it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Failing {
    /// It does not answer.
    Answering,
    /// It answers, but one of several servers on which it is does not.
    AnsweringWhole,
    /// It answers, but takes no changes: its disk is full, or may not be written.
    Writing,
}

/// Why an attempt failed.
pub(crate) enum DatabaseFault<E> {
    /// The outcome is final.
    Store(StoreError),
    /// The database failed, or the connection to it.
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
