//! The single writing connection to an SQLite file, which also keeps the write-ahead log short.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{mem, thread};

use parking_lot::Mutex;
use rusqlite::{Connection, Error, TransactionBehavior};

use super::error::SqliteFault;
use super::session::{LOOK, SqliteFile, connect, has_waited, wait_for_others};

/// The interval between checks of the log's length, which is longer than a series of small changes.
const LENGTH_LOOK: Duration = Duration::from_millis(10);

/// Pages (of 4,096 bytes) that are written to the log before they are copied into the file and the log is
/// reset.
const LONG: i64 = 16_000;

/// The disk space that the write-ahead log may keep after a reset, in bytes.
const KEPT: i64 = 80 << 20;

/// How long the next write waits for readers of the log. A read of a game takes microseconds, a copy of the
/// database minutes.
const READING: Duration = Duration::from_millis(50);

/// How long after its last write another process may want to write again.
const LATELY: Duration = Duration::from_secs(10);

/// Such a process waits for about one part in this many of the time since its last write.
const SILENCE: u32 = 16;
/// The shortest of such waits.
const TURN: Duration = Duration::from_millis(20);
/// The longest of such waits.
const LATE_TURN: Duration = Duration::from_millis(100);

/// The single writer of an SQLite file.
pub(super) struct FileWriter {
    open: Mutex<Option<OpenWriter>>,
    others: OtherWriters,
}

struct OpenWriter {
    connection: Connection,
    /// When something was last written here.
    wrote: Instant,
    /// When others were last let in, and the number of their writes before.
    let_in: (Instant, u64),
    /// The number of pages at which the log is copied next.
    long: i64,
    /// When the number of pages was last checked.
    measured: Option<Instant>,
}

/// Changes by other connections, which belong to other processes, as noticed by the writing connection.
#[derive(Default)]
struct OtherWriters {
    /// SQLite's number of their last change.
    version: AtomicI64,
    /// How often that number had changed.
    changes: AtomicU64,
    /// When that was last noticed.
    last: Mutex<Option<Instant>>,
}

impl FileWriter {
    /// A connection that is opened by the first write.
    pub(super) fn new() -> Self {
        Self { open: Mutex::new(None), others: OtherWriters::default() }
    }

    /// Works with the connection, on this thread.
    pub(super) fn with<T>(
        &self,
        file: &SqliteFile,
        work: impl FnOnce(&mut Connection) -> Result<T, SqliteFault>,
    ) -> Result<T, SqliteFault> {
        let mut open = self.open.lock();
        let writer = match &mut *open {
            Some(writer) => writer,
            closed => closed.insert(OpenWriter::open(file)?),
        };
        self.others.look(&writer.connection)?;
        if self.others.want_in(writer.let_in) {
            writer.let_others_in(self.others.changes.load(Ordering::Relaxed));
            // Later changes are not by others.
            self.others.look(&writer.connection)?;
        }
        let done = work(&mut writer.connection);
        writer.wrote = Instant::now();
        let done = done?;
        writer.keep_log_short();
        Ok(done)
    }

    /// Ends writing: copies the log into the file, which is then complete by itself, and truncates the log.
    /// Long readers and other writing processes keep a part of it in the log. The process is about to end, so
    /// later writes wait forever instead of failing.
    ///
    /// # Errors
    /// If that fails. Nothing is lost then.
    pub(super) fn end(&self) -> Result<(), SqliteFault> {
        let mut open = self.open.lock();
        let ended = open.take().map_or(Ok(()), |writer| writer.cut_log());
        mem::forget(open);
        Ok(ended?)
    }

    /// Returns how often writes of other processes were noticed, or none before the first write here.
    pub(super) fn changes_by_others(&self) -> Option<u64> {
        // If the lock is taken, a writer has just checked, and checks again before its next write.
        if let Some(open) = self.open.try_lock() {
            self.others.look(&open.as_ref()?.connection).ok()?;
        }
        Some(self.others.changes.load(Ordering::Relaxed))
    }
}

impl OpenWriter {
    fn open(file: &SqliteFile) -> Result<Self, Error> {
        let mut connection = connect(file)?;
        // A commit waits for the disk.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // Takes the write lock first: a transaction that reads and then writes would fail at once, without
        // waiting, if another process wrote in between.
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        // SQLite copies a long log after each commit, but resets it only in a moment without other readers
        // and writers, which may never come.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "journal_size_limit", KEPT)?;
        let now = Instant::now();
        Ok(Self { connection, wrote: now, let_in: (now, 0), long: LONG, measured: None })
    }

