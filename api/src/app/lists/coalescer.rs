//! Shares one reading among callers who want the same at the same time.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::Hash;
use std::mem;
use std::sync::Arc;

use futures_util::future::BoxFuture;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::oneshot;
use tokio::task::yield_now;

use crate::app::StoreError;
use crate::app::background::worker_thread::interrupted;

/// Shared readings, by key. Callers who arrive during a reading wait for the next one, which begins after
/// they came, so no one gets data from before they asked. If a reading fails, all waiting callers get the
/// error.
pub struct Coalescer<K, T>(Mutex<HashMap<K, Waiters<T>>>);

/// The callers who wait for the next reading. While there is an entry, a reader is running.
type Waiters<T> = Vec<oneshot::Sender<Result<T, StoreError>>>;

impl<K, T> Default for Coalescer<K, T> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K, T> Coalescer<K, T> {
    fn waiting(&self) -> MutexGuard<'_, HashMap<K, Waiters<T>>> {
        self.0.lock()
    }
}

impl<K, T> Coalescer<K, T>
where
    K: Clone + Eq + Hash + Send + 'static,
    T: Clone + Send + 'static,
{
    /// Returns the result of a reading that begins after this call. If none with this key is running, `start`
    /// starts it.
    ///
    /// # Errors
    /// If the reading or its start fails.
    pub(in crate::app) async fn get<F>(
        self: &Arc<Self>,
        wanted: K,
        read: impl Fn(K) -> F + Send + 'static,
        start: impl FnOnce(BoxFuture<'static, ()>) -> Result<(), StoreError>,
    ) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let is_read = match self.waiting().entry(wanted.clone()) {
            Entry::Occupied(mut waiters) => {
                waiters.get_mut().push(answer);
                true
            }
            Entry::Vacant(nobody) => {
                nobody.insert(vec![answer]);
                false
            }
        };
        if !is_read {
            let reading = CoalescedRead { of: Arc::clone(self), wanted, stage: ReadStage::Waits };
            start(Box::pin(reading.all(read)))?;
        }
        answered.await.unwrap_or_else(|_| Err(interrupted()))
    }
}

