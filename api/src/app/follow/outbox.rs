//! The games that this process has changed, until it has told the other ones.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::ChangedGame;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

/// How many games may wait to be told. Where there are more, the database fails, and other processes look for themselves.
const ROOM: usize = 16_384;
/// How long a process counts as there that was heard. It tells more often than that.
const THERE: Duration = Duration::from_secs(15);

/// The games that have changed since the others were told, and whether these are heard. Nothing waits for that.
#[derive(Default)]
pub(in crate::app) struct Outbox {
    /// Whether anybody tells them.
    is_read: AtomicBool,
    /// Each with whether its seats have changed, too.
    games: Mutex<HashMap<GameId, bool>>,
    noted: Notify,
    /// Whether the others are heard.
    is_listening: AtomicBool,
    /// When one of the others was heard last.
    last_peer_seen: Mutex<Option<Instant>>,
    /// Whether this process has to say that it is there, and that it has come.
    announcement: Notify,
    is_new: AtomicBool,
}

impl Outbox {
    /// Notes that a game has changed.
    pub(in crate::app) fn note(&self, ChangedGame { id, is_seated }: ChangedGame) {
        if !self.is_read.load(Ordering::Relaxed) {
            return;
        }
        let mut games = self.games.lock();
        if games.len() < ROOM {
            *games.entry(id).or_default() |= is_seated;
        }
        drop(games);
        self.noted.notify_one();
    }

    /// Waits until games have changed, and takes them.
    pub(in crate::app) async fn take(&self) -> Vec<ChangedGame> {
        self.is_read.store(true, Ordering::Relaxed);
        loop {
            self.noted.notified().await;
            let games = mem::take(&mut *self.games.lock());
            if !games.is_empty() {
                return games.into_iter().map(|(id, is_seated)| ChangedGame { id, is_seated }).collect();
            }
        }
    }

    /// Notes whether the others are heard.
    pub(super) fn set_listening(&self, is_listening: bool) {
        self.is_listening.store(is_listening, Ordering::Relaxed);
    }

    /// Notes that another process is there.
    pub(super) fn peer_seen(&self) {
        *self.last_peer_seen.lock() = Some(Instant::now());
    }

    /// Has others told that this process is there, or has come.
    pub(super) fn announce(&self, is_new: bool) {
        self.is_new.fetch_or(is_new, Ordering::Relaxed);
        self.announcement.notify_one();
    }

    /// Waits until others have to be told that, and returns whether this process has come.
    pub(super) async fn next_announcement(&self) -> bool {
        self.announcement.notified().await;
        self.is_new.swap(false, Ordering::Relaxed)
    }

    /// Returns whether there seem to be others. Those who are not told look for themselves.
    pub(super) fn has_peers(&self) -> bool {
        let seen = *self.last_peer_seen.lock();
        seen.is_some_and(|seen| seen.elapsed() < THERE)
    }

    /// Returns whether the others are heard.
    pub(super) fn is_listening(&self) -> bool {
        self.is_listening.load(Ordering::Relaxed)
    }
}
