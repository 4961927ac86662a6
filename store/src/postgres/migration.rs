//! Brings a PostgreSQL database up to date.

use std::time::Duration;

use deadpool_postgres::{Object, Pool};
use tokio::time::timeout;
use tokio_postgres::error::SqlState;

use super::connection::session::{advisory_lock, found, session};
use super::error::{PostgresFault, is_collision};
use crate::StoreError;
use crate::sql::migration_check::{self, APPLIED, check_applied};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;

refinery::embed_migrations!("../migrations/postgres");

/// How long a migration may take, including the wait for other processes.
const MIGRATION: Duration = Duration::from_secs(3600);
/// Attempts at a migration that collides with another transaction.
const ATTEMPTS: usize = 4;
/// Lets Citus change the triggers of a table that it distributes, on each shard. The triggers of `games` only
/// use their row (`migrations/citus`). Without Citus, PostgreSQL ignores this setting.
const TRIGGERS_OF_SHARDS: &str = "SET citus.enable_unsafe_triggers = on";

/// Returns the number of the newest migration.
pub(super) fn newest() -> Option<i32> {
    migration_check::newest(&migrations::runner())
}

/// Applies all missing migrations.
///
/// # Errors
/// If one of them fails, or the database does.
pub(super) async fn apply(pool: &Pool) -> Result<(), PostgresFault> {
    let late = |_| Err(PostgresFault::Store(StoreError::Unavailable("no response in time".into())));
    let attempt = async || timeout(MIGRATION, try_to_apply(pool)).await.unwrap_or_else(late);
    for _ in 1..ATTEMPTS {
        match attempt().await {
            Err(PostgresFault::Database(error)) if is_collision(&error) => {}
            outcome => return outcome,
        }
    }
    attempt().await
}

async fn try_to_apply(pool: &Pool) -> Result<(), PostgresFault> {
    // Taken out of the pool, so that the session ends with this function, and its lock and settings with it.
    let mut session = Object::take(session(pool).await?);
    // Processes that start together take turns. The lock is only a convenience, since a migration is a
    // transaction. Without the lock (on other servers), the second process to apply one fails, changes
    // nothing, and has to be restarted.
    let lock = advisory_lock("current_schema()::regnamespace");
    session.batch_execute(&format!("{TRIGGERS_OF_SHARDS}; SELECT pg_advisory_lock({lock})")).await?;
    let known = migrations::runner();
    let outcome = known.run_async(&mut *session).await;
    session.batch_execute(&format!("SELECT pg_advisory_unlock({lock})")).await?;
    match outcome {
        Ok(_) => Ok(()),
        Err(error) => Err(PostgresFault::of_migration(&known, &error)),
    }
}

/// Checks that no migration is missing.
///
/// # Errors
/// As [`check_applied`].
pub(super) async fn check(pool: &Pool) -> Result<(), PostgresFault> {
    let applied = match found(&session(pool).await?, &Statement::new(APPLIED, [])).await {
        // No migration was ever applied.
        Err(PostgresFault::Database(error)) if error.code() == Some(&SqlState::UNDEFINED_TABLE) => Vec::new(),
        applied => applied?,
    };
    let newest_applied = applied.first().and_then(SqlRow::count);
    check_applied(&migrations::runner(), newest_applied).map_err(PostgresFault::Store)
}
