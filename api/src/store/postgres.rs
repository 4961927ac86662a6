//! Games in PostgreSQL, for any number of service processes.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use deadpool_postgres::{GenericClient, Object, Pool};
use jiff::Timestamp;
use tokio::time::timeout;
use tokio_postgres::Config;
use tokio_postgres::config::SslMode;

use super::batch::{self, Batch};
use super::list::{Listed, readable};
use super::point_reads::PointReads;
use super::postgres_error::{PostgresFault, is_collision};
use super::postgres_session::{cells, pool, rows, session};
use super::pulse::Pulse;
use super::statement::{self, Statement};
use super::{ListPage, ListQuery, Reads, Store, StoreError, Version, Write};
use crate::game::{GameId, StoredGame};

refinery::embed_migrations!("../migrations/postgres");

/// How long a migration may take, waiting for those of other processes included.
const MIGRATION: Duration = Duration::from_secs(3600);
/// How many times a migration is tried that collides with another transaction.
const ATTEMPTS: usize = 4;
/// How long the network may be silent before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// How long the session that writes for everybody waits for a locked row, while all others wait for it.
const IMPATIENT: Duration = Duration::from_millis(20);
/// How long a change of a game waits that somebody else holds. Less than the database has time to answer: it is not lost.
const PATIENT: Duration = Duration::from_millis(700);
/// How many changes may wait like that at the same time.
const PATIENT_SESSIONS: usize = 4;
/// The advisory lock of [`PostgresStore::migrate`]: "assam" in ASCII.
const MIGRATION_LOCK: &str = "418330337645";

/// Games in a PostgreSQL database.
pub struct PostgresStore {
    pulse: Arc<Pulse>,
    /// One connection, as one thread writes.
    writer: Pool,
    /// For changes of games that somebody else holds.
    patient: Pool,
    /// For whatever is neither written nor a single game.
    lists: Pool,
    games: PointReads,
}

impl PostgresStore {
    /// Prepares connections to the database that `url` names, for lists at most `pool_size`; the first use connects.
    ///
    /// # Errors
    /// [`StoreError::Backend`] where the URL is malformed, or requires TLS, which is not supported.
    pub fn connect(url: &str, pool_size: usize) -> Result<Self, StoreError> {
        // The error of the parser is dropped: it may quote a piece of the URL.
        let mut config: Config =
            url.parse().map_err(|_| StoreError::Backend("the Postgres URL is malformed".into()))?;
        if config.get_ssl_mode() == SslMode::Require {
            return Err(StoreError::Backend(
                "the Postgres URL requires TLS, which this program does not support".into(),
            ));
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(SILENCE);
        }
        let pulse = Arc::new(Pulse::of(pool(&config, Duration::ZERO, 1)?));
        Ok(Self {
            writer: pool(&config, IMPATIENT, 1)?,
            patient: pool(&config, PATIENT, PATIENT_SESSIONS)?,
            lists: pool(&config, Duration::ZERO, pool_size)?,
            games: PointReads::new(config, Arc::clone(&pulse)),
            pulse,
        })
    }

