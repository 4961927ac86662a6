//! The feed for lobbies in PostgreSQL.

use assam_record::feed::{FeedNews, FeedPlace, PlacedNews};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use tokio_postgres::error::SqlState;

use super::PostgresStore;
use super::connection::session::{found, found_by, is_alone, rows};
use super::error::PostgresFault;
use super::write::batch::Batch;
use crate::StoreError;
use crate::contract::feed::{self, KeepsFeed, placed_row, waiting_row};
use crate::sql::row::SqlRow;

#[async_trait]
impl KeepsFeed for PostgresStore {
    async fn feed_head(&self) -> Result<FeedPlace, StoreError> {
        self.found(feed::head()).await?.first().map_or(Ok(FeedPlace::BEGINNING), SqlRow::feed_head)
    }

    async fn feed_entries(&self, from: u64, limit: u32) -> Result<Vec<PlacedNews>, StoreError> {
        self.found(feed::entries(from, limit)).await?.iter().map(SqlRow::placed_news).collect()
    }

    async fn place_feed(&self, limit: u32) -> Result<Option<usize>, StoreError> {
        // Most of the time nothing waits.
        if self.found_by_itself(&feed::any_waiting()).await?.is_empty() {
            return Ok(Some(0));
        }
        let mut session = self.circuit_breaker.in_time(self.own_session()).await?;
        let committed = match self.circuit_breaker.in_time(self.is_distributed(&session)).await? {
            true => Some(self.committed_news(&mut session, limit).await?),
            false => None,
        };
        let attempt = async {
            let transaction = session.transaction().await?;
            // Another process is doing this now.
            if !is_alone(&transaction, "feed_waiting").await? {
                return Ok(None);
            }
            let placed = place(&transaction, limit, committed.as_deref()).await?;
            transaction.commit().await?;
            Ok(Some(placed))
        };
        match self.circuit_breaker.in_time(attempt).await {
            // A process without the lock was faster.
            Err(PostgresFault::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                Err(StoreError::Conflict)
            }
            outcome => Ok(outcome?),
        }
    }

    async fn forget_feed(&self, before: Timestamp) -> Result<bool, StoreError> {
        self.found_by_itself(&feed::forget_waiting(before)).await?;
        let mut forget = feed::forget(before);
        forget.sql += " RETURNING position";
        Ok(!self.found_by_itself(&forget).await?.is_empty())
    }
}

async fn place(
    on: &impl GenericClient,
    limit: u32,
    committed: Option<&[FeedNews]>,
) -> Result<usize, PostgresFault> {
    let was = found(on, &feed::head()).await?;
    let was =
        was.first().map_or(Ok(FeedPlace::BEGINNING), SqlRow::feed_head).map_err(PostgresFault::Store)?;
    let waiting = match committed {
        Some(entries) => take(on, entries).await?,
        None => found(on, &feed::take_waiting("ctid", limit)).await?,
    };
    let waiting: Result<Vec<FeedNews>, StoreError> = waiting.iter().map(SqlRow::feed_news).collect();
    let placed = feed::placed(was, waiting.map_err(PostgresFault::Store)?);
    let Some(last) = placed.last() else { return Ok(0) };
    if let Some(batch) = Batch::on(PLACE, placed.iter().map(placed_row)) {
        rows(on, &batch.sql, &batch.params).await?;
    }
    let advance = feed::advance(&was, &last.place);
    let advanced = format!("{} RETURNING position", advance.sql);
    match rows(on, &advanced, &advance.params).await?.is_empty() {
        true => Err(PostgresFault::Store(StoreError::Conflict)),
        false => Ok(placed.len()),
    }
}

const TAKE: &str = "DELETE FROM feed_waiting AS w USING jsonb_populate_recordset(NULL::feed_waiting, $rows) AS n \
    WHERE (w.at, w.game_id, w.revision, w.kind) = (n.at, n.game_id, n.revision, n.kind) \
    RETURNING w.game_id, w.revision, w.kind, w.ruleset, w.at";
const PLACE: &str =
    "INSERT INTO feed_entries SELECT n.* FROM jsonb_populate_recordset(NULL::feed_entries, $rows) AS n";

/// Takes those of these entries that still wait.
async fn take(on: &impl GenericClient, entries: &[FeedNews]) -> Result<Vec<SqlRow>, PostgresFault> {
    match Batch::on(TAKE, entries.iter().map(waiting_row)) {
        Some(batch) => found_by(on, &batch).await,
        None => Ok(Vec::new()),
    }
}
