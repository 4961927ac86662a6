//! The clocks of running games in PostgreSQL.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use assam_record::game::GameId;
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use jiff::Timestamp;

use super::PostgresStore;
use super::connection::session::{cells, found, rows, session_that_answers};
use super::error::PostgresFault;
use crate::StoreError;
use crate::contract::clocks::{self, Clocks, Pause};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::Value;

/// The interval, in looks, between queries to all servers. A process of an earlier version may have started a
/// game without listing it.
const FULL_LOOK: u32 = 120;

#[async_trait]
impl Clocks for PostgresStore {
    async fn running_clocks(&self, limit: u32) -> Result<Vec<(GameId, Timestamp)>, StoreError> {
        let attempt = || async {
            let session = session_that_answers(&self.clocks).await?;
            let is_full = self.clock_looks.fetch_add(1, Ordering::Relaxed).is_multiple_of(FULL_LOOK);
            if !is_full
                && self.is_distributed(&session).await?
                && let Some(games) = those_listed(&session, limit).await?
            {
                return Ok(games);
            }
            found(&session, &clocks::running_clocks(limit)).await
        };
        self.circuit_breaker.retried(attempt).await?.iter().map(SqlRow::running_clock).collect()
    }

    async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError> {
        self.found_of_clocks(clocks::last_beat()).await?.first().map(SqlRow::beat).transpose()
    }

    async fn beat(
        &self,
        was: Option<Timestamp>,
        at: Timestamp,
        pause: Option<Pause>,
    ) -> Result<(), StoreError> {
        let (circuit_breaker, clocks) = (Arc::clone(&self.circuit_breaker), self.clocks.clone());
        // Moves may wait for it.
        crate::detached(async move {
            let mut session = circuit_breaker.in_time(session_that_answers(&clocks)).await?;
            let attempt = async {
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
            Ok(circuit_breaker.in_time(attempt).await?)
        })
        .await
    }
}

/// Reads the games with running clocks by their ids, which only involves their servers. Returns nothing if
/// there are more than `limit`.
async fn those_listed(
    session: &impl GenericClient,
    limit: u32,
) -> Result<Option<Vec<SqlRow>>, PostgresFault> {
    let listed = found(session, &clocks::listed_clocks(limit.saturating_add(1))).await?;
    let ids: Vec<Value> = listed.iter().filter_map(SqlRow::id).map(Value::from).collect();
    if ids.is_empty() {
        return Ok(Some(Vec::new()));
    }
    if u32::try_from(ids.len()).is_ok_and(|count| count <= limit) {
        let games = rows(session, &clocks::running_clocks_among(), &[ids]).await?;
        return Ok(Some(games.iter().map(cells).collect::<Result<_, _>>()?));
    }
    Ok(None)
}

impl PostgresStore {
    async fn found_of_clocks(&self, statement: Statement) -> Result<Vec<SqlRow>, StoreError> {
        let (circuit_breaker, clocks) = (Arc::clone(&self.circuit_breaker), self.clocks.clone());
        crate::detached(async move {
            circuit_breaker
                .retried(|| async { found(&session_that_answers(&clocks).await?, &statement).await })
                .await
        })
        .await
    }
}
