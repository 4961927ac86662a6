//! The feed for lobbies in SQLite.

use assam_record::feed::{FeedPlace, PlacedNews};
use async_trait::async_trait;
use jiff::Timestamp;

use super::SqliteStore;
use super::session::{execute, query};
use super::write::{feed_head, place_feed};
use crate::contract::feed::{self, KeepsFeed};
use crate::{Reads as _, StoreError};

#[async_trait]
impl KeepsFeed for SqliteStore {
    async fn feed_head(&self) -> Result<FeedPlace, StoreError> {
        Ok(self.read(feed_head)?)
    }

    async fn feed_entries(&self, from: u64, limit: u32) -> Result<Vec<PlacedNews>, StoreError> {
        let rows = self.read(|connection| query(connection, &feed::entries(from, limit)))?;
        rows.iter().map(|row| row.placed_news()).collect()
    }

    async fn place_feed(&self, limit: u32) -> Result<Option<usize>, StoreError> {
        // Most of the time nothing waits, and this check takes no lock.
        if self.read(|connection| query(connection, &feed::any_waiting()))?.is_empty() {
            return Ok(Some(0));
        }
        let outcome = self.write_with(|connection| {
            let transaction = connection.transaction()?;
            let placed = place_feed(&transaction, Vec::new(), limit)?;
            transaction.commit()?;
            Ok(placed)
        });
        self.health().note(&outcome);
        Ok(Some(outcome?))
    }

    async fn forget_feed(&self, before: Timestamp) -> Result<bool, StoreError> {
        let forget = feed::forget(before);
        Ok(self.write_with(|connection| Ok(execute(connection, &forget)?))? > 0)
    }
}
