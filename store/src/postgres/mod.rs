//! Games in PostgreSQL, for any number of service processes.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU32;

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, StoredGame};
use async_trait::async_trait;
use deadpool_postgres::{Client, GenericClient, Pool};
use jiff::Timestamp;
use thread_local::ThreadLocal;
use tokio::sync::OnceCell;

use crate::health::DatabaseHealth;
use crate::sql::list::readable;
use crate::sql::list_statement::{self, Merging};
use crate::sql::row::SqlRow;
use crate::sql::statement;
use crate::{
    Admin, Change, ChangedGame, ListPage, ListQuery, Observation, PeerBus, PeerMessage, PresentIn, Reads,
    SortBy, StoreError, Version, WritesGames,
};

use connection::circuit_breaker::CircuitBreaker;
use connection::servers::Servers;
use connection::session::{FOR_ALL, PATIENT, begun, pool, rows, session, session_that_answers, to_its_end};
use connection::url;
use error::{PostgresFault, is_refusal, is_unsupported};
use page_ends::PageEnds;
use peer_bus::PostgresPeerBus;
use point_reads::PointReads;
use write::{WriteStatement, each, existing, held, ids};

mod checkup;
mod citus;
mod clocks;
mod connection;
mod copy;
mod error;
mod feed;
mod list;
mod log;
mod migration;
mod page_ends;
mod peer_bus;
mod point_reads;
mod standings;
mod write;

/// The options of sessions that write. While one session waits for a row that another holds, all others wait
/// too, so that time is short. The server ends a statement before its caller gives up, so a refused change is
/// not written later, unless the server or the network hung.
const WRITER: &str = "-c lock_timeout=20ms -c statement_timeout=800ms";
/// Writing sessions of a thread: one for all changes, and one for games that other sessions hold.
const WRITERS: usize = 2;
/// Sessions for background work.
const OWN_WORK: usize = 2;
/// Changes that are tried one by one although another session holds something that they need.
const HELD_ALONE: usize = 3;
/// Needs pages that no table has yet, and leaves no rows.
const TRIAL: &str = "BEGIN; INSERT INTO records SELECT gen_random_uuid(), gen_random_uuid() \
                     FROM generate_series(1, 2000); ROLLBACK";

/// Games in a PostgreSQL database.
pub struct PostgresStore {
    circuit_breaker: Arc<CircuitBreaker>,
    servers: Servers,
    /// The connections of each writing thread.
    writers: ThreadLocal<Pool>,
    /// Requests of clients, except writes and reads of single games.
    lists: Pool,
    /// Background work, which may take long and must not delay requests of clients.
    own_work: Pool,
    /// Clocks, which moves of games with clocks may wait for.
    clocks: Pool,
    /// The number of looks at clocks.
    clock_looks: AtomicU32,
    /// The ends of first pages of lists.
    page_ends: PageEnds,
    /// Whether Citus distributes the games, once known.
    distributed: OnceCell<bool>,
    games: PointReads,
    peer_bus: PostgresPeerBus,
}

impl PostgresStore {
    /// Prepares connections to the database at `url`, at most `pool_size` of them for lists. The first use
    /// connects.
    ///
    /// # Errors
    /// [`StoreError::Backend`] if the URL is malformed, names no server, or requires TLS, which is not
    /// supported.
    pub fn connect(url: &str, pool_size: usize) -> Result<Self, StoreError> {
        Self::prepare(url, pool_size, false)
    }

    /// As [`PostgresStore::connect`], but read-only. The server may be a standby.
    ///
    /// # Errors
    /// As [`PostgresStore::connect`].
    pub fn connect_to_read(url: &str, pool_size: usize) -> Result<Self, StoreError> {
        Self::prepare(url, pool_size, true)
    }

    fn prepare(url: &str, pool_size: usize, is_to_read: bool) -> Result<Self, StoreError> {
        let servers = Servers::new(url::read(url)?, is_to_read)?;
        let shared = servers.driven_by_current_runtime();
        let circuit_breaker = Arc::new(CircuitBreaker::new(pool(&shared, PATIENT, 1)?, servers.clone()));
        Ok(Self {
            writers: ThreadLocal::new(),
            lists: pool(&shared, PATIENT, pool_size)?,
            own_work: pool(&shared, FOR_ALL, OWN_WORK)?,
            clocks: pool(&shared, FOR_ALL, 1)?,
            clock_looks: AtomicU32::new(0),
            page_ends: PageEnds::new(),
            distributed: OnceCell::new(),
            peer_bus: PostgresPeerBus::new(&shared)?,
            games: PointReads::new(servers.clone(), Arc::clone(&circuit_breaker)),
            servers,
            circuit_breaker,
        })
    }

    /// Returns a writing session of this thread.
    async fn writer(&self) -> Result<Client, PostgresFault> {
        let writers = || pool(&self.servers, WRITER, WRITERS);
        session(self.writers.get_or_try(writers).map_err(PostgresFault::Store)?).await
    }

