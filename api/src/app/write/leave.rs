//! Resigning, claiming a seat out, and aborting a game.

use std::sync::Arc;

use assam_record::game::StoredGame;
use assam_record::log::{Ledger, later, walk_as_of};
use assam_referee::AnyDecision;
use assam_rules::{Leave, Seat, Turn, Viewer};
use assam_store::StoreError;
use jiff::Timestamp;

use super::plan::Plan;
use super::ply::{Attempt, Submitter, append, attempt};
use crate::app::background::clocks::settled;
use crate::app::{App, CachedGame, Caller, HeadCondition, Leaving, SubmitError, Wrote};

impl App {
    /// Lets a seat resign, claims a seat out, or aborts a game. Repeating it returns the same words.
    ///
    /// # Errors
    /// Checked in this order: permission, what is written at the ply, the start and the end of the game, a
    /// gap, the head, the rules of the table, the rules of the game.
    pub async fn leave(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        caller: &Caller,
        ply: u32,
        leaving: Leaving,
        condition: Option<&HeadCondition>,
        arrived: Timestamp,
    ) -> Result<(Arc<CachedGame>, Wrote), SubmitError> {
        self.heed_pauses(game).await?;
        if matches!(leaving, Leaving::Timeout(_)) && game.info.clock.is_some() {
            // The current game, because another process may have written since.
            let now = self.game_writer.load(game.info.id).await?.ok_or(StoreError::NotFound)?;
            settled(&now, arrived).await;
        }
        let (caller, condition, current) = (caller.clone(), condition.cloned(), Arc::clone(game));
        let leave = async move |app: Arc<Self>| {
            let plan = |game: &CachedGame| {
                plan(game, Submitter::new(&caller, game), ply, leaving, condition.as_ref(), arrived)
            };
            app.game_writer.change(&current, plan).await
        };
        self.think(&game.info, false, leave).await
    }
}

fn plan(
    game: &CachedGame,
    submitter: Submitter,
    ply: u32,
    leaving: Leaving,
    condition: Option<&HeadCondition>,
    arrived: Timestamp,
) -> Result<Plan<Wrote>, SubmitError> {
    let leave = allowed(submitter, leaving)?;
    let decisions = [AnyDecision::from(leave)];
    let (ledger, head) = match attempt(game, submitter, ply, &decisions)? {
        Attempt::Repeated(wrote) => return Ok(Plan::Stands(wrote)),
        Attempt::Next(ledger, head) => (ledger, head),
    };
    HeadCondition::check(condition, head)?;
    check_table(game, submitter, &ledger, leave, arrived)?;
    append(game, ledger, head, submitter, &decisions, arrived)
}

/// Returns who leaves, if the submitter may request it.
fn allowed(submitter: Submitter, leaving: Leaving) -> Result<Leave, SubmitError> {
    match (leaving, submitter.seat) {
        (Leaving::Abort, _) if submitter.is_owner => Ok(Leave::Abort),
        (Leaving::Abort, _) => Err(SubmitError::NotOwner),
        (Leaving::Resign(_) | Leaving::Timeout(_), None) => Err(SubmitError::NoSeat),
        (Leaving::Resign(Some(seat)), Some(own)) if seat != own => Err(SubmitError::NotYourSeat),
        (Leaving::Resign(_), Some(own)) => Ok(Leave::Resign(own)),
        (Leaving::Timeout(seat), Some(_)) => Ok(Leave::Timeout(seat)),
    }
}

/// Checks the table's rules for leaving, as opposed to the game's.
fn check_table(
    game: &StoredGame,
    submitter: Submitter,
    ledger: &Ledger<'_>,
    leave: Leave,
    arrived: Timestamp,
) -> Result<(), SubmitError> {
    let refuse = |rule, detail: &str| Err(SubmitError::TableRule { rule, detail: detail.to_owned() });
    match leave {
        Leave::Abort if ledger.table().ply() > 0 => {
            refuse("table.abort.after-first-ply", "a game can be aborted only before ply 1 is written")
        }
        Leave::Abort | Leave::Resign(_) => Ok(()),
        Leave::Timeout(seat) if submitter.seat == Some(seat) => {
            refuse("table.timeout.own-seat", "a seat cannot claim itself out. `!resign` gives it up")
        }
        Leave::Timeout(seat) => {
            let (patience, clock) = (game.info.patience_hours, &game.info.clock);
            if patience.is_none() && clock.is_none() {
                let none = "this game was created without patience_hours and clock";
                return refuse("table.timeout.no-patience", none);
            }
            if ledger.table().turn() != Turn::Player(seat) {
                let detail = format!("it is not seat {}'s turn", seat.number());
                return refuse("table.timeout.not-on-turn", &detail);
            }
            // The first to run out counts.
            let flag = clock.as_ref().and_then(|clock| clock.running).map(|running| running.until);
            let until = match patience {
                Some(hours) => flag.into_iter().chain([end_of_patience(game, seat, hours)?]).min(),
                None => flag,
            };
            match until {
                Some(until) if arrived < until => {
                    let detail = format!("seat {} has time until {until}", seat.number());
                    refuse("table.timeout.too-early", &detail)
                }
                Some(_) | None => Ok(()),
            }
        }
    }
}

/// Returns when a seat has been on turn for `hours`.
fn end_of_patience(game: &StoredGame, seat: Seat, hours: u32) -> Result<Timestamp, SubmitError> {
    let ply = game.info.head.map_or(0, |head| head.ply);
    // Decisions of other seats out of turn do not give this one more time.
    let mut came_on_turn_ms = 0;
    walk_as_of(Viewer::Arbiter, game, ply, |written| {
        let is_others = written.turn == Turn::Player(seat) && written.seat() != Some(seat);
        if !is_others {
            came_on_turn_ms = written.at_ms;
        }
    })?;
    let since = later(game.info.started_at.unwrap_or(Timestamp::MAX), came_on_turn_ms);
    Ok(later(since, u64::from(hours) * 3_600_000))
}
