//! Threads for work that takes longer than a single move needs. No matter how much of it there is, it has the
//! processor share of these threads, and games do not wait for it.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::{Semaphore, oneshot};
use tokio::task::JoinHandle;

use crate::app::StoreError;

/// The priority of the thread for the operating system.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) enum ThreadPriority {
    /// Like any other thread.
    Normal,
    /// A third of the share of other threads, if there is more work than processors.
    Low,
    /// Only while other threads are idle.
    Lowest,
}

/// The lowest priority.
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

#[cfg(target_os = "linux")]
impl ThreadPriority {
    /// Returns how far the priority is below others. Only Linux has a priority for each thread.
    fn lower(self) -> i32 {
        match self {
            Self::Normal => 0,
            Self::Low => 5,
            Self::Lowest => LOWEST,
        }
    }
}

/// One thread, or several. Dropping this abandons their work.
pub(in crate::app) struct WorkerThread {
    runtime: Option<Runtime>,
    room: Arc<Semaphore>,
    most: usize,
}

impl WorkerThread {
    /// Starts the thread. Up to `room` tasks may wait for it.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub(in crate::app) fn start(name: &str, room: usize, priority: ThreadPriority) -> io::Result<Self> {
        Self::start_several(1, name, room, priority)
    }

    /// Starts several threads that share one queue.
    ///
    /// # Errors
    /// If the operating system refuses.
    pub(in crate::app) fn start_several(
        threads: usize,
        name: &str,
        room: usize,
        priority: ThreadPriority,
    ) -> io::Result<Self> {
        let mut thread = Builder::new_multi_thread();
        thread.worker_threads(threads).thread_name(name).enable_all();
        #[cfg(target_os = "linux")]
        if priority.lower() > 0 {
            // Threads that this one starts already have its priority.
            let (nice, called) =
                (rustix::process::getpriority_process(None)? + priority.lower(), name.to_owned());
            thread.on_thread_start(move || {
                if let Err(error) = rustix::process::setpriority_process(None, nice.min(LOWEST)) {
                    tracing::warn!("the thread `{called}` runs at normal priority: {error}");
                }
            });
        }
        #[cfg(not(target_os = "linux"))]
        let _ = priority;
        Ok(Self { runtime: Some(thread.build()?), room: Arc::new(Semaphore::new(room)), most: room })
    }

    /// Returns the number of tasks waiting or in progress.
    pub(in crate::app) fn waiting(&self) -> usize {
        self.most.saturating_sub(self.room.available_permits())
    }

    /// Runs work on the thread, in turns with its other work.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if the work panics.
    pub(in crate::app) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.start_work(work)?.await.map_err(|_| interrupted())
    }

    /// Runs work on the thread, unless its caller is gone when its turn comes.
    ///
    /// # Errors
    /// As for [`WorkerThread::run`].
    pub(in crate::app) async fn run_if_awaited<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (send, receive) = oneshot::channel();
        self.start_work(async move {
            if !send.is_closed() {
                let _ = send.send(work.await);
            }
        })?;
        receive.await.map_err(|_| interrupted())
    }

    /// Starts work on the thread, in turns with its other work.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full.
    pub(in crate::app) fn start_work<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<JoinHandle<T>, StoreError> {
        let runtime = self.runtime.as_ref().ok_or_else(interrupted)?;
        let place = Arc::clone(&self.room).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        Ok(runtime.spawn(async move {
            // Held until the work is done, even if no one waits for it any more.
            let _place = place;
            work.await
        }))
    }
}

/// The error of work that panicked.
pub fn interrupted() -> StoreError {
    StoreError::Backend("the work was interrupted".into())
}

impl Drop for WorkerThread {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[cfg(target_os = "linux")]
    #[tokio::test]
    async fn a_thread_has_its_priority_and_no_other_has() {
        let current = || rustix::process::getpriority_process(None).unwrap();
        let before = current();
        for (priority, lower) in
            [(ThreadPriority::Normal, 0), (ThreadPriority::Low, 5), (ThreadPriority::Lowest, 19)]
        {
            let thread = WorkerThread::start("ranked", 1, priority).unwrap();
            assert_eq!(thread.run(async move { current() }).await.unwrap(), (before + lower).min(LOWEST));
            assert_eq!(current(), before);
        }
    }
}
