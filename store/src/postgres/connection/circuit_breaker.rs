//! Whether PostgreSQL answers. While it does not, requests are refused at once.

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
/// How long a database that answers may take to answer when it is looked at.
const LOOK: Duration = Duration::from_millis(100);
/// How long to wait before looking again, where the database refuses.
const PAUSE: Duration = Duration::from_millis(50);
/// How long one of several servers may hang before the others are asked.
const HANGING: Duration = Duration::from_secs(1);
/// How many times an attempt is made that collides with others (SQLSTATE 40001, 40P01).
const ATTEMPTS: usize = 4;

/// Gives each attempt a time limit. When one is late, it asks the database over another connection. If that is not answered
/// either, all attempts are refused until the database answers again: it may hang without breaking a connection. If only one
/// attempt is slow, the others still wait for the database.
pub(in crate::postgres) struct CircuitBreaker {
    state: AtomicU8,
    health: DatabaseHealth,
    /// One connection to look with.
    pool: Pool,
    servers: Servers,
}

/// Nothing is known against the database.
const ANSWERS: u8 = 0;
/// It is looked at for the first time.
const IN_DOUBT: u8 = 1;
/// It does not answer.
const LOST: u8 = 2;

impl CircuitBreaker {
    /// Looks with a connection of this pool, which nothing else uses, to one of these servers.
    pub(in crate::postgres) fn new(pool: Pool, servers: Servers) -> Self {
        Self { state: AtomicU8::new(ANSWERS), health: DatabaseHealth::default(), pool, servers }
    }

    /// Returns what attempts have shown of the database.
    pub(in crate::postgres) const fn health(&self) -> &DatabaseHealth {
        &self.health
    }

    /// Makes an attempt, and waits for it only so long.
    pub(in crate::postgres) async fn in_time<T>(
        self: &Arc<Self>,
        attempt: impl Future<Output = Result<T, PostgresFault>>,
    ) -> Result<T, PostgresFault> {
        if self.state.load(Ordering::Acquire) == LOST {
            return Err(PostgresFault::Store(StoreError::Unavailable("it has stopped answering".into())));
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

    /// Repeats an attempt that collided with another transaction; such an attempt leaves nothing behind.
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

    /// Begins the session to look with, if that does not take long: one that begins while the database hangs comes after all others that wait to begin.
    pub(in crate::postgres) async fn begin(&self) {
        // Where it does not begin now, it begins with the first look.
        let _ = timeout(ANSWER, self.ask()).await;
    }

    /// Returns whether the database answers.
    pub(in crate::postgres) async fn ask(&self) -> Result<(), PostgresFault> {
        session_that_answers(&self.pool).await.map(drop)
    }

    /// Returns whether a database that counts as lost answers. One that hangs is waited for: all sessions go on when it does. Where there is another
    /// server, whichever begins a session has it.
    async fn answers(&self) -> bool {
        if !self.servers.are_many() {
            return self.ask().await.is_ok();
        }
        matches!(timeout(HANGING, self.ask()).await, Ok(Ok(())))
            || matches!(timeout(self.servers.patience(), self.servers.begin()).await, Ok(Ok(_)))
    }

    /// Looks whether it answers at all; if not, counts it as lost until it does.
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

/// However the looking ends, the database counts as answering after it.
struct Doubt(Arc<CircuitBreaker>);

impl Drop for Doubt {
    fn drop(&mut self) {
        self.0.state.store(ANSWERS, Ordering::Release);
    }
}
