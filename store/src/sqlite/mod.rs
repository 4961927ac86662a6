//! Games in one SQLite file, with nothing to install, for one service process (others may read and write
//! too).

use std::cell::RefCell;
use std::future::ready;
use std::io::Write as _;
use std::ops::ControlFlow;
use std::path::Path;

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, StoredGame};
use async_trait::async_trait;
use jiff::Timestamp;
use rusqlite::{Connection, Error};
use thread_local::ThreadLocal;

use crate::health::DatabaseHealth;
use crate::health::database_fault::DatabaseError as _;
use crate::sql::list::{Listed, readable};
use crate::sql::list_statement::{self, Merging};
use crate::sql::migration_check::{APPLIED, check_applied};
use crate::sql::row::SqlRow;
use crate::sql::statement::{self, Statement};
use crate::sql::tables::CopiedTable;
use crate::sql::value::Value;
use crate::{
    Admin, Change, ListPage, ListQuery, Observation, PeerBus, Reads, SortBy, StoreError, Version, WritesGames,
};

use error::SqliteFault;
use file::{absolute, access_to_read, start_wal};
use session::{FileAccess, SqliteFile, connect, execute, query};
use writer::FileWriter;

mod checkup;
mod clocks;
pub(crate) mod copy;
mod error;
mod feed;
mod file;
pub(crate) mod log;
pub(crate) mod seal;
mod session;
mod standings;
mod write;
mod writer;

refinery::embed_migrations!("../migrations/sqlite");

/// The free disk space at which the database counts as writable again, in bytes.
const TRIAL: usize = 64 * 1024;

/// Games in an SQLite file.
pub struct SqliteStore {
    writer: FileWriter,
    readers: Readers,
    health: DatabaseHealth,
}

/// One connection for each reading thread. Reading a game takes microseconds.
struct Readers {
    file: SqliteFile,
    connections: ThreadLocal<RefCell<Option<Connection>>>,
}

impl SqliteStore {
    /// Opens the file, or creates it in a directory that exists. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError::Backend`] if the directory is missing or the file is not a database,
    /// [`StoreError::Unavailable`] if it cannot be opened now.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let path = absolute(path)?;
        let file = SqliteFile { path, access: FileAccess::Write };
        start_wal(&file).map_err(|error| StoreError::from(SqliteFault::from(error)))?;
        Ok(Self::on(file))
    }

    /// Opens a file read-only, even if another process writes it. Blocks briefly.
    ///
    /// # Errors
    /// [`StoreError::Backend`] and [`StoreError::Unavailable`] if there is no readable database. If the
    /// write-ahead log is not empty, SQLite must be able to create a file next to it.
    pub fn open_to_read(path: &Path) -> Result<Self, StoreError> {
        let path = absolute(path)?;
        let access = access_to_read(&path).map_err(|error| StoreError::from(SqliteFault::from(error)))?;
        Ok(Self::on(SqliteFile { path, access }))
    }

    fn on(file: SqliteFile) -> Self {
        Self {
            writer: FileWriter::new(),
            readers: Readers { file, connections: ThreadLocal::new() },
            health: DatabaseHealth::default(),
        }
    }

    /// The file.
    const fn file(&self) -> &SqliteFile {
        &self.readers.file
    }

    /// Checks that no migration is missing.
    ///
    /// # Errors
    /// As [`check_applied`].
    fn check_applied(&self) -> Result<(), StoreError> {
        let applied = Statement::new(APPLIED, []);
        let rows = self.read(|connection| query(connection, &applied))?;
        check_applied(&migrations::runner(), rows.first().and_then(SqlRow::count))
    }

    /// Reads with the connection of this thread.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, SqliteFault>) -> Result<T, SqliteFault> {
        let outcome = self.readers.read(work);
        self.health.note(&outcome);
        outcome
    }

    /// Reads the rows of a list.
    fn listed(&self, wanted: &ListQuery) -> Result<Vec<Listed>, StoreError> {
        let Some(list) = list_statement::list(Merging::OfParts, wanted) else { return Ok(Vec::new()) };
        Listed::all(wanted, false, self.read(|connection| query(connection, &list))?)
    }

    /// Writes changes in one transaction, and returns the outcome of each.
    fn write_all(&self, changes: &mut [Change]) -> Result<Vec<Result<(), StoreError>>, SqliteFault> {
        let outcome = self.write_with(|connection| write::write(connection, changes));
        self.health.note(&outcome);
        if outcome.iter().flatten().any(Result::is_ok) {
            self.health.has_written();
        }
        outcome
    }

    /// Works with the writing connection, on this thread.
    fn write_with<T>(
        &self,
        work: impl FnOnce(&mut Connection) -> Result<T, SqliteFault>,
    ) -> Result<T, SqliteFault> {
        self.writer.with(self.file(), work)
    }
}

