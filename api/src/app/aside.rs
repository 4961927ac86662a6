//! A thread for work that takes longer than that on a single game. However much of it is wanted, games do not wait for it:
//! all of it has the share of the processor that one thread has.

use std::io;
use std::sync::Arc;

use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

use super::StoreError;

/// How much work may wait for the thread at most.
const ROOM: usize = 256;

/// The thread. What is on its way when this is dropped is given up.
pub(super) struct Aside {
    runtime: Option<Runtime>,
    room: Arc<Semaphore>,
}

impl Aside {
    /// Starts the thread, for which so much work may wait, but no more than 256 pieces.
    ///
    /// # Errors
    /// Of the operating system.
    pub(super) fn start(room: usize) -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("aside").enable_all().build()?;
        Ok(Self { runtime: Some(runtime), room: Arc::new(Semaphore::new(room.min(ROOM))) })
    }

    /// Works on the thread, in turns with what else is done there.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = || StoreError::Backend("the work was interrupted".into());
        let runtime = self.runtime.as_ref().ok_or_else(stopped)?;
        let place = Arc::clone(&self.room).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        let work = async move {
            // Until it is done, also where nobody waits for it any more.
            let _place = place;
            work.await
        };
        runtime.spawn(work).await.map_err(|_| stopped())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}
