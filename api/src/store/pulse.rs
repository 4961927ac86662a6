//! Whether PostgreSQL answers.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::Duration;

use deadpool_postgres::Pool;
use tokio::time::{sleep, timeout};

use super::postgres_error::{PostgresFault, is_collision};
use super::postgres_servers::Servers;
use super::postgres_session::session_that_answers;
use super::{DatabaseHealth, StoreError};

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

/// Watches over attempts. Where one is not answered in time, the database is looked at, and where it does not answer that
/// either, nobody waits for it any more until it does: it may hang without breaking a connection. A database that is slow
/// with one attempt only is waited for by all others.
pub(super) struct Pulse {
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

impl Pulse {
    /// Looks with a connection of this pool, which nothing else uses, to one of these servers.
    pub(super) fn of(pool: Pool, servers: Servers) -> Self {
        Self { state: AtomicU8::new(ANSWERS), health: DatabaseHealth::default(), pool, servers }
    }

    /// Returns what attempts have shown of the database.
    pub(super) const fn health(&self) -> &DatabaseHealth {
        &self.health
    }

    /// Makes an attempt, and waits for it only so long.
    pub(super) async fn in_time<T>(
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

    /// Begins the session to look with, if that does not take long: one that begins while the database hangs comes after all others that wait to begin.
    pub(super) async fn begin(&self) {
        // Where it does not begin now, it begins with the first look.
        let _ = timeout(ANSWER, self.ask()).await;
    }

    /// Returns whether the database answers.
    pub(super) async fn ask(&self) -> Result<(), PostgresFault> {
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
                let pulse = &doubt.0;
                if !matches!(timeout(LOOK, pulse.ask()).await, Ok(Ok(()))) {
                    pulse.state.store(LOST, Ordering::Release);
                    pulse.health.is_away("no response in time");
                    while !pulse.answers().await {
                        sleep(PAUSE).await;
                    }
                    pulse.health.is_back();
                }
            });
        }
    }
}

/// However the looking ends, the database counts as answering after it.
struct Doubt(Arc<Pulse>);

impl Drop for Doubt {
    fn drop(&mut self) {
        self.0.state.store(ANSWERS, Ordering::Release);
    }
}
