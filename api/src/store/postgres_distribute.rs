//! Games over several servers, by Citus.

use super::postgres_error::PostgresFault;
use super::postgres_session::session;
use super::{PostgresStore, StoreError};

const DISTRIBUTE: &str = include_str!("../../../migrations/citus/distribute.sql");

impl PostgresStore {
    /// Distributes the games over the servers of a Citus cluster, on whose coordinator the database is, with every migration. Where they are
    /// distributed, nothing changes. Games that are there are moved, and meanwhile nothing is written. There are at most 64,000 shards, and at least one.
    ///
    /// # Errors
    /// [`StoreError::Backend`] where the database has no Citus, or Citus refuses.
    pub async fn distribute(&self, shards: u16) -> Result<(), StoreError> {
        let session = session(&self.lists).await?;
        let found = session.query_opt("SELECT FROM pg_extension WHERE extname = 'citus'", &[]).await;
        if found.map_err(PostgresFault::from)?.is_none() {
            let missing = "the database has no extension `citus`: create it on each server, and add the others as nodes";
            return Err(StoreError::Backend(missing.into()));
        }
        let set = format!("SET citus.shard_count = {shards};");
        Ok(session.batch_execute(&(set + DISTRIBUTE)).await.map_err(PostgresFault::from)?)
    }
}
