//! The games that this process has changed, until it has notified the other processes.

use std::collections::HashMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::ChangedGame;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::Instant;

/// The maximum number of games that may wait. Beyond that, the database is failing, and other processes look
/// for themselves.
const ROOM: usize = 16_384;
/// How long a process counts as present after it was heard. It announces itself more often.
const THERE: Duration = Duration::from_secs(15);

/// The games changed since the last notification, and whether other processes are heard. Nothing waits for
/// that.
#[derive(Default)]
pub(in crate::app) struct Outbox {
    /// Whether notifications are sent.
    is_read: AtomicBool,
    /// Each game, with whether its seats have changed too.
    games: Mutex<HashMap<GameId, bool>>,
    noted: Notify,
    /// Whether other processes are heard.
    is_listening: AtomicBool,
    /// When another process was last heard.
    last_peer_seen: Mutex<Option<Instant>>,
    /// Wakes the announcement that this process is present, or new.
    announcement: Notify,
    is_new: AtomicBool,
}

impl Outbox {
    /// Records that a game has changed.
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

    /// Records whether other processes are heard.
    pub(super) fn set_listening(&self, is_listening: bool) {
        self.is_listening.store(is_listening, Ordering::Relaxed);
    }

    /// Records that another process is present.
    pub(super) fn peer_seen(&self) {
        *self.last_peer_seen.lock() = Some(Instant::now());
    }

    /// Requests an announcement that this process is present, or new.
    pub(super) fn announce(&self, is_new: bool) {
        self.is_new.fetch_or(is_new, Ordering::Relaxed);
        self.announcement.notify_one();
    }

    /// Waits until an announcement is due, and returns whether this process is new.
    pub(super) async fn next_announcement(&self) -> bool {
        self.announcement.notified().await;
        self.is_new.swap(false, Ordering::Relaxed)
    }

    /// Returns whether there seem to be other processes. Those that get no notification look for themselves.
    pub(super) fn has_peers(&self) -> bool {
        let seen = *self.last_peer_seen.lock();
        seen.is_some_and(|seen| seen.elapsed() < THERE)
    }

    /// Returns whether other processes are heard.
    pub(super) fn is_listening(&self) -> bool {
        self.is_listening.load(Ordering::Relaxed)
    }
}
