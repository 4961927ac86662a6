//! What this process knows of the feed for lobbies, and tells to whoever follows it.

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

/// How long what is written here gathers after something has got positions: to give them to a few costs as much as to many.
const GATHERING: Duration = Duration::from_millis(50);
/// How long something may wait that nobody told of here.
const PAUSE: Duration = Duration::from_secs(1);
/// The same while somebody follows the feed, and other processes are not heard.
const DEAF: Duration = Duration::from_millis(100);
/// How many of the last entries are kept as they were told, at most.
const LAST: usize = 100;
/// For how long they are: whoever comes later is shown games as they stand then.
const LATELY: Duration = Duration::from_millis(500);

/// What this process knows of the feed.
#[derive(Default)]
pub(in crate::app) struct FeedBoard {
    noted: Notify,
    newest: watch::Sender<FeedPlace>,
    /// The last entries before that place, as they are told.
    told: Mutex<VecDeque<Arc<SharedNews>>>,
}

/// An entry of the feed as it is told to everybody.
pub struct SharedNews {
    /// The entry.
    pub placed: PlacedNews,
    /// The game as it stood when this was read; none where it is gone.
    pub game: Option<Summary>,
    text: OnceLock<Bytes>,
    read_at: Instant,
}

impl SharedNews {
    /// Returns an entry, with its game.
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
    /// Notes that something may wait for a position, or has got one.
    pub(in crate::app) fn note(&self) {
        self.noted.notify_one();
    }

    /// Returns up to where everything was told, from now on.
    pub(super) fn listen(&self) -> watch::Receiver<FeedPlace> {
        self.newest.subscribe()
    }

    /// Returns up to where everything was told.
    pub(in crate::app) fn newest(&self) -> FeedPlace {
        *self.newest.borrow()
    }

    fn told(&self) -> MutexGuard<'_, VecDeque<Arc<SharedNews>>> {
        self.told.lock()
    }

    /// Returns whether somebody follows the feed here.
    pub(super) fn is_followed(&self) -> bool {
        self.newest.receiver_count() > 0
    }

    /// Waits until there may be something to do; other processes may be heard.
    #[expect(clippy::disallowed_methods, reason = "time is what it waits for")]
    pub(in crate::app) async fn wait(&self, is_heard: bool) {
        tokio::time::sleep(GATHERING).await;
        let pause = if self.is_followed() && !is_heard { DEAF } else { PAUSE };
        // What fails is that nothing was noted.
        let _ = timeout(pause, self.noted.notified()).await;
    }

    /// Knows the feed up to a place, of which nothing was told.
    pub(super) fn begin_at(&self, place: FeedPlace) {
        self.told().clear();
        self.newest.send_replace(place);
    }

    /// Tells entries that come after the newest one.
    pub(in crate::app) fn tell(&self, entries: Vec<Arc<SharedNews>>) {
        let Some(last) = entries.last().map(|last| last.placed.place) else { return };
        let mut told = self.told();
        // What was told before of the same games is not how they stand now.
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

    /// Returns the entries after a place, if all of them are kept.
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
