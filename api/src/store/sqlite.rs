//! Games in one SQLite file, with nothing to install, for one service process (others may read and write too).

use std::error::Error as _;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use deadpool_sqlite::{Config, Hook, HookError, Manager, Pool, PoolError, Runtime};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Connection, Error, ErrorCode, ToSql, TransactionBehavior, params_from_iter};

use super::list::readable;
use super::row::{Cells, Value};
use super::statement::{self, Statement};
use super::{Creation, Extension, ListQuery, Reads, Start, Store, StoreError};
use crate::game::{GameId, Head, Holder, Info, StoredGame};

refinery::embed_migrations!("../migrations/sqlite");

/// How long a caller waits for a free connection.
const WAIT: Duration = Duration::from_secs(5);
/// How long a connection waits for a lock of another process.
const LOCKED: Duration = Duration::from_secs(2);
/// How many connections read at the same time.
const READERS: usize = 4;

/// Games in an SQLite file. Drop it inside the Tokio runtime that used it.
pub struct SqliteStore {
    /// One connection: SQLite has one writer, so callers wait their turn here.
    writer: Pool,
    readers: Pool,
}

impl SqliteStore {
    /// Opens the file, or creates it in a directory that exists. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError::Backend`] where the directory is missing or the file is not a database,
    /// [`StoreError::Unavailable`] where it cannot be opened now.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = absolute(path)?;
        start_wal(&path).map_err(|error| StoreError::from(SqliteFault::from(error)))?;
        Ok(Self {
            writer: pool(&path, 1, |connection| {
                // A commit waits for the disk.
                connection.pragma_update(None, "synchronous", "FULL")?;
                // Takes the write lock first: a transaction that reads and then writes would fail
                // at once, without waiting, where another process has written in between.
                connection.set_transaction_behavior(TransactionBehavior::Immediate);
                Ok(())
            })?,
            readers: pool(&path, READERS, |connection| connection.pragma_update(None, "query_only", true))?,
        })
    }
}

#[async_trait]
impl Reads for SqliteStore {
    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        let select = statement::select(id);
        let rows = run(&self.readers, move |connection| query(connection, &select)).await?;
        rows.into_iter().next().map(Cells::game).transpose()
    }

    async fn list(&self, wanted: &ListQuery) -> Result<Vec<Info>, StoreError> {
        readable(wanted, |list| run(&self.readers, move |connection| query(connection, &list))).await
    }

    async fn ping(&self) -> Result<(), StoreError> {
        run(&self.readers, |connection| {
            // Reads from the file; `SELECT 1` would not.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok(())
        })
        .await
    }
}

#[async_trait]
impl Store for SqliteStore {
    async fn migrate(&self) -> Result<(), StoreError> {
        // Grouped: otherwise refinery records a migration in a transaction of its own, after the one that
        // applied it.
        let runner = migrations::runner().set_grouped(true);
        run(&self.writer, move |connection| {
            let mut outcome = runner.run(connection);
            // Finding the missing migrations and applying them are two transactions, and SQLite has no
            // lock that spans them. So the loser of a race between processes fails without a trace, and
            // finds everything applied when it looks again.
            for _ in runner.get_migrations() {
                if outcome.is_ok() {
                    break;
                }
                outcome = runner.run(connection);
            }
            match outcome {
                Ok(_) => Ok(()),
                Err(error) => Err(migration_fault(&error)),
            }
        })
        .await
    }

    async fn create(&self, game: &StoredGame) -> Result<Creation, StoreError> {
        let insert = statement::insert(game);
        let seats = statement::seat_players(game.info.id, &game.info.seats);
        run(&self.writer, move |connection| {
            let transaction = connection.transaction()?;
            if execute(&transaction, &insert)? == 0 {
                return Ok(Creation::Exists);
            }
            for seat in &seats {
                execute(&transaction, seat)?;
            }
            transaction.commit()?;
            Ok(Creation::Created)
        })
        .await
    }

