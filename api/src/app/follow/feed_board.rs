//! The lobby feed as this process knows it and sends it to followers.

use std::collections::VecDeque;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use assam_record::feed::{FeedPlace, PlacedNews};
use assam_referee::Ruleset;
use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, timeout};

use crate::app::lists::summary::Summary;

/// How long new entries gather after others got positions, because numbering a few costs as much as numbering
/// many.
const GATHERING: Duration = Duration::from_millis(50);
/// How long an entry may wait if no notification arrives.
const PAUSE: Duration = Duration::from_secs(1);
/// The same while the feed is followed and other processes are not heard.
const DEAF: Duration = Duration::from_millis(100);
/// The maximum number of entries cached as sent.
const LAST: usize = 100;
/// How long they are cached. Later followers get the current games instead.
const LATELY: Duration = Duration::from_millis(500);

/// The feed as this process knows it.
#[derive(Default)]
pub(in crate::app) struct FeedBoard {
    noted: Notify,
    newest: watch::Sender<FeedPlace>,
    /// The last entries before that place, as sent.
    told: Mutex<VecDeque<Arc<SharedNews>>>,
}

/// An entry of the feed, shared by all followers.
pub struct SharedNews {
    /// The entry.
    pub placed: PlacedNews,
    /// The game when this was read, or none if it is gone.
    pub game: Option<Summary>,
    text: OnceLock<Bytes>,
    read_at: Instant,
}

impl SharedNews {
    /// Returns an entry with its game.
    pub(in crate::app) fn new(placed: PlacedNews, game: Option<Summary>) -> Arc<Self> {
        Arc::new(Self { placed, game, text: OnceLock::new(), read_at: Instant::now() })
    }

    /// Returns whether the entry is about a game of this rule set, or of any.
    pub fn is_of(&self, ruleset: Option<Ruleset>) -> bool {
        ruleset.is_none() || self.placed.news.ruleset == ruleset
    }

    /// Returns its text, which is made once.
    pub fn text(&self, make: impl FnOnce(&Self) -> Bytes) -> &Bytes {
        self.text.get_or_init(|| make(self))
    }
}

impl FeedBoard {
    /// Records that something may wait for a position, or has got one.
    pub(in crate::app) fn note(&self) {
        self.noted.notify_one();
    }

    /// Returns a receiver of the place up to which everything was sent.
    pub(super) fn listen(&self) -> watch::Receiver<FeedPlace> {
        self.newest.subscribe()
    }

    /// Returns the place up to which everything was sent.
    pub(in crate::app) fn newest(&self) -> FeedPlace {
        *self.newest.borrow()
    }

    fn told(&self) -> MutexGuard<'_, VecDeque<Arc<SharedNews>>> {
        self.told.lock()
    }

    /// Returns whether the feed is followed here.
    pub(super) fn is_followed(&self) -> bool {
        self.newest.receiver_count() > 0
    }

    /// Waits until there may be something to do. `is_heard` is whether other processes are heard.
    #[expect(clippy::disallowed_methods, reason = "it waits for time to pass")]
    pub(in crate::app) async fn wait(&self, is_heard: bool) {
        tokio::time::sleep(GATHERING).await;
        let pause = if self.is_followed() && !is_heard { DEAF } else { PAUSE };
        // A timeout means that nothing was recorded.
        let _ = timeout(pause, self.noted.notified()).await;
    }

    /// Starts the feed at a place, with nothing sent.
    pub(super) fn begin_at(&self, place: FeedPlace) {
        self.told().clear();
        self.newest.send_replace(place);
    }

    /// Sends entries that come after the newest one.
    pub(in crate::app) fn tell(&self, entries: Vec<Arc<SharedNews>>) {
        let Some(last) = entries.last().map(|last| last.placed.place) else { return };
        let mut told = self.told();
        // Earlier entries about the same games no longer show their current state.
        let is_stale = |before: &Arc<SharedNews>| {
            entries.iter().any(|new| new.placed.news.game == before.placed.news.game)
        };
        let stale = told.iter().rposition(is_stale).map_or(0, |last| last + 1);
        told.drain(..stale);
        told.extend(entries);
        let surplus = told.len().saturating_sub(LAST);
        told.drain(..surplus);
        drop(told);
        self.newest.send_replace(last);
    }

    /// Returns the entries after a place, if all of them are cached.
    pub(in crate::app) fn after(&self, place: FeedPlace) -> Option<Vec<Arc<SharedNews>>> {
        let told = self.told();
        let is_next = |one: &PlacedNews| one.place.position == place.position + 1;
        let first = told.iter().position(|one| is_next(&one.placed))?;
        let is_usable = |one: &Arc<SharedNews>| {
            one.read_at.elapsed() < LATELY && place.next(&one.placed.news) == one.placed.place
        };
        told.get(first).is_some_and(is_usable).then(|| told.iter().skip(first).cloned().collect())
    }
}
