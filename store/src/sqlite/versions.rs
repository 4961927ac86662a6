//! Versions of games in an SQLite file. Half of what one takes is for the locks of its transaction: so what the callers of a thread ask for in one
//! round of its runtime is read together.

use std::slice;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use assam_record::game::GameId;
use rusqlite::Connection;
use thread_local::ThreadLocal;

use super::error::SqliteFault;
use super::session::query;
use crate::health::database_fault::DatabaseError as _;
use crate::round::Round;
use crate::sql::row::SqlRow;
use crate::sql::statement;
use crate::{StoreError, Version};

/// How many versions are read in one transaction, which holds up the copying of the log of writes for as long as it takes.
const TOGETHER: usize = 256;

/// A version, where there is such a game.
pub(super) type FoundVersion = Result<Option<Version>, StoreError>;

/// The rounds of all threads.
#[derive(Default)]
pub(super) struct VersionRounds {
    /// The one in which the callers of a thread ask now.
    open: ThreadLocal<Mutex<Option<Arc<VersionRound>>>>,
}

/// Games whose versions are read together.
struct VersionRound {
    asked: Mutex<Vec<GameId>>,
    of: Arc<Round>,
    /// Those versions, once somebody has read them.
    found: OnceLock<Vec<FoundVersion>>,
}

impl VersionRounds {
    /// Returns the version of a game, as it is after this is called. Whoever goes on first reads for all who asked with it, so nobody waits for
    /// a caller that has gone.
    ///
    /// # Errors
    /// Of the reading.
    pub(super) async fn version(
        &self,
        id: GameId,
        read: impl FnOnce(&[GameId]) -> Vec<FoundVersion>,
    ) -> FoundVersion {
        let open = self.open.get_or_default();
        let (round, place) = {
            let mut open = lock(open);
            let round = open.get_or_insert_with(VersionRound::begin);
            let mut asked = lock(&round.asked);
            asked.push(id);
            (Arc::clone(round), asked.len() - 1)
        };
        round.of.ends().await;
        let found = round.found.get_or_init(|| {
            // Who asks from now on may have to be told of a later version.
            *lock(open) = None;
            read(&lock(&round.asked))
        });
        let unread = || Err(StoreError::Unavailable("the version was not read".to_owned()));
        found.get(place).cloned().unwrap_or_else(unread)
    }
}

/// Reads the versions of some games, in the same order: each transaction with `read`, or, where one of its versions cannot be read, each by itself.
pub(super) fn versions_of(
    ids: &[GameId],
    read: impl Fn(&[GameId]) -> Result<Vec<FoundVersion>, SqliteFault>,
) -> Vec<FoundVersion> {
    let together_or_alone = |ids: &[GameId]| match read(ids) {
        Ok(found) => found,
        // A page of the file may be damaged, which harms the games on it alone.
        Err(SqliteFault::Database(error)) if ids.len() > 1 && !error.is_passing() => {
            let alone = |id| read(slice::from_ref(id))?.pop().unwrap_or(Ok(None));
            ids.iter().map(alone).collect()
        }
        Err(fault) => {
            let error = StoreError::from(fault);
            ids.iter().map(|_| Err(error.clone())).collect()
        }
    };
    ids.chunks(TOGETHER).flat_map(together_or_alone).collect()
}

/// Reads versions in one transaction.
pub(super) fn read_together(
    connection: &Connection,
    ids: &[GameId],
) -> Result<Vec<FoundVersion>, SqliteFault> {
    // One statement is a transaction of its own. This one writes nothing, and is never committed: where the disk fails SQLite ends it, and
    // a commit would fail for that reason.
    let _together = (ids.len() > 1).then(|| connection.unchecked_transaction()).transpose()?;
    let version = |id: &GameId| {
        let rows = query(connection, &statement::version(*id))?;
        Ok(rows.into_iter().next().map(SqlRow::version).transpose())
    };
    ids.iter().map(version).collect()
}

impl VersionRound {
    /// Begins a round of the one runtime of this thread, in which games gather.
    fn begin() -> Arc<Self> {
        Arc::new(Self { asked: Mutex::default(), of: Round::begin(), found: OnceLock::new() })
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use assam_record::hex::Hex;
    use futures_util::future::{FutureExt as _, join_all};

    use super::*;

    /// Readings that are kept, and find how many there were before.
    #[derive(Default)]
    struct Readings(RefCell<Vec<Vec<GameId>>>);

    impl Readings {
        fn read(&self, ids: &[GameId]) -> Vec<FoundVersion> {
            let mut all = self.0.borrow_mut();
            all.push(ids.to_vec());
            ids.iter().map(|_| Ok(Some(Version { revision: all.len() as i64, head: None }))).collect()
        }

        /// Asks for a version, and returns in which reading it was found.
        async fn ask(&self, rounds: &VersionRounds, game: u8) -> Option<i64> {
            let found = rounds.version(id(game), |ids| self.read(ids)).await;
            found.ok().flatten().map(|version| version.revision)
        }
    }

    fn id(game: u8) -> GameId {
        Hex([game; 16])
    }

    #[tokio::test]
    async fn who_asks_in_one_round_shares_a_reading_and_each_finds_its_own() {
        let (rounds, readings) = (VersionRounds::default(), Readings::default());
        let games = [1, 2, 1];
        assert_eq!(join_all(games.map(|game| readings.ask(&rounds, game))).await, [Some(1); 3]);
        assert_eq!(*readings.0.borrow(), [games.map(id)]);
    }

    #[tokio::test]
    async fn who_asks_while_something_is_read_shares_a_later_reading() {
        let (rounds, readings) = (VersionRounds::default(), Readings::default());
        let mut later = Box::pin(readings.ask(&rounds, 2));
        let first = rounds.version(id(1), |ids| {
            assert_eq!((&mut later).now_or_never(), None, "it waits for a round of its own");
            readings.read(ids)
        });
        assert!(first.await.is_ok());
        assert_eq!(later.await, Some(2));
        assert_eq!(*readings.0.borrow(), [[id(1)], [id(2)]]);
    }

    #[tokio::test]
    async fn nobody_waits_for_a_caller_that_has_gone() {
        let (rounds, readings) = (VersionRounds::default(), Readings::default());
        let mut gone = Box::pin(readings.ask(&rounds, 1));
        let stays = readings.ask(&rounds, 2);
        assert_eq!((&mut gone).now_or_never(), None, "it has asked");
        drop(gone);
        assert_eq!(stays.await, Some(1));
        assert_eq!(*readings.0.borrow(), [[1, 2].map(id)]);
    }

    #[test]
    fn nobody_waits_for_a_runtime_that_is_gone() {
        let (rounds, readings) = (VersionRounds::default(), Readings::default());
        let runtime = || tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        let ask = |game| runtime().block_on(async { Box::pin(readings.ask(&rounds, game)).now_or_never() });
        assert_eq!(ask(1), None, "the runtime ended before the round did");
        assert_eq!(ask(2), Some(Some(1)));
    }
}
