//! A round of the runtime of a thread: those are polled whose requests are there (61 of them, as many as are polled in a row), before the runtime
//! looks for more.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// A round that some wait for. Nothing is given to one of them, so it makes no difference to others who of them goes on.
pub struct Round {
    /// Gives nothing, and is closed when the round ends. Whoever is polled twice in a round, as requests are, still waits for that.
    end: Semaphore,
}

impl Round {
    /// Begins a round of the one runtime of this thread. It ends when those have been polled who are there, or with the runtime.
    pub fn begin() -> Arc<Self> {
        let round = Arc::new(Self { end: Semaphore::new(0) });
        let end = EndOfRound(Arc::clone(&round));
        tokio::spawn(async move { drop(end) });
        round
    }

    /// Waits until it ends.
    pub async fn ends(&self) {
        // It is closed, and never acquired.
        let _ = self.end.acquire().await;
    }

    /// Returns whether it has ended.
    pub fn is_over(&self) -> bool {
        self.end.is_closed()
    }
}

/// Ends a round when it is dropped, so that nobody waits for a runtime that is gone.
struct EndOfRound(Arc<Round>);

impl Drop for EndOfRound {
    fn drop(&mut self) {
        self.0.end.close();
    }
}
