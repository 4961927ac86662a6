//! Whether a database that is only read has every migration.

use refinery::Runner;

use super::StoreError;

/// Reads the newest migration that was applied.
pub(super) const APPLIED: &str = "SELECT CAST(max(version) AS bigint) FROM refinery_schema_history";

/// Checks that the newest migration was applied, and none that this program does not have.
///
/// # Errors
/// [`StoreError::Backend`] where it is otherwise.
pub(super) fn check_applied(known: &Runner, applied: Option<u64>) -> Result<(), StoreError> {
    let newest =
        known.get_migrations().iter().map(|migration| u64::from(migration.version().unsigned_abs())).max();
    if applied == newest {
        return Ok(());
    }
    let number = |version: Option<u64>| version.map_or("none".to_owned(), |version| version.to_string());
    Err(StoreError::Backend(format!(
        "this program reads databases whose newest migration is {1}, and that of this one is {0}: where it is older, `assam migrate` adds what is missing",
        number(applied),
        number(newest)
    )))
}
