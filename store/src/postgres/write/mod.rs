//! What is written to PostgreSQL in one statement.

use std::collections::HashSet;

use assam_record::game::GameId;
use deadpool_postgres::GenericClient;
use tokio_postgres::Row;

use super::connection::session::{cells, rows};
use super::error::PostgresFault;
use crate::sql::statement::{self, Statement};
use crate::{StoreError, Write};

use batch::Batch;

pub(super) mod batch;
mod batch_write;

/// Runs a statement on many rows, and returns the ids that it gives.
pub(super) async fn ids(on: &impl GenericClient, batch: &Batch) -> Result<HashSet<GameId>, PostgresFault> {
    Ok(ids_of(&rows(on, &batch.sql, &batch.arrays).await?))
}

/// The statement that makes changes.
pub(super) enum WriteStatement {
    /// A move alone, which takes PostgreSQL two thirds of the time of a batch of one.
    Move(Statement),
    /// A batch.
    Batch(Batch),
}

impl WriteStatement {
    /// The statement for changes of games that may be distributed or not.
    pub(super) fn by(changes: &[Write], is_distributed: bool) -> Self {
        match changes {
            [change @ Write::Append { id, revision, at, extension, .. }] if change.is_move() => {
                let mut append = statement::append(*id, *revision, at, extension);
                append.sql += " RETURNING id";
                Self::Move(append)
            }
            _ => Self::Batch(batch_write::write(changes, is_distributed)),
        }
    }

    /// Makes the changes, and returns the ids of the games that changed.
    pub(super) async fn ids(&self, on: &impl GenericClient) -> Result<HashSet<GameId>, PostgresFault> {
        match self {
            Self::Move(append) => Ok(ids_of(&rows(on, &append.sql, &append.params).await?)),
            Self::Batch(batch) => ids(on, batch).await,
        }
    }
}

fn ids_of(rows: &[Row]) -> HashSet<GameId> {
    rows.iter().filter_map(|row| cells(row).ok()?.id()).collect()
}

/// Returns the same outcome for all changes, where they had none of their own.
pub(super) fn each(
    changes: &[Write],
    outcomes: Result<Vec<Result<(), StoreError>>, PostgresFault>,
) -> Vec<Result<(), StoreError>> {
    outcomes.unwrap_or_else(|fault| {
        let error = StoreError::from(fault);
        changes.iter().map(|_| Err(error.clone())).collect()
    })
}
