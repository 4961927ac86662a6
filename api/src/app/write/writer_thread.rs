//! The one writer of a process. Changes queue up, and the queue is written together. If the database is
//! another process, the caller writes a lone change at once.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{mem, slice, thread};

use assam_record::game_clock::GameClock;
use assam_store::counted::Gauge;
use assam_store::{Change, Reads, RowChange, StoreError, WritesGames};
use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{Mutex, mpsc, oneshot};

use crate::counted::Counts;
use crate::traced::Journey;

/// The maximum number of changes written together.
const BATCH: usize = 256;
/// How long a change may wait for a game that another transaction holds. This is less than the database's
/// timeout, so it is not lost.
const PATIENCE: Duration = Duration::from_millis(700);
/// How long to wait before retrying a change of such a game.
const PAUSE: Duration = Duration::from_millis(20);
/// How long to wait before checking a failing database again.
const LOOK: Duration = Duration::from_secs(1);

type Outcome = Result<(), StoreError>;

/// A change that waits to be written.
struct PendingWrite {
    change: Change,
    journey: Journey,
    told: oneshot::Sender<(Change, Outcome)>,
}

impl PendingWrite {
    /// Sends the caller the outcome. The caller may be gone.
    fn end(self, written: Outcome) {
        let _ = self.told.send((self.change, written));
    }
}

/// The thread that writes. It ends once this is dropped and everything that waits is written.
pub(super) struct WriterThread {
    reads: Arc<dyn Reads>,
    games: Arc<dyn WritesGames>,
    queue: mpsc::Sender<PendingWrite>,
    /// The number of changes waiting or being written.
    under_way: Gauge,
    /// The turn to retry a change of a game that another transaction holds.
    retry: Mutex<()>,
    counts: Arc<Counts>,
}

impl WriterThread {
    /// Starts a thread that writes to a store. Up to `room` changes may wait.
    pub(super) fn start(
        reads: Arc<dyn Reads>,
        games: Arc<dyn WritesGames>,
        room: usize,
        counts: Arc<Counts>,
    ) -> Self {
        let (queue, queued) = mpsc::channel(room);
        let writer = (Arc::clone(&reads), Arc::clone(&games), Arc::clone(&counts));
        thread::spawn(move || {
            let (reads, games, counts) = writer;
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without a runtime, nothing takes from the queue. It is closed, and every change is refused.
            if let Ok(runtime) = runtime {
                runtime.block_on(async {
                    tokio::select! {
                        () = write_queued(&*games, queued, &counts) => {}
                        () = look(&*reads, &*games) => {}
                    }
                });
            }
        });
        Self { reads, games, queue, under_way: Gauge::default(), retry: Mutex::new(()), counts }
    }

    /// Returns the maximum number of waiting changes.
    pub(super) fn capacity(&self) -> usize {
        self.queue.max_capacity()
    }

    /// Returns the number of waiting changes.
    pub(super) fn queued(&self) -> usize {
        let in_channel = self.queue.max_capacity() - self.queue.capacity();
        in_channel + self.counts.waiting.get() as usize
    }

    /// Writes a change, together with waiting changes of other games. If the database is another process, a
    /// change that comes while no other is in progress is written on the caller's thread. Returns the clock
    /// of the game, if it runs from then on.
    ///
    /// # Errors
    /// As [`WritesGames::write`], [`StoreError::Busy`] if too many wait, [`StoreError::OnlyRead`] if the
    /// store is only read.
    pub(super) async fn write(&self, change: Change) -> Result<Option<GameClock>, StoreError> {
        if self.reads.is_to_read() {
            return Err(StoreError::OnlyRead);
        }
        let since = Instant::now();
        let entered = self.under_way.enter();
        let (told, outcome) = oneshot::channel();
        let pending = PendingWrite { change, journey: Journey::begin(), told };
        if entered.before == 0 && self.games.can_write_inline() {
            // The writing thread would have to be woken, and to wake this one.
            write_batch(&*self.games, vec![pending], &self.counts).await;
        } else {
            self.queue.try_send(pending).map_err(|unsent| match unsent {
                TrySendError::Full(_) => StoreError::Busy,
                TrySendError::Closed(_) => has_stopped(),
            })?;
        }
        match outcome.await.map_err(|_| has_stopped())? {
            (change, Err(StoreError::Locked)) => self.retry(change, since).await,
            (change, written) => written.map(|()| change.into_clock()),
        }
    }

