//! Games in PostgreSQL, for any number of service processes.

use std::collections::HashSet;
use std::error::Error as _;
use std::io;
use std::time::Duration;

use async_trait::async_trait;
use bytes::BytesMut;
use deadpool_postgres::{Client, GenericClient, Manager, Object, Pool, PoolError, Runtime};
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Config, Error, NoTls};

use super::batch::{self, Batch};
use super::list::readable;
use super::row::{Cells, Value};
use super::statement::{self, Statement};
use super::{ListQuery, Reads, Store, StoreError, Version, Write};
use crate::game::{GameId, Info, StoredGame};

refinery::embed_migrations!("../migrations/postgres");

/// How long a caller waits for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// How long it may take to connect.
const CONNECT: Duration = Duration::from_secs(3);
/// How long a response may take.
const ANSWER: Duration = Duration::from_secs(10);
/// How long a migration may take, waiting for those of other processes included.
const MIGRATION: Duration = Duration::from_secs(3600);
/// How long the network may be silent before a connection counts as broken.
const SILENCE: Duration = Duration::from_secs(10);
/// The options of every session. They come after the options of the URL, so they win: a commit waits for the disk. One
/// index has the rows of each statement, in its order, however many there are: so each is planned once, and to use it (the
/// planner would rather read whole tables while it takes them for small ones).
const SESSION: &str = "-c synchronous_commit=on -c plan_cache_mode=force_generic_plan -c enable_seqscan=off \
                       -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off";
/// One locked row does not hold a connection for long.
const PATIENT: &str = "-c lock_timeout=2s";
/// The session that writes for everybody: one locked row must not make the others wait.
const IMPATIENT: &str = "-c lock_timeout=20ms";
/// How many times a transaction is tried if it collides with another (SQLSTATE 40001, 40P01).
const ATTEMPTS: usize = 4;
/// The advisory lock of [`PostgresStore::migrate`]: "assam" in ASCII.
const MIGRATION_LOCK: &str = "418330337645";

/// Games in a PostgreSQL database.
pub struct PostgresStore {
    /// One connection, as one thread writes.
    writer: Pool,
    pool: Pool,
}

impl PostgresStore {
    /// Prepares at most `pool_size` connections to the database that `url` names; the first use connects.
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
        Ok(Self { writer: pool(&config, IMPATIENT, 1)?, pool: pool(&config, PATIENT, pool_size)? })
    }

    async fn try_migrate(&self) -> Result<(), PostgresFault> {
        // Taken out of the pool: however this ends, the session ends with it, and so do its lock and
        // its settings.
        let mut session = Object::take(session(&self.pool).await?);
        // Processes that start together take turns. The lock is only a convenience: a migration is a
        // transaction, so without the lock (behind a pooler, on other servers) the second process to
        // apply one fails, changes nothing, and has to be started again.
        session
            .batch_execute(&format!("SET lock_timeout = 0; SELECT pg_advisory_lock({MIGRATION_LOCK})"))
            .await?;
        let outcome = migrations::runner().run_async(&mut *session).await;
        session.batch_execute(&format!("SELECT pg_advisory_unlock({MIGRATION_LOCK})")).await?;
        match outcome {
            Ok(_) => Ok(()),
            Err(error) => Err(migration_fault(&error)),
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
            Some(existing) => ids(&session, &existing).await?,
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
        let outcomes = retried(ANSWER, || self.try_write(pool, std::slice::from_ref(change))).await?;
        outcomes.into_iter().next().unwrap_or(Ok(()))
    }

    async fn try_query(&self, statement: &Statement) -> Result<Vec<Cells>, PostgresFault> {
        query(&session(&self.pool).await?, statement).await
    }
}

#[async_trait]
impl Reads for PostgresStore {
    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError> {
        let select = statement::version(id);
        let rows = retried(ANSWER, || self.try_query(&select)).await?;
        rows.into_iter().next().map(Cells::version).transpose()
    }

    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        let select = statement::select(id);
        let rows = retried(ANSWER, || self.try_query(&select)).await?;
        rows.into_iter().next().map(Cells::game).transpose()
    }

    async fn list(&self, query: &ListQuery) -> Result<Vec<Info>, StoreError> {
        let rows = |list: Statement| async move { retried(ANSWER, || self.try_query(&list)).await };
        readable(query, rows).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        retried(ANSWER, || async { Ok(session(&self.pool).await?.batch_execute("SELECT 1").await?) }).await
    }
}

#[async_trait]
impl Store for PostgresStore {
    async fn migrate(&self) -> Result<(), StoreError> {
        retried(MIGRATION, || self.try_migrate()).await
    }

