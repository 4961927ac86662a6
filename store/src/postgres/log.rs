//! The public log of games in PostgreSQL.

use std::collections::HashSet;
use std::sync::Arc;

use assam_proofs::public_log::{Growth, Milestone, Tile, TreeHead};
use assam_record::game::{Bytes32, GameId};
use async_trait::async_trait;
use deadpool_postgres::GenericClient;
use tokio_postgres::error::SqlState;

use super::PostgresStore;
use super::connection::session::{found, found_by, is_alone, rows, session};
use super::error::PostgresFault;
use super::write::batch::Batch;
use crate::StoreError;
use crate::contract::public_log::{self, Grown, NewEntry, PublicLog, WaitingEntry, advance, grow};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;

#[async_trait]
impl PublicLog for PostgresStore {
    async fn waiting_entries(
        &self,
        after: Option<(GameId, Milestone)>,
        limit: u32,
    ) -> Result<Vec<WaitingEntry>, StoreError> {
        self.found_by_itself(&public_log::waiting(after, limit)).await?.iter().map(SqlRow::waiting).collect()
    }

    async fn log_positions(&self, game: GameId) -> Result<Vec<(Milestone, Option<u64>)>, StoreError> {
        self.found(public_log::positions(game)).await?.iter().map(SqlRow::position).collect()
    }

    async fn log_head(&self) -> Result<TreeHead, StoreError> {
        self.found(public_log::head()).await?.first().map_or(Ok(TreeHead::empty()), SqlRow::log_head)
    }

    async fn log_nodes(&self, tile: Tile) -> Result<Vec<Bytes32>, StoreError> {
        self.found(public_log::nodes(tile)).await?.iter().map(SqlRow::log_node).collect()
    }

    async fn extend_log(&self, entries: &[NewEntry]) -> Result<Option<TreeHead>, StoreError> {
        let mut session = self.circuit_breaker.in_time(self.own_session()).await?;
        let attempt = async {
            let transaction = session.transaction().await?;
            // Another process is doing this now.
            if !is_alone(&transaction, "log_head").await? {
                return Ok(None);
            }
            let head = extend(&transaction, entries).await?;
            transaction.commit().await?;
            Ok(Some(head))
        };
        match self.circuit_breaker.in_time(attempt).await {
            // A process without the lock was faster.
            Err(PostgresFault::Database(error)) if error.code() == Some(&SqlState::UNIQUE_VIOLATION) => {
                Err(StoreError::Conflict)
            }
            outcome => Ok(outcome?),
        }
    }

    async fn cosignatures(&self) -> Result<Vec<(String, String)>, StoreError> {
        self.found(public_log::cosignatures()).await?.iter().map(SqlRow::cosignature).collect()
    }

    async fn keep_cosignature(&self, witness: &str, size: u64, note: &str) -> Result<(), StoreError> {
        self.found(public_log::keep_cosignature(witness, size, note)).await.map(drop)
    }
}

impl PostgresStore {
    /// Reads for a client.
    pub(super) async fn found(&self, statement: Statement) -> Result<Vec<SqlRow>, StoreError> {
        let (circuit_breaker, lists) = (Arc::clone(&self.circuit_breaker), self.lists.clone());
        crate::detached(async move {
            circuit_breaker.retried(|| async { found(&session(&lists).await?, &statement).await }).await
        })
        .await
    }

    /// Reads for background work.
    pub(super) async fn found_by_itself(&self, statement: &Statement) -> Result<Vec<SqlRow>, StoreError> {
        self.circuit_breaker.retried(|| async { found(&self.own_session().await?, statement).await }).await
    }
}

async fn extend(on: &impl GenericClient, entries: &[NewEntry]) -> Result<TreeHead, PostgresFault> {
    let was = found(on, &public_log::head()).await?;
    let was = was.first().map_or(Ok(TreeHead::empty()), SqlRow::log_head).map_err(PostgresFault::Store)?;
    let keys =
        |game: GameId, milestone: Milestone| vec![("game_id", game.into()), ("part", milestone.into())];
    let waiting = Batch::on(STILL_WAITING, entries.iter().map(|new| keys(new.game, new.milestone)));
    let waiting: Result<HashSet<(GameId, Milestone)>, StoreError> = match &waiting {
        Some(batch) => found_by(on, batch).await?.iter().map(SqlRow::milestone).collect(),
        None => Ok(HashSet::new()),
    };
    let waiting = waiting.map_err(PostgresFault::Store)?;
    let waiting: Vec<NewEntry> =
        entries.iter().filter(|new| waiting.contains(&(new.game, new.milestone))).copied().collect();
    if waiting.is_empty() {
        return Ok(was);
    }
    let mut edge = Vec::new();
    for tile in Growth::edge(was.size) {
        let nodes: Result<_, StoreError> =
            found(on, &public_log::nodes(tile)).await?.iter().map(SqlRow::log_node).collect();
        edge.push((tile, nodes.map_err(PostgresFault::Store)?));
    }
    let Grown { growth, head, placed } = grow(&was, edge, waiting).map_err(PostgresFault::Store)?;
    let nodes = growth.nodes.iter().map(|node| {
        let level = u32::from(node.level).into();
        vec![("level", level), ("position", node.position.into()), ("bytes", node.bytes.into())]
    });
    let placed = placed.iter().map(|(new, position)| {
        let mut row = keys(new.game, new.milestone);
        row.push(("position", (*position).into()));
        row
    });
    for batch in [Batch::on(ADD_NODES, nodes), Batch::on(PLACE, placed)].into_iter().flatten() {
        rows(on, &batch.sql, &batch.params).await?;
    }
    let advance = advance(&was, &head);
    let advanced = format!("{} RETURNING size", advance.sql);
    match rows(on, &advanced, &advance.params).await?.is_empty() {
        true => Err(PostgresFault::Store(StoreError::Conflict)),
        false => Ok(head),
    }
}

const STILL_WAITING: &str = "SELECT e.game_id, e.part FROM log_entries AS e \
    JOIN jsonb_populate_recordset(NULL::log_entries, $rows) AS n ON e.game_id = n.game_id AND e.part = n.part \
    WHERE e.position IS NULL";
const ADD_NODES: &str =
    "INSERT INTO log_nodes SELECT n.* FROM jsonb_populate_recordset(NULL::log_nodes, $rows) AS n";
const PLACE: &str = "UPDATE log_entries AS e SET position = n.position, entry = NULL \
    FROM jsonb_populate_recordset(NULL::log_entries, $rows) AS n WHERE e.game_id = n.game_id AND e.part = n.part";
