//! The clocks of running games, and the times without a serving process, in the databases.

use assam_record::game::GameId;
use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use super::listing::{ListOwner, PlayerTable};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;

/// A time without a serving process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pause {
    /// When a process last served.
    pub from: Timestamp,
    /// When a process serves again. Later than `from`.
    pub until: Timestamp,
}

/// Stores clocks.
#[async_trait]
pub trait Clocks: Send + Sync {
    /// Returns games with running clocks, each with the time when it runs out, the earliest first, at most
    /// `limit`.
    async fn running_clocks(&self, limit: u32) -> Result<Vec<(GameId, Timestamp)>, StoreError>;

    /// Returns the last heartbeat of a serving process, or none if there never was one.
    async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Writes a heartbeat. If there was none for a while, running clocks stop for that time: it is not
    /// counted, and the games get new revisions.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if another process wrote one since `was`. Nothing changes then.
    async fn beat(
        &self,
        was: Option<Timestamp>,
        at: Timestamp,
        pause: Option<Pause>,
    ) -> Result<(), StoreError>;
}

/// Finds games with running clocks, at most `limit`.
pub(crate) fn listed_clocks(limit: u32) -> Statement {
    let select = format!("SELECT game_id FROM {} WHERE player = $1 LIMIT $2", PlayerTable::Own.name());
    Statement::new(select, [ListOwner::Clocks.into(), limit.into()])
}

/// Reads games with running clocks.
pub(crate) fn running_clocks(limit: u32) -> Statement {
    Statement::new(format!("{RUNNING} ORDER BY clock_until LIMIT $1"), [limit.into()])
}

/// Reads the games with running clocks among some. The parameter of PostgreSQL has their ids.
pub(crate) fn running_clocks_among() -> String {
    format!("{RUNNING} AND id = ANY($1::uuid[]) ORDER BY clock_until")
}

const RUNNING: &str =
    "SELECT id, clock_until FROM games WHERE clock IS NOT NULL AND status = 1 AND removed IS NULL";

/// Reads the last heartbeat.
pub(crate) fn last_beat() -> Statement {
    Statement::new("SELECT at FROM heartbeat", [])
}

/// Writes a heartbeat. Changes no row if another process wrote one since.
pub(crate) fn beat(was: Option<Timestamp>, at: Timestamp) -> Statement {
    match was {
        None => Statement::new(
            "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT DO NOTHING",
            [at.into()],
        ),
        Some(was) => Statement::new("UPDATE heartbeat SET at = $1 WHERE at = $2", [at.into(), was.into()]),
    }
}

/// Stops the running clocks for a pause. Time counted before it stays counted.
pub(crate) fn stand_still(pause: Pause) -> Statement {
    let Pause { from, until } = pause;
    let lost = "($2 - CASE WHEN clock_since > $1 THEN clock_since ELSE $1 END)";
    Statement::new(
        format!(
            "UPDATE games SET clock_since = clock_since + {lost}, clock_until = clock_until + {lost}, revision = revision + 1 \
             WHERE clock IS NOT NULL AND status = 1 AND clock_since < $2"
        ),
        [from.into(), until.into()],
    )
}

impl SqlRow {
    pub(crate) fn running_clock(&self) -> Result<(GameId, Timestamp), StoreError> {
        self.pair().ok_or_else(|| StoreError::Backend("the clock of a stored game cannot be read".to_owned()))
    }

    /// Reads the only column, a moment.
    pub(crate) fn beat(&self) -> Result<Timestamp, StoreError> {
        self.first().ok_or_else(|| StoreError::Backend("the heartbeat cannot be read".to_owned()))
    }
}
