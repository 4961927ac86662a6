//! The feed for lobbies in PostgreSQL.

use std::collections::HashMap;

use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;
use tokio_postgres::error::SqlState;

use super::StoreError;
use super::batch::Batch;
use super::feed::{self, KeepsFeed, PLACED_TYPES, WAITING_COLUMNS, WAITING_TYPES, placed_row};
use super::postgres::PostgresStore;
use super::postgres_error::PostgresFault;
use super::postgres_session::{found, found_by, rows};
use super::row::Cells;
use super::value::Value;
use crate::feed::{FeedKind, FeedNews, FeedPlace, PlacedNews};
use crate::game::GameId;

/// The advisory lock of whoever gives positions, only so that others need not try: "assaf" in ASCII.
const LOCK: &str = "SELECT pg_try_advisory_xact_lock(418330337638)";
/// Reads up to which revision games have got, and whether they are over.
const STANDINGS: &str = "SELECT id, revision, finished_at IS NOT NULL FROM games WHERE id = ANY($1::uuid[])";

#[async_trait]
impl KeepsFeed for PostgresStore {
    async fn feed_head(&self) -> Result<FeedPlace, StoreError> {
        self.found(feed::head()).await?.first().map_or(Ok(FeedPlace::BEGINNING), Cells::feed_head)
    }

    async fn feed_entries(&self, from: u64, limit: u32) -> Result<Vec<PlacedNews>, StoreError> {
        self.found(feed::entries(from, limit)).await?.iter().map(Cells::placed_news).collect()
    }

    async fn place_feed(&self, limit: u32) -> Result<Option<usize>, StoreError> {
        // Most of the time nothing waits.
        if self.found_by_itself(&feed::any_waiting()).await?.is_empty() {
            return Ok(Some(0));
        }
        let mut session = self.pulse.in_time(self.own_session()).await?;
        let attempt = async {
            let is_distributed = self.is_distributed(&session).await?;
            let transaction = session.transaction().await?;
            if !transaction.query_one(LOCK, &[]).await?.try_get(0)? {
                return Ok(None);
            }
            let placed = place(&transaction, limit, is_distributed).await?;
            transaction.commit().await?;
            Ok(Some(placed))
        };
        match self.pulse.in_time(attempt).await {
            // Somebody without the lock was faster.
            Err(PostgresFault::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                Err(StoreError::Conflict)
            }
            outcome => {
                let placed = outcome?;
                self.clearing.took(placed.unwrap_or(0), &self.servers, &self.own_work);
                Ok(placed)
            }
        }
    }

    async fn forget_feed(&self, before: Timestamp) -> Result<bool, StoreError> {
        let mut forget = feed::forget(before);
        forget.sql += " RETURNING position";
        Ok(!self.found_by_itself(&forget).await?.is_empty())
    }
}

async fn place(on: &impl GenericClient, limit: u32, is_distributed: bool) -> Result<usize, PostgresFault> {
    let was = found(on, &feed::head()).await?;
    let was = was.first().map_or(Ok(FeedPlace::BEGINNING), Cells::feed_head).map_err(PostgresFault::Store)?;
    let waiting = match is_distributed {
        true => take_committed(on, limit).await?,
        false => found(on, &feed::take_waiting("ctid", limit)).await?,
    };
    let waiting: Result<Vec<FeedNews>, StoreError> = waiting.iter().map(Cells::feed_news).collect();
    let placed = feed::placed(was, waiting.map_err(PostgresFault::Store)?);
    let Some(last) = placed.last() else { return Ok(0) };
    let batch = place_feed(placed.iter().map(placed_row));
    if let Some(batch) = batch {
        rows(on, &batch.sql, &batch.arrays).await?;
    }
    let advance = feed::advance(&was, &last.place);
    let advanced = format!("{} RETURNING position", advance.sql);
    match rows(on, &advanced, &advance.params).await?.is_empty() {
        true => Err(PostgresFault::Store(StoreError::Conflict)),
        false => Ok(placed.len()),
    }
}

/// Takes what waits of games as their servers have committed it, the oldest first. The coordinator, on which it waits, commits before they do: one that is
/// lost meanwhile shows its games as they were until it is back, and new ones not at all.
async fn take_committed(on: &impl GenericClient, limit: u32) -> Result<Vec<Cells>, PostgresFault> {
    let waiting = found(on, &feed::waiting(limit)).await?;
    let waiting: Result<Vec<_>, StoreError> = waiting.iter().map(Cells::waiting_news).collect();
    let waiting = waiting.map_err(PostgresFault::Store)?;
    let ids: Vec<Value> = waiting.iter().map(|(news, _)| news.game.into()).collect();
    let mut standings = HashMap::new();
    let games = Batch { sql: STANDINGS.to_owned(), arrays: vec![ids], ..Batch::default() };
    for game in found_by(on, &games).await? {
        let standing = game.pair::<GameId, i64>().zip(game.third::<bool>());
        standings.extend(standing.map(|((id, revision), is_over)| (id, (revision, is_over))));
    }
    let has_happened = |news: &FeedNews| {
        standings.get(&news.game).is_some_and(|(revision, is_over)| news.has_happened(*revision, *is_over))
    };
    // Nothing is looked at in a game that goes: it may be gone.
    let committed = waiting.into_iter().filter(|(news, goes)| *goes || has_happened(news));
    let mut batch = Batch::default();
    let committed = committed.map(|(news, _)| vec![news.game.into(), news.revision.into(), news.kind.into()]);
    let Some(committed) = batch.table(&WAITING_TYPES[..3], committed) else { return Ok(Vec::new()) };
    let goes = FeedKind::Removed as i64;
    batch.sql = format!(
        "DELETE FROM feed_waiting USING {committed} AS n (id, at_revision, what) WHERE game_id = n.id \
         AND (n.what = {goes} OR (revision, kind) = (n.at_revision, n.what)) RETURNING {WAITING_COLUMNS}"
    );
    found_by(on, &batch).await
}

/// Writes entries of the feed.
fn place_feed(placed: impl Iterator<Item = Vec<Value>>) -> Option<Batch> {
    let mut batch = Batch::default();
    let rows = batch.table(&PLACED_TYPES, placed)?;
    batch.sql = format!("INSERT INTO feed_entries ({WAITING_COLUMNS}, position, mark) SELECT * FROM {rows}");
    Some(batch)
}