impl SqliteStore {
    /// Returns the names of its tables.
    ///
    /// # Errors
    /// Database errors.
    pub fn tables(&self) -> Result<Vec<String>, StoreError> {
        Ok(self.readers.read(|connection| {
            let mut select = connection.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'")?;
            Ok(select.query_map([], |row| row.get(0))?.collect::<Result<_, _>>()?)
        })?)
    }

    /// Counts the games.
    ///
    /// # Errors
    /// Database errors.
    pub fn count_games(&self) -> Result<u64, StoreError> {
        let rows = self.readers.read(|connection| query(connection, &statement::count_all()))?;
        Ok(rows.first().and_then(SqlRow::count).unwrap_or_default())
    }

    /// Reads every game with its id, in the order of ids, as long as `take` wants more, optionally after an
    /// id.
    ///
    /// # Errors
    /// Database errors. An unreadable game is passed on as an error.
    pub fn each_game(
        &self,
        after: Option<GameId>,
        mut take: impl FnMut(Option<GameId>, Result<StoredGame, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        let take = |row| {
            let row = SqlRow::new(row);
            take(row.id(), row.game())
        };
        let select = statement::select_all(after);
        Ok(self.readers.read(|connection| copy::each_row(connection, &select, take))?)
    }

    /// Reads every row of a statement.
    pub(crate) fn each_row(&self, select: &str, mut take: impl FnMut(Vec<Value>)) -> Result<(), StoreError> {
        let take = |row| {
            take(row);
            ControlFlow::Continue(())
        };
        Ok(self.readers.read(|connection| copy::each_row(connection, select, take))?)
    }

    pub(crate) fn write_rows(&self, table: &CopiedTable, rows: &[Vec<Value>]) -> Result<(), StoreError> {
        Ok(self.write_with(|connection| copy::write_rows(connection, table, rows))?)
    }

    /// Makes the file complete without the files next to it that writing creates.
    pub(crate) fn close(self) -> Result<(), StoreError> {
        Ok(self.write_with(|connection| Ok(connection.pragma_update(None, "journal_mode", "DELETE")?))?)
    }
}

impl Readers {
    /// Reads with the connection of this thread.
    fn read<T>(&self, work: impl FnOnce(&Connection) -> Result<T, SqliteFault>) -> Result<T, SqliteFault> {
        let mut reader = self.connections.get_or_default().borrow_mut();
        work(opened(&mut reader, || {
            let connection = connect(&self.file)?;
            connection.pragma_update(None, "query_only", true)?;
            Ok(connection)
        })?)
    }
}

/// Returns a connection, and opens it on first use.
fn opened(
    connection: &mut Option<Connection>,
    open: impl FnOnce() -> Result<Connection, Error>,
) -> Result<&mut Connection, Error> {
    match connection {
        Some(connection) => Ok(connection),
        None => Ok(connection.insert(open()?)),
    }
}

/// Processes on one file poll for changes themselves.
impl PeerBus for SqliteStore {
    fn changes_by_others(&self) -> Option<u64> {
        self.writer.changes_by_others()
    }
}

#[async_trait]
impl Reads for SqliteStore {
    fn is_to_read(&self) -> bool {
        self.readers.file.access != FileAccess::Write
    }

    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError> {
        let select = statement::version(id);
        let rows = self.read(|connection| query(connection, &select))?;
        rows.into_iter().next().map(SqlRow::version).transpose()
    }

    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        let select = statement::select(id);
        let rows = self.read(|connection| query(connection, &select))?;
        rows.into_iter().next().map(SqlRow::game).transpose()
    }

    async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError> {
        let rows = self.read(|connection| query(connection, &statement::with_record(record)))?;
        Ok(rows.first().and_then(SqlRow::id))
    }

    async fn count(&self, wanted: &ListQuery) -> Result<u64, StoreError> {
        let Some(count) = list_statement::count(wanted) else { return Ok(0) };
        let rows = self.read(|connection| query(connection, &count))?;
        Ok(rows.first().and_then(SqlRow::count).unwrap_or_default())
    }