    async fn write(&self, changes: &[Write]) -> Vec<Result<(), StoreError>> {
        match in_time(ANSWER, self.try_write(&self.writer, changes)).await {
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
        self.write_alone(&self.pool, change).await
    }
}

/// Returns a pool that connects when it is used.
fn pool(config: &Config, patience: &str, size: usize) -> Result<Pool, StoreError> {
    let mut config = config.clone();
    let options = format!("{} {SESSION} {patience}", config.get_options().unwrap_or_default());
    config.options(options.trim_start());
    Pool::builder(Manager::new(config, NoTls))
        .max_size(size)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(CONNECT))
        .recycle_timeout(Some(CONNECT))
        .build()
        .map_err(|error| StoreError::Backend(error.to_string()))
}

async fn session(pool: &Pool) -> Result<Client, PostgresFault> {
    pool.get().await.map_err(|error| {
        PostgresFault::Store(StoreError::Unavailable(match error {
            PoolError::Backend(error) => describe(&error),
            PoolError::Timeout(_) => "no connection in time".into(),
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                "no connection".into()
            }
        }))
    })
}

/// Runs a statement on many rows, and returns the ids that it gives.
async fn ids(on: &impl GenericClient, batch: &Batch) -> Result<HashSet<GameId>, PostgresFault> {
    let prepared = on.prepare_cached(&batch.sql).await?;
    let arrays: Vec<&(dyn ToSql + Sync)> = batch.arrays.iter().map(|array| array as _).collect();
    let rows = on.query(&prepared, &arrays).await?;
    Ok(rows.into_iter().filter_map(|row| row.try_get::<_, &str>(0).ok()?.parse().ok()).collect())
}

/// Runs a statement that reads rows.
async fn query(on: &impl GenericClient, statement: &Statement) -> Result<Vec<Cells>, PostgresFault> {
    let prepared = on.prepare_cached(&statement.sql).await?;
    let mut rows = Vec::new();
    for row in on.query(&prepared, &parameters(statement)).await? {
        let values: Result<_, Error> = (0..row.len()).map(|column| row.try_get(column)).collect();
        rows.push(Cells::new(values?));
    }
    Ok(rows)
}

fn parameters(statement: &Statement) -> Vec<&(dyn ToSql + Sync)> {
    let params = statement.params.iter();
    params.map(|value| value as &(dyn ToSql + Sync)).collect()
}

/// Why an attempt failed.
enum PostgresFault {
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

/// Repeats an attempt that collided with another transaction; such an attempt leaves nothing behind.
async fn retried<T, F>(limit: Duration, attempt: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, PostgresFault>>,
{
    for _ in 1..ATTEMPTS {
        match in_time(limit, attempt()).await {
            Err(PostgresFault::Database(error)) if is_collision(&error) => {}
            outcome => return Ok(outcome?),
        }
    }
    Ok(in_time(limit, attempt()).await?)
}

/// Waits for an attempt no longer than this: a server that hangs neither answers nor breaks the connection.
async fn in_time<T>(
    limit: Duration,
    attempt: impl Future<Output = Result<T, PostgresFault>>,
) -> Result<T, PostgresFault> {
    let late = |_| Err(PostgresFault::Store(StoreError::Unavailable("no response in time".into())));
    tokio::time::timeout(limit, attempt).await.unwrap_or_else(late)
}

fn is_collision(error: &Error) -> bool {
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
fn describe(error: &Error) -> String {
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

fn migration_fault(error: &refinery::Error) -> PostgresFault {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    PostgresFault::Store(match cause {
        Some(cause) if is_passing(cause) => StoreError::Unavailable(describe(cause)),
        Some(cause) => StoreError::Backend(format!("migration: {}", describe(cause))),
        None => StoreError::Backend(format!("migration: {error}")),
    })
}

impl ToSql for Value {
    fn to_sql(
        &self,
        ty: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn std::error::Error + Sync + Send>> {
        match self {
            Self::Null => Ok(IsNull::Yes),
            Self::Flag(flag) => flag.to_sql_checked(ty, out),
            Self::Int(number) => number.to_sql_checked(ty, out),
            Self::Text(text) => text.to_sql_checked(ty, out),
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
        }
    }

    /// Each variant checks for itself.
    fn accepts(_: &Type) -> bool {
        true
    }

    to_sql_checked!();
}

impl<'a> FromSql<'a> for Value {
    fn from_sql(ty: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        match *ty {
            Type::BOOL => Ok(Self::Flag(bool::from_sql(ty, raw)?)),
            Type::INT4 => Ok(Self::Int(i32::from_sql(ty, raw)?.into())),
            Type::INT8 => Ok(Self::Int(i64::from_sql(ty, raw)?)),
            Type::TEXT => Ok(Self::Text(String::from_sql(ty, raw)?)),
            _ => Ok(Self::Bytes(Vec::from_sql(ty, raw)?)),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        [Type::BOOL, Type::INT4, Type::INT8, Type::TEXT, Type::BYTEA].contains(ty)
    }
}
