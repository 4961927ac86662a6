//! Reads of games.

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, StoredGame};
use async_trait::async_trait;
use jiff::Timestamp;

use super::{ListPage, ListQuery, StoreError, Version};
use crate::health::DatabaseHealth;

/// A source of games.
#[async_trait]
pub trait Reads: Send + Sync {
    /// Returns whether it is read-only: every change fails.
    fn is_to_read(&self) -> bool;

    /// Returns the version of the game with this id, which costs less than loading it.
    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError>;

    /// Returns the game with this id.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] if it exists and cannot be read.
    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;

    /// Returns a game whose record would have this id if it were imported. There may be several.
    async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError>;

    /// Returns the number of games that a query finds, ignoring its limit and open seats.
    async fn count(&self, query: &ListQuery) -> Result<u64, StoreError>;

    /// Returns games in the order of the query, without unreadable ones.
    async fn list(&self, query: &ListQuery) -> Result<ListPage, StoreError>;

    /// Returns open games after this place and created before a moment, with their time of creation, the
    /// oldest first, at most 100.
    async fn open_before(
        &self,
        moment: Timestamp,
        after: (Timestamp, GameId),
    ) -> Result<Vec<(Timestamp, GameId)>, StoreError>;

    /// Returns running games after an id, in the order of ids, at most 1,000.
    async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError>;

    /// Returns the signing keys of the service, the oldest first.
    async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError>;

    /// Checks that the database responds.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Returns the health of the database, as attempts have shown it.
    fn health(&self) -> &DatabaseHealth;
}
