//! Leaving the table: resigning, claiming a seat out, aborting the game.

use std::sync::Arc;

use assam_referee::AnyDecision;
use assam_rules::{Leave, Seat, Turn, Viewer};

use super::door::Plan;
use super::ply::{Attempt, Submitter, append, attempt};
use super::{App, Caller, HeadCondition, Leaving, LiveGame, SubmitError, Wrote};
use crate::clock::now;
use crate::game::StoredGame;
use crate::log::{Ledger, later, walk_as_of};

impl App {
    /// Lets a seat resign, claims a seat out, or aborts a game. Repeating it returns the same words.
    ///
    /// # Errors
    /// Checked in this order: who may do it; what is written at the ply; the start and the end of the game; a gap; the
    /// head; the rules of the table; then those of the game.
    pub async fn leave(
        &self,
        game: &Arc<LiveGame>,
        caller: &Caller,
        ply: u32,
        leaving: Leaving,
        condition: Option<&HeadCondition>,
    ) -> Result<(Arc<LiveGame>, Wrote), SubmitError> {
        let plan = |game: &LiveGame| plan(game, Submitter::of(caller, game), ply, leaving, condition);
        self.door.change(game, plan).await
    }
}

fn plan(
    game: &LiveGame,
    submitter: Submitter,
    ply: u32,
    leaving: Leaving,
    condition: Option<&HeadCondition>,
) -> Result<Plan<Wrote>, SubmitError> {
    let leave = allowed(submitter, leaving)?;
    let decisions = [AnyDecision::from(leave)];
    let (ledger, head) = match attempt(game, submitter, ply, &decisions)? {
        Attempt::Repeated(wrote) => return Ok(Plan::Stands(wrote)),
        Attempt::Next(ledger, head) => (ledger, head),
    };
    HeadCondition::check(condition, head)?;
    check_table(game, submitter, &ledger, leave)?;
    append(game, ledger, head, submitter, &decisions)
}

/// Returns who leaves, where the submitter may request it.
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

/// Checks what the rules of the table, not of the game, say about leaving it.
fn check_table(
    game: &StoredGame,
    submitter: Submitter,
    ledger: &Ledger<'_>,
    leave: Leave,
) -> Result<(), SubmitError> {
    let refuse = |rule, detail: &str| Err(SubmitError::TableRule { rule, detail: detail.to_owned() });
    match leave {
        Leave::Abort if ledger.table().ply() > 0 => {
            refuse("table.abort.after-first-ply", "a game can be aborted only before ply 1 is written")
        }
        Leave::Abort | Leave::Resign(_) => Ok(()),
        Leave::Timeout(seat) if submitter.seat == Some(seat) => {
            refuse("table.timeout.own-seat", "a seat cannot claim itself out; `!resign` gives it up")
        }
        Leave::Timeout(seat) => {
            let Some(hours) = game.info.patience_hours else {
                return refuse("table.timeout.no-patience", "this game was created without patience_hours");
            };
            if ledger.table().turn() != Turn::Player(seat) {
                let detail = format!("seat {} is not on turn", seat.number());
                return refuse("table.timeout.not-on-turn", &detail);
            }
            check_patience(game, seat, hours)
        }
    }
}

/// Checks that a seat has been on turn for `hours`.
fn check_patience(game: &StoredGame, seat: Seat, hours: u32) -> Result<(), SubmitError> {
    let now = now();
    let ply = game.info.head.map_or(0, |head| head.ply);
    // Decisions of other seats out of turn do not give this one more time.
    let mut came_on_turn_ms = 0;
    walk_as_of(Viewer::Arbiter, game, ply, |written| {
        let is_others = written.turn == Turn::Player(seat) && written.seat() != Some(seat);
        if !is_others {
            came_on_turn_ms = written.at_ms;
        }
    })?;
    let since = later(game.info.started_at.unwrap_or(now), came_on_turn_ms);
    let until = later(since, u64::from(hours) * 3_600_000);
    if now >= until {
        return Ok(());
    }
    let detail = format!("seat {} has time until {until}", seat.number());
    Err(SubmitError::TableRule { rule: "table.timeout.too-early", detail })
}
