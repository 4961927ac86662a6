//! The application: every operation on games, each a function with a typed error. Nothing here knows HTTP.
//!
//! Requests that change a game go through `GameWriter::change` or `GameWriter::add` (`write/game_writer.rs`),
//! the only way in which logs grow.

use std::collections::HashSet;
use std::hash::Hash;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};
use std::thread::available_parallelism;

use assam_proofs::signed::{Keyring, Policy};
use assam_record::beacon::KnownBeacons;
use assam_record::game::{GameId, Info};
use assam_store::byte_cache::Usage;
use assam_store::{Clocks, Database, DatabaseHealth, KeepsFeed, PeerBus, PublicLog, Reads, Standings};
use jiff::Timestamp;
use parking_lot::Mutex;
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::counted::Counts;
pub use assam_store::{Leader, LeadersBy, ListQuery, ListScope, SortBy, StoreError, TagKey};

mod background;
mod follow;
mod games;
mod lists;
mod write;

pub use background::BackgroundSettings;
pub use background::cosignatures::CosignatureError;
use background::known_witnesses::Witnesses;
pub use background::known_witnesses::{WitnessAddress, WitnessLags, WitnessOutcome};
pub use background::public_log::LogError;
pub use background::worker_thread::interrupted;
use background::worker_thread::{ThreadPriority, WorkerThread};
pub use follow::feed::{FeedCursor, FeedFollower, FeedPart};
pub use follow::feed_board::SharedNews;
pub use follow::followed::LogPlace;
pub use follow::followed::SharedPly;
pub use follow::follower::{Ended, Follower, Notice};
pub use follow::own_games::{OwnFollower, OwnNotice};
pub use follow::presence::PresentSeats;
pub use games::access::Caller;
pub use games::beacon::DeliverError;
pub use games::create::{CreateError, NewGame, Repeatable};
pub use games::import::{Import, ImportError, Imported};
pub use games::read::{Extent, NotReady, ReadError};
pub use games::receipts::ReceiptError;
pub use games::rematch::RematchError;
pub use games::replace_secret::ReplaceSecretError;
pub use games::seat_names::{WrongName, check_name};
pub use games::seats::{RenameError, TakeSeatError, Taking};
pub use games::tags::{allows_hints, seat_tag, tags_of};
pub use games::withdraw::WithdrawError;
pub use lists::coalescer::Coalescer;
pub use lists::export::ExportPage;
pub use lists::list::{ListOrder, ListPlace, RunningGames, SummaryPage};
pub use lists::summary::{GameStanding, Summary};
pub use write::cached_game::CachedGame;
use write::game_writer::GameWriter;
pub use write::game_writer::Limits;
pub use write::ply::{HeadCondition, Illegal, SubmitError, Wrote};
pub use write::submission::{Leaving, NoSubmission, Submission};

/// The maximum number of waiting lists, and of waiting requests that work on records.
const ROOM: usize = 256;
/// The maximum number of bulk requests in progress.
const BULK: usize = 32;
/// The number of large catch-ups that are sent at once.
const TURNS: usize = 2;

/// The application, on a database.
pub struct App {
    game_writer: Arc<GameWriter>,
    /// For lists.
    low_priority: WorkerThread,
    /// For records.
    background: WorkerThread,
    /// For analyses, which take a tenth of a second or more.
    analysis: WorkerThread,
    /// For merchants that answer a move.
    thinking: WorkerThread,
    /// For merchants that play on alone, which can take seconds.
    lone_merchants: WorkerThread,
    /// Games whose seat on turn is being timed out.
    timing_out: Mutex<HashSet<GameId>>,
    /// For what the service writes by itself.
    service_writes: WorkerThread,
    /// Places for bulk requests, which may take minutes. Single requests find room next to them.
    bulk: Arc<Semaphore>,
    /// Shared checks of whether the store answers.
    pings: Arc<Coalescer<(), ()>>,
    /// Turns for large catch-ups, so that others find room next to them.
    turns: Semaphore,
    counts: Arc<Counts>,
    keyring: Keyring,
    reads: Arc<dyn Reads>,
    log: Arc<dyn PublicLog>,
    standings: Arc<dyn Standings>,
    feed: Arc<dyn KeepsFeed>,
    clocks: Arc<dyn Clocks>,
    peers: Arc<dyn PeerBus>,
    witnesses: Witnesses,
    beacons: KnownBeacons,
    clock_watch: ClockWatch,
}

impl App {
    /// Creates the application on a database, with its signing keys.
    ///
    /// # Errors
    /// If the operating system cannot start a thread.
    pub fn new(database: Database, limits: Limits, keyring: Keyring) -> io::Result<Self> {
        // Only the game writer gets `games`.
        let Database { reads, games, log, standings, feed, clocks, peers, admin: _ } = database;
        let room = limits.queue.min(ROOM);
        let counts = Arc::new(Counts::default());
        Ok(Self {
            game_writer: Arc::new(GameWriter::new(Arc::clone(&reads), games, limits, Arc::clone(&counts))),
            low_priority: WorkerThread::start("lists", room, ThreadPriority::Low)?,
            background: WorkerThread::start("background", room, ThreadPriority::Lowest)?,
            analysis: WorkerThread::start("analysis", room, ThreadPriority::Lowest)?,
            thinking: WorkerThread::start_several(
                // One core fewer than there are, for those who play without merchants.
                available_parallelism().map_or(1, usize::from).saturating_sub(1).max(1),
                "thinking",
                limits.queue,
                ThreadPriority::Lowest,
            )?,
            lone_merchants: WorkerThread::start("lone merchants", limits.queue, ThreadPriority::Lowest)?,
            timing_out: Mutex::default(),
            service_writes: WorkerThread::start("service writes", room, ThreadPriority::Normal)?,
            bulk: Arc::new(Semaphore::new(BULK)),
            pings: Arc::default(),
            turns: Semaphore::new(TURNS),
            counts,
            keyring,
            reads,
            log,
            standings,
            feed,
            clocks,
            peers,
            witnesses: Witnesses::default(),
            beacons: KnownBeacons::default(),
            clock_watch: ClockWatch::default(),
        })
    }

