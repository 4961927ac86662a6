//! The one door through which games are stored and logs grow: submissions, starts, built-in players, imports, timeouts.

use std::borrow::Cow;
use std::sync::Arc;

use crate::game::{Head, Holder, Info, StoredGame};
use crate::store::{Creation, Extension, Reads, Start, Store, StoreError};

/// The door to a store. Nothing else in the service holds a [`Store`], so nothing else can write.
pub(super) struct Door {
    store: Arc<dyn Store>,
}

/// A change of a stored game.
pub(super) enum Change {
    /// Its seats change; with the last seat taken, it starts.
    Seats {
        /// The holders of the seats.
        seats: Vec<Holder>,
        /// Its start.
        start: Option<Start>,
    },
    /// Its log grows.
    Log {
        /// The head that the extension was made for.
        at: Head,
        /// The part that is appended.
        extension: Extension,
    },
}

/// The outcome of a plan.
pub(super) enum Plan<T> {
    /// Nothing is to be changed.
    Stands(T),
    /// This is to be changed.
    Change(Change, T),
}

impl Door {
    /// Puts a door before a store.
    pub(super) fn to(store: Arc<dyn Store>) -> Self {
        Self { store }
    }

    /// Returns the store, to be read.
    pub(super) fn reads(&self) -> &dyn Reads {
        &*self.store
    }

    /// Stores a new game, unless its id exists.
    pub(super) async fn add(&self, game: &StoredGame) -> Result<Creation, StoreError> {
        self.store.create(game).await
    }

    /// Plans a change of a game as it stands, and makes it. If another writer was first, plans again from the game as
    /// it stands then. Returns what the plan that was carried out gave with it. The game may have changed further by
    /// then: who shows it reads it again.
    ///
    /// # Errors
    /// Of the plan, and of the store.
    pub(super) async fn change<T, E: From<StoreError>>(
        &self,
        game: &StoredGame,
        plan: impl Fn(&StoredGame) -> Result<Plan<T>, E>,
    ) -> Result<T, E> {
        let mut game = Cow::Borrowed(game);
        loop {
            let (change, outcome) = match plan(&game)? {
                Plan::Stands(outcome) => return Ok(outcome),
                Plan::Change(change, outcome) => (change, outcome),
            };
            match self.write(&game.info, &change).await {
                Ok(()) => return Ok(outcome),
                Err(StoreError::Conflict) => game = Cow::Owned(self.reload(&game).await?),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Returns a game as it stands now.
    ///
    /// # Errors
    /// Of the store.
    pub(super) async fn reload(&self, game: &StoredGame) -> Result<StoredGame, StoreError> {
        self.store.load(game.info.id).await?.ok_or(StoreError::NotFound)
    }

    /// Writes a change if the game is still the one that it was planned for.
    async fn write(&self, game: &Info, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Seats { seats, start } => {
                self.store.reseat(game.id, game.revision, seats, start.as_ref()).await
            }
            Change::Log { at, extension } => self.store.append(game.id, at, extension).await,
        }
    }
}
