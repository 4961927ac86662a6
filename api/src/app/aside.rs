//! A thread for work that takes longer than that on a single game. However much of it is wanted, games do not wait for it:
//! all of it has the share of the processor that one thread has.

use std::io;

use tokio::runtime::{Builder, Runtime};

use super::StoreError;

/// The thread. What is on its way when this is dropped is given up.
pub(super) struct Aside(Option<Runtime>);

impl Aside {
    /// Starts the thread.
    ///
    /// # Errors
    /// Of the operating system.
    pub(super) fn start() -> io::Result<Self> {
        let runtime =
            Builder::new_multi_thread().worker_threads(1).thread_name("aside").enable_all().build()?;
        Ok(Self(Some(runtime)))
    }

    /// Works on the thread, in turns with what else is done there.
    ///
    /// # Errors
    /// [`StoreError::Backend`] where the work panics.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let stopped = || StoreError::Backend("the work was interrupted".into());
        let runtime = self.0.as_ref().ok_or_else(stopped)?;
        runtime.spawn(work).await.map_err(|_| stopped())
    }
}

impl Drop for Aside {
    fn drop(&mut self) {
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
