//! The games followed here: each as this process knows it, shared by its followers. Nothing here waits for a
//! follower. A notification only triggers another look, and what a follower gets is computed from the newest
//! log and its own place.

use std::collections::{HashMap, VecDeque};
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use assam_record::game::{Bytes32, GameId, Head};
use assam_record::log::{Damaged, FedPly, GameFeed, NotFed};
use assam_rules::{Seat, Viewer};
use assam_store::{PresentIn, StoreError, Version};
use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::{Notify, watch};

use super::presence::{Presence, PresentSeats};
use crate::app::CachedGame;

/// The number of plies cached as last sent, for each kind of viewer of a game. For followers further behind,
/// they are computed again.
const KEPT: usize = 32;

/// The state of a game.
#[derive(Clone)]
pub(in crate::app) enum NewestGame {
    /// It exists.
    Stands(Arc<CachedGame>),
    /// It was removed, or taken down.
    Gone(StoreError),
}

/// The followed games.
#[derive(Default)]
pub(in crate::app) struct Hub {
    topics: Mutex<HashMap<GameId, Arc<Topic>>>,
    /// The number of games. Without followers, a move costs only a look at this.
    count: AtomicUsize,
    /// Newly connected seats that other processes have not heard of yet.
    entered: Mutex<Vec<PresentIn>>,
    has_entered: Notify,
}

/// A followed game.
#[derive(Default)]
struct Topic {
    newest: watch::Sender<Newest>,
    feeds: Mutex<HashMap<FollowedAs, SharedFeed>>,
    presence: Mutex<Presence>,
}

/// A kind of viewer, whose members get the same messages.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FollowedAs {
    /// Their seat, or none for spectators.
    pub(in crate::app) seat: Option<Seat>,
    /// Whether they get the position after each ply.
    pub(super) has_states: bool,
}

/// The knowledge about a game.
#[derive(Clone, Default)]
struct Newest {
    /// Its state, or none until it was read.
    standing: Option<NewestGame>,
    /// The number of changes of its state.
    changes: u64,
    /// The connected seats that want to be shown.
    present: PresentSeats,
}

/// A follower of a game, until this is dropped.
pub(in crate::app) struct FollowedGame {
    hub: Arc<Hub>,
    id: GameId,
    topic: Arc<Topic>,
    newest: watch::Receiver<Newest>,
}

/// A ply as sent to all viewers of a kind.
pub struct SharedPly {
    /// The ply.
    pub ply: FedPly,
    text: OnceLock<Bytes>,
}

/// The messages for all viewers of a kind, each ply once.
struct SharedFeed {
    feed: GameFeed,
    told: VecDeque<Arc<SharedPly>>,
}

/// A mark of what followers know of a game that is about to be read.
pub(in crate::app) struct ReadingMark {
    /// Not another topic of the same game, whose followers read it themselves.
    topic: Arc<Topic>,
    changes: u64,
}

impl NewestGame {
    /// Returns the state of a game that was read.
    pub(in crate::app) fn new(game: &Arc<CachedGame>) -> Self {
        match &game.info.removed {
            None => Self::Stands(Arc::clone(game)),
            Some(reason) => Self::Gone(StoreError::TakenDown(reason.clone())),
        }
    }

    /// Returns whether this state follows another: seats and log have changed since, and only been extended.
    fn is_after(&self, other: &Self) -> bool {
        match (self.version(), other.version()) {
            (Some(now), Some(before)) => {
                now != before
                    && now.revision >= before.revision
                    && now.head.map(|head| head.ply) >= before.head.map(|head| head.ply)
            }
            (None, Some(_)) => true,
            (Some(_) | None, None) => false,
        }
    }

    fn version(&self) -> Option<Version> {
        match self {
            Self::Stands(game) => Some(Version::from_info(&game.info)),
            Self::Gone(_) => None,
        }
    }

    /// Returns the seats that have new holders.
    fn passed_on(&self, before: &Self) -> Vec<Seat> {
        let secret = |standing: &Self, seat: Seat| match standing {
            Self::Stands(game) => game.info.seats.get(seat.index()).and_then(|holder| holder.secret),
            Self::Gone(_) => None,
        };
        Seat::all(Seat::MAX).filter(|seat| secret(self, *seat) != secret(before, *seat)).collect()
    }
}

impl SharedPly {
    /// Returns its text, which is made once.
    pub fn text(&self, make: impl FnOnce(&FedPly) -> Bytes) -> &Bytes {
        self.text.get_or_init(|| make(&self.ply))
    }
}