    async fn list(&self, wanted: &ListQuery) -> Result<ListPage, StoreError> {
        readable(wanted, |wanted| ready(self.listed(&wanted))).await
    }

    async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError> {
        let rows = self.read(|connection| query(connection, &statement::running_after(id)))?;
        Ok(rows.iter().filter_map(SqlRow::id).collect())
    }

    async fn open_before(
        &self,
        moment: Timestamp,
        after: (Timestamp, GameId),
    ) -> Result<Vec<(Timestamp, GameId)>, StoreError> {
        let select = list_statement::open_before(Merging::OfParts, moment, after);
        let rows = self.read(|connection| query(connection, &select))?;
        Ok(rows.iter().filter_map(|row| row.place(SortBy::Created).ok()).collect())
    }

    async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        let rows = self.read(|connection| query(connection, &statement::signing_keys()))?;
        rows.iter().map(SqlRow::signing_key).collect()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        Ok(self.read(|connection| {
            // Reads from the file, which `SELECT 1` would not.
            connection.query_row("SELECT count(*) FROM sqlite_schema", [], |_| Ok(()))?;
            Ok(())
        })?)
    }

    fn health(&self) -> &DatabaseHealth {
        &self.health
    }
}

#[async_trait]
impl WritesGames for SqliteStore {
    async fn write(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>> {
        match self.write_all(changes) {
            Ok(outcomes) => outcomes,
            // Nothing was written. One change may be the cause, so each gets a separate transaction.
            Err(SqliteFault::Database(error)) if changes.len() > 1 && !error.is_passing() => {
                let alone = |change| self.write_all(std::slice::from_mut(change));
                changes.iter_mut().map(|change| alone(change)?.pop().unwrap_or(Ok(()))).collect()
            }
            Err(fault) => {
                let error = StoreError::from(fault);
                changes.iter().map(|_| Err(error.clone())).collect()
            }
        }
    }

    /// In SQLite a transaction holds the whole file, not a game.
    async fn write_skip_locked(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>> {
        self.write(changes).await
    }

    async fn try_to_write(&self) -> Result<(), StoreError> {
        let outcome = self.write_with(|connection| {
            let room =
                self.readers.file.path.parent().map(tempfile::tempfile_in).unwrap_or_else(tempfile::tempfile);
            let room = room.and_then(|mut file| file.write_all(&[1; TRIAL]));
            room.map_err(|error| SqliteFault::Store(StoreError::Unwritable(error.to_string())))?;
            // Writes the current number again.
            let number: i32 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
            Ok(connection.pragma_update(None, "user_version", number)?)
        });
        self.health.note(&outcome);
        let tried = outcome.map_err(StoreError::from);
        if tried.is_ok() {
            self.health.has_written();
        }
        tried
    }
}

#[async_trait]
impl Admin for SqliteStore {
    async fn migrate(&self) -> Result<(), StoreError> {
        if self.is_to_read() {
            return self.check_applied();
        }
        // Grouped, because refinery would otherwise record a migration in a separate transaction after the
        // one that applied it.
        let runner = migrations::runner().set_grouped(true);
        Ok(self.write_with(|connection| {
            let mut outcome = runner.run(connection);
            // Finding missing migrations and applying them are two transactions, and SQLite has no lock
            // across them. The loser of a race between processes fails without a trace, and finds everything
            // applied at the next attempt.
            for _ in runner.get_migrations() {
                if outcome.is_ok() {
                    break;
                }
                outcome = runner.run(connection);
            }
            match outcome {
                Ok(_) => Ok(seal::unseal(connection)?),
                Err(error) => Err(SqliteFault::of_migration(&runner, &error)),
            }
        })?)
    }

    async fn check_up(&self) -> Result<Vec<Observation>, StoreError> {
        self.look_over().await
    }

    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError> {
        let insert = statement::add_signing_key(published, is_first);
        self.write_with(|connection| Ok(execute(connection, &insert)?))?;
        Ok(())
    }

    async fn copy_into(&self, file: &Path) -> Result<(), StoreError> {
        match copy::copy(&self.readers.file.path, file)? {
            true => Ok(()),
            false => Err(StoreError::Backend("it was never migrated".to_owned())),
        }
    }

    async fn take_over(&self, copy: &Path) -> Result<bool, StoreError> {
        Ok(self.write_with(|connection| copy::take_all(connection, copy))?)
    }

    fn end(&self) -> Result<(), StoreError> {
        Ok(self.writer.end()?)
    }
}
