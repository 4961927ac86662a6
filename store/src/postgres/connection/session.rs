//! Sessions of PostgreSQL: their settings, and their statements.

use std::time::{Duration, Instant};

use bytes::{BufMut as _, BytesMut};
use deadpool_postgres::{Client, GenericClient, Hook, HookError, Pool, PoolError, QueueMode, Runtime};
use tokio_postgres::types::{FromSql, IsNull, ToSql, Type, to_sql_checked};
use tokio_postgres::{Error, Row};

use super::servers::Servers;
use crate::health::database_fault::DatabaseError as _;
use crate::postgres::error::PostgresFault;
use crate::postgres::write::batch::Batch;
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::Value;
use crate::{StoreError, detached};

/// How long a caller waits for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// How long it may take to check a session before its reuse.
const RECYCLE: Duration = Duration::from_secs(3);
/// The options of every session. They come after the options of the URL, so they win. A commit waits for the
/// disk. One index has the rows of each statement in order, no matter how many there are. So each statement
/// is planned once and must use that index, although the planner would rather read the whole table while it
/// seems small. Without another way, the disabled plans look so costly that PostgreSQL would compile the
/// statement first, which is off too. Warnings are reported.
const SESSION: &str = "-c synchronous_commit=on -c client_min_messages=warning -c plan_cache_mode=force_generic_plan -c enable_seqscan=off \
                       -c enable_bitmapscan=off -c enable_hashjoin=off -c enable_mergejoin=off -c jit=off";

/// With games distributed over several servers, a statement is planned for its own games, and takes one
/// connection to each server. That way fewer servers take part in its commit.
const DISTRIBUTED: &str = "SELECT set_config('plan_cache_mode', 'force_custom_plan', false), \
     set_config('citus.max_adaptive_executor_pool_size', '1', false) FROM pg_extension WHERE extname = 'citus'";

/// Makes a session read-only. The URL may ask for a server that accepts changes, which is checked before.
const ONLY_READ: &str = "SET default_transaction_read_only = on";

/// Returns a pool that connects on first use. Its sessions also have these options.
pub(in crate::postgres) fn pool(servers: &Servers, options: &str, size: usize) -> Result<Pool, StoreError> {
    let servers = servers.with(|config| {
        let of_url = config.get_options().unwrap_or_default();
        config.options(format!("{of_url} {SESSION} {options}").trim_start());
    });
    let set = if servers.are_to_read() { ONLY_READ } else { DISTRIBUTED };
    Pool::builder(servers.manager())
        .max_size(size)
        // The last used session has its process, statements and pages in caches. A single move that
        // alternates between two sessions takes 1.3 times as long.
        .queue_mode(QueueMode::Lifo)
        .runtime(Runtime::Tokio1)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(servers.patience()))
        .recycle_timeout(Some(RECYCLE))
        .pre_recycle(Hook::sync_fn(move |_, metrics| {
            let is_given_up = servers.have_given_up(metrics.created);
            if is_given_up { Err(HookError::message("it was given up")) } else { Ok(()) }
        }))
        .post_create(Hook::async_fn(move |session, _| {
            Box::pin(async move { session.batch_execute(set).await.map_err(HookError::Backend) })
        }))
        .build()
        .map_err(|error| StoreError::Backend(error.to_string()))
}

/// The option of sessions that wait for locks without a limit.
pub(in crate::postgres) const PATIENT: &str = "-c lock_timeout=0";
/// The options of sessions for background work that any process could do. If a process stops or its machine
/// is lost in the middle of a transaction, its locks are soon released.
pub(in crate::postgres) const FOR_ALL: &str = "-c lock_timeout=0 -c idle_in_transaction_session_timeout=3s";

/// Returns the numbers of the advisory lock of a table or a schema. A database may have several services,
/// each in a separate schema. The first number is "assa" in ASCII, since other programs may have locks too.
pub(in crate::postgres) fn advisory_lock(object: &str) -> String {
    format!("1634956129, {object}::oid::integer")
}

/// Returns whether no other process works on this table, and keeps others from it until the transaction ends.
///
/// # Errors
/// Database errors.
pub(in crate::postgres) async fn is_alone(
    transaction: &impl GenericClient,
    table: &str,
) -> Result<bool, PostgresFault> {
    let lock =
        format!("SELECT pg_try_advisory_xact_lock({})", advisory_lock(&format!("'{table}'::regclass")));
    Ok(transaction.query_one(&lock, &[]).await?.try_get(0)?)
}

