//! Games that this process may have started, or whose seats it may have changed. The database failed during
//! the write, or one of its servers has yet to commit. Seat holders are notified once the change shows.

use std::collections::HashMap;
use std::time::Duration;

use assam_record::game::GameId;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::Instant;

/// The maximum number of games checked. Followers find others in their lists within half a minute.
const ROOM: usize = 4096;
/// How long each is checked.
const KEPT: Duration = Duration::from_secs(180);

/// The unconfirmed games.
#[derive(Default)]
pub(in crate::app) struct UnconfirmedWrites {
    games: Mutex<HashMap<GameId, UnconfirmedWrite>>,
    noted: Notify,
}

/// The unconfirmed revisions of a game.
struct UnconfirmedWrite {
    /// The first possible revision without a notification.
    next: i64,
    /// The last possible revision.
    last: i64,
    /// When checking ends.
    until: Instant,
}

impl UnconfirmedWrites {
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, UnconfirmedWrite>> {
        self.games.lock()
    }

    /// Records a game that has this revision if it was changed.
    pub(in crate::app) fn note(&self, (game, revision): (GameId, i64)) {
        let mut games = self.games();
        if games.len() >= ROOM && !games.contains_key(&game) {
            return;
        }
        let write = games.entry(game).or_insert(UnconfirmedWrite {
            next: revision,
            last: revision,
            until: Instant::now(),
        });
        (write.last, write.until) = (write.last.max(revision), Instant::now() + KEPT);
        self.noted.notify_one();
    }

    /// Waits until a game is recorded.
    pub(in crate::app) async fn noted(&self) {
        self.noted.notified().await;
    }

    /// Forgets games that were checked long enough, and returns the others.
    pub(in crate::app) fn to_look_at(&self) -> Vec<GameId> {
        let mut games = self.games();
        let now = Instant::now();
        games.retain(|_, write| now < write.until);
        games.keys().copied().collect()
    }

    /// Returns whether a game at this revision shows an unconfirmed change.
    pub(in crate::app) fn shows(&self, game: GameId, revision: i64) -> bool {
        self.games().get(&game).is_some_and(|write| write.next <= revision)
    }

    /// Records a notification that a game has this revision.
    pub(in crate::app) fn told(&self, game: GameId, revision: i64) {
        let mut games = self.games();
        if let Some(write) = games.get_mut(&game) {
            write.next = revision + 1;
            if write.last <= revision {
                games.remove(&game);
            }
        }
    }
}