    async fn reseat(
        &self,
        id: GameId,
        revision: i64,
        seats: &[Holder],
        start: Option<&Start>,
    ) -> Result<(), StoreError> {
        let change = statement::reseat(id, revision, seats, start);
        let exists = statement::exists(id);
        let seats = statement::seat_players(id, seats);
        run(&self.writer, move |connection| {
            let transaction = connection.transaction()?;
            if execute(&transaction, &change)? == 0 {
                return Err(why_unchanged(&transaction, &exists)?);
            }
            for seat in &seats {
                execute(&transaction, seat)?;
            }
            transaction.commit()?;
            Ok(())
        })
        .await
    }

    async fn append(&self, id: GameId, at: &Head, extension: &Extension) -> Result<(), StoreError> {
        let append = statement::append(id, at, extension);
        let exists = statement::exists(id);
        run(&self.writer, move |connection| {
            if execute(connection, &append)? == 0 {
                return Err(why_unchanged(connection, &exists)?);
            }
            Ok(())
        })
        .await
    }
}

/// Returns the absolute path of a file in a directory that exists. It is absolute so that no file name
/// is special to SQLite (`:memory:`, `file:..`).
fn absolute(path: &Path) -> Result<PathBuf, StoreError> {
    let name = path
        .file_name()
        .ok_or_else(|| StoreError::Backend("the path of the SQLite file does not end in a name".into()))?;
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    match directory.canonicalize() {
        Ok(directory) => Ok(directory.join(name)),
        Err(error) => {
            Err(StoreError::Backend(format!("the directory for the SQLite file cannot be used: {error}")))
        }
    }
}

/// Creates the file if it is missing, and turns on the write-ahead log, a setting that the file keeps.
#[expect(clippy::disallowed_methods, reason = "once, before the service serves")]
fn start_wal(path: &Path) -> Result<(), Error> {
    create_for_owner_only(path);
    let connection = Connection::open(path)?;
    connection.busy_timeout(LOCKED)?;
    let begun = Instant::now();
    loop {
        match connection.pragma_update(None, "journal_mode", "WAL") {
            // Two processes that set this on a new file could wait for each other forever, so SQLite
            // fails one at once, whatever the timeout. By then the other has nearly finished.
            Err(error) if is_passing(&error) && begun.elapsed() < LOCKED => {
                thread::sleep(Duration::from_millis(5));
            }
            outcome => return outcome,
        }
    }
}

/// Creates a missing file that only its owner may read, as it holds the secret seeds of running games. SQLite gives its
/// other files the same mode. If this fails, opening the database says why.
fn create_for_owner_only(path: &Path) {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    drop(options.open(path));
}

fn pool(
    path: &Path,
    size: usize,
    prepare: impl Fn(&mut Connection) -> Result<(), Error> + Copy + Send + Sync + 'static,
) -> Result<Pool, StoreError> {
    let manager = Manager::from_config(&Config::new(path), Runtime::Tokio1);
    Pool::builder(manager)
        .runtime(Runtime::Tokio1)
        .max_size(size)
        .wait_timeout(Some(WAIT))
        .create_timeout(Some(WAIT))
        .recycle_timeout(Some(WAIT))
        .post_create(Hook::async_fn(move |connection, _| {
            Box::pin(async move {
                let prepared = connection.interact(move |connection| {
                    connection.busy_timeout(LOCKED)?;
                    prepare(connection)
                });
                match prepared.await {
                    Ok(outcome) => outcome.map_err(HookError::Backend),
                    Err(_) => Err(HookError::message("interrupted")),
                }
            })
        }))
        .build()
        .map_err(|error| StoreError::Backend(error.to_string()))
}

/// Runs `work` on a thread that may block. It runs to its end even if the caller is dropped.
async fn run<T: Send + 'static>(
    pool: &Pool,
    work: impl FnOnce(&mut Connection) -> Result<T, SqliteFault> + Send + 'static,
) -> Result<T, StoreError> {
    let connection = pool.get().await.map_err(|error| match error {
        PoolError::Backend(error) | PoolError::PostCreateHook(HookError::Backend(error)) => {
            SqliteFault::from(error).into()
        }
        PoolError::Timeout(_) => StoreError::Unavailable("no connection in time".into()),
        PoolError::Closed
        | PoolError::NoRuntimeSpecified
        | PoolError::PostCreateHook(HookError::Message(_)) => StoreError::Unavailable("no connection".into()),
    })?;
    let outcome = connection.interact(work).await;
    let outcome = outcome.map_err(|_| StoreError::Backend("the work was interrupted".into()))?;
    Ok(outcome?)
}