pub(in crate::postgres) async fn session(pool: &Pool) -> Result<Client, PostgresFault> {
    pool.get().await.map_err(|error| {
        PostgresFault::Store(StoreError::Unavailable(match error {
            PoolError::Backend(error) => error.describe(),
            PoolError::Timeout(_) => "no connection in time".into(),
            PoolError::PostCreateHook(HookError::Backend(error)) => error.describe(),
            PoolError::Closed | PoolError::NoRuntimeSpecified | PoolError::PostCreateHook(_) => {
                "no connection".into()
            }
        }))
    })
}

/// Returns a session of a pool after a check that the database responds. Background work begins this way.
/// Otherwise, after a hang, all of it would run before the requests of clients.
pub(in crate::postgres) async fn session_that_answers(pool: &Pool) -> Result<Client, PostgresFault> {
    let session = session(pool).await?;
    session.batch_execute("SELECT 1").await?;
    Ok(session)
}

/// Returns when a session began.
pub(in crate::postgres) fn begun(session: &Client) -> Instant {
    Client::metrics(session).created
}

/// Runs work on a session that began at this time to its end, even if its caller no longer waits. A session
/// returns to its pool only when nothing is in progress on it, or when it is given up. Until then, the pool
/// has one session less.
///
/// # Errors
/// The errors of the work, and an error if the session is given up.
pub(in crate::postgres) async fn to_its_end<T: Send + 'static>(
    servers: &Servers,
    begun: Instant,
    work: impl Future<Output = Result<T, PostgresFault>> + Send + 'static,
) -> Result<T, PostgresFault> {
    let servers = servers.clone();
    detached(async move { servers.meanwhile(begun, work).await }).await
}

/// Runs a statement.
///
/// # Errors
/// Database errors.
pub(in crate::postgres) async fn rows(
    on: &impl GenericClient,
    sql: &str,
    params: &[impl ToSql + Sync],
) -> Result<Vec<Row>, PostgresFault> {
    let prepared = on.prepare_cached(sql).await?;
    let params: Vec<&(dyn ToSql + Sync)> = params.iter().map(|value| value as _).collect();
    Ok(on.query(&prepared, &params).await?)
}

/// Runs a statement, and returns the columns of its rows.
///
/// # Errors
/// Database errors.
pub(in crate::postgres) async fn found(
    on: &impl GenericClient,
    statement: &Statement,
) -> Result<Vec<SqlRow>, PostgresFault> {
    let found = rows(on, &statement.sql, &statement.params).await?;
    Ok(found.iter().map(cells).collect::<Result<_, _>>()?)
}

/// Runs the statement of a batch, and returns the columns of its rows.
///
/// # Errors
/// Database errors.
pub(in crate::postgres) async fn found_by(
    on: &impl GenericClient,
    batch: &Batch,
) -> Result<Vec<SqlRow>, PostgresFault> {
    let found = rows(on, &batch.sql, &batch.params).await?;
    Ok(found.iter().map(cells).collect::<Result<_, _>>()?)
}

/// Returns the columns of a row.
///
/// # Errors
/// If a column has an unknown type.
pub(in crate::postgres) fn cells(row: &Row) -> Result<SqlRow, Error> {
    let values: Result<_, Error> = (0..row.len()).map(|column| row.try_get(column)).collect();
    Ok(SqlRow::new(values?))
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
            Self::Int(number) => match *ty {
                // SQLite has no boolean.
                Type::BOOL => (*number != 0).to_sql(ty, out),
                Type::INT2 => i16::try_from(*number)?.to_sql(ty, out),
                Type::INT4 => i32::try_from(*number)?.to_sql(ty, out),
                _ => number.to_sql_checked(ty, out),
            },
            Self::Text(text) => text.to_sql_checked(ty, out),
            // The id of a game, as read.
            Self::Bytes(bytes) if *ty == Type::UUID => {
                out.put_slice(bytes);
                Ok(IsNull::No)
            }
            Self::Bytes(bytes) => bytes.to_sql_checked(ty, out),
            Self::Id(id) if *ty == Type::UUID => {
                out.put_slice(id);
                Ok(IsNull::No)
            }
            Self::Id(id) => id.as_slice().to_sql_checked(ty, out),
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
            Type::INT2 => Ok(Self::Int(i16::from_sql(ty, raw)?.into())),
            Type::INT4 => Ok(Self::Int(i32::from_sql(ty, raw)?.into())),
            Type::INT8 => Ok(Self::Int(i64::from_sql(ty, raw)?)),
            Type::TEXT => Ok(Self::Text(String::from_sql(ty, raw)?)),
            _ => Ok(Self::Bytes(raw.to_vec())),
        }
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn std::error::Error + Sync + Send>> {
        Ok(Self::Null)
    }

    fn accepts(ty: &Type) -> bool {
        [Type::BOOL, Type::INT2, Type::INT4, Type::INT8, Type::TEXT, Type::BYTEA, Type::UUID].contains(ty)
    }
}
