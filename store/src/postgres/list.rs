//! Lists in PostgreSQL.

use std::collections::HashMap;
use std::convert::identity;

use assam_record::game::GameId;
use deadpool_postgres::GenericClient;

use super::PostgresStore;
use super::connection::session::{cells, found, rows, session};
use super::error::PostgresFault;
use crate::sql::list::Listed;
use crate::sql::list_statement::{self, Merging};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::Value;
use crate::{ListQuery, StoreError};

impl PostgresStore {
    /// Reads the rows of a list.
    pub(super) async fn listed(&self, query: ListQuery) -> Result<Vec<Listed>, StoreError> {
        if let Some(bound) = self.page_ends.bound(&query) {
            let found = self.listed_within(&bound).await?;
            if found.len() == query.limit as usize {
                self.page_ends.note(query, &found);
                return Ok(found);
            }
        }
        let found = self.listed_within(&query).await?;
        self.page_ends.note(query, &found);
        Ok(found)
    }

    /// Reads the rows of a list, within its bounds.
    async fn listed_within(&self, query: &ListQuery) -> Result<Vec<Listed>, StoreError> {
        let attempt = || async {
            let session = session(&self.lists).await?;
            let is_distributed = self.is_distributed(&session).await?;
            let statement = if is_distributed { list_statement::listed_places } else { list_statement::list };
            // If the query can find no game, it needs no statement.
            let rows = match statement(Merging::OfSorted, query) {
                None => Vec::new(),
                Some(places) if is_distributed => by_place(&session, &places).await?,
                Some(list) => found(&session, &list).await?,
            };
            Ok((rows, !is_distributed && list_statement::ends_with_a_place(Merging::OfSorted, query)))
        };
        let (rows, ends_with_a_place) = self.circuit_breaker.retried(attempt).await?;
        Listed::all(query, ends_with_a_place, rows)
    }
}

/// Reads the games at these places, in order. The lists are on one server and have the ids, so only the
/// servers of these games are involved.
async fn by_place(session: &impl GenericClient, places: &Statement) -> Result<Vec<SqlRow>, PostgresFault> {
    let select =
        format!("SELECT {} FROM games WHERE id = ANY($1::uuid[])", list_statement::listed_columns(identity));
    // If a game is gone by now, the list has another one in its place.
    let mut is_again = false;
    loop {
        let ids: Vec<GameId> = found(session, places).await?.iter().filter_map(SqlRow::id).collect();
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let wanted: Vec<Value> = ids.iter().map(|id| (*id).into()).collect();
        let games = rows(session, &select, &[wanted]).await?;
        if games.len() == ids.len() || is_again {
            let games = games.iter().map(|row| cells(row).map(|cells| (cells.id(), cells)));
            let mut games: HashMap<Option<GameId>, SqlRow> = games.collect::<Result<_, _>>()?;
            return Ok(ids.into_iter().filter_map(|id| games.remove(&Some(id))).collect());
        }
        is_again = true;
    }
}
