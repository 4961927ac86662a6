//! The one writer of a process: changes queue up, and what has queued is written together. A lone change is written at once by whoever
//! brings it, where the database is another process.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{mem, thread};

use assam_record::game_clock::GameClock;
use assam_store::{Reads, StoreError, Write, WritesGames};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::pending_write::{Outcome, PendingWrite, dispatch};
use super::write_queue::{BATCH, LockedGames, WriteQueue};
use crate::counted::Counts;

/// How many changes may wait for what becomes of another one, in all games that somebody else holds.
const FOLLOWERS: usize = 256;
/// How long a change may wait for a game that somebody else holds. Less than the database has time to answer: it is not
/// lost.
const PATIENCE: Duration = Duration::from_millis(700);
/// How long to wait before trying again what changes such games.
const PAUSE: Duration = Duration::from_millis(20);
/// How long to wait before looking at a database again that fails.
const LOOK: Duration = Duration::from_secs(1);

/// The thread that writes; it ends when this is dropped and everything that waits is written.
pub(super) struct WriterThread {
    reads: Arc<dyn Reads>,
    games: Arc<dyn WritesGames>,
    queue: mpsc::Sender<PendingWrite>,
    /// How many changes wait or are written.
    under_way: AtomicUsize,
    counts: Arc<Counts>,
}

impl WriterThread {
    /// Starts a thread that writes to a store; while it does, so many changes may wait.
    pub(in crate::app) fn start(
        reads: Arc<dyn Reads>,
        games: Arc<dyn WritesGames>,
        room: usize,
        counts: Arc<Counts>,
    ) -> Self {
        let (queue, queued) = mpsc::channel(room);
        let counted = Arc::clone(&counts);
        let (looked_at, written) = (Arc::clone(&reads), Arc::clone(&games));
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without a runtime, nothing takes from the queue: it is closed, and every change is refused.
            if let Ok(runtime) = runtime {
                let (deferred, to_retry) = mpsc::unbounded_channel();
                let locked = &RefCell::new(LockedGames::with_room(room.min(FOLLOWERS)));
                let write_loop = WriteLoop { games: &*written, counts: &counted };
                runtime.block_on(async {
                    tokio::select! {
                        _ = async { tokio::join!(write_loop.run(queued, room, deferred, locked), write_loop.retry_locked(to_retry, locked)) } => {}
                        () = look(&*looked_at, &*written) => {}
                    }
                });
            }
        });
        Self { reads, games, queue, under_way: AtomicUsize::new(0), counts }
    }

    /// Returns how many changes may wait to be written.
    pub(super) fn capacity(&self) -> usize {
        self.queue.max_capacity()
    }

    /// Returns how many changes wait to be written.
    pub(in crate::app) fn queued(&self) -> usize {
        let in_channel = self.queue.max_capacity() - self.queue.capacity();
        in_channel + self.counts.waiting.get() as usize
    }

    /// Writes a change, together with those of other games that wait. A change that comes while no other is under way is written
    /// on the caller's own thread, where the database is another process. Returns the clock of the game, if that runs from then on.
    ///
    /// # Errors
    /// As [`WritesGames::write`]; [`StoreError::Busy`] where too many wait; [`StoreError::OnlyRead`] where the store is only read.
    pub(in crate::app) async fn write(&self, change: Write) -> Result<Option<GameClock>, StoreError> {
        if self.reads.is_to_read() {
            return Err(StoreError::OnlyRead);
        }
        let (mut pending, told) = PendingWrite::new(change);
        let (_unfinished, is_alone) = Unfinished::begin(&self.under_way);
        if is_alone && self.games.can_write_inline() {
            // The thread that writes would have to be woken, and to wake this one.
            let write = async |changes: &mut [Write]| self.games.write(changes).await;
            match write_batch(vec![pending], &self.counts, write).await.pop() {
                Some((locked, Err(StoreError::Locked))) => pending = locked,
                Some((pending, written)) => return written.map(|()| pending.change.into_clock()),
                None => return Err(has_stopped()),
            }
        }
        self.queue.try_send(pending).map_err(|unsent| match unsent {
            TrySendError::Full(_) => StoreError::Busy,
            TrySendError::Closed(_) => has_stopped(),
        })?;
        told.await.unwrap_or_else(|_| Err(has_stopped()))
    }
}

/// A change that waits or is written, as long as somebody waits for it.
struct Unfinished<'a>(&'a AtomicUsize);

impl<'a> Unfinished<'a> {
    /// Counts one more; also returns whether it is the only one.
    fn begin(count: &'a AtomicUsize) -> (Self, bool) {
        let before = count.fetch_add(1, Ordering::Relaxed);
        (Self(count), before == 0)
    }
}

impl Drop for Unfinished<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn has_stopped() -> StoreError {
    StoreError::Unavailable("the writer has stopped".into())
}

/// What the thread does until nothing can come any more.
#[derive(Clone, Copy)]
struct WriteLoop<'a> {
    games: &'a dyn WritesGames,
    counts: &'a Counts,
}

