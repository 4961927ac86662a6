//! The clocks of games that run, in PostgreSQL.

use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use super::clocks::{self, Clocks, Pause};
use super::postgres::PostgresStore;
use super::postgres_error::PostgresFault;
use super::postgres_session::{found, rows, session};
use super::row::Cells;
use super::statement::Statement;
use crate::game::GameId;

#[async_trait]
impl Clocks for PostgresStore {
    async fn running_clocks(&self, limit: u32) -> Result<Vec<(GameId, Timestamp)>, StoreError> {
        self.found_of_clocks(&clocks::running_clocks(limit)).await?.iter().map(Cells::running_clock).collect()
    }

    async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        self.found_of_clocks(&clocks::last_beat()).await?.first().map(Cells::beat).transpose()
    }

    async fn beat(
        &self,
        was: Option<Timestamp>,
        at: Timestamp,
        pause: Option<Pause>,
    ) -> Result<(), StoreError> {
        let attempt = async {
            let mut session = session(&self.clocks).await?;
            let transaction = session.transaction().await?;
            let beat = clocks::beat(was, at);
            if rows(&transaction, &format!("{} RETURNING at", beat.sql), &beat.params).await?.is_empty() {
                return Err(PostgresFault::Store(StoreError::Conflict));
            }
            if let Some(pause) = pause {
                let still = clocks::stand_still(pause);
                rows(&transaction, &format!("{} RETURNING 1", still.sql), &still.params).await?;
            }
            Ok(transaction.commit().await?)
        };
        Ok(self.pulse.in_time(attempt).await?)
    }
}

impl PostgresStore {
    async fn found_of_clocks(&self, statement: &Statement) -> Result<Vec<Cells>, StoreError> {
        self.pulse.retried(|| async { found(&session(&self.clocks).await?, statement).await }).await
    }
}
