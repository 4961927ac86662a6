//! Public games with their logs, page by page.

use std::time::Duration;

use assam_record::clock::now;
use assam_record::game::{GameId, StoredGame, Visibility};
use futures_util::future::try_join_all;
use jiff::Timestamp;

use crate::app::{App, ListQuery, SortBy, StoreError};

/// A page of an export.
pub struct ExportPage {
    /// The games, in the order of the query.
    pub games: Vec<StoredGame>,
    /// The place where the export continues, or none at its end.
    pub next: Option<(Timestamp, GameId)>,
}

impl ExportPage {
    /// Returns the milliseconds to wait until every game before one of these is written, or 0 if they are old
    /// enough. The time of a game is older than its writing, and games are not written in the order of their
    /// times.
    pub fn wait_ms(&self, order: SortBy, settle: Duration) -> u64 {
        let at = |game: &StoredGame| match order {
            SortBy::Created => Some(game.info.created_at),
            SortBy::Finished => game.info.finished_at,
        };
        let newest = self.games.iter().filter_map(at).max().unwrap_or(Timestamp::MIN);
        let settled_at = newest.as_millisecond().saturating_add(settle.as_millis() as i64);
        settled_at.saturating_sub(now().as_millisecond()).try_into().unwrap_or(0)
    }
}

impl App {
    /// Returns the number of public games in an export.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn count_games(&self, query: &ListQuery) -> Result<u64, StoreError> {
        self.reads.count(query).await
    }

    /// Returns the next games of an export. They are not cached, because a full export would displace
    /// everything else.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn export(&self, query: &ListQuery) -> Result<ExportPage, StoreError> {
        let page = self.reads.list(query).await?;
        let loaded = try_join_all(page.games.iter().map(|game| self.load_to_export(game.info.id))).await?;
        Ok(ExportPage { games: loaded.into_iter().flatten().collect(), next: page.next })
    }

    /// Returns a public game, unless it cannot be read or was removed.
    async fn load_to_export(&self, id: GameId) -> Result<Option<StoredGame>, StoreError> {
        match self.reads.load(id).await {
            Ok(game) => Ok(game.filter(|game| game.info.visibility == Visibility::Public)),
            Err(StoreError::Unreadable { .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Returns the place of a public game in an order. Returns none if there is no such game, or if the order
    /// needs its end and it is not over.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn place_in(
        &self,
        order: SortBy,
        id: GameId,
    ) -> Result<Option<(Timestamp, GameId)>, StoreError> {
        let Some(game) = self.load_to_export(id).await? else { return Ok(None) };
        let at = match order {
            SortBy::Created => Some(game.info.created_at),
            SortBy::Finished => game.info.finished_at,
        };
        Ok(at.map(|at| (at, id)))
    }
}
