//! The clocks of games: a seat that has no time left is timed out, and time in which no process served is charged to nobody.
//!
//! As long as clocks run, every process notes again and again in the database that it serves. One that finds that nobody has
//! for a while lets all clocks stand still for that time, before anything is judged by them.

use std::sync::Arc;
use std::time::Duration;

use assam_record::clock::now;
use assam_record::game::{GameId, StoredGame};
use assam_referee::AnyDecision;
use assam_rules::{Leave, Seat, Turn};
use assam_store::Pause;
use futures_util::future::join_all;
use jiff::{SignedDuration, Timestamp};

use super::repeat;
use crate::app::write::plan::Plan;
use crate::app::write::ply::{Submitter, append};
use crate::app::{App, CachedGame, StoreError, SubmitError};

/// How often a process looks at clocks, and notes that it serves.
const LOOK: Duration = Duration::from_millis(500);
/// For how long nobody may have noted that, where somebody served all the time.
const INTERRUPTION: SignedDuration = SignedDuration::from_secs(2);
/// How much later than now the last note may be, where clocks of several processes differ.
const AHEAD: SignedDuration = SignedDuration::from_mins(1);
/// How long after its last moment a seat is timed out: what arrived in time is written by then, also by another process.
const SETTLING: SignedDuration = SignedDuration::from_secs(1);
/// How many clocks are looked at together, those that run out first.
const BATCH: u32 = 1000;

impl App {
    /// Times out seats that have no time left, again and again. It never returns.
    pub async fn keep_clocks(self: Arc<Self>) {
        repeat("the clocks of games are not looked at", async || self.look_at_clocks().await).await;
    }

    /// Looks at clocks, and times out the seats that have no time left. Returns when to look again.
    async fn look_at_clocks(&self) -> Result<Duration, StoreError> {
        let clocks = self.clocks.running_clocks(BATCH).await?;
        if clocks.is_empty() {
            self.clock_watch.look(now());
            return Ok(LOOK);
        }
        self.beat().await?;
        let now = now();
        let (due, later): (Vec<_>, Vec<_>) =
            clocks.into_iter().partition(|(_, until)| now.duration_since(*until) >= SETTLING);
        join_all(due.into_iter().map(|(id, _)| self.time_out(id))).await;
        let next = later.first().map(|(_, until)| (until.duration_since(now) + SETTLING).unsigned_abs());
        Ok(next.map_or(LOOK, |next| next.min(LOOK)))
    }

    /// Notes that this process serves. Where none did for a while, or this one has just started, clocks stood still since then.
    async fn beat(&self) -> Result<(), StoreError> {
        loop {
            let was = self.clocks.last_beat().await?;
            let now = now();
            let looked = self.clock_watch.looked();
            // Where no clock ran, nobody noted anything, and this process served.
            let alive = was.into_iter().chain(looked).max().unwrap_or(Timestamp::UNIX_EPOCH);
            let away = now.duration_since(alive);
            let is_pause = away > INTERRUPTION || (looked.is_none() && away > SignedDuration::ZERO);
            let pause = is_pause.then_some(Pause { from: alive, until: now });
            let at = match was {
                Some(was) if was.duration_since(now) < AHEAD => was.max(now),
                Some(_) | None => now,
            };
            match self.clocks.beat(was, at, pause).await {
                Ok(()) => {
                    self.clock_watch.look(now);
                    return Ok(());
                }
                // Another process did.
                Err(StoreError::Conflict) => {}
                Err(error) => return Err(error),
            }
        }
    }

    /// Makes sure that nothing in a game is judged by a clock that should have stood still.
    ///
    /// # Errors
    /// Of the store: then nobody knows.
    pub(in crate::app) async fn heed_pauses(&self, game: &StoredGame) -> Result<(), StoreError> {
        if game.info.clock.is_none() {
            return Ok(());
        }
        let now = now();
        match self.clock_watch.looked() {
            // The clock of this machine may have been set, too.
            Some(looked) if now.duration_since(looked).abs() <= INTERRUPTION => Ok(()),
            Some(_) | None => self.beat().await,
        }
    }

    /// Times out the seat on turn of a game, if it has no time left. What fails is tried again soon.
    async fn time_out(&self, id: GameId) {
        let written = match self.game_writer.load(id).await {
            Ok(Some(game)) => self.game_writer.change(&game, timeout).await.map(|_| ()),
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = written {
            tracing::debug!("nobody is timed out in game {id}: {error}");
        }
    }
}

/// Plans to time out the seat on turn, if it has no time left.
fn timeout(game: &CachedGame) -> Result<Plan<()>, SubmitError> {
    let now = now();
    let running = game.info.clock.as_ref().and_then(|clock| clock.running);
    if game.info.is_over() || running.is_none_or(|running| now.duration_since(running.until) < SETTLING) {
        return Ok(Plan::Stands(()));
    }
    let (head, ledger) = (game.started()?, game.ledger()?);
    let Turn::Player(seat) = ledger.table().turn() else { return Ok(Plan::Stands(())) };
    let decisions = [AnyDecision::from(Leave::Timeout(seat))];
    Ok(match append(game, ledger, head, Submitter::SERVICE, &decisions, now)? {
        Plan::Change(change, _) => Plan::Change(change, ()),
        Plan::Stands(_) => Plan::Stands(()),
    })
}

/// Checks that the seat on turn had time left when its decision arrived.
pub(in crate::app) fn check_clock(
    game: &StoredGame,
    seat: Seat,
    arrived: Timestamp,
) -> Result<(), SubmitError> {
    match game.info.clock.as_ref().and_then(|clock| clock.running) {
        Some(running) if arrived >= running.until => {
            let detail = format!("seat {} had time until {}", seat.number(), running.until);
            Err(SubmitError::TableRule { rule: "table.clock.out-of-time", detail })
        }
        Some(_) | None => Ok(()),
    }
}

/// Waits until everything is written that arrived before the clock of a game ran out, if it has by a moment.
#[expect(clippy::disallowed_methods, reason = "what arrived in time comes first")]
pub(in crate::app) async fn settled(game: &StoredGame, arrived: Timestamp) {
    if let Some(running) = game.info.clock.as_ref().and_then(|clock| clock.running)
        && arrived >= running.until
        && let Ok(left) = Duration::try_from(SETTLING - arrived.duration_since(running.until))
    {
        tokio::time::sleep(left).await;
    }
}
