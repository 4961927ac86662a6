//! Reading games for callers who may see them.

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

/// The part of a game to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Everything up to a ply.
    UpTo(u32),
    /// Everything.
    Whole,
}

impl Extent {
    /// Returns whether a game has this part, which never changes then.
    fn is_settled(self, info: &Info) -> bool {
        match self {
            Self::UpTo(ply) => info.head.is_some_and(|head| ply <= head.ply),
            Self::Whole => info.is_over(),
        }
    }
}

/// Why the service is not ready.
#[derive(Debug, thiserror::Error)]
pub enum NotReady {
    /// The last change could not be written, nor anything since.
    #[error("the database cannot be written: its disk is full, or another program locks it")]
    CannotWrite,
    /// The store does not answer.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Returns a game that the caller may see.
    ///
    /// # Errors
    /// [`ReadError::NotFound`], both if there is no such game and if the caller may not see it.
    pub async fn game(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        self.known(id, |access| caller.may_see(access)).await
    }

    /// Returns a game that the caller may see, possibly as last read or written if it is cached and not
    /// private. Changing it will reveal whether it has changed.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_to_change(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        let may_see = |game: &Arc<CachedGame>| {
            // The seats of a private game determine who may see it.
            game.info.visibility != Visibility::Private && caller.may_see(&game.access())
        };
        match self.game_writer.kept(id).filter(may_see) {
            Some(game) => Ok(game),
            None => self.game(caller, id).await,
        }
    }

    /// As [`App::game_to_change`], also for private games. Before the caller is refused a move, [`App::game`]
    /// must confirm that they may still see the game.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn game_to_play(&self, caller: &Caller, id: GameId) -> Result<Arc<CachedGame>, ReadError> {
        match self.game_writer.kept(id).filter(|game| caller.may_see(&game.access())) {
            Some(game) => Ok(game),
            None => self.game(caller, id).await,
        }
    }

    /// Returns a game that the caller may see, with the wanted part if it is written. Written parts never
    /// change, and nothing follows the end. If the game hides nothing, the store is asked again only after
    /// half a second. The operator may have taken the game down, or a name in its record may have changed.
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
            // The seats of a private game determine who may see it.
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

    /// As [`App::game_to_change`], also for a caller who may enter the game with a join code.
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

    /// Returns a game that the caller may know of. Others do not learn of a game that cannot be read.
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

    /// Checks that the store answers, and that the last attempt to write succeeded.
    ///
    /// # Errors
    /// If either is not the case.
    pub async fn ready(&self) -> Result<(), NotReady> {
        let reads = Arc::clone(&self.reads);
        let ping = move |()| {
            let reads = Arc::clone(&reads);
            async move { reads.ping().await }
        };
        // PostgreSQL is asked in one session.
        self.pings
            .get((), ping, |asking| {
                tokio::spawn(asking);
                Ok(())
            })
            .await?;
        if self.reads.health().can_write() { Ok(()) } else { Err(NotReady::CannotWrite) }
    }
}