impl WriteLoop<'_> {
    /// Writes what has queued, again and again. There is no timer: a lone change is written at once, and while it is, the
    /// next ones queue up. A database that is another process gets its next batch before the callers of the last one get their outcomes:
    /// otherwise it would be idle meanwhile.
    async fn run(
        self,
        mut queue: mpsc::Receiver<PendingWrite>,
        room: usize,
        deferred: mpsc::UnboundedSender<PendingWrite>,
        locked: &RefCell<LockedGames>,
    ) {
        let mut waiting = WriteQueue::default();
        let mut finished = Vec::new();
        loop {
            if waiting.is_empty() && queue.is_empty() {
                dispatch(&mut finished);
                let Some(pending) = queue.recv().await else { return };
                waiting.push(pending);
            }
            while waiting.len() < room
                && let Ok(pending) = queue.try_recv()
            {
                waiting.push(pending);
            }
            let batch = waiting.next_batch(&mut locked.borrow_mut(), &deferred, self.games.is_networked());
            self.counts.waiting.set(waiting.len());
            self.counts.held.set(locked.borrow().len());
            if batch.is_empty() {
                continue;
            }
            let write = write_batch(batch, self.counts, async |changes| self.games.write(changes).await);
            let dispatch_last = async {
                tokio::task::yield_now().await;
                dispatch(&mut finished);
            };
            let (outcomes, ()) = tokio::join!(write, dispatch_last);
            if let Some(error) = why_away(&outcomes) {
                // Whoever waits already has waited for the database once, and does not wait for it again.
                (0..queue.len())
                    .for_each(|_| queue.try_recv().into_iter().for_each(|pending| waiting.push(pending)));
                waiting.end(&error);
            }
            for (pending, written) in outcomes {
                if matches!(written, Err(StoreError::Locked)) {
                    locked.borrow_mut().defer(pending, &deferred);
                } else {
                    finished.push((pending, written));
                }
            }
            if !self.games.is_networked() {
                dispatch(&mut finished);
            }
            self.counts.waiting.set(waiting.len());
            self.counts.held.set(locked.borrow().len());
        }
    }

    /// Tries to write what was deferred, beside the others, which do not wait for it: all of it together, again and again, until
    /// it is written or has waited long enough. Nothing of it is under way when that is told.
    #[expect(clippy::disallowed_methods, reason = "between two attempts on what somebody else holds")]
    async fn retry_locked(
        self,
        mut to_retry: mpsc::UnboundedReceiver<PendingWrite>,
        locked: &RefCell<LockedGames>,
    ) {
        let mut deferred = Vec::new();
        while !deferred.is_empty() || to_retry.recv_many(&mut deferred, BATCH).await > 0 {
            while let Ok(pending) = to_retry.try_recv() {
                deferred.push(pending);
            }
            for (pending, written) in write_batch(mem::take(&mut deferred), self.counts, async |changes| {
                self.games.write_skip_locked(changes).await
            })
            .await
            {
                if matches!(written, Err(StoreError::Locked)) && pending.completion.since.elapsed() < PATIENCE
                {
                    deferred.push(pending);
                } else {
                    locked.borrow_mut().end(pending, written);
                }
            }
            self.counts.held.set(locked.borrow().len());
            if !deferred.is_empty() {
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// Looks again and again at a database that fails, which nobody else may do for long.
#[expect(clippy::disallowed_methods, reason = "between two looks at a database that fails")]
async fn look(reads: &dyn Reads, games: &dyn WritesGames) {
    loop {
        reads.health().trouble().await;
        tokio::time::sleep(LOOK).await;
        // What comes of it is noted there.
        let _ = if reads.health().can_write() { reads.ping().await } else { games.try_to_write().await };
    }
}

/// Writes changes together, and returns each with its outcome.
async fn write_batch(
    mut batch: Vec<PendingWrite>,
    counts: &Counts,
    write: impl AsyncFnOnce(&mut [Write]) -> Vec<Outcome>,
) -> Vec<(PendingWrite, Outcome)> {
    // In one order everywhere, so that several processes do not wait for each other in a circle.
    batch.sort_by_cached_key(|pending| pending.change.id().0);
    let size = batch.len();
    batch.iter_mut().for_each(|pending| pending.completion.journey.write(size));
    let taken = |PendingWrite { change, completion }: PendingWrite| (change, completion);
    let (mut changes, completions): (Vec<_>, Vec<_>) = batch.into_iter().map(taken).unzip();
    let began = Instant::now();
    let written = write(&mut changes).await;
    count(counts, began.elapsed(), changes.iter().zip(&written));
    let batch = changes.into_iter().zip(completions);
    let batch = batch.map(|(change, completion)| PendingWrite { change, completion });
    batch.zip(written).collect()
}

/// Counts what was written together.
fn count<'a>(counts: &Counts, took: Duration, changes: impl Iterator<Item = (&'a Write, &'a Outcome)>) {
    let mut size = 0;
    for (change, _) in changes.filter(|(_, written)| written.is_ok()) {
        size += 1;
        match change {
            Write::Create { .. } => counts.games.add(1),
            Write::Append { at, extension, .. } => counts.words.add((extension.head.ply - at.ply).into()),
            Write::Reseat(_) => counts.seatings.add(1),
            Write::Remove { .. } | Write::TakeDown { .. } => counts.removals.add(1),
        }
    }
    if size > 0 {
        counts.batches.count(size);
        counts.writing.count_time(took);
    }
}

/// Returns why the database is not available, where it was not for any of these.
fn why_away(outcomes: &[(PendingWrite, Outcome)]) -> Option<StoreError> {
    let why = |(_, written): &(PendingWrite, Outcome)| match written {
        Err(error @ (StoreError::Unavailable(_) | StoreError::Unwritable(_))) => Some(error.clone()),
        Ok(()) | Err(_) => None,
    };
    outcomes.iter().map(why).collect::<Option<Vec<_>>>()?.pop()
}
