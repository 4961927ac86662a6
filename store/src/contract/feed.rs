//! The feed for lobbies in the databases: items that wait for a position, and entries that have one.

use assam_record::feed::{FeedKind, FeedNews, FeedPlace, PlacedNews};
use assam_referee::Ruleset;
use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::{FromColumn, NamedRow, Value};

pub(crate) const WAITING_COLUMNS: &str = "game_id, revision, kind, ruleset, at";
/// The order in which waiting items are taken.
pub(crate) const IN_ORDER: &str = "at, game_id, revision, kind";
/// How many of the oldest entries one deletion looks at.
const OLDEST: u32 = 1000;

/// Stores the feed.
#[async_trait]
pub trait KeepsFeed: Send + Sync {
    /// Returns the place of the last entry.
    async fn feed_head(&self) -> Result<FeedPlace, StoreError>;

    /// Returns the entries from a position on, in order, at most `limit`.
    async fn feed_entries(&self, from: u64, limit: u32) -> Result<Vec<PlacedNews>, StoreError>;

    /// Gives positions to at most `limit` waiting items, and returns their number, or none if another process
    /// is doing that now.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another process did it at the same time. Nothing is written then.
    async fn place_feed(&self, limit: u32) -> Result<Option<usize>, StoreError>;

    /// Deletes entries before a moment, except the last of them, and returns whether there may be more.
    async fn forget_feed(&self, before: Timestamp) -> Result<bool, StoreError>;
}

impl From<FeedKind> for Value {
    fn from(kind: FeedKind) -> Self {
        Self::Int(kind as i64)
    }
}

impl FromColumn for FeedKind {
    fn read(value: &Value) -> Option<Self> {
        Self::ALL.get(usize::try_from(i64::read(value)?).ok()?).copied()
    }
}

/// Returns a waiting item as a row.
pub(crate) fn waiting_row(news: &FeedNews) -> NamedRow {
    let FeedNews { game, revision, kind, ruleset, at } = *news;
    vec![
        ("game_id", game.into()),
        ("revision", revision.into()),
        ("kind", kind.into()),
        ("ruleset", ruleset.map_or(Value::Int(0), Value::from)),
        ("at", at.into()),
    ]
}

/// Finds out whether items wait. In this order, PostgreSQL uses the index, where deleted rows cost less than
/// in the table.
pub(crate) fn any_waiting() -> Statement {
    Statement::new(format!("SELECT 1 FROM feed_waiting ORDER BY {IN_ORDER} LIMIT 1"), [])
}

/// Takes waiting items, the oldest first. `row` is the database's name for the place of a row.
pub(crate) fn take_waiting(row: &str, limit: u32) -> Statement {
    Statement::new(
        format!(
            "DELETE FROM feed_waiting WHERE {row} IN (SELECT {row} FROM feed_waiting \
             ORDER BY {IN_ORDER} LIMIT $1) RETURNING {WAITING_COLUMNS}"
        ),
        [limit.into()],
    )
}

pub(crate) fn entries(from: u64, limit: u32) -> Statement {
    Statement::new(
        format!(
            "SELECT {WAITING_COLUMNS}, position, mark FROM feed_entries WHERE position >= $1 ORDER BY position LIMIT $2"
        ),
        [from.into(), limit.into()],
    )
}

/// Reads the place of the last entry.
pub(crate) fn head() -> Statement {
    Statement::new("SELECT position, mark FROM feed_head", [])
}

/// Returns an entry as a row.
pub(crate) fn placed_row(PlacedNews { place, news }: &PlacedNews) -> NamedRow {
    let mut row = waiting_row(news);
    row.extend([("position", place.position.into()), ("mark", place.mark.into())]);
    row
}

/// Writes the place of the last entry. Changes no row if it has changed since.
pub(crate) fn advance(was: &FeedPlace, head: &FeedPlace) -> Statement {
    let (position, mark) = (head.position.into(), head.mark.into());
    match was.position {
        0 => Statement::new("INSERT INTO feed_head (position, mark) VALUES ($1, $2)", [position, mark]),
        was => Statement::new(
            "UPDATE feed_head SET position = $1, mark = $2 WHERE position = $3",
            [position, mark, was.into()],
        ),
    }
}

/// Deletes items that have waited since before a moment, and will never get a position.
pub(crate) fn forget_waiting(before: Timestamp) -> Statement {
    Statement::new("DELETE FROM feed_waiting WHERE at < $1", [before.into()])
}

/// Deletes entries before a moment, except the last of them.
pub(crate) fn forget(before: Timestamp) -> Statement {
    Statement::new(
        format!(
            "DELETE FROM feed_entries WHERE position < (SELECT max(position) FROM \
             (SELECT position, at FROM feed_entries ORDER BY position LIMIT {OLDEST}) AS oldest WHERE at < $1)"
        ),
        [before.into()],
    )
}

/// Returns the places of waiting items, in order.
pub(crate) fn placed(was: FeedPlace, mut waiting: Vec<FeedNews>) -> Vec<PlacedNews> {
    waiting.sort_unstable_by_key(|news| (news.at, news.game.0, news.revision, news.kind as u8));
    let mut place = was;
    waiting
        .into_iter()
        .map(|news| {
            place = place.next(&news);
            PlacedNews { place, news }
        })
        .collect()
}

impl SqlRow {
    /// Reads a waiting item.
    pub(crate) fn feed_news(&self) -> Result<FeedNews, StoreError> {
        match self.values() {
            [game, revision, kind, ruleset, at, ..] => {
                let (game, revision) = (FromColumn::read(game), FromColumn::read(revision));
                let (kind, at) = (FromColumn::read(kind), FromColumn::read(at));
                let news = game.zip(revision).zip(kind.zip(at));
                let ruleset = Ruleset::read(ruleset);
                news.map(|((game, revision), (kind, at))| FeedNews { game, revision, kind, ruleset, at })
            }
            _ => None,
        }
        .ok_or_else(unreadable)
    }

    pub(crate) fn placed_news(&self) -> Result<PlacedNews, StoreError> {
        let news = self.feed_news()?;
        let place = match self.values() {
            [.., position, mark] => FromColumn::read(position).zip(FromColumn::read(mark)),
            _ => None,
        };
        let (position, mark) = place.ok_or_else(unreadable)?;
        Ok(PlacedNews { place: FeedPlace { position, mark }, news })
    }

    /// Reads the place of the last entry.
    pub(crate) fn feed_head(&self) -> Result<FeedPlace, StoreError> {
        self.pair().map(|(position, mark)| FeedPlace { position, mark }).ok_or_else(unreadable)
    }
}

fn unreadable() -> StoreError {
    StoreError::Backend("the feed of games cannot be read".to_owned())
}