    /// Returns a session for background work. The check that the database responds has a separate time limit.
    async fn own_session(&self) -> Result<Client, PostgresFault> {
        session_that_answers(&self.own_work).await
    }

    /// Checks that no migration is missing.
    ///
    /// # Errors
    /// If one is missing, and database errors.
    async fn check_applied(&self) -> Result<(), StoreError> {
        self.circuit_breaker.retried(|| migration::check(&self.lists)).await
    }

    /// Writes changes with one statement, and returns the outcome of each.
    async fn try_write(&self, changes: &[Change]) -> Result<Vec<Result<(), StoreError>>, PostgresFault> {
        let written = self.try_write_once(changes).await?;
        if written.iter().any(Result::is_ok) {
            self.health().has_written();
        }
        Ok(written)
    }

    async fn try_write_once(&self, changes: &[Change]) -> Result<Vec<Result<(), StoreError>>, PostgresFault> {
        let session = self.writer().await?;
        let written = WriteStatement::by(changes, self.is_distributed(&session).await?);
        let games: Vec<_> = changes.iter().map(|change| change.id).collect();
        let servers = self.servers.clone();
        let (written, existing) = to_its_end(&self.servers, begun(&session), async move {
            // One statement is one transaction.
            let written = servers.committed(written.ids(&session)).await?;
            let unchanged: Vec<_> = games.into_iter().filter(|id| !written.contains(id)).collect();
            if unchanged.is_empty() {
                return Ok((written, HashSet::new()));
            }
            // Final: the changes were written, and must not be tried again.
            let existing = ids(&session, &existing(unchanged.into_iter())).await;
            let existing = existing.map_err(|fault| PostgresFault::Store(fault.into()))?;
            Ok((written, existing))
        })
        .await?;
        let outcome = |change: &Change| {
            let id = change.id;
            let why = || change.why_unchanged(existing.contains(&id));
            if written.contains(&id) { Ok(()) } else { Err(why()) }
        };
        Ok(changes.iter().map(outcome).collect())
    }

    /// Returns the changes of games that no other transaction holds, and of new games. Returns all if the
    /// server does not support that.
    async fn free(&self, changes: &[Change]) -> Result<Vec<Change>, PostgresFault> {
        let session = self.writer().await?;
        let batch = held(changes.iter().map(|change| change.id));
        let held = match to_its_end(
            &self.servers,
            begun(&session),
            async move { ids(&session, &batch).await },
        )
        .await
        {
            Err(PostgresFault::Database(error)) if is_unsupported(&error) => HashSet::new(),
            held => held?,
        };
        Ok(changes.iter().filter(|change| !held.contains(&change.id)).cloned().collect())
    }

    /// Writes changes one by one, because at least one was refused. If several fail because of locks although
    /// no session holds their games, many may need the locked thing, and the rest is not tried.
    async fn write_each(&self, mut changes: Vec<Change>) -> HashMap<GameId, Result<(), StoreError>> {
        // A lock may be on a table of lists, which few changes need.
        changes.sort_by_key(|change| change.effects.changes_lists());
        let (mut outcomes, mut held) = (HashMap::new(), 0);
        for change in changes {
            let attempt = || self.try_write(std::slice::from_ref(&change));
            let outcome =
                self.circuit_breaker.retried(attempt).await.and_then(|mut one| one.pop().unwrap_or(Ok(())));
            held += usize::from(matches!(outcome, Err(StoreError::Locked)));
            let is_away = matches!(outcome, Err(StoreError::Unavailable(_)));
            outcomes.insert(change.id, outcome);
            if is_away || held == HELD_ALONE {
                break;
            }
        }
        outcomes
    }
}

#[async_trait]
impl PeerBus for PostgresStore {
    fn reaches_peers(&self) -> bool {
        true
    }

    async fn announce_changes(&self, games: &[ChangedGame]) -> Result<(), StoreError> {
        self.peer_bus.tell(games).await
    }

    async fn announce_feed(&self) -> Result<(), StoreError> {
        self.peer_bus.announce_feed().await
    }

    async fn announce_process(&self, is_new: bool) -> Result<(), StoreError> {
        self.peer_bus.announce_process(is_new).await
    }

    async fn announce_presence(&self, here: &[PresentIn]) -> Result<(), StoreError> {
        self.peer_bus.announce_presence(here).await
    }

    async fn listen(&self, heard: &(dyn Fn(PeerMessage) + Send + Sync)) -> StoreError {
        self.peer_bus.listen(heard).await
    }
}

