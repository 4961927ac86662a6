//! What is read of games.

use assam_proofs::signed::PublishedKey;
use assam_record::game::{GameId, StoredGame};
use async_trait::async_trait;
use jiff::Timestamp;

use super::{ListPage, ListQuery, StoreError, Version};
use crate::health::DatabaseHealth;

/// A place from which games are read.
#[async_trait]
pub trait Reads: Send + Sync {
    /// Returns whether it is opened to be read alone: whatever would change something fails.
    fn is_to_read(&self) -> bool;

    /// Returns the version of the game with this id, which costs less than to load it.
    async fn version(&self, id: GameId) -> Result<Option<Version>, StoreError>;

    /// Returns the game with this id.
    ///
    /// # Errors
    /// [`StoreError::Unreadable`] where there is one that cannot be read.
    async fn load(&self, id: GameId) -> Result<Option<StoredGame>, StoreError>;

    /// Returns a game whose record would have this id if it were imported. There may be several.
    async fn with_record(&self, record: GameId) -> Result<Option<GameId>, StoreError>;

    /// Returns how many games a query finds, whatever its limit, without a look at open seats.
    async fn count(&self, query: &ListQuery) -> Result<u64, StoreError>;

    /// Returns games in the order of the query, without those that cannot be read.
    async fn list(&self, query: &ListQuery) -> Result<ListPage, StoreError>;

    /// Returns when open games were created, and their ids: those after this place and before a moment, the oldest first,
    /// at most 100.
    async fn open_before(
        &self,
        moment: Timestamp,
        after: (Timestamp, GameId),
    ) -> Result<Vec<(Timestamp, GameId)>, StoreError>;

    /// Returns running games after an id, in the order of ids, at most 1,000.
    async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError>;

    /// Returns the keys with which the service signs, the oldest first.
    async fn signing_keys(&self) -> Result<Vec<PublishedKey>, StoreError>;

    /// Checks that the database answers.
    async fn ping(&self) -> Result<(), StoreError>;

    /// Returns what attempts have shown of the database.
    fn health(&self) -> &DatabaseHealth;
}
