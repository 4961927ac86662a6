//! Checks that the migrations of a database match the program's.

use std::cmp::Ordering;

use refinery::error::Kind;
use refinery::{Migration, Runner};

use crate::StoreError;

/// Reads the newest applied migration.
pub(crate) const APPLIED: &str = "SELECT CAST(max(version) AS bigint) FROM refinery_schema_history";

/// Returns the number of the newest migration of a program.
pub(crate) fn newest(known: &Runner) -> Option<i32> {
    known.get_migrations().iter().map(Migration::version).max()
}

/// Checks that the newest migration was applied, and no migration that this program does not have.
///
/// # Errors
/// [`StoreError::Backend`] if not.
pub(crate) fn check_applied(known: &Runner, applied: Option<u64>) -> Result<(), StoreError> {
    let newest = newest(known).map(|version| u64::from(version.unsigned_abs()));
    let number = |version: Option<u64>| version.map_or("none".to_owned(), |version| version.to_string());
    let why = match applied.cmp(&newest) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => {
            format!(
                "its newest migration is {}, but this program has {}: run `assam migrate`",
                number(applied),
                number(newest)
            )
        }
        Ordering::Greater => of_newer(&number(applied), &number(newest)),
    };
    Err(StoreError::Backend(why))
}

/// Returns the message for a database with migrations that this program does not have.
fn of_newer(applied: &str, newest: &str) -> String {
    format!(
        "a newer program has updated it (its newest migration is {applied}, but this program has {newest}): use the newer program, or restore an earlier backup"
    )
}

/// Returns why the migrations of a database do not match this program's, if that is why they failed.
pub(crate) fn misfit(known: &Runner, error: &refinery::Error) -> Option<String> {
    if let Kind::DivergentVersion(applied, _) = error.kind() {
        return Some(format!(
            "its migration {applied} differs from this program's: use the program that applied it"
        ));
    }
    let Kind::MissingVersion(migration) = error.kind() else { return None };
    let newest = newest(known);
    if Some(migration.version()) <= newest {
        return Some(format!(
            "it lacks migration {migration}, but has later ones: restore an earlier backup"
        ));
    }
    let newest = newest.map_or("none".to_owned(), |newest| newest.to_string());
    Some(of_newer(&migration.version().to_string(), &newest))
}
