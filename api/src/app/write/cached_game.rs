//! Games as last read or written, each with its replay once needed.

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use assam_record::chance::{Keys, import_id};
use assam_record::clock::ticks;
use assam_record::game::{GameId, Info, StoredGame, Visibility};
use assam_record::game_clock::GameClock;
use assam_record::log::{Damaged, Entry, Extension, Ledger, Replayed, entries};
use assam_store::byte_cache::{ByteCache, Weighted};

/// A stored game, with its replay once needed. It never changes: a change makes another one.
pub struct CachedGame {
    stored: StoredGame,
    cache_generation: u64,
    replayed: OnceLock<Replayed>,
    /// When the store last confirmed it, in clock ticks.
    checked: AtomicU64,
}

/// How long a game may be shown without checking whether the operator took it down or a name changed, in
/// milliseconds.
const LATELY: u64 = 500;

impl Deref for CachedGame {
    type Target = StoredGame;

    fn deref(&self) -> &StoredGame {
        &self.stored
    }
}

impl From<StoredGame> for CachedGame {
    fn from(stored: StoredGame) -> Self {
        static GENERATIONS: AtomicU64 = AtomicU64::new(0);
        let cache_generation = GENERATIONS.fetch_add(1, Ordering::Relaxed);
        Self { stored, cache_generation, replayed: OnceLock::new(), checked: AtomicU64::new(ticks()) }
    }
}

impl CachedGame {
    /// Returns a game that the store was asked for at a moment, in clock ticks.
    pub(in crate::app) fn read(stored: StoredGame, asked: u64) -> Self {
        Self { checked: AtomicU64::new(asked), ..Self::from(stored) }
    }

    /// Returns whether another reading of the game is older, because it began before the game changed.
    pub(super) fn is_newer_than(&self, read: &Self) -> bool {
        let ply = |game: &Self| game.info.head.map(|head| head.ply);
        self.info.revision > read.info.revision || ply(self) > ply(read)
    }

    /// Returns a number that no game with different seats, settings or earlier words shares. It is assigned
    /// when the game is read from the store, and stays while this process extends the log. With a written
    /// ply, it determines everything that can be shown of that ply, and no other history of the game has it.
    pub const fn cache_generation(&self) -> u64 {
        self.cache_generation
    }

    /// Records that the store confirmed it when asked at a moment, in clock ticks.
    pub(super) fn was_checked(&self, asked: u64) {
        self.checked.fetch_max(asked, Ordering::Relaxed);
    }

    /// Returns whether the store confirmed it lately, and after a moment in clock ticks.
    pub(super) fn was_checked_lately(&self, after: u64) -> bool {
        let checked = self.checked.load(Ordering::Relaxed);
        checked > after && ticks().saturating_sub(checked) < LATELY
    }

    /// Returns the id that an import of its record would have, if it is a finished public game of this
    /// service.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub(in crate::app) fn record(&self) -> Result<Option<GameId>, Damaged> {
        let Info { visibility, imported, setup, .. } = &self.info;
        if !self.info.is_over() || *imported || *visibility != Visibility::Public {
            return Ok(None);
        }
        let mut canonical = format!("{}\n\n", setup.line());
        for Entry { word, .. } in entries(&self.log) {
            canonical.push_str(word);
            canonical.push(' ');
        }
        canonical.push_str(&self.ledger()?.table().marker());
        canonical.push('\n');
        Ok(Some(import_id(&canonical)))
    }

    /// Returns the game at its last word. It is replayed only once.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn ledger(&self) -> Result<Ledger<'_>, Damaged> {
        let replayed = match self.replayed.get() {
            Some(replayed) => replayed.clone(),
            None => {
                let replayed = Replayed::new(&self.stored)?;
                self.replayed.get_or_init(|| replayed).clone()
            }
        };
        Ok(Ledger::resume(&self.stored, replayed))
    }

    /// Returns the game with an extended log.
    pub(super) fn extended(&self, extension: &Extension, replayed: Replayed) -> Self {
        let mut stored = self.stored.clone();
        extension.apply(&mut stored);
        Self {
            stored,
            cache_generation: self.cache_generation,
            replayed: OnceLock::from(replayed),
            checked: AtomicU64::new(ticks()),
        }
    }

    /// Sets the game's clock.
    pub(super) fn run_clock(&mut self, clock: GameClock) {
        self.stored.info.clock = Some(clock);
    }
}

/// Games read or written lately, each as of that time. Another process may have changed it since.
pub(super) type CachedGames = ByteCache<GameId, CachedGame>;

impl Weighted for CachedGame {
    /// The memory of a game apart from its texts and keys, replay included.
    const SMALLEST: u64 = 3072;
    /// A new game is needed soon, and then for the first time.
    const OFTEN: f64 = 0.5;

    fn bytes(&self) -> u64 {
        let texts = self.log.len() + self.tags.len() + self.info.setup.line().len();
        Self::SMALLEST + texts as u64 + Keys::bytes(self.info.setup.most_plies())
    }
}
