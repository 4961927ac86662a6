//! Lists of the games that this process can read.

use jiff::Timestamp;

use super::row::{Cells, UnreadableColumn};
use super::statement::{self, Statement};
use super::{ListPage, ListQuery, StoreError};
use crate::game::{GameId, Info};

/// A row of a list.
pub(super) struct Listed {
    place: (Timestamp, GameId),
    info: Result<Info, UnreadableColumn>,
}

impl Listed {
    /// Reads the rows of a list.
    pub(super) fn all(rows: impl IntoIterator<Item = Cells>) -> Result<Vec<Self>, StoreError> {
        let unplaced = |unreadable: UnreadableColumn| StoreError::Backend(unreadable.to_string());
        let found = |row: Cells| Ok(Self { place: row.place().map_err(unplaced)?, info: row.info() });
        rows.into_iter().map(found).collect()
    }
}

/// How many statements one page of a list may take, where games cannot be read.
const STATEMENTS: usize = 8;

/// Returns the games that a query finds, without those that cannot be read: another version of the service may have
/// stored them. More rows are read in their place, up to a bound; beyond it the page is shorter, and says where to go on.
pub(super) async fn readable<F>(
    query: &ListQuery,
    rows: impl Fn(Statement) -> F + Sync,
) -> Result<ListPage, StoreError>
where
    F: Future<Output = Result<Vec<Listed>, StoreError>> + Send,
{
    let limit = query.limit.clamp(1, 1000);
    // One more than wanted shows whether the list goes on.
    let mut query = ListQuery { limit: limit + 1, ..query.clone() };
    let limit = limit as usize;
    let mut games = Vec::new();
    for _ in 0..STATEMENTS {
        let found = rows(statement::list(&query)).await?;
        let is_end = found.len() <= limit;
        for Listed { place, info } in found {
            if games.len() == limit {
                return Ok(ListPage { games, next: query.after });
            }
            query.after = Some(place);
            match info {
                Ok(info) => games.push(info),
                Err(unreadable) => tracing::warn!(game = %place.1, "left out of a list: {unreadable}"),
            }
        }
        if is_end {
            return Ok(ListPage { games, next: None });
        }
    }
    Ok(ListPage { games, next: query.after })
}
