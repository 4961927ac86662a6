//! Submitting decisions.

use assam_referee::AnyDecision;
use assam_rules::{Seat, Turn};

use super::door::Plan;
use super::ply::{Attempt, Illegal, PlyError, append, attempt, extend, illegal};
use super::{App, Caller, HeadCondition, Submitter, Wrote};
use crate::game::StoredGame;
use crate::log::{Damaged, NotExtended};
use crate::store::StoreError;

/// Why decisions are not written.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The secret holds no seat of the game.
    #[error("your secret holds no seat of this game")]
    NoSeat,
    /// Nothing can be written there.
    #[error(transparent)]
    Ply(#[from] PlyError),
    /// Another seat is on turn.
    #[error("seat {} is on turn", .0.number())]
    NotYourTurn(Seat),
    /// The list goes on after a decision that must be its last.
    #[error("the list must end here: chance or another seat is next")]
    ListTooLong {
        /// That decision, from 0.
        item: usize,
    },
    /// The rules refuse a decision.
    #[error("{}", .0.text)]
    Illegal(Illegal),
    /// The log cannot be extended, for a reason that no client can cause.
    #[error(transparent)]
    NotExtended(NotExtended),
}

impl From<StoreError> for SubmitError {
    fn from(error: StoreError) -> Self {
        Self::Ply(error.into())
    }
}

impl From<Damaged> for SubmitError {
    fn from(error: Damaged) -> Self {
        Self::Ply(error.into())
    }
}

impl App {
    /// Writes decisions of the caller's seat, draws what they trigger, and lets the built-in players answer. Repeating
    /// it returns the same words; nothing is drawn again.
    ///
    /// # Errors
    /// Checked in this order: a seat; what is written at the ply; the start and the end of the game; a gap; the turn;
    /// the head; then the rules.
    pub async fn submit(
        &self,
        game: StoredGame,
        caller: &Caller,
        ply: u32,
        decisions: &[AnyDecision],
        condition: Option<&HeadCondition>,
    ) -> Result<Wrote, SubmitError> {
        let plan = |game: &StoredGame| plan(game, Submitter::of(caller, game), ply, decisions, condition);
        Ok(self.change(game, plan).await?.1)
    }
}

fn plan(
    game: &StoredGame,
    submitter: Submitter,
    ply: u32,
    decisions: &[AnyDecision],
    condition: Option<&HeadCondition>,
) -> Result<Plan<Wrote>, SubmitError> {
    let own = submitter.seat.ok_or(SubmitError::NoSeat)?;
    let (mut ledger, head) = match attempt(game, submitter, ply, decisions)? {
        Attempt::Repeated(wrote) => return Ok(Plan::Stands(wrote)),
        Attempt::Next(ledger, head) => (ledger, head),
    };
    if let Turn::Player(seat) = ledger.table().turn()
        && seat != own
    {
        return Err(SubmitError::NotYourTurn(seat));
    }
    HeadCondition::check(condition, head)?;
    match extend(game, &mut ledger, decisions) {
        Ok(extended) => Ok(append(game, submitter, extended)?),
        Err(NotExtended::RunsTooFar { item }) => Err(SubmitError::ListTooLong { item }),
        Err(NotExtended::Refused { item, refusal }) => {
            Err(SubmitError::Illegal(illegal(&ledger, submitter, ply, item, &refusal)))
        }
        Err(error @ (NotExtended::NoSeed | NotExtended::Damaged(_))) => Err(SubmitError::NotExtended(error)),
    }
}
