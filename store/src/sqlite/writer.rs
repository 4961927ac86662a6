//! The one connection that writes to an SQLite file, and the log of writes beside the file, which it keeps short.

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{mem, thread};

use parking_lot::Mutex;
use rusqlite::{Connection, Error, TransactionBehavior};

use super::error::SqliteFault;
use super::session::{LOOK, SqliteFile, connect, has_waited, wait_for_others};

/// How often it is looked how long the log is: not after each of the small changes that come one after another.
const LENGTH_LOOK: Duration = Duration::from_millis(10);

/// How many pages (of 4,096 bytes) are written to the log before they are copied into the file, and the log is begun anew.
const LONG: i64 = 16_000;

/// What the log of writes may keep on the disk once it is begun anew, in bytes.
const KEPT: i64 = 80 << 20;

/// How long what is written next waits for those who still read the log. A read of a game takes microseconds, a copy of the
/// database minutes.
const READING: Duration = Duration::from_millis(50);

/// So long after another process has written, it may want to write again.
const LATELY: Duration = Duration::from_secs(10);

/// It may have to wait for its turn then for one part in so many of the time for which it has not written, about.
const SILENCE: u32 = 16;
/// The shortest of such waits.
const TURN: Duration = Duration::from_millis(20);
/// The longest of such waits.
const LATE_TURN: Duration = Duration::from_millis(100);

/// SQLite has one writer.
pub(super) struct FileWriter {
    open: Mutex<Option<OpenWriter>>,
    others: OtherWriters,
}

struct OpenWriter {
    connection: Connection,
    /// When something was written here last.
    wrote: Instant,
    /// When others were let in last, and how often they had written before.
    let_in: (Instant, u64),
    /// How many pages of the log are copied next.
    long: i64,
    /// When it was looked last how many there are.
    measured: Option<Instant>,
}

/// What the connection that writes has noticed of changes by other connections, which are those of other processes.
#[derive(Default)]
struct OtherWriters {
    /// The number that SQLite gives to what they wrote last.
    version: AtomicI64,
    /// How often that was another one.
    changes: AtomicU64,
    /// When it was noticed last.
    last: Mutex<Option<Instant>>,
}

impl FileWriter {
    /// A connection that is opened when something is written.
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
            // What is written from here on is no change by others.
            self.others.look(&writer.connection)?;
        }
        let done = work(&mut writer.connection);
        writer.wrote = Instant::now();
        let done = done?;
        writer.keep_log_short();
        Ok(done)
    }

    /// Ends writing: copies the log into the file, which then has everything by itself, and cuts it to nothing. Readers that go on for long, and
    /// other processes that write, keep some of it in the log. The process is about to end: what is to be written after this waits for
    /// that, and does not fail.
    ///
    /// # Errors
    /// Where that fails; nothing is lost then.
    pub(super) fn end(&self) -> Result<(), SqliteFault> {
        let mut open = self.open.lock();
        let ended = open.take().map_or(Ok(()), |writer| writer.cut_log());
        mem::forget(open);
        Ok(ended?)
    }

    /// Returns how often something was seen that other processes wrote; nothing before anything was written here.
    pub(super) fn changes_by_others(&self) -> Option<u64> {
        // Where somebody writes, that one has looked, and looks again before it writes the next time.
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
        // Takes the write lock first: a transaction that reads and then writes would fail
        // at once, without waiting, where another process has written in between.
        connection.set_transaction_behavior(TransactionBehavior::Immediate);
        // SQLite copies the log after each commit once it is long, but begins it anew only in a moment in which nobody else
        // reads or writes, which may never come.
        connection.pragma_update(None, "wal_autocheckpoint", 0)?;
        connection.pragma_update(None, "journal_size_limit", KEPT)?;
        let now = Instant::now();
        Ok(Self { connection, wrote: now, let_in: (now, 0), long: LONG, measured: None })
    }

    /// Leaves those time for a look who may wait for the lock: SQLite keeps no queue.
    #[expect(clippy::disallowed_methods, reason = "the thread writes, and others may now")]
    fn let_others_in(&mut self, changes: u64) {
        thread::sleep((LOOK + LOOK / 4).saturating_sub(self.wrote.elapsed()));
        self.let_in = (Instant::now(), changes);
    }

    /// Copies the log into the file once it is long, and begins it anew.
    fn keep_log_short(&mut self) {
        if self.measured.is_some_and(|measured| self.wrote < measured + LENGTH_LOOK) {
            return;
        }
        self.measured = Some(self.wrote);
        // What was written is on the disk already. Where the copy fails, as on a full disk, the log is as good as before.
        if let Err(error) = self.begin_long_log_anew() {
            tracing::warn!("the log of writes beside the SQLite file is not begun anew: {error}");
        }
    }

    fn begin_long_log_anew(&mut self) -> Result<(), Error> {
        let log = self.checkpoint("NOOP")?;
        // It became shorter: somebody has begun it anew, such as another process.
        if log.pages + LONG < self.long {
            self.long = LONG;
        }
        if log.pages < self.long {
            return Ok(());
        }
        // Most of it while others may write.
        self.checkpoint("PASSIVE")?;
        // Not with the next change again: whoever reads for long reads on.
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

    /// Keeps others from writing meanwhile, and does not wait long for those who read.
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

/// What SQLite says of the log after it was copied, or was not.
struct WriteLog {
    /// Whether somebody kept it from being finished.
    is_held: bool,
    /// How many pages the log has; -1 where there is none.
    pages: i64,
}

impl OtherWriters {
    /// Notes whether other connections have changed something.
    fn look(&self, writer: &Connection) -> Result<(), Error> {
        let version = writer.prepare_cached("PRAGMA data_version")?.query_row([], |row| row.get(0))?;
        let last = self.version.swap(version, Ordering::Relaxed);
        if last != version {
            self.changes.fetch_add(1, Ordering::Relaxed);
            // The first look finds out nothing.
            if last != 0 {
                *self.last.lock() = Some(Instant::now());
            }
        }
        Ok(())
    }

    /// Returns whether others are to be let in: those who write as much as we do each time, those who write now and then not much later than
    /// they want to. Nothing is written here while they may: the longer they have written nothing, the more seldom it is.
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

    /// Whether others are let in that wrote `silence` ago and have written nothing since they were let in `ago`.
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
