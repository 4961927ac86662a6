//! The one writer of a process: changes queue up, and what has queued is written together.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

use crate::game::GameId;
use crate::store::{Store, StoreError, Write};

/// How many changes are written together.
const BATCH: usize = 256;

/// The thread that writes; it ends when this is dropped and everything that waits is written.
pub(super) struct Writer {
    queue: mpsc::Sender<Order>,
}

/// A change that waits to be written.
struct Order {
    change: Write,
    outcome: oneshot::Sender<Result<(), StoreError>>,
}

impl Order {
    /// Tells the outcome. Whoever waited for it may have gone.
    fn end(self, written: Result<(), StoreError>) {
        let _ = self.outcome.send(written);
    }
}

impl Writer {
    /// Starts a thread that writes to a store; while it does, so many changes may wait.
    pub(super) fn start(store: Arc<dyn Store>, room: usize) -> Self {
        let (queue, orders) = mpsc::channel(room);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without a runtime, nothing takes from the queue: it is closed, and every change is refused.
            if let Ok(runtime) = runtime {
                runtime.block_on(work(store, orders, room));
            }
        });
        Self { queue }
    }

    /// Writes a change, together with those of other games that wait.
    ///
    /// # Errors
    /// As [`Store::write`]; [`StoreError::Busy`] where too many wait.
    pub(super) async fn write(&self, change: Write) -> Result<(), StoreError> {
        let (outcome, written) = oneshot::channel();
        match self.queue.try_send(Order { change, outcome }) {
            Ok(()) => written.await.unwrap_or_else(|_| Err(has_stopped())),
            Err(TrySendError::Full(_)) => Err(StoreError::Busy),
            Err(TrySendError::Closed(_)) => Err(has_stopped()),
        }
    }
}

fn has_stopped() -> StoreError {
    StoreError::Unavailable("the writer has stopped".into())
}

/// Writes what has queued, again and again. There is no timer: a lone change is written at once, and while it is, the
/// next ones queue up.
async fn work(store: Arc<dyn Store>, mut queue: mpsc::Receiver<Order>, room: usize) {
    let mut waiting = VecDeque::new();
    let held: Held = Arc::default();
    games(&held).room = room.min(FOLLOWERS);
    loop {
        if waiting.is_empty() {
            let Some(order) = queue.recv().await else { return };
            waiting.push_back(order);
        }
        while waiting.len() < room
            && let Ok(order) = queue.try_recv()
        {
            waiting.push_back(order);
        }
        let batch = next_batch(&mut waiting, &mut games(&held), |order| {
            tokio::spawn(wait_for(Arc::clone(&store), order, Arc::clone(&held)));
        });
        if batch.is_empty() {
            continue;
        }
        let (changes, outcomes): (Vec<_>, Vec<_>) =
            batch.into_iter().map(|Order { change, outcome }| (change, outcome)).unzip();
        let written = store.write(&changes).await;
        for ((change, outcome), written) in changes.into_iter().zip(outcomes).zip(written) {
            let order = Order { change, outcome };
            if matches!(written, Err(StoreError::Locked)) {
                games(&held).waiting.entry(order.change.id()).or_default();
                tokio::spawn(wait_for(Arc::clone(&store), order, Arc::clone(&held)));
            } else {
                order.end(written);
            }
        }
    }
}

/// How many changes may wait for what becomes of another one, in all games that somebody else holds.
const FOLLOWERS: usize = 256;

/// The games that somebody else holds.
#[derive(Default)]
struct HeldGames {
    /// Each has one change that waits for it, and those that wait for what becomes of that one.
    waiting: HashMap<GameId, Vec<Order>>,
    /// How many wait like that in all, and how many may.
    followers: usize,
    room: usize,
    /// The last change waited in vain: the next one does not make the others wait to find that out.
    in_vain: HashSet<GameId>,
}

type Held = Arc<Mutex<HeldGames>>;

fn games(held: &Held) -> MutexGuard<'_, HeldGames> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Writes a change of a game that somebody else holds, beside the others, which do not wait for it.
async fn wait_for(store: Arc<dyn Store>, order: Order, held: Held) {
    let written = store.write_patiently(&order.change).await;
    let was_let_go = matches!(written, Ok(()) | Err(StoreError::Conflict | StoreError::Exists));
    let id = order.change.id();
    let followers = {
        let mut held = games(&held);
        let followers = held.waiting.remove(&id).unwrap_or_default();
        held.followers -= followers.len();
        if matches!(written, Err(StoreError::Locked)) {
            held.in_vain.insert(id);
        } else {
            held.in_vain.remove(&id);
        }
        followers
    };
    for follower in followers {
        // What is written now, here or by another process, is not what they were planned for.
        let outdated = StoreError::of_unchanged(&follower.change, true);
        follower.end(Err(if was_let_go { outdated } else { StoreError::Busy }));
    }
    order.end(written);
}

/// Takes the first changes that wait, at most one of a game: a second one was made for what the first one leaves. Changes
/// of games that somebody else holds go aside: one of a game waits for it, some follow, and more are refused. They are told
/// together, so that those who come again at once do not keep everybody busy.
fn next_batch(
    waiting: &mut VecDeque<Order>,
    held: &mut HeldGames,
    mut aside: impl FnMut(Order),
) -> Vec<Order> {
    let mut games = HashSet::new();
    let (mut batch, mut rest) = (Vec::new(), VecDeque::new());
    for order in waiting.drain(..) {
        let id = order.change.id();
        if let Some(followers) = held.waiting.get_mut(&id) {
            if held.followers < held.room {
                held.followers += 1;
                followers.push(order);
            } else {
                order.end(Err(StoreError::Busy));
            }
        } else if held.in_vain.contains(&id) {
            held.waiting.insert(id, Vec::new());
            aside(order);
        } else if batch.len() < BATCH && games.insert(id) {
            batch.push(order);
        } else {
            rest.push_back(order);
        }
    }
    *waiting = rest;
    // In one order everywhere, so that several processes do not wait for each other in a circle.
    batch.sort_unstable_by_key(|order| order.change.id().0);
    batch
}
