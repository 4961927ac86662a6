//! Backups: all that a database holds as of one moment, in one SQLite file, whichever database it was made from; verified
//! game by game, and restored into either.

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

/// How many games wait to be verified, at most.
const AHEAD: usize = 256;

/// The name of the copy in its folder.
const COPY: &str = "backup.db";

/// A backup, in a copy of its own with the tables of this version. It is removed with the value.
pub struct Backup {
    store: Box<SqliteStore>,
    folder: TempDir,
}

/// Why a backup was not opened.
#[derive(Debug, thiserror::Error)]
pub enum NotOpened {
    /// It is something else.
    #[error("this is neither a backup nor a database of Assam")]
    Foreign,
    /// It is damaged.
    #[error("the file is damaged: {0}")]
    Damaged(String),
    /// The database failed, where the file is of a later version, too.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl NotOpened {
    /// What SQLite cannot make sense of is damaged.
    fn of_file(error: StoreError) -> Self {
        if let StoreError::Backend(why) = error { Self::Damaged(why) } else { Self::Store(error) }
    }
}

/// What verifying found.
#[derive(Debug, Default)]
pub struct Audited {
    /// How many games there are.
    pub games: u64,
    /// How many plies their sound ones have.
    pub plies: u64,
    /// What is wrong, a sentence for each game.
    pub unsound: Vec<String>,
}

/// Writes a backup into a file that is missing or empty, while others read and write the database.
///
/// # Errors
/// Of the database, or where the file cannot be written.
pub async fn write(database: &Database, file: &Path) -> Result<(), StoreError> {
    database.admin.copy_into(file).await?;
    seal_backup(file)
}

impl Backup {
    /// Opens a backup, or the SQLite file of a service, also of an earlier version. The file is only read.
    ///
    /// # Errors
    /// Why it is none, or cannot be read or copied.
    pub async fn open(file: &Path) -> Result<Self, NotOpened> {
        let folder = tempfile::tempdir()
            .map_err(|error| StoreError::Unavailable(format!("no temporary folder: {error}")))?;
        let copy = folder.path().join(COPY);
        if !copy_sqlite_file(file, &copy).map_err(NotOpened::of_file)? {
            return Err(NotOpened::Foreign);
        }
        check_backup(file).map_err(NotOpened::Damaged)?;
        let store = SqliteStore::open(&copy)?;
        store.migrate().await?;
        Ok(Self { store: Box::new(store), folder })
    }

    /// Copies everything that a database holds as of one moment, while others read and write it.
    ///
    /// # Errors
    /// Of the database, or where there is no room for the copy.
    pub async fn new(database: &Database) -> Result<Self, StoreError> {
        let folder = tempfile::tempdir()
            .map_err(|error| StoreError::Unavailable(format!("no temporary folder: {error}")))?;
        let copy = folder.path().join(COPY);
        database.admin.copy_into(&copy).await?;
        let store = SqliteStore::open(&copy)?;
        store.migrate().await?;
        Ok(Self { store: Box::new(store), folder })
    }

    /// Returns the keys with which the service signs, the oldest first.
    ///
    /// # Errors
    /// Of the database, and where a key cannot be read.
    pub async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        self.store.signing_keys().await
    }

    /// Reads the whole public log of games.
    ///
    /// # Errors
    /// Of the database, and where a row cannot be read.
    pub fn public_log(&self) -> Result<WholeLog, StoreError> {
        self.store.whole_log()
    }

    /// Reads every game after this id, or every game, in the order of their ids, as long as more are wanted. A game that cannot be read
    /// is handed on as such.
    ///
    /// # Errors
    /// Of the database.
    pub fn each_game(
        &self,
        after: Option<GameId>,
        take: impl FnMut(Option<GameId>, Result<StoredGame, StoreError>) -> ControlFlow<()>,
    ) -> Result<(), StoreError> {
        self.store.each_game(after, take)
    }

    /// Returns how many games there are.
    ///
    /// # Errors
    /// Of the database.
    pub fn games(&self) -> Result<u64, StoreError> {
        self.store.count_games()
    }

    /// Replays every game on as many threads, and computes its chain anew; calls `one_more` after each.
    ///
    /// # Errors
    /// Of the database.
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
                    // Where nobody takes it, a thread has panicked, which the scope passes on.
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

    /// Stores everything, in one transaction, and returns whether it did: not where there are games.
    ///
    /// # Errors
    /// Of either database; nothing is stored then.
    pub async fn restore(&self, into: &Database) -> Result<bool, StoreError> {
        into.admin.take_over(&self.folder.path().join(COPY)).await
    }
}
