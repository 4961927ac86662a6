//! Clears away what was taken from what waits for the feed in PostgreSQL.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use deadpool_postgres::Pool;

use super::servers::Servers;
use super::session::{begun, session_that_answers, to_its_end};

/// After how many rows that were taken they are cleared away. Whoever looks for the oldest that waits walks past all that were taken before, and the
/// server comes once a minute by itself: at 11,000 changes a second, walking past them took a quarter of a core.
const TAKEN: usize = 10_000;
/// Clears them away, and waits for nobody. It locks out no statement, and gives no pages back, which are needed again.
const CLEAR: &str = "VACUUM (SKIP_LOCKED, INDEX_CLEANUP on, TRUNCATE off) feed_waiting";
/// For how many times as long as it took nothing is cleared away: a transaction that goes on for long, such as that of a backup, keeps all rows where
/// they are.
const PAUSE: u32 = 50;
/// For how long nothing is cleared away where it failed: only time is lost, and the server comes by itself.
const FAILED: Duration = Duration::from_secs(60);

/// When rows are cleared away that this process took.
#[derive(Clone, Default)]
pub(in crate::postgres) struct FeedVacuum(Arc<Mutex<TakenRows>>);

#[derive(Default)]
struct TakenRows {
    taken: usize,
    is_under_way: bool,
    not_before: Option<Instant>,
}

impl FeedVacuum {
    fn takings(&self) -> MutexGuard<'_, TakenRows> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that rows were taken, and returns whether they are to be cleared away now.
    fn begins_after(&self, taken: usize) -> bool {
        let mut takings = self.takings();
        takings.taken += taken;
        let is_early = takings.not_before.is_some_and(|moment| Instant::now() < moment);
        if takings.taken < TAKEN || takings.is_under_way || is_early {
            return false;
        }
        (takings.taken, takings.is_under_way) = (0, true);
        true
    }

    fn ended(&self, pause: Duration) {
        let mut takings = self.takings();
        (takings.is_under_way, takings.not_before) = (false, Instant::now().checked_add(pause));
    }

    /// Notes that rows were taken, and clears them away now and then with one of these sessions. Nobody waits for it.
    pub(in crate::postgres) fn took(&self, rows: usize, servers: &Servers, sessions: &Pool) {
        if !self.begins_after(rows) {
            return;
        }
        let (clearing, servers, sessions) = (self.clone(), servers.clone(), sessions.clone());
        tokio::spawn(async move {
            let began = Instant::now();
            let clear = async {
                let session = session_that_answers(&sessions).await?;
                to_its_end(&servers, begun(&session), async move { Ok(session.batch_execute(CLEAR).await?) })
                    .await
            };
            let is_cleared = clear.await.is_ok();
            clearing.ended(if is_cleared { PAUSE * began.elapsed() } else { FAILED });
        });
    }
}
