//! Operations for the operator only: aborting games, removing them before they start, and taking them down.

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
    /// Aborts a running game: a last word ends it without a result. Returns false if it was over.
    ///
    /// # Errors
    /// If there is no such game, it has not started, or the store fails.
    pub async fn abort(&self, id: GameId) -> Result<bool, SubmitError> {
        let game = self.game_writer.load(id).await?.ok_or(StoreError::NotFound)?;
        self.game_writer.change(&game, abortion).await.map(|(_, was_running)| was_running)
    }

    /// Returns whether a game exists.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn has_game(&self, id: GameId) -> Result<bool, StoreError> {
        Ok(self.game_writer.load(id).await?.is_some())
    }

    /// Returns up to 1,000 running games after an id, in the order of ids. Scans the table in that order.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn running_after(&self, id: GameId) -> Result<Vec<GameId>, StoreError> {
        self.reads.running_after(id).await
    }

    /// Removes a game that has not started, regardless of its owner. Returns false if it has started since,
    /// or is gone.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn remove_open(&self, id: GameId) -> Result<bool, WithdrawError> {
        let Some(game) = self.game_writer.load(id).await? else { return Ok(false) };
        match self.game_writer.change(&game, removal).await {
            Ok(_) => Ok(true),
            Err(WithdrawError::Started | WithdrawError::Store(StoreError::NotFound)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Returns the games that have not started, oldest first.
    ///
    /// # Errors
    /// If the store fails.
    pub async fn open_games(&self) -> Result<Vec<GameId>, StoreError> {
        let (mut games, mut after) = (Vec::new(), (Timestamp::MIN, Hex([0; 16])));
        loop {
            let found = self.reads.open_before(Timestamp::MAX, after).await?;
            let Some(last) = found.last() else { return Ok(games) };
            after = *last;
            games.extend(found.into_iter().map(|(_, id)| id));
        }
    }

    /// Takes a game down, for a reason shown to everyone who requests it. It is hidden, and loses its seat
    /// names and tags, but its log stays. Returns false if it was taken down before.
    ///
    /// # Errors
    /// If there is no such game, or the store fails.
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
