//! Work on all cores. Results come in the order in which the work was handed out.

use std::collections::VecDeque;
use std::io;
use std::num::NonZero;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

/// Pieces of work that may wait for each worker before the first result is taken. Enough for the time in
/// which the caller itself waits for a core.
const AHEAD: usize = 4;

/// A pool with a worker on every core, or a given number. Work is handed out in turn, and results are taken
/// in the same turn.
pub struct WorkerPool<W, T> {
    workers: Vec<Worker<W, T>>,
    next: usize,
    /// The workers with pending results, in order.
    pending: VecDeque<usize>,
}

/// A worker, on a separate thread.
struct Worker<W, T> {
    given: SyncSender<W>,
    done: Receiver<T>,
}

impl<W: Send + 'static, T: Send + 'static> WorkerPool<W, T> {
    /// Starts workers that run this function.
    pub fn start(work: impl Fn(W) -> T + Send + Sync + 'static) -> Self {
        Self::with_workers(thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN), work)
    }

    /// Starts a number of workers that run this function.
    pub fn with_workers(workers: NonZero<usize>, work: impl Fn(W) -> T + Send + Sync + 'static) -> Self {
        let work: Arc<dyn Fn(W) -> T + Send + Sync> = Arc::new(work);
        let workers = (0..workers.get()).map(|_| Worker::start(Arc::clone(&work))).collect();
        Self { workers, next: 0, pending: VecDeque::new() }
    }

    /// Hands out work. If every worker is busy, it first takes the first result.
    ///
    /// # Errors
    /// The errors of `take`, and stopped workers.
    pub fn hand_out<E: From<io::Error>>(
        &mut self,
        work: W,
        take: impl FnMut(T) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.pending.len() == self.workers.len() * AHEAD {
            self.take_next(take)?;
        }
        self.workers[self.next].given.send(work).map_err(|_| has_stopped())?;
        self.pending.push_back(self.next);
        self.next = (self.next + 1) % self.workers.len();
        Ok(())
    }

    /// Waits for all work.
    ///
    /// # Errors
    /// The errors of [`WorkerPool::hand_out`].
    pub fn finish<E: From<io::Error>>(&mut self, mut take: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        while !self.pending.is_empty() {
            self.take_next(&mut take)?;
        }
        Ok(())
    }

    fn take_next<E: From<io::Error>>(&mut self, mut take: impl FnMut(T) -> Result<(), E>) -> Result<(), E> {
        let Some(worker) = self.pending.pop_front() else { return Ok(()) };
        take(self.workers[worker].done.recv().map_err(|_| has_stopped())?)
    }
}

fn has_stopped() -> io::Error {
    io::Error::other("a worker has stopped")
}

impl<W: Send + 'static, T: Send + 'static> Worker<W, T> {
    fn start(work: Arc<dyn Fn(W) -> T + Send + Sync>) -> Self {
        let (given, to_do) = sync_channel(AHEAD);
        let (told, done) = channel();
        thread::spawn(move || do_all(&*work, to_do, &told));
        Self { given, done }
    }
}

/// Works until no more work comes, or its results are no longer taken.
fn do_all<W, T>(work: &dyn Fn(W) -> T, to_do: Receiver<W>, told: &Sender<T>) {
    for given in to_do {
        if told.send(work(given)).is_err() {
            return;
        }
    }
}
