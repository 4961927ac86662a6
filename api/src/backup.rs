//! Backups: everything in a database as of one moment, in one SQLite file, for any source database. A backup
//! can be verified game by game and restored into either kind of database.

use std::num::NonZero;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::sync_channel;
use std::thread;

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, StoredGame};
use assam_record::log::audit;
use assam_store::{
    Admin as _, Database, Reads as _, SqliteStore, StoreError, WholeLog, check_backup, copy_sqlite_file,
    seal_backup,
};
use parking_lot::Mutex;
use tempfile::TempDir;

pub use assam_store::may_become_backup;

/// The number of games that may wait to be verified.
const AHEAD: usize = 256;

/// The name of the copy in its folder.
const COPY: &str = "backup.db";

/// A backup, as a separate copy with the tables of this version. Dropping it removes the copy.
pub struct Backup {
    store: Box<SqliteStore>,
    folder: TempDir,
}

/// Why a backup was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// The file is something else.
    #[error("this is neither a backup nor a database of Assam")]
    Foreign,
    /// The file is damaged.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The database failed, or the file is of a later version.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NotOpened {
    /// Treats what SQLite cannot read as damage.
    fn of_file(error: StoreError) -> Self {
        if let StoreError::Backend(why) = error { Self::Damaged(why) } else { Self::Store(error) }
    }
}

/// The result of a verification.
#[derive(Debug, Default)]
pub struct Audited {
    /// The number of games.
    pub games: u64,
    /// The number of plies in sound games.
    pub plies: u64,
    /// The faults, a sentence for each unsound game.
    pub unsound: Vec<String>,
}

/// Writes a backup into a missing or empty file, while others read and write the database.
///
/// # Errors
/// If the database fails, or the file cannot be written.
pub async fn write(database: &Database, file: &Path) -> Result<(), StoreError> {
    database.admin.copy_into(file).await?;
    seal_backup(file)
}

impl Backup {
    /// Opens a backup, or the SQLite file of a service, also of an earlier version. The file is only read.
    ///
    /// # Errors
    /// If it is neither, or cannot be read or copied.
    pub async fn open(file: &Path) -> Result<Self, NotOpened> {
        let folder = tempfile::tempdir()
            .map_err(|error| StoreError::Unavailable(format!("cannot create a temporary folder: {error}")))?;
        let copy = folder.path().join(COPY);
        if !copy_sqlite_file(file, &copy).map_err(NotOpened::of_file)? {
            return Err(NotOpened::Foreign);
        }
        check_backup(file).map_err(NotOpened::Damaged)?;
        let store = SqliteStore::open(&copy)?;
        store.migrate().await?;
        Ok(Self { store: Box::new(store), folder })
    }

    /// Copies a database as of one moment, while others read and write it.
    ///
    /// # Errors
    /// If the database fails, or there is no room for the copy.
    pub async fn new(database: &Database) -> Result<Self, StoreError> {
        let folder = tempfile::tempdir()
            .map_err(|error| StoreError::Unavailable(format!("cannot create a temporary folder: {error}")))?;
        let copy = folder.path().join(COPY);
        database.admin.copy_into(&copy).await?;
        let store = SqliteStore::open(&copy)?;
        store.migrate().await?;
        Ok(Self { store: Box::new(store), folder })
    }

    /// Returns the signing keys, oldest first.
    ///
    /// # Errors
    /// If the database fails, or a key cannot be read.
    pub async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        self.store.signing_keys().await
    }

    /// Reads the whole public log of games.
    ///
    /// # Errors
    /// If the database fails, or a row cannot be read.
    pub fn public_log(&self) -> Result<WholeLog, StoreError> {
        self.store.whole_log()
    }

    /// Reads every game, or every game after an id, in the order of ids, as long as more are wanted.
    /// Unreadable games are passed on as such.
    ///
    /// # Errors
    /// If the database fails.
    pub fn each_game(
        &self,
        after: Option<GameId>,
        take: impl FnMut(Option<GameId>, Result<StoredGame, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.store.each_game(after, take)
    }

    /// Returns the number of games.
    ///
    /// # Errors
    /// If the database fails.
    pub fn games(&self) -> Result<u64, StoreError> {
        self.store.count_games()
    }

    /// Replays every game on `threads` threads, and recomputes its hash chain. Calls `one_more` after each.
    ///
    /// # Errors
    /// If the database fails.
    pub fn verify(
        &self,
        threads: NonZero<usize>,
        one_more: &(dyn Fn() + Sync),
    ) -> Result<Audited, StoreError> {
        let (plies, unsound) = (AtomicU64::new(0), Mutex::new(Vec::new()));
        let note = |fault: String| unsound.lock().push(fault);
        let verify = |game: StoredGame| {
            match audit(&game) {
                Ok(ply) => drop(plies.fetch_add(ply.into(), Ordering::Relaxed)),
                Err(fault) => note(fault.to_string()),
            }
            one_more();
        };
        let mut games = 0;
        thread::scope(|scope| {
            let (send, receive) = sync_channel::<StoredGame>(AHEAD);
            let receive = Arc::new(Mutex::new(receive));
            for _ in 0..threads.get() {
                let receive = Arc::clone(&receive);
                scope.spawn(move || {
                    let next = || receive.lock().recv();
                    while let Ok(game) = next() {
                        verify(game);
                    }
                });
            }
            drop(receive);
            self.store.each_game(None, |id, game| {
                games += 1;
                match game {
                    // If no thread takes it, one has panicked, which the scope passes on.
                    Ok(game) => drop(send.send(game)),
                    Err(fault) => note(match id {
                        Some(id) => format!("game {id} cannot be read: {fault}"),
                        None => format!("a game without an id cannot be read: {fault}"),
                    }),
                }
                ControlFlow::Continue(())
            })
        })?;
        let mut unsound = unsound.into_inner();
        unsound.sort_unstable();
        Ok(Audited { games, plies: plies.into_inner(), unsound })
    }

    /// Stores everything in one transaction, and returns whether it did. It does not if the database has
    /// games.
    ///
    /// # Errors
    /// If either database fails. Nothing is stored then.
    pub async fn restore(&self, into: &Database) -> Result<bool, StoreError> {
        into.admin.take_over(&self.folder.path().join(COPY)).await
    }
}
