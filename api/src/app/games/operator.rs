//! What only the operator does to games: ending them, removing them before they start, and taking them down.

use assam_record::clock::now;
use assam_record::game::GameId;
use assam_record::hex::Hex;
use assam_referee::AnyDecision;
use assam_rules::Leave;
use assam_store::Update;
use jiff::Timestamp;

use super::withdraw::removal;
use crate::app::write::plan::Plan;
use crate::app::write::ply::{Submitter, append};
use crate::app::{App, CachedGame, StoreError, SubmitError, WithdrawError};

impl App {
    /// Aborts a running game: it ends without a result, by a word of its own. Returns false where it was over.
    ///
    /// # Errors
    /// Where there is no such game, or it has not started, and of the store.
    pub async fn abort(&self, id: GameId) -> Result<bool, SubmitError> {
        let game = self.game_writer.load(id).await?.ok_or(StoreError::NotFound)?;
        self.game_writer.change(&game, abortion).await.map(|(_, was_running)| was_running)
    }

    /// Returns whether there is a game.
    ///
    /// # Errors
    /// Of the store.
    pub async fn has_game(&self, id: GameId) -> Result<bool, StoreError> {
        Ok(self.game_writer.load(id).await?.is_some())
    }

    /// Returns the running games that come after an id, in the order of ids, at most 1,000. It reads the table in that order.
    ///
    /// # Errors
    /// Of the store.
    pub async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError> {
        self.reads.running_after(id).await
    }

    /// Removes a game that has not started, whoever owns it. Returns false where it has started meanwhile, or is gone.
    ///
    /// # Errors
    /// Of the store.
    pub async fn remove_open(&self, id: GameId) -> Result<bool, WithdrawError> {
        let Some(game) = self.game_writer.load(id).await? else { return Ok(false) };
        match self.game_writer.change(&game, removal).await {
            Ok(_) => Ok(true),
            Err(WithdrawError::Started | WithdrawError::Store(StoreError::NotFound)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the games that have not started, the oldest first.
    ///
    /// # Errors
    /// Of the store.
    pub async fn open_games(&self) -> Result<Vec<GameId>, StoreError> {
        let (mut games, mut after) = (Vec::new(), (Timestamp::MIN, Hex([0; 16])));
        loop {
            let found = self.reads.open_before(Timestamp::MAX, after).await?;
            let Some(last) = found.last() else { return Ok(games) };
            after = *last;
            games.extend(found.into_iter().map(|(_, id)| id));
        }
    }

    /// Takes a game down, for a reason that is told to everybody who asks for it: it is hidden, without the names of its seats
    /// and its tags, and its log stays. Returns false where that happened before.
    ///
    /// # Errors
    /// Where there is no such game, and of the store.
    pub async fn take_down(&self, id: GameId, reason: &str) -> Result<bool, StoreError> {
        let game = self.game_writer.load(id).await?.ok_or(StoreError::NotFound)?;
        if game.info.removed.is_some() {
            return Ok(false);
        }
        let plan = |game: &CachedGame| Ok(Plan::update(Update::take_down(&game.info, reason.to_owned()), ()));
        match self.game_writer.change::<_, StoreError>(&game, plan).await {
            Ok(_) => Ok(true),
            Err(StoreError::TakenDown(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// Plans to abort a game, unless it is over.
fn abortion(game: &CachedGame) -> Result<Plan<bool>, SubmitError> {
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
