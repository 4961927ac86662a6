//! Running games that the operator ends.

use assam_referee::AnyDecision;
use assam_rules::Leave;

use super::change::Plan;
use super::ply::{Submitter, append};
use super::{App, LiveGame, StoreError, SubmitError};
use crate::clock::now;
use crate::game::GameId;

impl App {
    /// Aborts a running game: it ends without a result, by a word of its own. Returns false where it was over.
    ///
    /// # Errors
    /// Where there is no such game, or it has not started, and of the store.
    pub async fn abort(&self, id: GameId) -> Result<bool, SubmitError> {
        let game = self.door.load(id).await?.ok_or(StoreError::NotFound)?;
        self.door.change(&game, abortion).await.map(|(_, was_running)| was_running)
    }

    /// Returns whether there is a game.
    ///
    /// # Errors
    /// Of the store.
    pub async fn has_game(&self, id: GameId) -> Result<bool, StoreError> {
        Ok(self.door.load(id).await?.is_some())
    }

    /// Returns the running games that come after an id, in the order of ids, at most 1,000. It reads the table in that order.
    ///
    /// # Errors
    /// Of the store.
    pub async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError> {
        self.store.running_after(id).await
    }
}

/// Plans to abort a game, unless it is over.
fn abortion(game: &LiveGame) -> Result<Plan<bool>, SubmitError> {
    if game.info.is_over() {
        return Ok(Plan::Stands(false));
    }
    let (head, ledger) = (game.started()?, game.ledger()?);
    let decisions = [AnyDecision::from(Leave::Abort)];
    Ok(match append(game, ledger, head, Submitter::SERVICE, &decisions, now())? {
        Plan::Change(change, _) => Plan::Change(change, true),
        Plan::Stands(_) => Plan::Stands(false),
    })
}
