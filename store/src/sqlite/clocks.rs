//! The clocks of running games in SQLite.

use assam_record::game::GameId;
use async_trait::async_trait;
use jiff::Timestamp;

use super::SqliteStore;
use super::error::SqliteFault;
use super::session::{execute, query};
use crate::contract::clocks::{self, Clocks, Pause};
use crate::{Reads as _, StoreError};

#[async_trait]
impl Clocks for SqliteStore {
    async fn running_clocks(&self, limit: u32) -> Result<Vec<(GameId, Timestamp)>, StoreError> {
        let rows = self.read(|connection| query(connection, &clocks::running_clocks(limit)))?;
        rows.iter().map(|row| row.running_clock()).collect()
    }

    async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        let rows = self.read(|connection| query(connection, &clocks::last_beat()))?;
        rows.first().map(|row| row.beat()).transpose()
    }

    async fn beat(
        &self,
        was: Option<Timestamp>,
        at: Timestamp,
        pause: Option<Pause>,
    ) -> Result<(), StoreError> {
        let outcome = self.write_with(|connection| {
            let transaction = connection.transaction()?;
            if execute(&transaction, &clocks::beat(was, at))? == 0 {
                return Err(SqliteFault::Store(StoreError::Conflict));
            }
            if let Some(pause) = pause {
                execute(&transaction, &clocks::stand_still(pause))?;
            }
            Ok(transaction.commit()?)
        });
        self.health().note(&outcome);
        Ok(outcome?)
    }
}