#[async_trait]
impl Reads for PostgresStore {
    fn is_to_read(&self) -> bool {
        self.servers.are_to_read()
    }

    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError> {
        self.games.version(id).await
    }

    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.games.load(id).await
    }

    async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError> {
        self.games.with_record(record).await
    }

    async fn count(&self, query: &ListQuery) -> Result<u64, StoreError> {
        let Some(count) = list_statement::count(query) else { return Ok(0) };
        Ok(self.found(count).await?.first().and_then(SqlRow::count).unwrap_or_default())
    }

    async fn list(&self, query: &ListQuery) -> Result<ListPage, StoreError> {
        readable(query, |query| self.listed(query)).await
    }

    async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError> {
        Ok(self.found_by_itself(&statement::running_after(id)).await?.iter().filter_map(SqlRow::id).collect())
    }

    async fn open_before(
        &self,
        moment: Timestamp,
        after: (Timestamp, GameId),
    ) -> Result<Vec<(Timestamp, GameId)>, StoreError> {
        let found =
            self.found_by_itself(&list_statement::open_before(Merging::OfSorted, moment, after)).await?;
        Ok(found.iter().filter_map(|row| row.place(SortBy::Created).ok()).collect())
    }

    async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError> {
        self.found(statement::signing_keys()).await?.iter().map(SqlRow::signing_key).collect()
    }

    async fn ping(&self) -> Result<(), StoreError> {
        self.circuit_breaker.retried(|| self.circuit_breaker.ask()).await
    }

    fn health(&self) -> &DatabaseHealth {
        self.circuit_breaker.health()
    }
}

#[async_trait]
impl WritesGames for PostgresStore {
    async fn write(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>> {
        Change::restart_clocks(changes);
        match self.circuit_breaker.in_time(self.try_write(changes)).await {
            // Nothing was written, and other sessions may hold some of the games.
            Err(PostgresFault::Database(error)) if is_refusal(&error) => {
                self.write_skip_locked(changes).await
            }
            outcomes => each(changes, outcomes),
        }
    }

    async fn write_skip_locked(&self, changes: &mut [Change]) -> Vec<Result<(), StoreError>> {
        Change::restart_clocks(changes);
        let free = match self.circuit_breaker.in_time(self.free(changes)).await {
            Ok(free) => free,
            Err(fault) => return each(changes, Err(fault)),
        };
        let mut outcomes = HashMap::new();
        if !free.is_empty() {
            outcomes = match self.circuit_breaker.in_time(self.try_write(&free)).await {
                Err(PostgresFault::Database(error)) if is_refusal(&error) => self.write_each(free).await,
                written => free.iter().map(|change| change.id).zip(each(&free, written)).collect(),
            };
        }
        changes.iter().map(|change| outcomes.remove(&change.id).unwrap_or(Err(StoreError::Locked))).collect()
    }

    async fn try_to_write(&self) -> Result<(), StoreError> {
        let attempt = async {
            let session = self.writer().await?;
            to_its_end(&self.servers, begun(&session), async move {
                let tried = session.batch_execute(TRIAL).await;
                if tried.is_err() {
                    // The failed transaction is still open.
                    session.batch_execute("ROLLBACK").await?;
                }
                Ok(tried?)
            })
            .await
        };
        let tried = self.circuit_breaker.in_time(attempt).await.map_err(StoreError::from);
        // If it is not allowed, the next change shows that.
        if !matches!(tried, Err(StoreError::Unwritable(_) | StoreError::Unavailable(_))) {
            self.health().has_written();
        }
        tried
    }

    /// After a hang of the server, the session of this thread may still be busy with an abandoned statement,
    /// and beginning another one takes longest of all.
    fn can_write_inline(&self) -> bool {
        let is_busy = |writers: &Pool| writers.status().size > 0 && writers.status().available == 0;
        !self.writers.get().is_some_and(is_busy)
    }
}

#[async_trait]
impl Admin for PostgresStore {
    async fn migrate(&self) -> Result<(), StoreError> {
        if self.servers.are_to_read() {
            self.check_applied().await?;
        } else {
            migration::apply(&self.lists).await?;
        }
        self.circuit_breaker.begin().await;
        Ok(())
    }

    async fn check_up(&self) -> Result<Vec<Observation>, StoreError> {
        self.look_over().await
    }

    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError> {
        let insert = statement::add_signing_key(published, is_first);
        let attempt = async {
            let mut session = self.writer().await?;
            let transaction = session.transaction().await?;
            // Two processes that add their first key at once take turns, and the second finds the key of the
            // other.
            transaction.batch_execute("LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE").await?;
            rows(&transaction, &insert.sql, &insert.params).await?;
            Ok(transaction.commit().await?)
        };
        Ok(self.circuit_breaker.in_time(attempt).await?)
    }

    async fn copy_into(&self, file: &Path) -> Result<(), StoreError> {
        let newest = migration::newest();
        Ok(copy::copy(&self.lists, newest, file).await?)
    }

    async fn take_over(&self, copy: &Path) -> Result<bool, StoreError> {
        Ok(copy::take_all(&self.lists, copy).await?)
    }
}
