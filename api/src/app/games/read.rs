//! Reading games, for callers who may see them.

use std::sync::Arc;

use assam_record::game::{Access, GameId, Info, Visibility};
use assam_store::StoreError;

use super::access::opens;
use crate::app::{App, CachedGame, Caller};

/// Why a game cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// There is no such game, or the caller may not see it.
    #[error("there is no game with this id, or you may not see it")]
    NotFound,
    /// The store failed, or the operator took the game down.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// What of a game is to be shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Everything up to a ply.
    UpTo(u32),
    /// Everything.
    Whole,
}

impl Extent {
    /// Returns whether it is written in a game for good.
    fn is_settled(self, info: &Info) -> bool {
        match self {
            Self::UpTo(ply) => info.head.is_some_and(|head| ply <= head.ply),
            Self::Whole => info.is_over(),
        }
    }
}

/// Why the service cannot serve.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    /// The last change could not be written, nor could anything since.
    #[error("the database cannot be written: its disk is full, or something holds it")]
    CannotWrite,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Returns a game that the caller may see.
    ///
    /// # Errors
    /// [`ReadError::NotFound`], the same where there is no such game and where the caller may not see it.
    pub async fn game(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        self.known(id, |access| caller.may_see(access)).await
    }

    /// Returns a game that the caller may see, as it was read or written last where it is kept and anyone may know of it: whoever
    /// changes it will find out whether it has changed.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_to_change(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        let may_see = |game: &Arc<CachedGame>| {
            // Who may see a private game changes with its seats.
            game.info.visibility != Visibility::Private && caller.may_see(&game.access())
        };
        match self.game_writer.kept(id).filter(may_see) {
            Some(game) => Ok(game),
            None => self.game(caller, id).await,
        }
    }

    /// As [`App::game_to_change`], also where the game is private: whoever is refused a move there is to be told only after [`App::game`] has found that
    /// they may still see it.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_to_play(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        match self.game_writer.kept(id).filter(|game| caller.may_see(&game.access())) {
            Some(game) => Ok(game),
            None => self.game(caller, id).await,
        }
    }

    /// Returns a game that the caller may see, in which everything that is wanted is written if it is. What is written stays, and
    /// after the end nothing follows: where nothing in the game is hidden, it is asked for again in the store only after half a
    /// second, as the operator may have taken the game down, or a name in its record may have changed.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_with(
        &self,
        caller: &Caller,
        id: GameId,
        wanted: Option<Extent>,
    ) -> Result<Arc<CachedGame>, ReadError> {
        let suffices = |game: &Arc<CachedGame>| {
            // Who may see a private game changes with its seats.
            game.info.visibility != Visibility::Private
                && !game.info.may_hide_something()
                && wanted.is_some_and(|wanted| wanted.is_settled(&game.info))
                && caller.may_see(&game.access())
        };
        match self.game_writer.kept_lately(id).filter(suffices) {
            Some(game) => Ok(game),
            None => self.game(caller, id).await,
        }
    }

    /// As [`App::game_to_change`], for a caller who may enter the game with a join code, too.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_to_join(
        &self,
        caller: &Caller,
        id: GameId,
        join_code: Option<&str>,
    ) -> Result<Arc<CachedGame>, ReadError> {
        let may_know = |access: &Access| caller.may_see(access) || opens(id, access, join_code);
        let may_enter =
            |game: &Arc<CachedGame>| game.info.visibility != Visibility::Private && may_know(&game.access());
        match self.game_writer.kept(id).filter(may_enter) {
            Some(game) => Ok(game),
            None => self.known(id, may_know).await,
        }
    }

    /// Returns a game that the caller may know of. Nobody else learns that there is one that cannot be read.
    async fn known(
        &self,
        id: GameId,
        may_know: impl Fn(&Access) -> bool,
    ) -> Result<Arc<CachedGame>, ReadError> {
        match self.game_writer.load(id).await {
            Ok(game) => {
                let game = game.filter(|game| may_know(&game.access())).ok_or(ReadError::NotFound)?;
                match &game.info.removed {
                    None => Ok(game),
                    Some(reason) => Err(StoreError::TakenDown(reason.clone()).into()),
                }
            }
            Err(StoreError::Unreadable { access, .. }) if !may_know(&access) => Err(ReadError::NotFound),
            Err(error) => Err(error.into()),
        }
    }

    /// Checks that the store answers, and can be written as far as is known.
    ///
    /// # Errors
    /// Where it does not, or cannot.
    pub async fn ready(&self) -> Result<(), NotReady> {
        let reads = Arc::clone(&self.reads);
        let ping = move |()| {
            let reads = Arc::clone(&reads);
            async move { reads.ping().await }
        };
        // PostgreSQL is asked over one session.
        self.pings
            .get((), ping, |asking| {
                tokio::spawn(asking);
                Ok(())
            })
            .await?;
        if self.reads.health().can_write() { Ok(()) } else { Err(NotReady::CannotWrite) }
    }
}
