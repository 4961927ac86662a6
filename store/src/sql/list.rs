//! Lists of the games that this process can read.

use assam_record::game::{GameId, Holder, Info, SeatKind};
use assam_record::hex::Hex;
use jiff::Timestamp;

use super::row::SqlRow;
use crate::{ListPage, ListQuery, ListScope, ListedGame, StoreError, UnreadableColumn};

/// A row of a list.
pub(crate) struct Listed {
    place: (Timestamp, GameId),
    /// None in the last row, if that only shows that the list continues.
    game: Option<Result<ListedGame, UnreadableColumn>>,
}

impl Listed {
    /// Reads the rows of a list. The last one only has a place if it [only shows that the list
    /// continues](ListQuery::ends_with_a_place).
    pub(crate) fn all(
        query: &ListQuery,
        ends_with_a_place: bool,
        rows: impl IntoIterator<Item = SqlRow>,
    ) -> Result<Vec<Self>, StoreError> {
        let unplaced = |unreadable: UnreadableColumn| StoreError::Backend(unreadable.to_string());
        let has_game = |n: usize| !ends_with_a_place || n + 1 < query.limit as usize;
        let found = |(n, row): (usize, SqlRow)| {
            Ok(Self {
                place: row.place(query.order).map_err(unplaced)?,
                game: has_game(n).then(|| row.listed()),
            })
        };
        rows.into_iter().enumerate().map(found).collect()
    }

    /// Returns its time in the order of the list.
    pub(crate) fn at(&self) -> Timestamp {
        self.place.0
    }
}

impl ListQuery {
    /// Returns whether the index knows all conditions. Then one more place shows whether the list continues,
    /// and its game need not be read.
    pub(crate) fn ends_with_a_place(&self) -> bool {
        self.open_seats.is_empty() && !matches!(self.scope, ListScope::AllOf { .. })
    }
}

/// The largest number of statements for one page, if games cannot be read or do not match.
const STATEMENTS: usize = 8;

/// Returns the games that a query finds, without unreadable ones, which another version of the service may
/// have stored. Open seats are checked here, since few games are open at a time. Reads more rows in place of
/// the skipped ones, up to a limit. Beyond it, the page is shorter and has the place to continue from.
pub(crate) async fn readable<F>(
    query: &ListQuery,
    rows: impl Fn(ListQuery) -> F + Sync,
) -> Result<ListPage, StoreError>
where
    F: Future<Output = Result<Vec<Listed>, StoreError>> + Send,
{
    let limit = query.limit.clamp(1, 1000);
    // One more than requested shows whether the list continues.
    let mut query = ListQuery { limit: limit + 1, ..query.clone() };
    let limit = limit as usize;
    let mut games = Vec::new();
    for _ in 0..STATEMENTS {
        let found = rows(query.clone()).await?;
        let is_end = found.len() <= limit;
        for Listed { place, game } in found {
            match game {
                Some(Ok(game)) if !is_wanted(&query, &game.info) => {}
                Some(Ok(_)) | None if games.len() == limit => {
                    return Ok(ListPage { games, next: query.after });
                }
                Some(Ok(game)) => games.push(game),
                // It is read as the first game of the next page.
                None => break,
                Some(Err(unreadable)) => tracing::warn!(game = %place.1, "left out of a list: {unreadable}"),
            }
            query.after = Some(place);
        }
        if is_end {
            return Ok(ListPage { games, next: None });
        }
    }
    Ok(ListPage { games, next: query.after })
}

/// Returns whether a game meets the conditions that no index knows.
fn is_wanted(query: &ListQuery, info: &Info) -> bool {
    // A reserved seat is open to no other player.
    let is_open = |holder: &&Holder| holder.kind == SeatKind::Open && holder.reserved.is_none();
    let open = info.seats.iter().filter(is_open).count();
    let has_seats =
        query.open_seats.is_empty() || query.open_seats.iter().any(|wanted| usize::from(*wanted) == open);
    has_seats
        && match query.scope {
            ListScope::Public | ListScope::PublicOf(_) | ListScope::Tagged(_) => true,
            // A replaced secret no longer holds the seat.
            ListScope::AllOf { secret, .. } => {
                info.seats.iter().any(|holder| holder.secret == Some(Hex(secret)))
            }
        }
}
