//! The application: everything that can be done with games, each as one function with a typed error. Nothing here knows
//! HTTP.
//!
//! A request that changes a game goes through `Door::change` or `Door::add` (`door.rs`), the one door through which every
//! log grows.

use std::hash::Hash;
use std::io;
use std::sync::Arc;

use assam_proofs::signed::{Keyring, Policy};
use assam_record::beacon::KnownBeacons;
use assam_store::kept::Usage;
use assam_store::{DatabaseHealth, Store};
use tokio::sync::{Semaphore, SemaphorePermit};

use crate::counted::Counts;
pub use assam_store::{Among, Leader, LeadersBy, ListQuery, SortBy, StoreError, TagKey};

mod abort;
mod access;
mod aside;
mod beacon;
mod change;
mod clock_watch;
mod clocks;
mod cosignatures;
mod create;
mod door;
mod doubtful;
mod export;
mod feed;
mod feed_board;
mod follow;
mod followed;
mod following;
mod import;
mod known_witnesses;
mod leave;
mod listed;
mod live;
mod log_place;
mod names;
mod news;
mod order;
mod own;
mod own_hub;
mod ply;
mod presence;
mod public_log;
mod read;
mod receipts;
mod rematch;
mod replace_secret;
mod seating;
mod seats;
mod shared_reads;
mod standings;
mod submission;
mod submit;
mod summary;
mod tags;
mod take_down;
mod to_its_end;
mod waiting;
mod withdraw;
mod witnesses;
mod writer;

pub use access::Caller;
pub use aside::interrupted;
use aside::{Aside, Rank};
pub use beacon::DeliverError;
use clock_watch::ClockWatch;
pub use cosignatures::CosignatureError;
pub use create::{CreateError, NewGame, Repeatable};
use door::Door;
pub use door::Limits;
pub use export::ExportPage;
pub use feed::{FeedCursor, FeedFollower, FeedPart};
pub use feed_board::SharedNews;
pub use follow::{Ended, Follower, Notice};
pub use followed::SharedPly;
pub use import::{Import, ImportError, Imported};
use known_witnesses::Witnesses;
pub use known_witnesses::{WitnessAddress, WitnessLags, WitnessOutcome};
pub use listed::{ListOrder, ListPlace, RunningGames, SummaryPage};
pub use live::LiveGame;
pub use log_place::LogPlace;
pub use names::{WrongName, check_name};
pub use own::{OwnFollower, OwnNotice};
pub use ply::{HeadCondition, Illegal, SubmitError, Wrote};
pub use presence::PresentSeats;
pub use public_log::LogError;
pub use read::{Extent, NotReady, ReadError};
pub use receipts::ReceiptError;
pub use rematch::RematchError;
pub use replace_secret::ReplaceSecretError;
pub use seats::{RenameError, TakeSeatError, Taking};
pub use shared_reads::SharedReads;
pub use submission::{Leaving, NoSubmission, Submission};
pub use summary::{GameStanding, Summary};
pub use tags::{seat_tag, tags_of};
pub use withdraw::WithdrawError;

/// How many lists may wait at most, and how many requests that work on records.
const ROOM: usize = 256;
/// How many requests about many records may be under way.
const BULK: usize = 32;
/// How many of those who are told much are told a part of it at once.
const TURNS: usize = 2;

/// The application, on a store.
pub struct App {
    door: Arc<Door>,
    aside: Aside,
    behind: Aside,
    chores: Aside,
    /// Places for requests about many records, which may take minutes: single ones find room beside them.
    bulk: Arc<Semaphore>,
    /// Those who ask whether the store answers.
    pings: Arc<SharedReads<(), ()>>,
    /// Turns of those who are told much, so that others find room beside them.
    turns: Semaphore,
    counts: Arc<Counts>,
    keyring: Keyring,
    store: Arc<dyn Store>,
    witnesses: Witnesses,
    beacons: KnownBeacons,
    clocks: ClockWatch,
}

impl App {
    /// Puts the application on a store, with the keys with which it signs.
    ///
    /// # Errors
    /// Of the operating system, where a thread cannot be started.
    pub fn on(store: Arc<dyn Store>, limits: Limits, keyring: Keyring) -> io::Result<Self> {
        let room = limits.queue.min(ROOM);
        let counts = Arc::new(Counts::default());
        Ok(Self {
            door: Arc::new(Door::to(Arc::clone(&store), limits, Arc::clone(&counts))),
            aside: Aside::start("aside", room, Rank::Less)?,
            behind: Aside::start("behind", room, Rank::Last)?,
            chores: Aside::start("chores", room, Rank::AsOthers)?,
            bulk: Arc::new(Semaphore::new(BULK)),
            pings: Arc::default(),
            turns: Semaphore::new(TURNS),
            counts,
            keyring,
            store,
            witnesses: Witnesses::default(),
            beacons: KnownBeacons::default(),
            clocks: ClockWatch::default(),
        })
    }

    /// Lets the witnesses of a policy cosign the log. Checkpoints are sent to the addresses in it, and to these.
    pub fn with_witnesses(self, policy: Policy, urls: Vec<String>) -> Self {
        Self { witnesses: Witnesses::of(policy, urls), ..self }
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
        self.door.reads().health()
    }

    /// Returns whether its database is opened to be read alone. It may be behind another one then, from which it is copied.
    pub fn only_reads(&self) -> bool {
        self.store.is_to_read()
    }

    /// Returns how many changes wait to be written.
    pub fn queued(&self) -> usize {
        self.door.queued()
    }

    /// Returns how many changes may wait to be written.
    pub fn queue_capacity(&self) -> usize {
        self.door.queue_capacity()
    }

    /// Returns how many lists wait, or are read.
    pub fn lists_waiting(&self) -> usize {
        self.aside.waiting()
    }

    /// Returns the games that it keeps in memory.
    pub fn warm_games(&self) -> Usage {
        self.door.usage()
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
    pub async fn run_aside<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.aside.run(work).await
    }

    /// Does work of the service's own that writes, not through the writer: for what is written together others wait, so nobody is preferred to it.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    async fn run_chore<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.chores.run(work).await
    }

    /// Reads something as [`App::run_aside`] does work. What several want at the same time is read once, after all of them have asked.
    ///
    /// # Errors
    /// As [`App::run_aside`], and of the reading.
    pub async fn read_aside<K, T, F>(
        &self,
        shared: &Arc<SharedReads<K, T>>,
        wanted: K,
        read: impl Fn(K) -> F + Send + 'static,
    ) -> Result<T, StoreError>
    where
        K: Clone + Eq + Hash + Send + 'static,
        T: Clone + Send + 'static,
        F: Future<Output = Result<T, StoreError>> + Send + 'static,
    {
        shared.get(wanted, read, |reading| self.aside.start_work(reading).map(drop)).await
    }

    /// Does work that is done on records, such as judging them, behind everything else.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits, [`StoreError::Backend`] where the work panics.
    pub async fn run_behind<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, StoreError> {
        self.behind.run(work).await
    }

    /// Starts work on many records, which goes on by itself behind everything else.
    ///
    /// # Errors
    /// [`StoreError::Busy`] where too much waits.
    pub fn start_behind(&self, work: impl Future<Output = ()> + Send + 'static) -> Result<(), StoreError> {
        let place = Arc::clone(&self.bulk).try_acquire_owned().map_err(|_| StoreError::Busy)?;
        self.behind.start_work(async move {
            let _place = place;
            work.await;
        })?;
        Ok(())
    }
}
