//! The games that are followed here: each as this process knows it, told to whoever follows it. Nothing waits here for a follower. To
//! be told only means to look again; what a follower is sent is computed from the newest log, from where it stood.

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

/// How many plies are kept as they were told last, for each kind of viewer of a game: who is further behind has them told anew.
const KEPT: usize = 32;

/// How a game stands.
#[derive(Clone)]
pub(in crate::app) enum NewestGame {
    /// It is there.
    Stands(Arc<CachedGame>),
    /// It was removed, or taken down.
    Gone(StoreError),
}

/// The games that are followed.
#[derive(Default)]
pub(in crate::app) struct Hub {
    topics: Mutex<HashMap<GameId, Arc<Topic>>>,
    /// How many there are: where nobody follows anything, a move pays for a look at this.
    count: AtomicUsize,
    /// Seats that were connected here, of which other processes have not heard yet.
    entered: Mutex<Vec<PresentIn>>,
    has_entered: Notify,
}

/// A game that is followed.
#[derive(Default)]
struct Topic {
    newest: watch::Sender<Newest>,
    feeds: Mutex<HashMap<FollowedAs, SharedFeed>>,
    presence: Mutex<Presence>,
}

/// What viewers of a kind are told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct FollowedAs {
    /// Their seat; none of spectators.
    pub(in crate::app) seat: Option<Seat>,
    /// Whether they are told the position after each ply.
    pub(super) has_states: bool,
}

/// What is known of a game.
#[derive(Clone, Default)]
struct Newest {
    /// How it stands; none until it was read.
    standing: Option<NewestGame>,
    /// How often that changed.
    changes: u64,
    /// Who is connected, and wants it to be known.
    present: PresentSeats,
}

/// Who follows a game, until this is dropped.
pub(in crate::app) struct FollowedGame {
    hub: Arc<Hub>,
    id: GameId,
    topic: Arc<Topic>,
    newest: watch::Receiver<Newest>,
}

/// A ply as it is told to all viewers of a kind.
pub struct SharedPly {
    /// The ply.
    pub ply: FedPly,
    text: OnceLock<Bytes>,
}

/// What is told to all viewers of a kind, each ply once.
struct SharedFeed {
    feed: GameFeed,
    told: VecDeque<Arc<SharedPly>>,
}

/// A game that is about to be read, as its followers knew it before.
pub(in crate::app) struct ReadingMark {
    /// Not another one of the same game: those who follow it later ask for themselves.
    topic: Arc<Topic>,
    changes: u64,
}

impl NewestGame {
    /// Returns how a game stands that was read.
    pub(in crate::app) fn new(game: &Arc<CachedGame>) -> Self {
        match &game.info.removed {
            None => Self::Stands(Arc::clone(game)),
            Some(reason) => Self::Gone(StoreError::TakenDown(reason.clone())),
        }
    }

    /// Returns whether this follows another standing: seats and log have changed since, and only gone on.
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

    /// Returns the seats that others held before.
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

    /// Returns the games that are followed, each with its version as far as it is known.
    pub(super) fn versions(&self) -> HashMap<GameId, Option<Version>> {
        self.topics().iter().map(|(id, topic)| (*id, topic.version())).collect()
    }

    /// Returns those of some games that are followed, each with its version as far as it is known.
    pub(super) fn versions_of(&self, games: &[GameId]) -> HashMap<GameId, Option<Version>> {
        let topics = self.topics();
        games.iter().filter_map(|id| Some((*id, topics.get(id)?.version()))).collect()
    }

    /// Returns who is connected here.
    pub(super) fn present_here(&self) -> Vec<PresentIn> {
        let here = |(id, topic): (&GameId, &Arc<Topic>)| PresentIn {
            id: *id,
            seats: topic.presence().here().seats().collect(),
        };
        self.topics().iter().map(here).filter(|here| !here.seats.is_empty()).collect()
    }

    /// Waits until seats were connected here, and takes them.
    pub(super) async fn take_entered(&self) -> Vec<PresentIn> {
        self.has_entered.notified().await;
        mem::take(&mut *self.entered.lock())
    }

    /// Notes who is connected to another process.
    pub(super) fn hear_present(&self, PresentIn { id, seats }: &PresentIn) {
        if let Some(topic) = self.topic(*id) {
            topic.present(|presence| seats.iter().for_each(|seat| presence.hear(*seat)));
        }
    }

