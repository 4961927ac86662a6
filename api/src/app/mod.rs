//! The application: everything that can be done with games, each as one function with a typed error. Nothing here knows
//! HTTP.
//!
//! A request that changes a game goes through `GameWriter::change` or `GameWriter::add` (`write/game_writer.rs`), the only
//! way in which logs grow.

use std::hash::Hash;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use assam_proofs::signed::{Keyring, Policy};
use assam_record::beacon::KnownBeacons;
use assam_store::byte_cache::Usage;
use assam_store::{Clocks, Database, DatabaseHealth, KeepsFeed, PeerBus, PublicLog, Reads, Standings};
use jiff::Timestamp;
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
pub use games::tags::{seat_tag, tags_of};
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

/// How many lists may wait at most, and how many requests that work on records.
const ROOM: usize = 256;
/// How many requests about many records may be under way.
const BULK: usize = 32;
/// How many of those who are told much are told a part of it at once.
const TURNS: usize = 2;

/// The application, on a database.
pub struct App {
    game_writer: Arc<GameWriter>,
    /// For lists.
    low_priority: WorkerThread,
    /// For records.
    background: WorkerThread,
    /// For what the service writes by itself.
    service_writes: WorkerThread,
    /// Places for requests about many records, which may take minutes: single ones find room beside them.
    bulk: Arc<Semaphore>,
    /// Those who ask whether the store answers.
    pings: Arc<Coalescer<(), ()>>,
    /// Turns of those who are told much, so that others find room beside them.
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
    /// Puts the application on a database, with the keys with which it signs.
    ///
    /// # Errors
    /// Of the operating system, where a thread cannot be started.
    pub fn new(database: Database, limits: Limits, keyring: Keyring) -> io::Result<Self> {
        // The game writer alone gets `games`.
        let Database { reads, games, log, standings, feed, clocks, peers, admin: _ } = database;
        let room = limits.queue.min(ROOM);
        let counts = Arc::new(Counts::default());
        Ok(Self {
            game_writer: Arc::new(GameWriter::new(Arc::clone(&reads), games, limits, Arc::clone(&counts))),
            low_priority: WorkerThread::start("lists", room, ThreadPriority::Low)?,
            background: WorkerThread::start("background", room, ThreadPriority::Lowest)?,
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

    /// Lets the witnesses of a policy cosign the log. Checkpoints are sent to the addresses in it, and to these.
    pub fn with_witnesses(self, policy: Policy, urls: Vec<String>) -> Self {
        Self { witnesses: Witnesses::new(policy, urls), ..self }
    }

    /// Lets games have these beacons.
    pub fn with_beacons(self, beacons: KnownBeacons) -> Self {
        Self { beacons, ..self }
    }

    /// Returns what it has done since it started.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Returns how its database does.
    pub fn database(&self) -> &DatabaseHealth {
        self.reads.health()
    }

    /// Returns whether its database is opened to be read alone. Such a database may be a copy that is behind.
    pub fn only_reads(&self) -> bool {
        self.reads.is_to_read()
    }

    /// Returns how many changes wait to be written.
    pub fn queued(&self) -> usize {
        self.game_writer.queued()
    }

    /// Returns how many changes may wait to be written.
    pub fn queue_capacity(&self) -> usize {
        self.game_writer.queue_capacity()
    }

    /// Returns how many lists wait, or are read.
    pub fn lists_waiting(&self) -> usize {
        self.low_priority.waiting()
    }

    /// Returns the games that it keeps in memory.
    pub fn warm_games(&self) -> Usage {
        self.game_writer.usage()
    }

    /// Waits until it is one's turn to be told a part of much, which lasts until this is dropped: each part takes the time of many requests.
    pub async fn turn(&self) -> Option<SemaphorePermit<'_>> {
        // It never fails, as nobody closes it.
        self.turns.acquire().await.ok()
    }

    /// Returns how many requests about many records are under way.
    pub fn bulk_under_way(&self) -> usize {
        BULK - self.bulk.available_permits()
    }

    /// Does work that takes longer than that on a single game, such as a list, where games do not wait for it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub async fn run_low_priority<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.low_priority.run(work).await
    }

    /// Does work of the service's own that writes, not through the writer: for what is written together others wait, so nobody is preferred to it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    async fn run_service_write<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.service_writes.run(work).await
    }

    /// Reads something as [`App::run_low_priority`] does work. What several want at the same time is read once, after all of them have asked.
    ///
    /// # Errors
    /// As [`App::run_low_priority`], and of the reading.
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

    /// Does work that is done on records, such as judging them, behind everything else.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub async fn run_background<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.background.run(work).await
    }

    /// Starts work on many records, which goes on by itself behind everything else.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits.
    pub fn start_background(
        &self,
        work: impl Future<Output = ()> + Send + 'static,
    ) -> Result<(), StoreError> {
        let place = Arc::clone(&self.bulk).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        self.background.start_work(async move {
            let _place = place;
            work.await;
        })?;
        Ok(())
    }
}

/// When this process has looked at clocks.
#[derive(Default)]
struct ClockWatch {
    /// In milliseconds since 1970; 0 where it never has.
    looked: AtomicI64,
}

impl ClockWatch {
    /// Returns when it has; none where it never has.
    fn looked(&self) -> Option<Timestamp> {
        let looked = self.looked.load(Ordering::Relaxed);
        if looked == 0 { None } else { Timestamp::from_millisecond(looked).ok() }
    }

    /// Notes that it has.
    fn look(&self, now: Timestamp) {
        self.looked.store(now.as_millisecond(), Ordering::Relaxed);
    }
}
