//! Lists of the games that this process can read.

use super::row::Cells;
use super::statement::{self, Statement};
use super::{ListQuery, StoreError};
use crate::game::Info;

/// Returns the games that a query finds, without those that cannot be read: another version of the service may have
/// stored them. More rows are read in their place, so that a list is shorter than its limit only at the end.
pub(super) async fn readable<F>(
    query: &ListQuery,
    rows: impl Fn(Statement) -> F + Sync,
) -> Result<Vec<Info>, StoreError>
where
    F: Future<Output = Result<Vec<Cells>, StoreError>> + Send,
{
    let mut query = ListQuery { limit: query.limit.clamp(1, 1000), ..query.clone() };
    let limit = query.limit as usize;
    let mut games = Vec::new();
    loop {
        let found = rows(statement::list(&query)).await?;
        let is_end = found.len() < limit;
        for row in found {
            let place = row.place().map_err(|unreadable| StoreError::Backend(unreadable.to_string()))?;
            query.after = Some(place);
            match row.info() {
                Ok(info) => games.push(info),
                Err(unreadable) => tracing::warn!(game = %place.1, "left out of a list: {unreadable}"),
            }
        }
        if is_end || games.len() >= limit {
            games.truncate(limit);
            return Ok(games);
        }
    }
}
