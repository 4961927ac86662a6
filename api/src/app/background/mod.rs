//! The background tasks of every process: clocks, ratings, the public log of games and its witnesses, and
//! threads for long work. They change games only through `write`.

pub mod clocks;
pub mod cosignatures;
pub mod known_witnesses;
pub mod public_log;
mod standings;
mod witnesses;
pub mod worker_thread;

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use assam_proofs::public_log::WitnessAnswer;
use assam_proofs::signed::SigningKey;
use futures_util::future::LocalBoxFuture;
use jiff::SignedDuration;

use crate::app::App;

/// How long a task waits after a failure.
const RETRY: Duration = Duration::from_secs(1);

/// The settings of [`App::start_background_tasks`].
pub struct BackgroundSettings<P, K> {
    /// Sends a request to a witness: the URL and the body.
    pub post: P,
    /// Reads the signing keys. None if the service signs nothing.
    pub keys_at_hand: Option<K>,
    /// How long games may be open. At zero or below, there is no limit.
    pub open_game_ttl: SignedDuration,
}

impl App {
    /// Starts all background tasks on this thread. They end with the runtime.
    ///
    /// # Panics
    /// Outside of a `LocalSet`.
    pub fn start_background_tasks<P, K>(self: &Arc<Self>, settings: BackgroundSettings<P, K>)
    where
        P: AsyncFn(String, String) -> Result<WitnessAnswer, String> + 'static,
        K: Fn() -> Result<Vec<SigningKey>, String> + 'static,
    {
        let BackgroundSettings { post, keys_at_hand, open_game_ttl } = settings;
        let app = || Arc::clone(self);
        let mut tasks: Vec<LocalBoxFuture<'static, ()>> = vec![
            Box::pin(app().keep_following()),
            Box::pin(app().keep_feed()),
            Box::pin(app().keep_witnessed(post)),
        ];
        if let Some(at_hand) = keys_at_hand {
            tasks.push(Box::pin(app().keep_looking_for_keys(at_hand)));
        }
        if !self.only_reads() {
            tasks.push(Box::pin(app().keep_public_log()));
            tasks.push(Box::pin(app().keep_standings()));
            tasks.push(Box::pin(app().keep_clocks()));
            if open_game_ttl.is_positive() {
                tasks.push(Box::pin(app().keep_removing_open_games(open_game_ttl)));
            }
        }
        for task in tasks {
            tokio::task::spawn_local(task);
        }
    }
}

/// Repeats a task, after the pause that it returns, or a second after a failure. A failure is logged once,
/// until a different one or a success. Never returns.
#[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
pub(in crate::app) async fn repeat<E: Display>(
    failing: &str,
    mut task: impl AsyncFnMut() -> Result<Duration, E>,
) {
    let mut logged = String::new();
    loop {
        let (pause, why) = match task().await {
            Ok(pause) => (pause, String::new()),
            Err(error) => (RETRY, error.to_string()),
        };
        if !why.is_empty() && why != logged {
            tracing::warn!("{failing}: {why}");
        }
        logged = why;
        tokio::time::sleep(pause).await;
    }
}

#[cfg(test)]
mod tests {
    use std::future::pending;

    use tokio::time::{Instant, timeout};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_task_comes_again_after_the_pause_that_it_returned_or_a_second_after_it_failed() {
        let (begun, mut times) = (Instant::now(), Vec::new());
        let task = repeat("it fails", async || {
            times.push(begun.elapsed().as_secs());
            match times.len() {
                1 => Err("no"),
                2 => Ok(Duration::from_secs(5)),
                _ => pending().await,
            }
        });
        assert!(timeout(Duration::from_secs(60), task).await.is_err(), "it returned");
        assert_eq!(times, [0, 1, 6]);
    }
}
