//! Leaving the table: resigning, claiming a seat out, aborting the game.

use assam_referee::AnyDecision;
use assam_rules::{Leave, Seat, Turn, Viewer};

use super::door::Plan;
use super::ply::{Attempt, Illegal, PlyError, append, attempt, extend, illegal};
use super::{App, Caller, HeadCondition, Leaving, Submitter, Wrote};
use crate::clock::now;
use crate::game::StoredGame;
use crate::log::{Damaged, Ledger, NotExtended, later, walk_as_of};
use crate::store::StoreError;

/// Why a request to leave is refused.
#[derive(Debug, thiserror::Error)]
pub enum LeaveError {
    /// The caller is not the owner, who alone may abort the game.
    #[error("only the owner may abort a game")]
    NotOwner,
    /// The secret holds no seat of the game.
    #[error("your secret holds no seat of this game")]
    NoSeat,
    /// The caller does not hold the seat that is to resign.
    #[error("a seat may resign only for itself")]
    NotYourSeat,
    /// Nothing can be written there.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// The table, not the game, has a rule against it.
    #[error("{detail}")]
    Refused {
        /// Stable identifier of the rule.
        rule: &'static str,
        /// The rule as it applies here.
        detail: String,
    },
    /// The rules of the game refuse it.
    #[error("{}", .0.text)]
    Illegal(Illegal),
    /// The log cannot be extended, for a reason that no client can cause.
    #[error(transparent)]
    NotExtended(NotExtended),
}

impl From<StoreError> for LeaveError {
    fn from(error: StoreError) -> Self {
        Self::Ply(error.into())
    }
}

impl From<Damaged> for LeaveError {
    fn from(error: Damaged) -> Self {
        Self::Ply(error.into())
    }
}

impl App {
    /// Lets a seat resign, claims a seat out, or aborts a game. Repeating it returns the same words.
    ///
    /// # Errors
    /// Checked in this order: who may do it; what is written at the ply; the start and the end of the game; a gap; the
    /// head; the rules of the table; then those of the game.
    pub async fn leave(
        &self,
        game: StoredGame,
        caller: &Caller,
        ply: u32,
        leaving: Leaving,
        condition: Option<&HeadCondition>,
    ) -> Result<Wrote, LeaveError> {
        let plan = |game: &StoredGame| plan(game, Submitter::of(caller, game), ply, leaving, condition);
        Ok(self.change(game, plan).await?.1)
    }
}

fn plan(
    game: &StoredGame,
    submitter: Submitter,
    ply: u32,
    leaving: Leaving,
    condition: Option<&HeadCondition>,
) -> Result<Plan<Wrote>, LeaveError> {
    let leave = allowed(submitter, leaving)?;
    let decisions = [AnyDecision::Leave(leave)];
    let (mut ledger, head) = match attempt(game, submitter, ply, &decisions)? {
        Attempt::Repeated(wrote) => return Ok(Plan::Stands(wrote)),
        Attempt::Next(ledger, head) => (ledger, head),
    };
    HeadCondition::check(condition, head)?;
    check_table(game, submitter, &ledger, leave)?;
    match extend(game, &mut ledger, &decisions) {
        Ok(extended) => Ok(append(game, submitter, extended)?),
        Err(NotExtended::Refused { item, refusal }) => {
            Err(LeaveError::Illegal(illegal(&ledger, submitter, ply, item, &refusal)))
        }
        Err(error @ (NotExtended::RunsTooFar { .. } | NotExtended::NoSeed | NotExtended::Damaged(_))) => {
            Err(LeaveError::NotExtended(error))
        }
    }
}

/// Returns who leaves, where the submitter may request it.
fn allowed(submitter: Submitter, leaving: Leaving) -> Result<Leave, LeaveError> {
    match (leaving, submitter.seat) {
        (Leaving::Abort, _) if submitter.is_owner => Ok(Leave::Abort),
        (Leaving::Abort, _) => Err(LeaveError::NotOwner),
        (Leaving::Resign(_) | Leaving::Timeout(_), None) => Err(LeaveError::NoSeat),
        (Leaving::Resign(Some(seat)), Some(own)) if seat != own => Err(LeaveError::NotYourSeat),
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
) -> Result<(), LeaveError> {
    let refuse = |rule, detail: &str| Err(LeaveError::Refused { rule, detail: detail.to_owned() });
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
fn check_patience(game: &StoredGame, seat: Seat, hours: u32) -> Result<(), LeaveError> {
    let now = now();
    let ply = game.info.head.map_or(0, |head| head.ply);
    // Decisions of other seats out of turn do not give this one more time.
    let mut came_on_turn_ms = 0;
    walk_as_of(Viewer::Arbiter, game, ply, ply, |written| {
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
    Err(LeaveError::Refused { rule: "table.timeout.too-early", detail })
}