    /// Retries a change while another transaction holds its game. Its own request retries it, and requests
    /// take turns, so changes of other games do not wait for it.
    #[expect(clippy::disallowed_methods, reason = "it waits between two attempts")]
    async fn retry(&self, mut change: Change, since: Instant) -> Result<Option<GameClock>, StoreError> {
        let _held = self.counts.held.enter();
        let turn = tokio::time::timeout_at((since + PATIENCE).into(), self.retry.lock()).await;
        let _turn = turn.map_err(|_| StoreError::Locked)?;
        loop {
            tokio::time::sleep(PAUSE).await;
            let began = Instant::now();
            let written = self.games.write_skip_locked(slice::from_mut(&mut change)).await;
            count(&self.counts, began.elapsed(), [&change].into_iter().zip(&written));
            match written.into_iter().next() {
                Some(Err(StoreError::Locked)) if since.elapsed() < PATIENCE => {}
                written => {
                    return written.unwrap_or_else(|| Err(has_stopped())).map(|()| change.into_clock());
                }
            }
        }
    }
}

fn has_stopped() -> StoreError {
    StoreError::Unavailable("the writer has stopped".into())
}

/// Writes what has queued, repeatedly, until nothing more can come. There is no timer: a lone change is
/// written at once, and the next ones queue up while it is.
async fn write_queued(games: &dyn WritesGames, mut queue: mpsc::Receiver<PendingWrite>, counts: &Counts) {
    let mut waiting = VecDeque::new();
    loop {
        if waiting.is_empty() {
            let Some(pending) = queue.recv().await else { return };
            waiting.push_back(pending);
        }
        while waiting.len() < queue.max_capacity()
            && let Ok(pending) = queue.try_recv()
        {
            waiting.push_back(pending);
        }
        let batch = next_batch(&mut waiting);
        counts.waiting.set(waiting.len());
        if let Some(error) = write_batch(games, batch, counts).await {
            // Waiting changes have waited for the database once, and do not wait for it again.
            waiting.extend((0..queue.len()).map_while(|_| queue.try_recv().ok()));
            waiting.drain(..).for_each(|pending| pending.end(Err(error.clone())));
        }
        counts.waiting.set(waiting.len());
    }
}

/// Takes the first waiting changes, at most one of each game, because a second one was made for the result of
/// the first.
fn next_batch(waiting: &mut VecDeque<PendingWrite>) -> Vec<PendingWrite> {
    let mut games = HashSet::new();
    let (batch, rest): (VecDeque<_>, _) = mem::take(waiting)
        .into_iter()
        .partition(|pending| games.insert(pending.change.id) && games.len() <= BATCH);
    *waiting = rest;
    batch.into()
}

/// Repeatedly checks whether a failed database works again. Until then, requests may be refused without
/// asking it.
#[expect(clippy::disallowed_methods, reason = "it waits between two checks of a failing database")]
async fn look(reads: &dyn Reads, games: &dyn WritesGames) {
    loop {
        reads.health().trouble().await;
        tokio::time::sleep(LOOK).await;
        // The outcome is recorded there.
        let _ = if reads.health().can_write() { reads.ping().await } else { games.try_to_write().await };
    }
}

/// Writes changes together, and sends each its outcome. Returns why the database is unavailable, if it was
/// for all of them.
async fn write_batch(
    games: &dyn WritesGames,
    mut batch: Vec<PendingWrite>,
    counts: &Counts,
) -> Option<StoreError> {
    // In the same order everywhere, so that processes do not wait for each other in a circle.
    batch.sort_by_cached_key(|pending| pending.change.id.0);
    let size = batch.len();
    let (mut changes, mut waiting): (Vec<_>, Vec<_>) =
        batch.into_iter().map(|PendingWrite { change, journey, told }| (change, (journey, told))).unzip();
    waiting.iter_mut().for_each(|(journey, _)| journey.write(size));
    let began = Instant::now();
    let written = games.write(&mut changes).await;
    count(counts, began.elapsed(), changes.iter().zip(&written));
    let why_away = why_away(&written);
    for ((change, (journey, told)), written) in changes.into_iter().zip(waiting).zip(written) {
        PendingWrite { change, journey, told }.end(written);
    }
    why_away
}

/// Counts changes written together.
fn count<'a>(counts: &Counts, took: Duration, changes: impl Iterator<Item = (&'a Change, &'a Outcome)>) {
    let mut size = 0;
    for (change, _) in changes.filter(|(_, written)| written.is_ok()) {
        size += 1;
        match &change.row {
            RowChange::Insert(_) => counts.games.add(1),
            RowChange::Append { at, extension, .. } => counts.words.add((extension.head.ply - at.ply).into()),
            RowChange::Update(update) if update.removed.is_none() => counts.seatings.add(1),
            RowChange::Update(_) | RowChange::Delete { .. } => counts.removals.add(1),
        }
    }
    if size > 0 {
        counts.batches.count(size);
        counts.writing.count_time(took);
    }
}

/// Returns why the database is unavailable, if it was for all of these.
fn why_away(outcomes: &[Outcome]) -> Option<StoreError> {
    let why = |written: &Outcome| match written {
        Err(error @ (StoreError::Unavailable(_) | StoreError::Unwritable(_))) => Some(error.clone()),
        Ok(()) | Err(_) => None,
    };
    outcomes.iter().map(why).collect::<Option<Vec<_>>>()?.pop()
}
