//! Games of which this process does not know whether it has started them or changed their seats: the database failed in the middle, or one of its servers
//! has yet to commit. Whoever holds a seat is told once it shows.

use std::collections::HashMap;
use std::time::Duration;

use assam_record::game::GameId;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many are looked after. Whoever follows games finds others in their lists, after half a minute.
const ROOM: usize = 4096;
/// How long each is.
const KEPT: Duration = Duration::from_secs(180);

/// Such games.
#[derive(Default)]
pub(in crate::app) struct UnconfirmedWrites {
    games: Mutex<HashMap<GameId, UnconfirmedWrite>>,
    noted: Notify,
}

/// What is not known of a game.
struct UnconfirmedWrite {
    /// The first revision that it may have and nobody was told of.
    next: i64,
    /// The last revision that it may have.
    last: i64,
    /// Until when it is looked at.
    until: Instant,
}

impl UnconfirmedWrites {
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, UnconfirmedWrite>> {
        self.games.lock()
    }

    /// Notes a game that has this revision if it was changed.
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

    /// Waits until one is noted.
    pub(in crate::app) async fn noted(&self) {
        self.noted.notified().await;
    }

    /// Forgets those that were looked at long enough, and returns the others.
    pub(in crate::app) fn to_look_at(&self) -> Vec<GameId> {
        let mut games = self.games();
        let now = Instant::now();
        games.retain(|_, write| now < write.until);
        games.keys().copied().collect()
    }

    /// Returns whether a game at this revision shows something of which nobody was told.
    pub(in crate::app) fn shows(&self, game: GameId, revision: i64) -> bool {
        self.games().get(&game).is_some_and(|write| write.next <= revision)
    }

    /// Notes that it was told that a game has this revision.
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
