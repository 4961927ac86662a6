//! The one door through which games are stored and logs grow: submissions, starts, built-in players, imports, timeouts.

use super::App;
use crate::game::{Holder, Info, StoredGame};
use crate::store::{Creation, Extension, Start, StoreError};

/// A change of a stored game.
pub enum Change {
    /// Its seats change; with the last seat taken, it starts.
    Seats {
        /// The holders of the seats.
        seats: Vec<Holder>,
        /// Its start.
        start: Option<Start>,
    },
    /// Its log grows.
    Log(Extension),
}

/// The outcome of a plan.
pub enum Plan<T> {
    /// Nothing is to be changed.
    Stands(T),
    /// This is to be changed.
    Change(Change, T),
}

impl App {
    /// Stores a new game, unless its id exists.
    pub(super) async fn add(&self, game: &StoredGame) -> Result<Creation, StoreError> {
        self.store.create(game).await
    }

    /// Plans a change of a game as it stands, and makes it. If another writer was first, plans again from the game as
    /// it stands then. Returns the game after the change, and what the plan gave with it.
    ///
    /// # Errors
    /// Of the plan, and of the store.
    pub(super) async fn change<T, E: From<StoreError>>(
        &self,
        mut game: StoredGame,
        plan: impl Fn(&StoredGame) -> Result<Plan<T>, E>,
    ) -> Result<(StoredGame, T), E> {
        loop {
            let (change, outcome) = match plan(&game)? {
                Plan::Stands(outcome) => return Ok((game, outcome)),
                Plan::Change(change, outcome) => (change, outcome),
            };
            match self.write(&game, &change).await {
                Ok(()) => {
                    change.apply(&mut game);
                    return Ok((game, outcome));
                }
                Err(StoreError::Conflict) => {
                    game = self.store.load(game.info.id).await?.ok_or(StoreError::NotFound)?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Writes a change if the game is still the one that it was planned for.
    async fn write(&self, game: &StoredGame, change: &Change) -> Result<(), StoreError> {
        let Info { id, revision, head, .. } = &game.info;
        match (change, head) {
            (Change::Seats { seats, start }, _) => {
                self.store.reseat(*id, *revision, seats, start.as_ref()).await
            }
            (Change::Log(extension), Some(head)) => self.store.append(*id, head, extension).await,
            (Change::Log(_), None) => Err(StoreError::Conflict),
        }
    }
}

impl Change {
    /// Changes a game as the store does.
    fn apply(self, game: &mut StoredGame) {
        let info = &mut game.info;
        let (extension, started_at) = match self {
            Self::Seats { seats, start } => {
                info.seats = seats;
                info.revision += 1;
                let Some(Start { at, extension }) = start else { return };
                (extension, Some(at))
            }
            Self::Log(extension) => (extension, info.started_at),
        };
        info.started_at = started_at;
        info.status = extension.status;
        info.head = Some(extension.head);
        let older = std::mem::replace(&mut game.log, extension.entries);
        if !older.is_empty() {
            game.log.push(' ');
            game.log.push_str(&older);
        }
    }
}
