//! The one writer of a process: changes queue up, and what has queued is written together.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::thread;

use tokio::sync::mpsc::error::TrySendError;
use tokio::sync::{mpsc, oneshot};

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

impl Writer {
    /// Starts a thread that writes to a store; while it does, so many changes may wait.
    pub(super) fn start(store: Arc<dyn Store>, room: usize) -> Self {
        let (queue, orders) = mpsc::channel(room);
        thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            // Without a runtime, nothing takes from the queue: it is closed, and every change is refused.
            if let Ok(runtime) = runtime {
                runtime.block_on(work(&*store, orders, room));
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
async fn work(store: &dyn Store, mut queue: mpsc::Receiver<Order>, room: usize) {
    let mut waiting = VecDeque::new();
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
        let (changes, outcomes) = next_batch(&mut waiting);
        for (outcome, written) in outcomes.into_iter().zip(store.write(&changes).await) {
            // Whoever waited may have gone; the change is written.
            let _ = outcome.send(written);
        }
    }
}

type Outcomes = Vec<oneshot::Sender<Result<(), StoreError>>>;

/// Takes the first changes that wait, at most one of a game: a second one was made for what the first one leaves.
fn next_batch(waiting: &mut VecDeque<Order>) -> (Vec<Write>, Outcomes) {
    let mut games = HashSet::new();
    let (mut batch, mut rest) = (Vec::new(), VecDeque::new());
    for order in waiting.drain(..) {
        if batch.len() < BATCH && games.insert(order.change.id()) {
            batch.push(order);
        } else {
            rest.push_back(order);
        }
    }
    *waiting = rest;
    // In one order everywhere, so that several processes do not wait for each other in a circle.
    batch.sort_unstable_by_key(|order| order.change.id().0);
    batch.into_iter().map(|Order { change, outcome }| (change, outcome)).unzip()
}
