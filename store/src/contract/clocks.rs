//! The clocks of games that run, and how long nobody has looked at them, in the databases.

use assam_record::game::GameId;
use async_trait::async_trait;
use jiff::Timestamp;

use super::StoreError;
use super::listing::{ListOwner, PlayerTable};
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;

/// A time in which no process served.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pause {
    /// When one did last.
    pub from: Timestamp,
    /// When one does again; later than `from`.
    pub until: Timestamp,
}

/// The place that keeps clocks.
#[async_trait]
pub trait Clocks: Send + Sync {
    /// Returns games whose clocks run, each with when none of its time is left: those first for which that is first, at most
    /// `limit`.
    async fn running_clocks(&self, limit: u32) -> Result<Vec<(GameId, Timestamp)>, StoreError>;

    /// Returns when a process that served noted that it does; none where none ever has.
    async fn last_beat(&self) -> Result<Option<Timestamp>, StoreError>;

    /// Notes that a process serves. Where none has for a while, the clocks that run stand still in that time: none of it is counted, and the
    /// games have new revisions.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] where another process noted something since `was`; nothing changes then.
    async fn beat(
        &self,
        was: Option<Timestamp>,
        at: Timestamp,
        pause: Option<Pause>,
    ) -> Result<(), StoreError>;
}

/// Finds games whose clocks run, at most `limit`.
pub(crate) fn listed_clocks(limit: u32) -> Statement {
    let select = format!("SELECT game_id FROM {} WHERE player = $1 LIMIT $2", PlayerTable::Own.name());
    Statement::new(select, [ListOwner::Clocks.into(), limit.into()])
}

/// Reads games whose clocks run.
pub(crate) fn running_clocks(limit: u32) -> Statement {
    Statement::new(format!("{RUNNING} ORDER BY clock_until LIMIT $1"), [limit.into()])
}

/// Reads those of some games whose clocks run; the parameter of PostgreSQL has their ids.
pub(crate) fn running_clocks_among() -> String {
    format!("{RUNNING} AND id = ANY($1::uuid[]) ORDER BY clock_until")
}

const RUNNING: &str =
    "SELECT id, clock_until FROM games WHERE clock IS NOT NULL AND status = 1 AND removed IS NULL";

/// Reads when a process noted that it serves.
pub(crate) fn last_beat() -> Statement {
    Statement::new("SELECT at FROM heartbeat", [])
}

/// Notes that a process serves; changes no row where another one has noted something since.
pub(crate) fn beat(was: Option<Timestamp>, at: Timestamp) -> Statement {
    match was {
        None => Statement::new(
            "INSERT INTO heartbeat (one, at) VALUES (1, $1) ON CONFLICT DO NOTHING",
            [at.into()],
        ),
        Some(was) => Statement::new("UPDATE heartbeat SET at = $1 WHERE at = $2", [at.into(), was.into()]),
    }
}

/// Lets the clocks that run stand still in a pause: what was counted before it stays counted.
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
    /// Reads a game whose clock runs.
    pub(crate) fn running_clock(&self) -> Result<(GameId, Timestamp), StoreError> {
        self.pair().ok_or_else(|| StoreError::Backend("the clock of a stored game cannot be read".to_owned()))
    }

    /// Reads the only column, a moment.
    pub(crate) fn beat(&self) -> Result<Timestamp, StoreError> {
        self.first().ok_or_else(|| StoreError::Backend("the heartbeat cannot be read".to_owned()))
    }
}
