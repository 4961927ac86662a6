//! Games that the operator hides.

use assam_record::game::GameId;

use super::change::{Change, Plan};
use super::{App, LiveGame, StoreError};

impl App {
    /// Takes a game down, for a reason that is told to everybody who asks for it: it is hidden, without the names of its seats
    /// and its tags, and its log stays. Returns false where that happened before.
    ///
    /// # Errors
    /// Where there is no such game, and of the store.
    pub async fn take_down(&self, id: GameId, reason: &str) -> Result<bool, StoreError> {
        let game = self.door.load(id).await?.ok_or(StoreError::NotFound)?;
        if game.info.removed.is_some() {
            return Ok(false);
        }
        let plan = |_: &LiveGame| Ok(Plan::Change(Change::TakeDown(reason.to_owned()), ()));
        match self.door.change::<_, StoreError>(&game, plan).await {
            Ok(_) => Ok(true),
            Err(StoreError::TakenDown(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }
}
