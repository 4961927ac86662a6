//! Whether the migrations of a database are those of the program.

use std::cmp::Ordering;

use refinery::error::Kind;
use refinery::{Migration, Runner};

use crate::StoreError;

/// Reads the newest migration that was applied.
pub(crate) const APPLIED: &str = "SELECT CAST(max(version) AS bigint) FROM refinery_schema_history";

/// Returns the number of the newest migration of a program.
pub(crate) fn newest(known: &Runner) -> Option<i32> {
    known.get_migrations().iter().map(Migration::version).max()
}

/// Checks that the newest migration was applied, and none that this program does not have.
///
/// # Errors
/// [`StoreError::Backend`] where it is otherwise.
pub(crate) fn check_applied(known: &Runner, applied: Option<u64>) -> Result<(), StoreError> {
    let newest = newest(known).map(|version| u64::from(version.unsigned_abs()));
    let number = |version: Option<u64>| version.map_or("none".to_owned(), |version| version.to_string());
    let why = match applied.cmp(&newest) {
        Ordering::Equal => return Ok(()),
        Ordering::Less => {
            format!(
                "its newest migration is {}, and that of this program is {}: `assam migrate` adds what is missing",
                number(applied),
                number(newest)
            )
        }
        Ordering::Greater => of_newer(&number(applied), &number(newest)),
    };
    Err(StoreError::Backend(why))
}

/// Says that the database has migrations that this program does not have.
fn of_newer(applied: &str, newest: &str) -> String {
    format!(
        "a newer program has brought it up to date: its newest migration is {applied}, and that of this program is {newest}; use the newer program, or restore a backup from before"
    )
}

/// Says why the migrations of a database do not fit those of this program, where that is why they failed.
pub(crate) fn misfit(known: &Runner, error: &refinery::Error) -> Option<String> {
    if let Kind::DivergentVersion(applied, _) = error.kind() {
        return Some(format!(
            "its migration {applied} is not that of this program: use the program that made it"
        ));
    }
    let Kind::MissingVersion(migration) = error.kind() else { return None };
    let newest = newest(known);
    if Some(migration.version()) <= newest {
        return Some(format!(
            "it lacks migration {migration}, and has later ones: restore a backup from before that"
        ));
    }
    let newest = newest.map_or("none".to_owned(), |newest| newest.to_string());
    Some(of_newer(&migration.version().to_string(), &newest))
}