    /// Lets some time go by for those who are connected no longer.
    pub(in crate::app) fn beat(&self) {
        let topics: Vec<Arc<Topic>> = self.topics().values().cloned().collect();
        topics.iter().for_each(|topic| topic.present(Presence::beat));
    }

    /// Returns how many games are followed.
    pub(in crate::app) fn len(&self) -> usize {
        self.count.load(Ordering::SeqCst)
    }

    /// Returns a mark, to be taken before a game is read; none where nobody follows it.
    pub(in crate::app) fn mark(&self, id: GameId) -> Option<ReadingMark> {
        let topic = self.topic(id)?;
        let changes = topic.newest.borrow().changes;
        Some(ReadingMark { topic, changes })
    }

    /// Tells how a game stands after a change of this process.
    pub(in crate::app) fn written(&self, id: GameId, standing: impl FnOnce() -> NewestGame) {
        if let Some(topic) = self.topic(id) {
            topic.take(standing(), None);
        }
    }
}

impl ReadingMark {
    /// Tells how the game stands that was read after this mark was taken. It is taken even where it seems to be older, unless something
    /// was told since: the database was restored then.
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

    /// Changes who is connected, and tells it where it makes a difference.
    fn present(&self, change: impl FnOnce(&mut Presence)) {
        let mut presence = self.presence();
        change(&mut presence);
        let all = presence.all();
        // Told before another change can be.
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
    /// Waits until the game may be another than it was when [`FollowedGame::newest`] returned it last.
    pub(in crate::app) async fn changed(&mut self) {
        // The sender is in the topic, which is held here.
        let _ = self.newest.changed().await;
    }

    /// Returns how the game stands; none until it was read.
    pub(in crate::app) fn newest(&mut self) -> Option<NewestGame> {
        self.newest.borrow_and_update().standing.clone()
    }

    /// Returns who is connected.
    pub(super) fn present(&self) -> PresentSeats {
        self.newest.borrow().present
    }

    /// Notes that a seat is connected here.
    pub(in crate::app) fn enter(&self, seat: Seat) {
        self.topic.present(|presence| presence.enter(seat));
        let here = PresentIn { id: self.id, seats: [seat].into_iter().collect() };
        self.hub.entered.lock().push(here);
        self.hub.has_entered.notify_one();
    }

    /// Notes that one stream fewer says that a seat is connected, which has the same holder, or another one by now.
    pub(in crate::app) fn leave(&self, seat: Seat, is_held: bool) {
        self.topic.present(|presence| presence.leave(seat, is_held));
    }

    /// Returns the plies of a game after a place, as viewers of a kind are told them; none where the game has no such place.
    ///
    /// # Errors
    /// Where the stored log is damaged.
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
            // All of it is told anew, for this one alone.
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
        // This one is the last.
        if self.topic.newest.receiver_count() == 1 {
            topics.remove(&self.id);
        }
        self.hub.count.store(topics.len(), Ordering::SeqCst);
    }
}

/// What there is after a place.
enum AfterPlace {
    /// These plies.
    Plies(Vec<Arc<SharedPly>>),
    /// The game has no such place.
    Nowhere,
    /// The place is before what is kept.
    Earlier,
}

impl SharedFeed {
    /// Tells a game from its start.
    fn new(FollowedAs { seat, has_states }: FollowedAs, game: &CachedGame) -> Result<Self, Damaged> {
        // Also where the game is over: what it hid was opened by its last word.
        let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
        let begun = Self { feed: GameFeed::begin(viewer, game, has_states), told: VecDeque::new() };
        begun.advanced(game).map_err(|error| match error {
            NotFed::Damaged(damaged) => damaged,
            // Its own words do not lead to its head.
            NotFed::OtherHistory => Damaged::in_head(&game.info),
        })
    }

    /// Goes on to the last ply of a game.
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
    /// The hash of the head there, where it is known.
    pub hash: Option<Bytes32>,
}

impl From<Head> for LogPlace {
    fn from(head: Head) -> Self {
        Self { ply: head.ply, hash: Some(head.hash) }
    }
}

#[cfg(test)]
mod tests;
