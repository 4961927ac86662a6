//! The clocks of games. A seat without time is timed out, but downtime never counts against a player.
//!
//! While clocks run, every process regularly records in the database that it serves. A process that finds a
//! gap stops all clocks for its duration, before anything is judged by them.

use std::sync::Arc;
use std::time::Duration;

use assam_record::clock::now;
use assam_record::game::{GameId, StoredGame};
use assam_referee::AnyDecision;
use assam_rules::{Leave, Seat, Turn};
use assam_store::Pause;
use jiff::{SignedDuration, Timestamp};

use super::repeat;
use crate::app::write::plan::Plan;
use crate::app::write::ply::{Submitter, append};
use crate::app::{App, CachedGame, StoreError, SubmitError};

/// How often a process checks clocks, and records that it serves.
const LOOK: Duration = Duration::from_millis(500);
/// The longest gap between two such records without an interruption of the service.
const INTERRUPTION: SignedDuration = SignedDuration::from_secs(2);
/// How far in the future the last record may be, because the clocks of processes differ.
const AHEAD: SignedDuration = SignedDuration::from_mins(1);
/// How long after its last moment a seat is timed out. By then, what arrived in time is written, also by
/// other processes.
const SETTLING: SignedDuration = SignedDuration::from_secs(1);
/// The number of clocks checked together, in the order in which they run out.
const BATCH: u32 = 1000;

impl App {
    /// Times out seats without time, repeatedly. Never returns.
    pub async fn keep_clocks(self: Arc<Self>) {
        repeat("the clocks of games cannot be checked", async || self.look_at_clocks().await).await;
    }

    /// Checks clocks, and times out seats without time. Returns when to check again.
    async fn look_at_clocks(self: &Arc<Self>) -> Result<Duration, StoreError> {
        let clocks = self.clocks.running_clocks(BATCH).await?;
        if clocks.is_empty() {
            self.clock_watch.look(now());
            return Ok(LOOK);
        }
        self.beat().await?;
        let now = now();
        let (due, later): (Vec<_>, Vec<_>) =
            clocks.into_iter().partition(|(_, until)| now.duration_since(*until) >= SETTLING);
        for (id, _) in due {
            // Merchants may play on after a timeout, and no other clock waits for them.
            if self.timing_out.lock().insert(id) {
                let app = Arc::clone(self);
                tokio::spawn(async move {
                    app.time_out(id).await;
                    app.timing_out.lock().remove(&id);
                });
            }
        }
        let next = later.first().map(|(_, until)| (until.duration_since(now) + SETTLING).unsigned_abs());
        Ok(next.map_or(LOOK, |next| next.min(LOOK)))
    }

    /// Records that this process serves. If none did for a while, or this one has just started, clocks are
    /// stopped for that time.
    async fn beat(&self) -> Result<(), StoreError> {
        loop {
            let was = self.clocks.last_beat().await?;
            let now = now();
            let looked = self.clock_watch.looked();
            // If no clock ran, no process recorded anything, but this one served.
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

    /// Makes sure that a game is not judged by a clock that should have been stopped.
    ///
    /// # Errors
    /// If the store fails, because that is unknown then.
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

    /// Times out a game's seat on turn if it has no time left. Failures are retried soon.
    async fn time_out(self: &Arc<Self>, id: GameId) {
        let written = match self.game_writer.load(id).await {
            Ok(Some(game)) => {
                let current = Arc::clone(&game);
                let change = async move |app: Arc<Self>| app.game_writer.change(&current, timeout).await;
                // In a game for two, a timeout ends it.
                let alone = game.info.seats.len() > 2;
                self.think(&game.info, alone, change).await.map(|_| ())
            }
            Ok(None) => Ok(()),
            Err(error) => Err(error.into()),
        };
        if let Err(error) = written {
            tracing::debug!("no seat was timed out in game {id}: {error}");
        }
    }
}

/// Plans to time out the seat on turn if it has no time left.
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

/// If the clock of a game has run out, waits until everything that arrived in time is written.
#[expect(clippy::disallowed_methods, reason = "what arrived in time comes first")]
pub(in crate::app) async fn settled(game: &StoredGame, arrived: Timestamp) {
    if let Some(running) = game.info.clock.as_ref().and_then(|clock| clock.running)
        && arrived >= running.until
        && let Ok(left) = Duration::try_from(SETTLING - arrived.duration_since(running.until))
    {
        tokio::time::sleep(left).await;
    }
}
