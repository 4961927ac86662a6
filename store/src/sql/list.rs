//! Lists of the games that this process can read.

use assam_record::game::{GameId, Holder, Info, SeatKind};
use assam_record::hex::Hex;
use jiff::Timestamp;

use super::row::SqlRow;
use crate::{ListPage, ListQuery, ListScope, ListedGame, StoreError, UnreadableColumn};

/// A row of a list.
pub(crate) struct Listed {
    place: (Timestamp, GameId),
    /// None of the last row, where it only shows that the list goes on.
    game: Option<Result<ListedGame, UnreadableColumn>>,
}

impl Listed {
    /// Reads the rows that a query for a list found, of which the last one has a place alone if it
    /// [only shows that the list goes on](ListQuery::ends_with_a_place).
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
    /// Returns whether all games are wanted that the index finds. Then the place of one more game shows whether the list goes on, and the game
    /// itself need not be read.
    pub(crate) fn ends_with_a_place(&self) -> bool {
        self.open_seats.is_empty() && !matches!(self.scope, ListScope::AllOf { .. })
    }
}

/// How many statements one page of a list may take, where games cannot be read or are not those that are wanted.
const STATEMENTS: usize = 8;

/// Returns the games that a query finds, without those that cannot be read: another version of the service may have
/// stored them. Open seats are counted here: open games are few, as they end. More rows are read in their place, up to a bound; beyond it the page is shorter, and says where to go on.
pub(crate) async fn readable<F>(
    query: &ListQuery,
    rows: impl Fn(ListQuery) -> F + Sync,
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
        let found = rows(query.clone()).await?;
        let is_end = found.len() <= limit;
        for Listed { place, game } in found {
            match game {
                Some(Ok(game)) if !is_wanted(&query, &game.info) => {}
                Some(Ok(_)) | None if games.len() == limit => {
                    return Ok(ListPage { games, next: query.after });
                }
                Some(Ok(game)) => games.push(game),
                // It is read as the first of those that come next.
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
    // What is kept for somebody is open to nobody else.
    let is_open = |holder: &&Holder| holder.kind == SeatKind::Open && holder.reserved.is_none();
    let open = info.seats.iter().filter(is_open).count();
    let has_seats =
        query.open_seats.is_empty() || query.open_seats.iter().any(|wanted| usize::from(*wanted) == open);
    has_seats
        && match query.scope {
            ListScope::Public | ListScope::PublicOf(_) | ListScope::Tagged(_) => true,
            // A secret that was replaced holds the seat no longer.
            ListScope::AllOf { secret, .. } => {
                info.seats.iter().any(|holder| holder.secret == Some(Hex(secret)))
            }
        }
}