impl Hub {
    fn topics(&self) -> MutexGuard<'_, HashMap<GameId, Arc<Topic>>> {
        self.topics.lock()
    }

    fn topic(&self, id: GameId) -> Option<Arc<Topic>> {
        if self.count.load(Ordering::SeqCst) == 0 { None } else { self.topics().get(&id).cloned() }
    }

    /// Follows a game.
    pub(in crate::app) fn follow(self: &Arc<Self>, id: GameId) -> FollowedGame {
        let mut topics = self.topics();
        let topic = topics.entry(id).or_default();
        let (topic, newest) = (Arc::clone(topic), topic.newest.subscribe());
        self.count.store(topics.len(), Ordering::SeqCst);
        drop(topics);
        FollowedGame { hub: Arc::clone(self), id, topic, newest }
    }

    /// Returns the followed games, each with its version if known.
    pub(super) fn versions(&self) -> HashMap<GameId, Option<Version>> {
        self.topics().iter().map(|(id, topic)| (*id, topic.version())).collect()
    }

    /// Returns which of these games are followed, each with its version if known.
    pub(super) fn versions_of(&self, games: &[GameId]) -> HashMap<GameId, Option<Version>> {
        let topics = self.topics();
        games.iter().filter_map(|id| Some((*id, topics.get(id)?.version()))).collect()
    }

    /// Returns the seats connected here.
    pub(super) fn present_here(&self) -> Vec<PresentIn> {
        let here = |(id, topic): (&GameId, &Arc<Topic>)| PresentIn {
            id: *id,
            seats: topic.presence().here().seats().collect(),
        };
        self.topics().iter().map(here).filter(|here| !here.seats.is_empty()).collect()
    }

    /// Waits until seats have connected here, and takes them.
    pub(super) async fn take_entered(&self) -> Vec<PresentIn> {
        self.has_entered.notified().await;
        mem::take(&mut *self.entered.lock())
    }

    /// Records the seats connected to another process.
    pub(super) fn hear_present(&self, PresentIn { id, seats }: &PresentIn) {
        if let Some(topic) = self.topic(*id) {
            topic.present(|presence| seats.iter().for_each(|seat| presence.hear(*seat)));
        }
    }

    /// Lets a beat pass for seats that are no longer connected.
    pub(in crate::app) fn beat(&self) {
        let topics: Vec<Arc<Topic>> = self.topics().values().cloned().collect();
        topics.iter().for_each(|topic| topic.present(Presence::beat));
    }

    /// Returns the number of followed games.
    pub(in crate::app) fn len(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// Returns a mark, to be taken before a game is read, or none if it has no followers.
    pub(in crate::app) fn mark(&self, id: GameId) -> Option<ReadingMark> {
        let topic = self.topic(id)?;
        let changes = topic.newest.borrow().changes;
        Some(ReadingMark { topic, changes })
    }

    /// Publishes the state of a game after a change by this process.
    pub(in crate::app) fn written(&self, id: GameId, standing: impl FnOnce() -> NewestGame) {
        if let Some(topic) = self.topic(id) {
            topic.take(standing(), None);
        }
    }
}

impl ReadingMark {
    /// Publishes the state of the game, read after this mark was taken. It is published even if it seems
    /// older, unless another was published since, because the database may have been restored.
    pub(in crate::app) fn tell(self, standing: NewestGame) {
        self.topic.take(standing, Some(self.changes));
    }
}

impl Topic {
    fn version(&self) -> Option<Version> {
        self.newest.borrow().standing.as_ref().and_then(NewestGame::version)
    }

    fn presence(&self) -> MutexGuard<'_, Presence> {
        self.presence.lock()
    }

    /// Changes the connected seats, and publishes the difference, if any.
    fn present(&self, change: impl FnOnce(&mut Presence)) {
        let mut presence = self.presence();
        change(&mut presence);
        let all = presence.all();
        // Published before another change can be.
        self.newest.send_if_modified(|newest| mem::replace(&mut newest.present, all) != all);
    }

    fn take(&self, standing: NewestGame, mark: Option<u64>) {
        let mut passed_on = Vec::new();
        self.newest.send_if_modified(|newest| {
            let is_new = match &newest.standing {
                None => true,
                Some(known) => {
                    let is_other = standing.version() != known.version();
                    standing.is_after(known) || (is_other && mark == Some(newest.changes))
                }
            };
            if is_new {
                passed_on = newest.standing.as_ref().map_or_else(Vec::new, |known| standing.passed_on(known));
                let (changes, present) = (newest.changes + 1, newest.present);
                *newest = Newest { standing: Some(standing), changes, present };
            }
            is_new
        });
        if !passed_on.is_empty() {
            self.present(|presence| presence.forget(&passed_on));
        }
    }
}

impl FollowedGame {
    /// Waits until the game may differ from what [`FollowedGame::newest`] last returned.
    pub(in crate::app) async fn changed(&mut self) {
        // The sender is in the topic, which is held here.
        let _ = self.newest.changed().await;
    }

    /// Returns the state of the game, or none until it was read.
    pub(in crate::app) fn newest(&mut self) -> Option<NewestGame> {
        self.newest.borrow_and_update().standing.clone()
    }