/// Runs a statement that changes rows, and returns how many.
fn execute(connection: &Connection, statement: &Statement) -> Result<usize, Error> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    prepared.execute(params_from_iter(&statement.params))
}

/// Runs a statement that reads rows.
fn query(connection: &Connection, statement: &Statement) -> Result<Vec<Cells>, SqliteFault> {
    let mut prepared = connection.prepare_cached(&statement.sql)?;
    let width = prepared.column_count();
    let mut found = prepared.query(params_from_iter(&statement.params))?;
    let mut rows = Vec::new();
    while let Some(row) = found.next()? {
        let values: Result<_, Error> =
            (0..width).map(|column| row.get_ref(column).map(Value::from)).collect();
        rows.push(Cells::new(values?));
    }
    Ok(rows)
}

/// Returns why a conditional update found no row.
fn why_unchanged(connection: &Connection, exists: &Statement) -> Result<SqliteFault, SqliteFault> {
    let found = query(connection, exists)?;
    Ok(SqliteFault::Store(if found.is_empty() { StoreError::NotFound } else { StoreError::Conflict }))
}

/// Why work on a connection failed.
enum SqliteFault {
    /// The outcome is final.
    Store(StoreError),
    /// SQLite failed.
    Database(Error),
}

impl From<Error> for SqliteFault {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}

impl From<SqliteFault> for StoreError {
    fn from(fault: SqliteFault) -> Self {
        match fault {
            SqliteFault::Store(error) => error,
            SqliteFault::Database(error) if is_passing(&error) => Self::Unavailable(describe(&error)),
            SqliteFault::Database(error) => Self::Backend(describe(&error)),
        }
    }
}

/// Returns whether a later try may succeed. An I/O error counts: it may have come after the commit, and
/// the caller has to read again.
fn is_passing(error: &Error) -> bool {
    matches!(
        error.sqlite_error_code(),
        Some(
            ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::CannotOpen
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
        )
    )
}

/// Returns SQLite's message, which names tables and columns but no values, and never the statement or the path.
fn describe(error: &Error) -> String {
    if let Error::SqlInputError { msg, .. } | Error::SqliteFailure(_, Some(msg)) = error
        && !is_passing(error)
    {
        return msg.clone();
    }
    match error.sqlite_error() {
        Some(code) => code.to_string(),
        None => "SQLite gave an unexpected response".to_owned(),
    }
}

fn migration_fault(error: &refinery::Error) -> SqliteFault {
    let cause = error.source().and_then(|cause| cause.downcast_ref());
    SqliteFault::Store(match cause {
        Some(cause) if is_passing(cause) => StoreError::Unavailable(describe(cause)),
        Some(cause) => StoreError::Backend(format!("migration: {}", describe(cause))),
        None => StoreError::Backend(format!("migration: {error}")),
    })
}

impl ToSql for Value {
    fn to_sql(&self) -> Result<ToSqlOutput<'_>, Error> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Flag(flag) => ValueRef::Integer((*flag).into()),
            Self::Int(number) => ValueRef::Integer(*number),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
            Self::Bytes(bytes) => ValueRef::Blob(bytes),
        }))
    }
}

impl From<ValueRef<'_>> for Value {
    fn from(value: ValueRef<'_>) -> Self {
        match value {
            ValueRef::Null => Self::Null,
            ValueRef::Integer(number) => Self::Int(number),
            // No column holds a fraction: STRICT tables.
            ValueRef::Real(_) => Self::Null,
            ValueRef::Text(text) => Self::Text(String::from_utf8_lossy(text).into_owned()),
            ValueRef::Blob(bytes) => Self::Bytes(bytes.to_vec()),
        }
    }
}