    async fn try_migrate(&self) -> Result<(), PostgresFault> {
        // Taken out of the pool: however this ends, the session ends with it, and so do its lock and
        // its settings.
        let mut session = Object::take(session(&self.lists).await?);
        // Processes that start together take turns. The lock is only a convenience: a migration is a
        // transaction, so without the lock (behind a pooler, on other servers) the second process to
        // apply one fails, changes nothing, and has to be started again.
        session.batch_execute(&format!("SELECT pg_advisory_lock({MIGRATION_LOCK})")).await?;
        let outcome = migrations::runner().run_async(&mut *session).await;
        session.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATION_LOCK})")).await?;
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(PostgresFault::of_migration(&error)),
        }
    }

    /// Writes changes with one statement, and returns the outcome of each.
    async fn try_write(
        &self,
        pool: &Pool,
        changes: &[Write],
    ) -> Result<Vec<Result<(), StoreError>>, PostgresFault> {
        let session = session(pool).await?;
        // One statement is a transaction of its own.
        let written = ids(&session, &batch::write(changes)).await?;
        let unchanged = changes.iter().map(Write::id).filter(|id| !written.contains(id));
        let existing: HashSet<GameId> = match batch::existing(unchanged) {
            // Final: what was written stays, and must not be tried again.
            Some(existing) => {
                ids(&session, &existing).await.map_err(|fault| PostgresFault::Store(fault.into()))?
            }
            None => HashSet::new(),
        };
        let outcome = |change: &Write| {
            let id = change.id();
            let why = || StoreError::of_unchanged(change, existing.contains(&id));
            if written.contains(&id) { Ok(()) } else { Err(why()) }
        };
        Ok(changes.iter().map(outcome).collect())
    }

    async fn write_alone(&self, pool: &Pool, change: &Write) -> Result<(), StoreError> {
        let outcomes = self.pulse.retried(|| self.try_write(pool, std::slice::from_ref(change))).await?;
        outcomes.into_iter().next().unwrap_or(Ok(()))
    }
}

#[async_trait]
impl Reads for PostgresStore {
    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError> {
        self.games.version(id).await
    }

    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.games.load(id).await
    }

    async fn list(&self, query: &ListQuery) -> Result<ListPage, StoreError> {
        let found = |list: Statement| async move {
            let list = &list;
            let attempt = || async { rows(&session(&self.lists).await?, &list.sql, &list.params).await };
            let found = self.pulse.retried(attempt).await?;
            let cells: Result<Vec<_>, _> = found.iter().map(cells).collect();
            Listed::all(query.order, cells.map_err(PostgresFault::from)?)
        };
        readable(query, found).await
    }

    async fn open_before(&self, moment: Timestamp) -> Result<Vec<GameId>, StoreError> {
        let select = &statement::open_before(moment);
        let attempt = || async { rows(&session(&self.lists).await?, &select.sql, &select.params).await };
        let found = self.pulse.retried(attempt).await?;
        Ok(found.iter().filter_map(|row| cells(row).ok()?.id()).collect())
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.pulse.retried(|| self.pulse.ask()).await
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn migrate(&self) -> Result<(), StoreError> {
        let late = |_| Err(PostgresFault::Store(StoreError::Unavailable("no response in time".into())));
        let attempt = async || timeout(MIGRATION, self.try_migrate()).await.unwrap_or_else(late);
        for _ in 1..ATTEMPTS {
            match attempt().await {
                Err(PostgresFault::Database(error)) if is_collision(&error) => {}
                outcome => return Ok(outcome?),
            }
        }
        Ok(attempt().await?)
    }

    async fn write(&self, changes: &[Write]) -> Vec<Result<(), StoreError>> {
        match self.pulse.in_time(self.try_write(&self.writer, changes)).await {
            Ok(outcomes) => outcomes,
            // The server refused, so nothing was written. One change may be the cause: each is tried alone.
            Err(PostgresFault::Database(error)) if error.code().is_some() => {
                let mut outcomes = Vec::with_capacity(changes.len());
                for change in changes {
                    outcomes.push(self.write_alone(&self.writer, change).await);
                }
                outcomes
            }
            Err(fault) => {
                let error = StoreError::from(fault);
                changes.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }

    async fn write_patiently(&self, change: &Write) -> Result<(), StoreError> {
        self.write_alone(&self.patient, change).await
    }
}

/// Runs a statement on many rows, and returns the ids that it gives.
async fn ids(on: &impl GenericClient, batch: &Batch) -> Result<HashSet<GameId>, PostgresFault> {
    let found = rows(on, &batch.sql, &batch.arrays).await?;
    Ok(found.iter().filter_map(|row| cells(row).ok()?.id()).collect())
}
