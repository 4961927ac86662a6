//! Whether PostgreSQL answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::time::{sleep, timeout};

use super::StoreError;
use super::postgres_fault::{PostgresFault, is_collision};
use super::postgres_session::session;

/// How long a response may take.
const ANSWER: Duration = Duration::from_millis(900);
/// How long to wait before looking again, where the database refuses.
const PAUSE: Duration = Duration::from_millis(50);
/// How many times an attempt is made that collides with others (SQLSTATE 40001, 40P01).
const ATTEMPTS: usize = 4;

/// Watches over attempts. Where one is not answered in time, nobody waits for the database any more until it answers
/// again: it may hang without breaking a connection.
pub(super) struct Pulse {
    is_lost: AtomicBool,
    /// One connection to look with.
    pool: Pool,
}

impl Pulse {
    /// Looks with a connection of this pool, which nothing else uses.
    pub(super) const fn of(pool: Pool) -> Self {
        Self { is_lost: AtomicBool::new(false), pool }
    }

    /// Makes an attempt, and waits for it only so long.
    pub(super) async fn in_time<T>(
        self: &Arc<Self>,
        attempt: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        if self.is_lost.load(Ordering::Acquire) {
            return Err(PostgresFault::Store(StoreError::Unavailable("it has stopped answering".into())));
        }
        match timeout(ANSWER, attempt).await {
            Ok(outcome) => outcome,
            Err(_) => {
                self.look_after_it();
                Err(PostgresFault::Store(StoreError::Unavailable("no response in time".into())))
            }
        }
    }

    /// Repeats an attempt that collided with another transaction; such an attempt leaves nothing behind.
    pub(super) async fn retried<T, F>(self: &Arc<Self>, attempt: impl Fn() -> F) -> Result<T, StoreError>
    where
        F: Future<Output = Result<T, PostgresFault>>,
    {
        for _ in 1..ATTEMPTS {
            match self.in_time(attempt()).await {
                Err(PostgresFault::Database(error)) if is_collision(&error) => {}
                outcome => return Ok(outcome?),
            }
        }
        Ok(self.in_time(attempt()).await?)
    }

    /// Returns whether the database answers.
    pub(super) async fn ask(&self) -> Result<(), PostgresFault> {
        Ok(session(&self.pool).await?.batch_execute("SELECT 1").await?)
    }

    /// Counts it as lost until it answers.
    #[expect(clippy::disallowed_methods, reason = "between two looks at a database that refuses")]
    fn look_after_it(self: &Arc<Self>) {
        if !self.is_lost.swap(true, Ordering::AcqRel) {
            let lost = Lost(Arc::clone(self));
            tokio::spawn(async move {
                while lost.0.ask().await.is_err() {
                    sleep(PAUSE).await;
                }
            });
        }
    }
}

/// The database counts as lost while this lives.
struct Lost(Arc<Pulse>);

impl Drop for Lost {
    fn drop(&mut self) {
        self.0.is_lost.store(false, Ordering::Release);
    }
}
