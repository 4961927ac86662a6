//! The only way to store games and extend logs. Submissions, starts, built-in players, imports and timeouts
//! all come through here.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use assam_record::clock::ticks;
use assam_record::game::{GameId, Info, Status, StoredGame};
use assam_record::game_clock::GameClock;
use assam_store::byte_cache::Usage;
use assam_store::{
    Change, ChangedGame, Effects, Reads, RowChange, StoreError, Version, WritesGames, detached,
};

use super::cached_game::{CachedGame, CachedGames};
use super::plan::{Plan, PlannedChange};
use super::unconfirmed_writes::UnconfirmedWrites;
use super::writer_thread::WriterThread;
use crate::app::follow::feed_board::FeedBoard;
use crate::app::follow::followed::{FollowedGame, Hub, NewestGame};
use crate::app::follow::outbox::Outbox;
use crate::app::follow::own_games_hub::OwnHub;
use crate::counted::Counts;
use crate::traced;

/// The resources of the application.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum number of changes that may wait to be written, 1 or more. Further ones are refused. Lists
    /// have the same limit, but at most 256.
    pub queue: usize,
    /// The approximate memory of the game cache, in bytes.
    pub kept_bytes: u64,
}

/// Plans and writes changes of games. Nothing else in the service has a [`WritesGames`].
pub(in crate::app) struct GameWriter {
    reads: Arc<dyn Reads>,
    writer: WriterThread,
    cached: CachedGames,
    hub: Arc<Hub>,
    own: Arc<OwnHub>,
    outbox: Outbox,
    feed: FeedBoard,
    unconfirmed: UnconfirmedWrites,
    /// When this process last changed more of a started game than its log, in clock ticks. Games cached
    /// before may be shown only after the store confirmed them.
    trusted_after: AtomicU64,
    counts: Arc<Counts>,
}

impl GameWriter {
    /// Returns the writer of games in a store, and starts its thread.
    pub(in crate::app) fn new(
        reads: Arc<dyn Reads>,
        games: Arc<dyn WritesGames>,
        limits: Limits,
        counts: Arc<Counts>,
    ) -> Self {
        Self {
            writer: WriterThread::start(Arc::clone(&reads), games, limits.queue, Arc::clone(&counts)),
            cached: CachedGames::with_room(limits.kept_bytes),
            hub: Arc::default(),
            own: Arc::default(),
            outbox: Outbox::default(),
            feed: FeedBoard::default(),
            unconfirmed: UnconfirmedWrites::default(),
            trusted_after: AtomicU64::new(0),
            reads,
            counts,
        }
    }

    /// Returns the number of changes waiting to be written.
    pub(in crate::app) fn queued(&self) -> usize {
        self.writer.queued()
    }

    /// Returns the maximum number of waiting changes.
    pub(in crate::app) fn queue_capacity(&self) -> usize {
        self.writer.capacity()
    }

    /// Returns the usage of the cache.
    pub(in crate::app) fn usage(&self) -> Usage {
        self.cached.usage()
    }

    /// Returns the followed games.
    pub(in crate::app) fn hub(&self) -> &Hub {
        &self.hub
    }

    /// Returns the players who follow their games.
    pub(in crate::app) const fn own(&self) -> &Arc<OwnHub> {
        &self.own
    }

    /// Returns the changed games to notify other processes of.
    pub(in crate::app) const fn outbox(&self) -> &Outbox {
        &self.outbox
    }

    /// Returns the lobby feed.
    pub(in crate::app) const fn feed(&self) -> &FeedBoard {
        &self.feed
    }

    /// Returns the games with unconfirmed writes.
    pub(in crate::app) const fn unconfirmed(&self) -> &UnconfirmedWrites {
        &self.unconfirmed
    }

    /// Follows a game, whose states are published to the follower from now on.
    pub(in crate::app) fn follow(&self, id: GameId) -> FollowedGame {
        self.hub.follow(id)
    }

    /// Stores a new game. Returns false, and changes nothing, if its id exists.
    ///
    /// # Errors
    /// If the store fails.
    pub(in crate::app) async fn add(self: &Arc<Self>, game: &StoredGame) -> Result<bool, StoreError> {
        detached(Arc::clone(self).store_new(game.clone())).await
    }

