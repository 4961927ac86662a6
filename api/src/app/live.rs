//! Games as they were read or written last, each with its replay once it was needed.

use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::game::{GameId, Info, StoredGame};
use crate::log::{Damaged, Ledger, Replayed};
use crate::store::Extension;

/// A stored game, with its replay once it was needed. It never changes: the game after a change is another one.
pub struct LiveGame {
    stored: StoredGame,
    lineage: u64,
    replayed: OnceLock<Replayed>,
}

impl Deref for LiveGame {
    type Target = StoredGame;

    fn deref(&self) -> &StoredGame {
        &self.stored
    }
}

impl From<StoredGame> for LiveGame {
    fn from(stored: StoredGame) -> Self {
        static LINEAGES: AtomicU64 = AtomicU64::new(0);
        Self { stored, lineage: LINEAGES.fetch_add(1, Ordering::Relaxed), replayed: OnceLock::new() }
    }
}

impl LiveGame {
    /// Returns a number that tells it from every game that differs in more than the words after its last one: it is given
    /// when the game is read from the store, and stays as this process extends the log. So with a ply that is written, it
    /// determines everything that can be shown of that ply, and no other history of the game has it.
    pub const fn lineage(&self) -> u64 {
        self.lineage
    }

    /// Returns the game at its last word. It is replayed only once.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn ledger(&self) -> Result<Ledger<'_>, Damaged> {
        let replayed = match self.replayed.get() {
            Some(replayed) => replayed.clone(),
            None => {
                let replayed = Replayed::of(&self.stored)?;
                self.replayed.get_or_init(|| replayed).clone()
            }
        };
        Ok(Ledger::resume(&self.stored, replayed))
    }

    /// Returns the game after its log was extended.
    pub(super) fn extended(&self, extension: &Extension, replayed: Replayed) -> Self {
        let StoredGame { info, owner, join_code, request, seed, tags, log } = &self.stored;
        let mut newest_first = String::with_capacity(extension.entries.len() + 1 + log.len());
        newest_first.push_str(&extension.entries);
        if !log.is_empty() {
            newest_first.push(' ');
            newest_first.push_str(log);
        }
        let info = Info { head: Some(extension.head), status: extension.status, ..info.clone() };
        let (owner, join_code, request, seed) = (*owner, *join_code, *request, *seed);
        let stored =
            StoredGame { info, owner, join_code, request, seed, tags: tags.clone(), log: newest_first };
        Self { stored, lineage: self.lineage, replayed: OnceLock::from(replayed) }
    }
}

/// Games that were read or written lately, each as it was then: another process may have changed it since. Nothing is
/// kept here alone.
pub(super) struct LiveGames(Cache<GameId, Arc<LiveGame>, BySizeOfGame>);

impl LiveGames {
    /// Keeps games up to about so many bytes.
    pub(super) fn with_room(bytes: u64) -> Self {
        Self(Cache::with_weighter((bytes / BySizeOfGame::SMALLEST) as usize, bytes, BySizeOfGame))
    }

    /// Returns a game as it was read or written last, if it is kept.
    pub(super) fn get(&self, id: GameId) -> Option<Arc<LiveGame>> {
        self.0.get(&id)
    }

    /// Keeps a game no longer.
    pub(super) fn forget(&self, id: GameId) {
        self.0.remove(&id);
    }

    /// Keeps a game.
    pub(super) fn keep(&self, game: &Arc<LiveGame>) {
        self.0.insert(game.info.id, Arc::clone(game));
    }
}

/// Weighs a game by the memory that it takes, about.
#[derive(Clone)]
struct BySizeOfGame;

impl BySizeOfGame {
    /// What a game takes beside its texts, its replay included.
    const SMALLEST: u64 = 3072;
}

impl Weighter<GameId, Arc<LiveGame>> for BySizeOfGame {
    fn weight(&self, _: &GameId, game: &Arc<LiveGame>) -> u64 {
        let texts = game.log.len() + game.tags.len() + game.info.setup.line().len();
        Self::SMALLEST + texts as u64
    }
}