/// A reader for all callers who want the same.
struct CoalescedRead<K: Eq + Hash, T> {
    of: Arc<Coalescer<K, T>>,
    wanted: K,
    stage: ReadStage,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ReadStage {
    Waits,
    Reads,
    Done,
}

impl<K, T> CoalescedRead<K, T>
where
    K: Clone + Eq + Hash + Send,
    T: Clone + Send,
{
    /// Reads until no one wants it any more. The next callers gather while it reads.
    async fn all<F>(mut self, read: impl Fn(K) -> F + Send)
    where
        F: Future<Output = Result<T, StoreError>> + Send,
    {
        self.stage = ReadStage::Reads;
        while let Some(waiters) = self.next_waiters() {
            let outcome = read(self.wanted.clone()).await;
            // A failure is no data, so later callers need not wait for another failure.
            let others = if outcome.is_err() { self.gathered() } else { Vec::new() };
            for waiter in waiters.into_iter().chain(others) {
                // Callers who hung up get nothing.
                let _ = waiter.send(outcome.clone());
            }
            if self.is_wanted() {
                // Other work gets a turn.
                yield_now().await;
            }
        }
    }

    /// Takes the callers who came during the reading.
    fn gathered(&self) -> Waiters<T> {
        self.of.waiting().get_mut(&self.wanted).map(mem::take).unwrap_or_default()
    }

    fn is_wanted(&self) -> bool {
        self.of.waiting().get(&self.wanted).is_some_and(|waiters| !waiters.is_empty())
    }

    /// Takes the waiting callers, or ends the reading if there are none.
    fn next_waiters(&mut self) -> Option<Waiters<T>> {
        let mut waiting = self.of.waiting();
        let mut waiters = mem::take(waiting.get_mut(&self.wanted)?);
        // Callers who hung up want nothing.
        waiters.retain(|waiter| !waiter.is_closed());
        if waiters.is_empty() {
            waiting.remove(&self.wanted);
            self.stage = ReadStage::Done;
            return None;
        }
        Some(waiters)
    }
}

/// No matter how the reading ends, no one waits for it any more.
impl<K: Eq + Hash, T> Drop for CoalescedRead<K, T> {
    fn drop(&mut self) {
        let error = match self.stage {
            ReadStage::Waits => StoreError::Busy,
            ReadStage::Reads => interrupted(),
            ReadStage::Done => return,
        };
        for waiter in self.of.waiting().remove(&self.wanted).into_iter().flatten() {
            let _ = waiter.send(Err(error.clone()));
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::sync::{Notify, Semaphore};
    use tokio::task::JoinHandle;

    use super::*;

    /// Readings that are counted, and end when allowed.
    #[derive(Default)]
    struct Readings {
        shared: Arc<Coalescer<u8, u32>>,
        begun: Arc<AtomicU32>,
        has_begun: Arc<Notify>,
        may_end: Arc<Gate>,
    }

    struct Gate(Semaphore);

    impl Default for Gate {
        fn default() -> Self {
            Self(Semaphore::new(0))
        }
    }

    impl Readings {
        /// Requests a reading, and returns its number.
        fn want(&self, wanted: u8) -> JoinHandle<Result<u32, StoreError>> {
            let (shared, begun) = (Arc::clone(&self.shared), Arc::clone(&self.begun));
            let (has_begun, may_end) = (Arc::clone(&self.has_begun), Arc::clone(&self.may_end));
            let read = move |wanted: u8| {
                let nth = begun.fetch_add(1, Ordering::Relaxed) + 1;
                has_begun.notify_one();
                let may_end = Arc::clone(&may_end);
                async move {
                    may_end.0.acquire().await.unwrap().forget();
                    assert_ne!(wanted, 13, "it panics");
                    if wanted == 14 { Err(StoreError::Locked) } else { Ok(nth) }
                }
            };
            let start = |reading| {
                tokio::spawn(reading);
                Ok(())
            };
            tokio::spawn(async move { shared.get(wanted, read, start).await })
        }

        async fn wait_for_waiters(&self, wanted: u8, count: usize) {
            while self.shared.waiting().get(&wanted).is_none_or(|waiters| waiters.len() != count) {
                yield_now().await;
            }
        }

        /// Requests a reading, requests it again while it runs, and lets it end.
        async fn end_with_one_more(&self, wanted: u8) -> [JoinHandle<Result<u32, StoreError>>; 2] {
            let first = self.want(wanted);
            self.has_begun.notified().await;
            let later = self.want(wanted);
            self.wait_for_waiters(wanted, 1).await;
            // A second reading would end, too.
            self.may_end.0.add_permits(9);
            [first, later]
        }

        async fn wait_until_nobody_reads(&self) {
            while !self.shared.waiting().is_empty() {
                yield_now().await;
            }
        }
    }

    #[tokio::test]
    async fn whoever_comes_while_it_is_read_shares_the_next_reading_with_others() {
        let readings = Readings::default();
        let first = readings.want(1);
        readings.has_begun.notified().await;
        let later = [readings.want(1), readings.want(1), readings.want(1)];
        readings.wait_for_waiters(1, 3).await;
        readings.may_end.0.add_permits(2);
        assert_eq!(first.await.unwrap().unwrap(), 1);
        for one in later {
            assert_eq!(one.await.unwrap().unwrap(), 2);
        }
        readings.may_end.0.add_permits(1);
        assert_eq!(readings.want(1).await.unwrap().unwrap(), 3);
        readings.wait_until_nobody_reads().await;
    }

    #[tokio::test]
    async fn what_is_different_is_read_apart() {
        let readings = Readings::default();
        let (one, other) = (readings.want(1), readings.want(2));
        readings.may_end.0.add_permits(2);
        let mut found = [one.await.unwrap().unwrap(), other.await.unwrap().unwrap()];
        found.sort_unstable();
        assert_eq!(found, [1, 2]);
    }

    #[tokio::test]
    async fn a_reading_that_panics_is_an_error_for_all_who_wait_and_the_next_one_is_as_ever() {
        let readings = Readings::default();
        for waiter in readings.end_with_one_more(13).await {
            assert!(matches!(waiter.await.unwrap(), Err(StoreError::Backend(_))));
        }
        readings.wait_until_nobody_reads().await;
    }

    #[tokio::test]
    async fn a_reading_that_fails_is_told_to_whoever_came_meanwhile_too() {
        let readings = Readings::default();
        for waiter in readings.end_with_one_more(14).await {
            assert!(matches!(waiter.await.unwrap(), Err(StoreError::Locked)));
        }
        assert_eq!(readings.begun.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn nobody_reads_for_those_who_hung_up() {
        let readings = Readings::default();
        let first = readings.want(1);
        readings.has_begun.notified().await;
        let gone = readings.want(1);
        readings.wait_for_waiters(1, 1).await;
        gone.abort();
        assert!(gone.await.unwrap_err().is_cancelled());
        readings.may_end.0.add_permits(9);
        assert_eq!(first.await.unwrap().unwrap(), 1);
        readings.wait_until_nobody_reads().await;
        assert_eq!(readings.begun.load(Ordering::Relaxed), 1);
    }

    #[tokio::test]
    async fn a_reading_that_cannot_be_started_is_busy_and_the_next_one_may_be() {
        let readings = Readings::default();
        let nothing = |_| async { Ok(0) };
        let refused = readings.shared.get(1, nothing, |_| Err(StoreError::Busy)).await;
        assert!(matches!(refused, Err(StoreError::Busy)));
        readings.may_end.0.add_permits(1);
        assert_eq!(readings.want(1).await.unwrap().unwrap(), 1);
    }
}
