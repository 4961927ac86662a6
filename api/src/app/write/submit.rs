//! Submission of decisions.

use std::sync::Arc;

use assam_referee::AnyDecision;
use assam_rules::Turn;
use jiff::Timestamp;

use super::plan::Plan;
use super::ply::{Attempt, Submitter, append, attempt};
use crate::app::background::clocks::check_clock;
use crate::app::{App, CachedGame, Caller, HeadCondition, SubmitError, Wrote};

impl App {
    /// Writes decisions of the caller's seat, draws what they trigger, and lets the built-in players answer.
    /// Repeating it returns the same words and draws nothing. Also returns the game as this process knows it.
    /// The game's clock counts when they `arrived`, however long it takes to write them.
    ///
    /// # Errors
    /// Checked in this order: a seat, what is written at the ply, the start and the end of the game, a gap,
    /// the turn, the head, the clock, the rules.
    pub async fn submit(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        caller: &Caller,
        ply: u32,
        decisions: &[AnyDecision],
        condition: Option<&HeadCondition>,
        arrived: Timestamp,
    ) -> Result<(Arc<CachedGame>, Wrote), SubmitError> {
        self.heed_pauses(game).await?;
        let (caller, decisions, condition) = (caller.clone(), decisions.to_vec(), condition.cloned());
        let current = Arc::clone(game);
        let submission = async move |app: Arc<Self>| {
            let plan = |game: &CachedGame| {
                let submitter = Submitter::new(&caller, game);
                plan(game, submitter, ply, &decisions, condition.as_ref(), arrived)
            };
            app.game_writer.change(&current, plan).await
        };
        self.think(&game.info, false, submission).await
    }
}

fn plan(
    game: &CachedGame,
    submitter: Submitter,
    ply: u32,
    decisions: &[AnyDecision],
    condition: Option<&HeadCondition>,
    arrived: Timestamp,
) -> Result<Plan<Wrote>, SubmitError> {
    let own = submitter.seat.ok_or(SubmitError::NoSeat)?;
    let (ledger, head) = match attempt(game, submitter, ply, decisions)? {
        Attempt::Repeated(wrote) => return Ok(Plan::Stands(wrote)),
        Attempt::Next(ledger, head) => (ledger, head),
    };
    if let Turn::Player(seat) = ledger.table().turn()
        && seat != own
    {
        return Err(SubmitError::NotYourTurn(seat));
    }
    HeadCondition::check(condition, head)?;
    check_clock(game, own, arrived)?;
    append(game, ledger, head, submitter, decisions, arrived)
}
