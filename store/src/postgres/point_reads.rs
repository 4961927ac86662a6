//! Reads single games from PostgreSQL. One statement, on a separate connection of the thread, reads
//! everything that the thread's callers request at the same time.

use std::collections::HashMap;
use std::mem;
use std::sync::Arc;

use assam_record::game::{GameId, StoredGame};
use deadpool_postgres::Pool;
use parking_lot::{Mutex, MutexGuard};
use thread_local::ThreadLocal;
use tokio::sync::oneshot;
use tokio_postgres::Row;

use super::connection::circuit_breaker::CircuitBreaker;
use super::connection::servers::Servers;
use super::connection::session::{PATIENT, cells, pool, rows, session};
use super::error::PostgresFault;
use crate::sql::row::{COLUMNS, SqlRow};
use crate::sql::value::Value;
use crate::{StoreError, Version};

/// The readers of all threads.
pub(super) struct PointReads {
    servers: Servers,
    circuit_breaker: Arc<CircuitBreaker>,
    readers: ThreadLocal<Arc<Reader>>,
}

impl PointReads {
    pub(super) fn new(servers: Servers, circuit_breaker: Arc<CircuitBreaker>) -> Self {
        Self { servers, circuit_breaker, readers: ThreadLocal::new() }
    }

    pub(super) async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError> {
        self.read(|wanted| &mut wanted.versions, id).await
    }

    pub(super) async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        self.read(|wanted| &mut wanted.games, id).await
    }

    /// Returns the game that has a record.
    pub(super) async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError> {
        self.read(|wanted| &mut wanted.records, record).await
    }

    async fn read<T>(
        &self,
        list: impl FnOnce(&mut Wanted) -> &mut Waiting<T>,
        id: GameId,
    ) -> Result<Option<T>, StoreError> {
        let (answer, answered) = oneshot::channel();
        let reader = self.readers.get_or_try(|| {
            let pool = pool(&self.servers, PATIENT, 1)?;
            Ok::<_, StoreError>(Arc::new(Reader { pool, wanted: Mutex::default() }))
        })?;
        let is_read = {
            let mut wanted = reader.wanted();
            list(&mut wanted).entry(id).or_default().push(answer);
            mem::replace(&mut wanted.is_read, true)
        };
        if !is_read {
            let reading = Reading { reader: Arc::clone(reader), is_done: false };
            tokio::spawn(reading.all(Arc::clone(&self.circuit_breaker)));
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::Unavailable("the reader has stopped".into())))
    }
}

/// The callers that wait for each row.
type Waiting<T> = HashMap<GameId, Vec<oneshot::Sender<Result<Option<T>, StoreError>>>>;

/// The requested rows.
#[derive(Default)]
struct Wanted {
    versions: Waiting<Version>,
    games: Waiting<StoredGame>,
    records: Waiting<GameId>,
    /// Whether a read is in progress.
    is_read: bool,
}

/// The reader of one thread.
struct Reader {
    pool: Pool,
    wanted: Mutex<Wanted>,
}

impl Reader {
    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock()
    }
}

/// A read in progress.
struct Reading {
    reader: Arc<Reader>,
    is_done: bool,
}

/// Ends the read on drop, so that no caller waits for it any longer.
impl Drop for Reading {
    fn drop(&mut self) {
        if !self.is_done {
            *self.reader.wanted() = Wanted::default();
        }
    }
}

impl Reading {
    /// Reads until there are no more requests. Requests that arrive during a read gather for the next one.
    async fn all(mut self, circuit_breaker: Arc<CircuitBreaker>) {
        loop {
            let (versions, games, records) = {
                let mut wanted = self.reader.wanted();
                if wanted.versions.is_empty() && wanted.games.is_empty() && wanted.records.is_empty() {
                    wanted.is_read = false;
                    self.is_done = true;
                    return;
                }
                (
                    mem::take(&mut wanted.versions),
                    mem::take(&mut wanted.games),
                    mem::take(&mut wanted.records),
                )
            };
            let select_versions = "SELECT id, revision, ply, head FROM games WHERE id = ANY($1::uuid[])";
            let select_games = format!("SELECT {} FROM games WHERE id = ANY($1::uuid[])", COLUMNS.join(", "));
            let select_records = "SELECT DISTINCT ON (record) record, game_id FROM records \
                                  WHERE record = ANY($1::uuid[]) ORDER BY record, game_id";
            let found = circuit_breaker.in_time(async {
                let session = session(&self.reader.pool).await?;
                // All statements run at the same time.
                tokio::try_join!(
                    select(&session, select_versions, &versions),
                    select(&session, &select_games, &games),
                    select(&session, select_records, &records)
                )
            });
            match found.await {
                Ok((found_versions, found_games, found_records)) => {
                    tell(versions, found_versions, SqlRow::version);
                    tell(games, found_games, SqlRow::game);
                    tell(records, found_records, SqlRow::game_with_record);
                }
                Err(fault) => {
                    let error = StoreError::from(fault);
                    refuse(versions, &error);
                    refuse(games, &error);
                    refuse(records, &error);
                }
            }
        }
    }
}

/// Selects the rows of the requested games.
async fn select<T>(
    on: &deadpool_postgres::Client,
    sql: &str,
    waiting: &Waiting<T>,
) -> Result<Vec<Row>, PostgresFault> {
    if waiting.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Value> = waiting.keys().map(|id| (*id).into()).collect();
    rows(on, sql, &[ids]).await
}

/// Sends the result to every caller: rows have an id, followed by the columns to read.
fn tell<T: Clone>(mut waiting: Waiting<T>, found: Vec<Row>, read: impl Fn(SqlRow) -> Result<T, StoreError>) {
    for row in found {
        let Ok(cells) = cells(&row) else { continue };
        let Some(callers) = cells.id().and_then(|id| waiting.remove(&id)) else { continue };
        let outcome = read(cells);
        for caller in callers {
            let _ = caller.send(outcome.clone().map(Some));
        }
    }
    for caller in waiting.into_values().flatten() {
        let _ = caller.send(Ok(None));
    }
}

fn refuse<T>(waiting: Waiting<T>, error: &StoreError) {
    for caller in waiting.into_values().flatten() {
        let _ = caller.send(Err(error.clone()));
    }
}