    /// Gives waiting processes time to take the lock, since SQLite has no queue.
    #[expect(clippy::disallowed_methods, reason = "the thread writes, and others may now")]
    fn let_others_in(&mut self, changes: u64) {
        thread::sleep((LOOK + LOOK / 4).saturating_sub(self.wrote.elapsed()));
        self.let_in = (Instant::now(), changes);
    }

    /// Copies a long log into the file, and resets it.
    fn keep_log_short(&mut self) {
        if self.measured.is_some_and(|measured| self.wrote < measured + LENGTH_LOOK) {
            return;
        }
        self.measured = Some(self.wrote);
        // All changes are already on disk. If the copy fails, for example on a full disk, the log is as good
        // as before.
        if let Err(error) = self.begin_long_log_anew() {
            tracing::warn!("the write-ahead log next to the SQLite file cannot be reset: {error}");
        }
    }

    fn begin_long_log_anew(&mut self) -> Result<(), Error> {
        let log = self.checkpoint("NOOP")?;
        // It became shorter, so another process has reset it.
        if log.pages + LONG < self.long {
            self.long = LONG;
        }
        if log.pages < self.long {
            return Ok(());
        }
        // Most of it, while others may write.
        self.checkpoint("PASSIVE")?;
        // Not again with the next change, since long readers continue.
        self.long = log.pages + LONG;
        if !self.checkpoint_alone("RESTART")?.is_held {
            self.long = LONG;
        }
        Ok(())
    }

    fn cut_log(&self) -> Result<(), Error> {
        self.checkpoint("PASSIVE")?;
        self.checkpoint_alone("TRUNCATE")?;
        Ok(())
    }

    /// Blocks other writers while it runs, and does not wait long for readers.
    fn checkpoint_alone(&self, mode: &str) -> Result<WriteLog, Error> {
        self.connection.busy_handler(Some(|looks| has_waited(looks, READING)))?;
        let done = self.checkpoint(mode);
        wait_for_others(&self.connection)?;
        done
    }

    fn checkpoint(&self, mode: &str) -> Result<WriteLog, Error> {
        let mut checkpoint = self.connection.prepare_cached(&format!("PRAGMA wal_checkpoint({mode})"))?;
        checkpoint.query_row([], |row| Ok(WriteLog { is_held: row.get(0)?, pages: row.get(1)? }))
    }
}

/// SQLite's report on the log after a copy, or an attempt.
struct WriteLog {
    /// Whether a reader or writer kept it from finishing.
    is_held: bool,
    /// The number of pages in the log, or -1 without a log.
    pages: i64,
}

impl OtherWriters {
    /// Notes whether other connections have changed something.
    fn look(&self, writer: &Connection) -> Result<(), Error> {
        let version = writer.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        let last = self.version.swap(version, Ordering::Relaxed);
        if last != version {
            self.changes.fetch_add(1, Ordering::Relaxed);
            // The first check has nothing to compare with.
            if last != 0 {
                *self.last.lock() = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// Returns whether to let others in: those that write as much as this process each time, occasional
    /// writers soon after they want to. This process pauses then, so the longer the others have written
    /// nothing, the rarer that is.
    fn want_in(&self, (at, changes): (Instant, u64)) -> bool {
        let last = *self.last.lock();
        last.map(|last| last.elapsed()).is_some_and(|silence| {
            let waits = at.elapsed() >= (silence / SILENCE).clamp(TURN, LATE_TURN);
            silence < LATELY && (waits || self.changes.load(Ordering::Relaxed) != changes)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether to let in others that wrote `silence` ago, and have written nothing since they were
    /// let in `ago`.
    fn are_let_in(silence: Duration, ago: Duration) -> bool {
        let now = Instant::now();
        let others = OtherWriters { last: Mutex::new(now.checked_sub(silence)), ..OtherWriters::default() };
        others.want_in((now.checked_sub(ago).unwrap_or(now), 0))
    }

    #[test]
    fn others_are_let_in_the_more_seldom_the_longer_they_have_written_nothing() {
        let [now, second, later] = [0, 1_000, 9_000].map(Duration::from_millis);
        assert!(!are_let_in(now, TURN / 2) && are_let_in(now, TURN));
        assert!(!are_let_in(second, TURN * 2) && are_let_in(second, second / SILENCE));
        assert!(!are_let_in(later, second / SILENCE) && are_let_in(later, LATE_TURN));
        assert!(!are_let_in(LATELY, LATELY));
    }

    #[test]
    fn others_are_let_in_at_once_that_have_written_since() {
        let others = OtherWriters { last: Mutex::new(Some(Instant::now())), ..OtherWriters::default() };
        assert!(!others.want_in((Instant::now(), 0)));
        others.changes.store(1, Ordering::Relaxed);
        assert!(others.want_in((Instant::now(), 0)));
    }
}