    /// Returns the connected seats.
    pub(super) fn present(&self) -> PresentSeats {
        self.newest.borrow().present
    }

    /// Records that a seat is connected here.
    pub(in crate::app) fn enter(&self, seat: Seat) {
        self.topic.present(|presence| presence.enter(seat));
        let here = PresentIn { id: self.id, seats: [seat].into_iter().collect() };
        self.hub.entered.lock().push(here);
        self.hub.has_entered.notify_one();
    }

    /// Removes one of a seat's streams. `is_held` is whether the seat still has the same holder.
    pub(in crate::app) fn leave(&self, seat: Seat, is_held: bool) {
        self.topic.present(|presence| presence.leave(seat, is_held));
    }

    /// Returns the plies of a game after a place, for viewers of a kind. Returns none if the game has no such
    /// place.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub(super) fn plies(
        &self,
        kind: FollowedAs,
        game: &CachedGame,
        after: Option<LogPlace>,
    ) -> Result<Option<Vec<Arc<SharedPly>>>, Damaged> {
        let mut feeds = self.topic.feeds.lock();
        let shared = match feeds.remove(&kind).map(|shared| shared.advanced(game)) {
            Some(Ok(shared)) => shared,
            Some(Err(NotFed::OtherHistory)) | None => SharedFeed::new(kind, game)?,
            Some(Err(NotFed::Damaged(damaged))) => return Err(damaged),
        };
        let told = shared.after(after);
        if shared.told.len() > KEPT {
            let told = shared.told.iter().skip(shared.told.len() - KEPT).cloned().collect();
            feeds.insert(kind, SharedFeed { told, ..shared });
        } else {
            feeds.insert(kind, shared);
        }
        drop(feeds);
        match told {
            AfterPlace::Plies(plies) => Ok(Some(plies)),
            AfterPlace::Nowhere => Ok(None),
            // All plies are computed again, for this follower alone.
            AfterPlace::Earlier => match SharedFeed::new(kind, game)?.after(after) {
                AfterPlace::Plies(plies) => Ok(Some(plies)),
                AfterPlace::Nowhere | AfterPlace::Earlier => Ok(None),
            },
        }
    }
}

impl Drop for FollowedGame {
    fn drop(&mut self) {
        let mut topics = self.hub.topics();
        // This follower is the last.
        if self.topic.newest.receiver_count() == 1 {
            topics.remove(&self.id);
        }
        self.hub.count.store(topics.len(), Ordering::SeqCst);
    }
}

/// The plies after a place.
enum AfterPlace {
    /// The plies.
    Plies(Vec<Arc<SharedPly>>),
    /// The game has no such place.
    Nowhere,
    /// The place is before the cached plies.
    Earlier,
}

impl SharedFeed {
    /// Computes a game from its start.
    fn new(FollowedAs { seat, has_states }: FollowedAs, game: &CachedGame) -> Result<Self, Damaged> {
        // Also if the game is over, because what it hid was opened by its last word.
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let begun = Self { feed: GameFeed::begin(viewer, game, has_states), told: VecDeque::new() };
        begun.advanced(game).map_err(|error| match error {
            NotFed::Damaged(damaged) => damaged,
            // The words do not lead to the head.
            NotFed::OtherHistory => Damaged::in_head(&game.info),
        })
    }

    /// Continues to the last ply of a game.
    fn advanced(mut self, game: &CachedGame) -> Result<Self, NotFed> {
        let new = self.feed.advance(game)?;
        self.told.extend(new.into_iter().map(|ply| Arc::new(SharedPly { ply, text: OnceLock::new() })));
        Ok(self)
    }

    /// Returns the plies after a place.
    fn after(&self, place: Option<LogPlace>) -> AfterPlace {
        let first = self.told.front().map(|told| told.ply.head.ply);
        let Some(LogPlace { ply, hash }) = place else {
            return if first.unwrap_or(0) == 0 {
                AfterPlace::Plies(self.told.iter().cloned().collect())
            } else {
                AfterPlace::Earlier
            };
        };
        let Some(index) = ply.checked_sub(first.unwrap_or(0)) else { return AfterPlace::Earlier };
        match self.told.get(index as usize) {
            Some(told) if hash.is_none_or(|hash| hash == told.ply.head.hash) => {
                AfterPlace::Plies(self.told.iter().skip(index as usize + 1).cloned().collect())
            }
            Some(_) | None => AfterPlace::Nowhere,
        }
    }
}

/// A place in the log of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LogPlace {
    /// The ply.
    pub ply: u32,
    /// The hash of the head there, if known.
    pub hash: Option<Bytes32>,
}

impl From<Head> for LogPlace {
    fn from(head: Head) -> Self {
        Self { ply: head.ply, hash: Some(head.hash) }
    }
}

#[cfg(test)]
mod tests;