    /// Lets the witnesses of a policy cosign the log. Checkpoints are sent to the addresses in the policy,
    /// and to these.
    pub fn with_witnesses(self, policy: Policy, urls: Vec<String>) -> Self {
        Self { witnesses: Witnesses::new(policy, urls), ..self }
    }

    /// Allows these beacons for games.
    pub fn with_beacons(self, beacons: KnownBeacons) -> Self {
        Self { beacons, ..self }
    }

    /// Returns the counts since the start.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Returns the health of the database.
    pub fn database(&self) -> &DatabaseHealth {
        self.reads.health()
    }

    /// Returns whether the database is only read. It may then be a replica that lags.
    pub fn only_reads(&self) -> bool {
        self.reads.is_to_read()
    }

    /// Returns the number of changes waiting to be written.
    pub fn queued(&self) -> usize {
        self.game_writer.queued()
    }

    /// Returns the maximum number of changes waiting to be written.
    pub fn queue_capacity(&self) -> usize {
        self.game_writer.queue_capacity()
    }

    /// Returns the number of lists waiting or being read.
    pub fn lists_waiting(&self) -> usize {
        self.low_priority.waiting()
    }

    /// Returns the usage of the game cache.
    pub fn warm_games(&self) -> Usage {
        self.game_writer.usage()
    }

    /// Waits for a turn to send a part of a large catch-up. The turn lasts until this is dropped. Each part
    /// takes the time of many requests.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It never fails, because the semaphore is never closed.
        self.turns.acquire().await.ok()
    }

    /// Returns the number of bulk requests in progress.
    pub fn bulk_under_way(&self) -> usize {
        BULK - self.bulk.available_permits()
    }

    /// Does longer work than a single game needs, such as a list, on a thread that games do not wait for.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if the work panics.
    pub async fn run_low_priority<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.low_priority.run(work).await
    }

    /// Does writing work of the service itself that bypasses the writer. It has normal priority, because
    /// others wait for what is written together.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if the work panics.
    async fn run_service_write<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.service_writes.run(work).await
    }

    /// Reads with low priority, as [`App::run_low_priority`]. Concurrent callers share one reading that
    /// begins after all of them have asked.
    ///
    /// # Errors
    /// As [`App::run_low_priority`], and if the reading fails.
    pub async fn read_coalesced<K, T, F>(
        &self,
        shared: &Arc<Coalescer<K, T>>,
        wanted: K,
        read: impl Fn(K) -> F + Send + 'static,
    ) -> Result<T, StoreError>
    where
        K: Clone + Eq + Hash + Send + 'static,
        T: Clone + Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        shared.get(wanted, read, |reading| self.low_priority.start_work(reading).map(drop)).await
    }

    /// Changes a game: where merchants decide, on the threads for that. Nothing is done if the caller is gone when
    /// its turn comes. Merchants that play on alone have their own thread, so that answers to moves do not wait for
    /// whole games.
    ///
    /// # Errors
    /// Those of the change, [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if it panics.
    async fn think<T, E, F>(
        self: &Arc<Self>,
        info: &Info,
        alone: bool,
        change: impl FnOnce(Arc<Self>) -> F,
    ) -> Result<T, E>
    where
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
        F: Future<Output = Result<T, E>> + Send + 'static,
    {
        let change = change(Arc::clone(self));
        match (info.has_merchant(), alone) {
            (false, _) => change.await,
            (true, false) => self.thinking.run_if_awaited(change).await?,
            (true, true) => self.lone_merchants.run_if_awaited(change).await?,
        }
    }

    /// Does work on records, such as judging them, at the lowest priority.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if the work panics.
    pub async fn run_background<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.background.run(work).await
    }

    /// Starts bulk work, which continues independently at the lowest priority.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full.
    pub fn start_background(
        &self,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), StoreError> {
        self.start_bulk(&self.background, work)
    }

    /// Analyses at the lowest priority, even if the caller is gone.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full, [`StoreError::Backend`] if the work panics.
    pub async fn run_analysis<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.analysis.run(work).await
    }

    /// Starts to analyse many records, as [`App::start_background`].
    ///
    /// # Errors
    /// [`StoreError::Busy`] if the queue is full.
    pub fn start_analysis(&self, work: impl Future<Output = ()> + Send + 'static) -> Result<(), StoreError> {
        self.start_bulk(&self.analysis, work)
    }

    fn start_bulk(
        &self,
        thread: &WorkerThread,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), StoreError> {
        let place = Arc::clone(&self.bulk).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        thread.start_work(async move {
            let _place = place;
            work.await;
        })?;
        Ok(())
    }
}

/// When this process last checked the clocks.
#[derive(Default)]
struct ClockWatch {
    /// In milliseconds since 1970, or 0 before the first check.
    looked: AtomicI64,
}

impl ClockWatch {
    /// Returns the time of the last check, if any.
    fn looked(&self) -> Option<Timestamp> {
        let looked = self.looked.load(Ordering::Relaxed);
        if looked == 0 { None } else { Timestamp::from_millisecond(looked).ok() }
    }

    /// Records a check.
    fn look(&self, now: Timestamp) {
        self.looked.store(now.as_millisecond(), Ordering::Relaxed);
    }
}
