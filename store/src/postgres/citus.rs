//! PostgreSQL with games that Citus distributes over servers: the distribution, its detection, and the
//! waiting items of the feed. The feed waits on the coordinator, which commits before the servers do. Until a
//! lost server has returned and committed, its games show their previous state, and its new games are
//! missing.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;

use assam_record::feed::{FeedKind, FeedNews};
use assam_record::game::GameId;
use deadpool_postgres::{Client, GenericClient};
use tokio::time::timeout;

use super::PostgresStore;
use super::connection::session::{found, found_by, rows, session};
use super::error::PostgresFault;
use super::write::batch::Batch;
use crate::StoreError;
use crate::contract::feed::{IN_ORDER, WAITING_COLUMNS};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::{FromColumn, Value};

/// Citus has this table.
const IS_DISTRIBUTED: &str = "SELECT FROM pg_class WHERE oid = to_regclass('pg_dist_partition')";
const DISTRIBUTE: &str = include_str!("../../../migrations/citus/distribute.sql");
/// The most parts of the waiting items that are looked at together. An uncommitted item holds up none after
/// it.
const PARTS: usize = 16;
/// How long a server may take to report the state of its games. A server that hangs only holds up items of
/// its own games. PostgreSQL gives up earlier.
const PATIENCE: Duration = Duration::from_millis(400);
const SHORTLY: &str = "SET LOCAL statement_timeout = '300ms'";
/// Reads the revisions of games, and whether they are over.
const PROGRESS: &str = "SELECT id, revision, finished_at IS NOT NULL FROM games WHERE id = ANY($1::uuid[])";

/// The revisions of games, and whether they are over.
type GamesProgress = HashMap<GameId, (i64, bool)>;

impl PostgresStore {
    /// Returns whether Citus is installed, and so may have distributed the games over several servers. Looks
    /// only once, since the extension must exist before this process starts.
    pub(super) async fn is_distributed(&self, session: &impl GenericClient) -> Result<bool, PostgresFault> {
        let ask = async || Ok(!rows(session, IS_DISTRIBUTED, &[] as &[Value]).await?.is_empty());
        self.distributed.get_or_try_init(ask).await.copied()
    }

    /// Distributes the games over the servers of a Citus cluster. The database must be on its coordinator,
    /// with all migrations applied. Changes nothing if the games are already distributed. Moves existing
    /// games, and nothing can be written until that is done. There are 1 to 64,000 shards.
    ///
    /// # Errors
    /// [`StoreError::Backend`] if the database has no Citus, or Citus refuses.
    pub async fn distribute(&self, shards: u16) -> Result<(), StoreError> {
        let session = session(&self.lists).await?;
        let found = session.query_opt("SELECT FROM pg_extension WHERE extname = 'citus'", &[]).await;
        if found.map_err(PostgresFault::from)?.is_none() {
            let missing = "the database has no extension `citus`: create it on each server, and add the other servers as nodes";
            return Err(StoreError::Backend(missing.into()));
        }
        let set = format!("SET citus.shard_count = {shards};");
        Ok(session.batch_execute(&(set + DISTRIBUTE)).await.map_err(PostgresFault::from)?)
    }

    /// Returns waiting items that are committed, the oldest first, at least `limit` if the first [`PARTS`]
    /// parts have as many.
    ///
    /// # Errors
    /// Errors of the coordinator. If another server does not respond, the items of its games are left out.
    pub(super) async fn committed_news(
        &self,
        session: &mut Client,
        limit: u32,
    ) -> Result<Vec<FeedNews>, StoreError> {
        let (mut seen, mut committed) = (Vec::new(), 0);
        for _ in 0..PARTS {
            let after = seen.last().map(|(news, _)| news);
            let part = waiting_at_servers(after, limit);
            let part = self.circuit_breaker.in_time(found(session, &part)).await?;
            let part: Vec<_> = part.iter().map(news_at_server).collect::<Result<_, _>>()?;
            let progress = progress(session, &part).await;
            let is_last = part.len() < limit as usize;
            seen.extend(part.into_iter().map(|(news, _)| {
                let one = progress.get(&news.game);
                let has_happened =
                    one.is_some_and(|(revision, is_over)| news.has_happened(*revision, *is_over));
                committed += u32::from(has_happened);
                (news, has_happened)
            }));
            if is_last || committed >= limit {
                break;
            }
        }
        // A game that is removed later in the waiting items may be gone, with every trace of its earlier
        // items.
        let removed = seen.iter().filter(|(news, _)| news.kind == FeedKind::Removed);
        let removed: HashSet<GameId> = removed.map(|(news, _)| news.game).collect();
        let is_to_tell =
            |(news, has_happened): &(FeedNews, bool)| *has_happened || removed.contains(&news.game);
        Ok(seen.into_iter().filter(is_to_tell).map(|(news, _)| news).collect())
    }
}

/// Reads waiting items after this, the oldest first, at most `limit`, each with the Citus server that has its
/// game.
fn waiting_at_servers(after: Option<&FeedNews>, limit: u32) -> Statement {
    let mut statement = Statement::new("", [limit.into()]);
    let beyond = after.map(|FeedNews { at, game, revision, kind, .. }| {
        let place: [Value; 4] = [(*at).into(), (*game).into(), (*revision).into(), (*kind).into()];
        format!("WHERE ({IN_ORDER}) > ({})", place.map(|value| statement.param(value)).join(", "))
    });
    // Even in a database with Citus, all games may be in one place.
    statement.sql = format!(
        "SELECT {WAITING_COLUMNS}, (SELECT min(groupid) FROM pg_dist_placement WHERE shardid = shard) AS server FROM \
         (SELECT {WAITING_COLUMNS}, CASE WHEN 'games'::regclass IN (SELECT logicalrelid FROM pg_dist_partition) \
         THEN get_shard_id_for_distribution_column('games', game_id) END AS shard \
         FROM feed_waiting {} ORDER BY {IN_ORDER} LIMIT $1) AS waiting ORDER BY {IN_ORDER}",
        beyond.unwrap_or_default()
    );
    statement
}

/// Reads a row of [`waiting_at_servers`].
fn news_at_server(row: &SqlRow) -> Result<(FeedNews, Option<i64>), StoreError> {
    let server = row.values().last().and_then(FromColumn::read).flatten();
    Ok((row.feed_news()?, server))
}

/// Returns the state of the games that have waiting items, as far as their servers respond.
async fn progress(session: &mut Client, waiting: &[(FeedNews, Option<i64>)]) -> GamesProgress {
    let mut games: BTreeMap<Option<i64>, HashSet<GameId>> = BTreeMap::new();
    for (news, server) in waiting {
        games.entry(*server).or_default().insert(news.game);
    }
    let mut progress = GamesProgress::new();
    for games in games.into_values() {
        let told = timeout(PATIENCE, progress_at_one(session, games)).await;
        progress.extend(told.ok().and_then(Result::ok).into_iter().flatten());
    }
    progress
}

/// Returns the state of games on one server.
async fn progress_at_one(
    session: &mut Client,
    games: HashSet<GameId>,
) -> Result<GamesProgress, PostgresFault> {
    let transaction = session.transaction().await?;
    transaction.batch_execute(SHORTLY).await?;
    let games = found_by(&transaction, &Batch::on_ids(PROGRESS, games)).await?;
    transaction.commit().await?;
    let one = |game: &SqlRow| {
        let ((id, revision), is_over) = game.pair().zip(game.third())?;
        Some((id, (revision, is_over)))
    };
    Ok(games.iter().filter_map(one).collect())
}