    async fn store_new(self: Arc<Self>, game: StoredGame) -> Result<bool, StoreError> {
        let cached = Arc::new(CachedGame::from(game.clone()));
        match self.write(Change::insert(game, recorded(&cached))).await {
            Ok(_) => {
                let id = cached.info.id;
                self.cached.keep(id, &cached);
                // Only its seat holders know it yet.
                if cached.info.status == Status::Running {
                    self.outbox.note(ChangedGame { id, is_seated: true });
                    self.own.seated(&cached.info);
                }
                Ok(true)
            }
            Err(StoreError::Exists) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns a game in its current state.
    ///
    /// # Errors
    /// If the store fails.
    pub(in crate::app) async fn load(&self, id: GameId) -> Result<Option<Arc<CachedGame>>, StoreError> {
        let mark = self.hub.mark(id);
        let game = self.load_unheard(id).await?;
        if let Some(mark) = mark {
            mark.tell(match &game {
                None => NewestGame::Gone(StoreError::NotFound),
                Some(game) => NewestGame::new(game),
            });
        }
        Ok(game)
    }

    /// Returns a game in its current state, without notifying its followers.
    async fn load_unheard(&self, id: GameId) -> Result<Option<Arc<CachedGame>>, StoreError> {
        let asked = ticks();
        if let Some(game) = self.kept(id)
            && self.reads.version(id).await? == Some(Version::from_info(&game.info))
        {
            game.was_checked(asked);
            return Ok(Some(game));
        }
        let asked = ticks();
        let game = self.reads.load(id).await?.map(|game| Arc::new(CachedGame::read(game, asked)));
        match &game {
            // Games that were taken down are not cached.
            Some(game) if game.info.removed.is_some() => self.cached.forget(&id),
            // The game may have changed since it was requested.
            Some(game) => self.cached.keep_unless(id, game, |kept| kept.is_newer_than(game)),
            None => {}
        }
        Ok(game)
    }

    /// Returns a game as last read or written, if cached.
    pub(in crate::app) fn kept(&self, id: GameId) -> Option<Arc<CachedGame>> {
        self.cached.get(&id)
    }

    /// Returns a cached game that the store confirmed lately. When this process changes a seat of a started
    /// game, or takes one down, all games need a new confirmation. Otherwise, a concurrent move could cache
    /// its game without that change.
    pub(in crate::app) fn kept_lately(&self, id: GameId) -> Option<Arc<CachedGame>> {
        let trusted_after = self.trusted_after.load(Ordering::SeqCst);
        self.kept(id).filter(|game| game.was_checked_lately(trusted_after))
    }

    /// Plans a change of a game, and makes it. If the game turns out to be different, because another writer
    /// was first or the cache was stale, it plans again. Returns the changed game, and the result of the plan
    /// that was carried out.
    ///
    /// # Errors
    /// If the plan is refused, or the store fails.
    pub(in crate::app) async fn change<T, E: From<StoreError>>(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        plan: impl Fn(&CachedGame) -> Result<Plan<T>, E>,
    ) -> Result<(Arc<CachedGame>, T), E> {
        let mut game = Arc::clone(game);
        loop {
            match traced::plan().in_scope(|| plan(&game)) {
                Ok(Plan::Change(change, outcome)) => match self.make(&game, change).await {
                    Ok(made) => return Ok((made, outcome)),
                    Err(StoreError::Conflict) => {
                        self.counts.conflicts.add(1);
                        // The cached game is not the current one, whatever its version.
                        self.cached.forget(&game.info.id);
                        game = self.reload(&game).await?;
                    }
                    Err(error) => return Err(error.into()),
                },
                Ok(Plan::Stands(outcome)) => match self.reload_if_changed(&game).await? {
                    None => return Ok((game, outcome)),
                    Some(now) => game = now,
                },
                Err(refusal) => match self.reload_if_changed(&game).await? {
                    None => return Err(refusal),
                    Some(now) => game = now,
                },
            }
        }
    }

    /// Returns a game in its current state.
    ///
    /// # Errors
    /// If the store fails.
    async fn reload(&self, game: &CachedGame) -> Result<Arc<CachedGame>, StoreError> {
        let game = self.load(game.info.id).await?.ok_or(StoreError::NotFound)?;
        match &game.info.removed {
            None => Ok(game),
            Some(reason) => Err(StoreError::TakenDown(reason.clone())),
        }
    }

    /// Returns a game in its current state, if that differs.
    async fn reload_if_changed(&self, game: &CachedGame) -> Result<Option<Arc<CachedGame>>, StoreError> {
        let now = self.reload(game).await?;
        Ok(Some(now).filter(|now| Version::from_info(&now.info) != Version::from_info(&game.info)))
    }

    /// Writes a change, which may leave events that wait for a position in the feed.
    async fn write(&self, change: Change) -> Result<Option<GameClock>, StoreError> {
        let (id, seated, is_fed) = (change.id, change.seated(), change.effects.is_fed());
        let clock = self.writer.write(change).await.inspect_err(|error| {
            if let (StoreError::Unavailable(_), Some(revision)) = (error, seated) {
                self.unconfirmed.note((id, revision));
            }
        })?;
        if is_fed {
            self.feed.note();
        }
        Ok(clock)
    }

    /// Makes a change of the game that it was planned for. Returns and caches the resulting game, or the last
    /// one. Once begun, it continues even if the caller is gone.
    fn make(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        change: PlannedChange,
    ) -> impl Future<Output = Result<Arc<CachedGame>, StoreError>> + use<> {
        detached(Arc::clone(self).make_detached(Arc::clone(game), change))
    }

    async fn make_detached(
        self: Arc<Self>,
        game: Arc<CachedGame>,
        change: PlannedChange,
    ) -> Result<Arc<CachedGame>, StoreError> {
        let &Info { id, revision, .. } = &game.info;
        let gone = match &change {
            PlannedChange::Delete => Some(StoreError::NotFound),
            PlannedChange::Update(update) => update.removed.clone().map(StoreError::TakenDown),
            PlannedChange::Append { .. } => None,
        };
        let (made, row) = match change {
            PlannedChange::Update(update) => {
                (CachedGame::from(update.applied(&game)), RowChange::Update(update))
            }
            PlannedChange::Append { at, extension, replayed } => {
                let made = game.extended(&extension, *replayed);
                (made, RowChange::Append { revision, at, extension })
            }
            PlannedChange::Delete => {
                (CachedGame::from(StoredGame::clone(&game)), RowChange::Delete { revision })
            }
        };
        let mut change = Change { id, row, effects: Effects::default() };
        if !change.is_move() {
            let after = (!matches!(change.row, RowChange::Delete { .. })).then_some(&*made);
            let is_over = after.is_some_and(|after| after.info.is_over()) && !game.info.is_over();
            let record = if is_over { recorded(&made) } else { None };
            change.effects = Effects::between(Some(&game), after, record);
        }
        let mut made = Arc::new(made);
        let is_seated = change.seated().is_some();
        // No one else has it yet.
        if let (Some(clock), Some(made)) = (self.write(change).await?, Arc::get_mut(&mut made)) {
            made.run_clock(clock);
        }
        let is_more_than_log = game.info.head.is_some() && (is_seated || gone.is_some());
        if is_more_than_log {
            self.trusted_after.fetch_max(ticks(), Ordering::SeqCst);
        }
        self.outbox.note(ChangedGame { id, is_seated });
        if let Some(gone) = gone {
            self.cached.forget(&id);
            self.hub.written(id, || NewestGame::Gone(gone));
            return Ok(made);
        }
        if is_more_than_log {
            // Seats change independently of the log, because a move leaves the revision unchanged.
            self.cached.forget(&id);
            let made = self.reload(&game).await?;
            self.own.seated(&made.info);
            return Ok(made);
        }
        self.cached.keep(id, &made);
        self.hub.written(id, || NewestGame::Stands(Arc::clone(&made)));
        if is_seated {
            self.own.seated(&made.info);
        }
        Ok(made)
    }
}

/// Returns the id that an import of a game's record would have, if the game should be found by it. A game
/// with a damaged log should not.
fn recorded(game: &CachedGame) -> Option<GameId> {
    game.record().unwrap_or_else(|damaged| {
        tracing::warn!("{damaged}");
        None
    })
}
