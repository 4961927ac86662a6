//! The one writer of a process: changes queue up, and what has queued is written together. A lone change is written at once by whoever
//! brings it, where the database is another process.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use std::{mem, thread};

use assam_record::game_clock::GameClock;
use assam_store::{Store, StoreError, Write};
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use super::pending_write::{Order, Outcome, tell};
use super::write_queue::{BATCH, HeldGames, WaitingOrders};
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
pub(super) struct Writer {
    store: Arc<dyn Store>,
    queue: mpsc::Sender<Order>,
    /// How many changes wait or are written.
    under_way: AtomicUsize,
    counts: Arc<Counts>,
}

impl Writer {
    /// Starts a thread that writes to a store; while it does, so many changes may wait.
    pub(in crate::app) fn start(store: Arc<dyn Store>, room: usize, counts: Arc<Counts>) -> Self {
        let (queue, orders) = mpsc::channel(room);
        let counted = Arc::clone(&counts);
        let shared = Arc::clone(&store);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without a runtime, nothing takes from the queue: it is closed, and every change is refused.
            if let Ok(runtime) = runtime {
                let (aside, held) = mpsc::unbounded_channel();
                let games = &RefCell::new(HeldGames::with_room(room.min(FOLLOWERS)));
                let on = Desk { store: &*shared, counts: &counted };
                runtime.block_on(async {
                    tokio::select! {
                        _ = async { tokio::join!(work(on, orders, room, aside, games), write_held(on, held, games)) } => {}
                        () = look(&*shared) => {}
                    }
                });
            }
        });
        Self { store, queue, under_way: AtomicUsize::new(0), counts }
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
    /// As [`Store::write`]; [`StoreError::Busy`] where too many wait; [`StoreError::OnlyRead`] where the store is only read.
    pub(in crate::app) async fn write(&self, change: Write) -> Result<Option<GameClock>, StoreError> {
        if self.store.is_to_read() {
            return Err(StoreError::OnlyRead);
        }
        let (mut order, told) = Order::new(change);
        let (_unfinished, is_alone) = Unfinished::begin(&self.under_way);
        if is_alone && self.store.is_at_hand() {
            // The thread that writes would have to be woken, and to wake this one.
            let write = async |changes: &mut [Write]| self.store.write(changes).await;
            match written(vec![order], &self.counts, write).await.pop() {
                Some((held, Err(StoreError::Locked))) => order = held,
                Some((order, written)) => return written.map(|()| order.change.into_clock()),
                None => return Err(has_stopped()),
            }
        }
        self.queue.try_send(order).map_err(|unsent| match unsent {
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

/// What the thread works with.
#[derive(Clone, Copy)]
struct Desk<'a> {
    store: &'a dyn Store,
    counts: &'a Counts,
}

/// Looks again and again at a database that fails, which nobody else may do for long.
#[expect(clippy::disallowed_methods, reason = "between two looks at a database that fails")]
async fn look(store: &dyn Store) {
    loop {
        store.health().trouble().await;
        tokio::time::sleep(LOOK).await;
        // What comes of it is noted there.
        let _ = if store.health().can_write() { store.ping().await } else { store.try_to_write().await };
    }
}

/// Writes what has queued, again and again. There is no timer: a lone change is written at once, and while it is, the
/// next ones queue up. A database that is another process gets its next batch before the callers of the last one get their outcomes:
/// otherwise it would be idle meanwhile.
async fn work(
    on: Desk<'_>,
    mut queue: mpsc::Receiver<Order>,
    room: usize,
    aside: mpsc::UnboundedSender<Order>,
    held: &RefCell<HeldGames>,
) {
    let mut waiting = WaitingOrders::default();
    let mut untold = Vec::new();
    loop {
        if waiting.is_empty() && queue.is_empty() {
            tell(&mut untold);
            let Some(order) = queue.recv().await else { return };
            waiting.push(order);
        }
        while waiting.len() < room
            && let Ok(order) = queue.try_recv()
        {
            waiting.push(order);
        }
        let batch = waiting.next_batch(&mut held.borrow_mut(), &aside, on.store.is_elsewhere());
        on.counts.waiting.set(waiting.len());
        on.counts.held.set(held.borrow().len());
        if batch.is_empty() {
            continue;
        }
        let write = written(batch, on.counts, async |changes| on.store.write(changes).await);
        let tell_last = async {
            tokio::task::yield_now().await;
            tell(&mut untold);
        };
        let (outcomes, ()) = tokio::join!(write, tell_last);
        if let Some(error) = why_away(&outcomes) {
            // Whoever waits already has waited for the database once, and does not wait for it again.
            (0..queue.len()).for_each(|_| queue.try_recv().into_iter().for_each(|order| waiting.push(order)));
            waiting.end(&error);
        }
        for (order, written) in outcomes {
            if matches!(written, Err(StoreError::Locked)) {
                held.borrow_mut().put_aside(order, &aside);
            } else {
                untold.push((order, written));
            }
        }
        if !on.store.is_elsewhere() {
            tell(&mut untold);
        }
        on.counts.waiting.set(waiting.len());
        on.counts.held.set(held.borrow().len());
    }
}

/// Returns what was written of some orders: each with its outcome.
async fn written(
    mut orders: Vec<Order>,
    counts: &Counts,
    write: impl AsyncFnOnce(&mut [Write]) -> Vec<Outcome>,
) -> Vec<(Order, Outcome)> {
    // In one order everywhere, so that several processes do not wait for each other in a circle.
    orders.sort_by_cached_key(|order| order.change.id().0);
    let size = orders.len();
    orders.iter_mut().for_each(|order| order.by.journey.write(size));
    let taken = |Order { change, by }: Order| (change, by);
    let (mut changes, waiters): (Vec<_>, Vec<_>) = orders.into_iter().map(taken).unzip();
    let began = Instant::now();
    let written = write(&mut changes).await;
    count(counts, began.elapsed(), changes.iter().zip(&written));
    let orders = changes.into_iter().zip(waiters).map(|(change, by)| Order { change, by });
    orders.zip(written).collect()
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
fn why_away(outcomes: &[(Order, Outcome)]) -> Option<StoreError> {
    let why = |(_, written): &(Order, Outcome)| match written {
        Err(error @ (StoreError::Unavailable(_) | StoreError::Unwritable(_))) => Some(error.clone()),
        Ok(()) | Err(_) => None,
    };
    outcomes.iter().map(why).collect::<Option<Vec<_>>>()?.pop()
}

/// Tries to write what was put aside, beside the others, which do not wait for it: all of it together, again and again, until
/// it is written or has waited long enough. Nothing of it is under way when that is told.
#[expect(clippy::disallowed_methods, reason = "between two attempts on what somebody else holds")]
async fn write_held(on: Desk<'_>, mut aside: mpsc::UnboundedReceiver<Order>, held: &RefCell<HeldGames>) {
    let mut orders = Vec::new();
    while !orders.is_empty() || aside.recv_many(&mut orders, BATCH).await > 0 {
        while let Ok(order) = aside.try_recv() {
            orders.push(order);
        }
        for (order, written) in
            written(mem::take(&mut orders), on.counts, async |free| on.store.write_free(free).await).await
        {
            if matches!(written, Err(StoreError::Locked)) && order.by.since.elapsed() < PATIENCE {
                orders.push(order);
            } else {
                held.borrow_mut().end(order, written);
            }
        }
        on.counts.held.set(held.borrow().len());
        if !orders.is_empty() {
            tokio::time::sleep(PAUSE).await;
        }
    }
}
