//! Games of which this process does not know whether it has started them or changed their seats: the database failed in the middle, or one of its servers
//! has yet to commit. Whoever holds a seat is told once it shows.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::Instant;

use crate::game::GameId;
use crate::store::Write;

/// How many are looked after. Whoever follows games finds others in their lists, after half a minute.
const ROOM: usize = 256;
/// How long each is.
const KEPT: Duration = Duration::from_secs(180);

/// Such games.
#[derive(Default)]
pub(super) struct DoubtfulGames {
    /// Each with the revision that it has if it was changed, and until when it is looked at.
    games: Mutex<HashMap<GameId, (i64, Instant)>>,
    noted: Notify,
}

impl DoubtfulGames {
    fn games(&self) -> MutexGuard<'_, HashMap<GameId, (i64, Instant)>> {
        self.games.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes a game that has this revision if it was changed.
    pub(super) fn note(&self, (game, revision): (GameId, i64)) {
        let mut games = self.games();
        if games.len() < ROOM {
            games.insert(game, (revision, Instant::now() + KEPT));
            self.noted.notify_one();
        }
    }

    /// Waits until there are some.
    pub(super) async fn noted(&self) {
        self.noted.notified().await;
    }

    /// Forgets one that has changed.
    pub(super) fn forget(&self, game: &GameId) {
        self.games().remove(game);
    }

    /// Forgets those that were looked at long enough, and returns the others.
    pub(super) fn to_look_at(&self) -> Vec<(GameId, i64)> {
        let mut games = self.games();
        let now = Instant::now();
        games.retain(|_, (_, until)| now < *until);
        games.iter().map(|(game, (revision, _))| (*game, *revision)).collect()
    }
}

impl Write {
    /// Returns the game and the revision that it has then, where seats are taken or change with this.
    pub(super) fn seated(&self) -> Option<(GameId, i64)> {
        match self {
            Self::Create { game, .. } => Some((game.info.id, game.info.revision)),
            Self::Reseat(reseat) => Some((reseat.id, reseat.revision + 1)),
            Self::Append { .. } | Self::Remove { .. } | Self::TakeDown { .. } => None,
        }
    }
}
