//! Detects whether PostgreSQL responds. While it does not, requests are refused at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::time::{sleep, timeout};

use super::servers::Servers;
use super::session::session_that_answers;
use crate::StoreError;
use crate::health::DatabaseHealth;
use crate::postgres::error::{PostgresFault, is_collision};

/// How long a response may take.
const ANSWER: Duration = Duration::from_millis(900);
/// How long a responsive database may take to respond to a check.
const LOOK: Duration = Duration::from_millis(100);
/// The pause between checks while the database refuses.
const PAUSE: Duration = Duration::from_millis(50);
/// How long one of several servers may hang before the others are tried.
const HANGING: Duration = Duration::from_secs(1);
/// Attempts in case of collisions with others (SQLSTATE 40001, 40P01).
const ATTEMPTS: usize = 4;

/// Gives each attempt a time limit. When one is late, it checks the database over another connection. If that
/// gets no response either, all attempts are refused until the database responds again, since it may hang
/// without breaking a connection. If only one attempt is slow, the others still wait for the database.
pub(in crate::postgres) struct CircuitBreaker {
    state: AtomicU8,
    health: DatabaseHealth,
    pool: Pool,
    servers: Servers,
}

/// The database responds, as far as known.
const ANSWERS: u8 = 0;
/// It is being checked for the first time.
const IN_DOUBT: u8 = 1;
/// It does not respond.
const LOST: u8 = 2;

impl CircuitBreaker {
    /// Checks with a connection of this pool, which nothing else uses, to one of these servers.
    pub(in crate::postgres) fn new(pool: Pool, servers: Servers) -> Self {
        Self { state: AtomicU8::new(ANSWERS), health: DatabaseHealth::default(), pool, servers }
    }

    /// Returns the health of the database, as attempts have shown it.
    pub(in crate::postgres) const fn health(&self) -> &DatabaseHealth {
        &self.health
    }

    /// Makes an attempt, with a time limit.
    pub(in crate::postgres) async fn in_time<T>(
        self: &Arc<Self>,
        attempt: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        if self.state.load(Ordering::Acquire) == LOST {
            return Err(PostgresFault::Store(StoreError::Unavailable("it has stopped responding".into())));
        }
        match timeout(ANSWER, attempt).await {
            Ok(outcome) => {
                self.health.note(&outcome);
                outcome
            }
            Err(_) => {
                self.health.was_late();
                self.look();
                Err(PostgresFault::Store(StoreError::Unavailable("no response in time".into())))
            }
        }
    }

    /// Repeats an attempt that collided with another transaction. Such an attempt leaves nothing behind.
    pub(in crate::postgres) async fn retried<T, F>(
        self: &Arc<Self>,
        attempt: impl Fn() -> F,
    ) -> Result<T, StoreError>
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

    /// Begins the session for checks, unless that takes long. A session that begins while the database hangs
    /// comes after all others that wait to begin.
    pub(in crate::postgres) async fn begin(&self) {
        // If it does not begin now, it begins with the first check.
        let _ = timeout(ANSWER, self.ask()).await;
    }

    /// Checks that the database responds.
    pub(in crate::postgres) async fn ask(&self) -> Result<(), PostgresFault> {
        session_that_answers(&self.pool).await.map(drop)
    }

    /// Returns whether a lost database responds. If it hangs, this waits, since all sessions continue when it
    /// does. If there are other servers, the first one to begin a session takes over.
    async fn answers(&self) -> bool {
        if !self.servers.are_many() {
            return self.ask().await.is_ok();
        }
        matches!(timeout(HANGING, self.ask()).await, Ok(Ok(())))
            || matches!(timeout(self.servers.patience(), self.servers.begin()).await, Ok(Ok(_)))
    }

    /// Checks whether it responds at all. If not, it counts as lost until it does.
    #[expect(clippy::disallowed_methods, reason = "between two looks at a database that refuses")]
    fn look(self: &Arc<Self>) {
        let (from, to) = (Ordering::AcqRel, Ordering::Acquire);
        if self.state.compare_exchange(ANSWERS, IN_DOUBT, from, to).is_ok() {
            let doubt = Doubt(Arc::clone(self));
            tokio::spawn(async move {
                let circuit_breaker = &doubt.0;
                if !matches!(timeout(LOOK, circuit_breaker.ask()).await, Ok(Ok(()))) {
                    circuit_breaker.state.store(LOST, Ordering::Release);
                    circuit_breaker.health.is_away("no response in time");
                    while !circuit_breaker.answers().await {
                        sleep(PAUSE).await;
                    }
                    circuit_breaker.health.is_back();
                }
            });
        }
    }
}

/// Ends the doubt on drop: after the check, however it ends, the database counts as responsive.
struct Doubt(Arc<CircuitBreaker>);

impl Drop for Doubt {
    fn drop(&mut self) {
        self.0.state.store(ANSWERS, Ordering::Release);
    }
}
