//! A thread for work that takes longer than that on a single game. However much of it is wanted, games do not wait for it:
//! all of it has the share of the processor that one thread has.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;
use tokio::task::JoinHandle;

use crate::app::StoreError;

/// Which work the operating system prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::app) enum Rank {
    /// The thread is like any other.
    AsOthers,
    /// Where there is more to do than there are processors, the thread has a third of the share of others.
    Less,
    /// The thread works while others have nothing to do.
    Last,
}

/// The lowest priority.
#[cfg(target_os = "linux")]
const LOWEST: i32 = 19;

#[cfg(target_os = "linux")]
impl Rank {
    /// Returns how much lower than that of others the priority is. Only Linux ranks threads apart.
    fn lower(self) -> i32 {
        match self {
            Self::AsOthers => 0,
            Self::Less => 5,
            Self::Last => LOWEST,
        }
    }
}

/// The thread. What is on its way when this is dropped is given up.
pub(in crate::app) struct Aside {
    runtime: Option<Runtime>,
    room: Arc<Semaphore>,
    most: usize,
}

impl Aside {
    /// Starts the thread, for which so many pieces of work may wait.
    ///
    /// # Errors
    /// Of the operating system.
    pub(in crate::app) fn start(name: &str, room: usize, rank: Rank) -> io::Result<Self> {
        let mut thread = Builder::new_multi_thread();
        thread.worker_threads(1).thread_name(name).enable_all();
        #[cfg(target_os = "linux")]
        if rank.lower() > 0 {
            // Threads that this one starts have its priority already.
            let (priority, called) =
                (rustix::process::getpriority_process(None)? + rank.lower(), name.to_owned());
            thread.on_thread_start(move || {
                if let Err(error) = rustix::process::setpriority_process(None, priority.min(LOWEST)) {
                    tracing::warn!("the thread `{called}` is preferred like any other: {error}");
                }
            });
        }
        #[cfg(not(target_os = "linux"))]
        let _ = rank;
        Ok(Self { runtime: Some(thread.build()?), room: Arc::new(Semaphore::new(room)), most: room })
    }

    /// Returns how many pieces of work wait, or are done.
    pub(in crate::app) fn waiting(&self) -> usize {
        self.most.saturating_sub(self.room.available_permits())
    }

    /// Works on the thread, in turns with what else is done there.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub(in crate::app) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.start_work(work)?.await.map_err(|_| interrupted())
    }

    /// Starts work on the thread, in turns with what else is done there.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits.
    pub(in crate::app) fn start_work<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<JoinHandle<T>, StoreError> {
        let runtime = self.runtime.as_ref().ok_or_else(interrupted)?;
        let place = Arc::clone(&self.room).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        Ok(runtime.spawn(async move {
            // Until it is done, also where nobody waits for it any more.
            let _place = place;
            work.await
        }))
    }
}

/// The error of work that panicked.
pub fn interrupted() -> StoreError {
    StoreError::Backend("the work was interrupted".into())
}

impl Drop for Aside {
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
    async fn a_thread_has_its_rank_and_no_other_has() {
        let priority = || rustix::process::getpriority_process(None).unwrap();
        let before = priority();
        for (rank, lower) in [(Rank::AsOthers, 0), (Rank::Less, 5), (Rank::Last, 19)] {
            let thread = Aside::start("ranked", 1, rank).unwrap();
            assert_eq!(thread.run(async move { priority() }).await.unwrap(), (before + lower).min(LOWEST));
            assert_eq!(priority(), before);
        }
    }
}
