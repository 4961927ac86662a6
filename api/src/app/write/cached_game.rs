//! Games as they were read or written last, each with its replay once it was needed.

use std::ops::Deref;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use assam_record::chance::{Keys, import_id};
use assam_record::clock::ticks;
use assam_record::game::{GameId, Info, StoredGame, Visibility};
use assam_record::game_clock::GameClock;
use assam_record::log::{Damaged, Entry, Extension, Ledger, Replayed, entries};
use assam_store::byte_cache::{ByteCache, Weighted};

/// A stored game, with its replay once it was needed. It never changes: the game after a change is another one.
pub struct CachedGame {
    stored: StoredGame,
    cache_generation: u64,
    replayed: OnceLock<Replayed>,
    /// When the store was last asked, and it stood so there, in ticks of the clock.
    checked: AtomicU64,
}

/// How long a game may be shown without another look whether the operator took it down or a name changed, in milliseconds.
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
    /// Returns a game for which the store was asked at a moment, in ticks of the clock.
    pub(in crate::app) fn read(stored: StoredGame, asked: u64) -> Self {
        Self { checked: AtomicU64::new(asked), ..Self::from(stored) }
    }

    /// Returns whether another reading of the game is older: it was under way while the game changed.
    pub(super) fn is_newer_than(&self, read: &Self) -> bool {
        let ply = |game: &Self| game.info.head.map(|head| head.ply);
        self.info.revision > read.info.revision || ply(self) > ply(read)
    }

    /// Returns a number that tells it from every game that differs in more than the words after its last one: it is given
    /// when the game is read from the store, and stays as this process extends the log. So with a ply that is written, it
    /// determines everything that can be shown of that ply, and no other history of the game has it.
    pub const fn cache_generation(&self) -> u64 {
        self.cache_generation
    }

    /// Notes that it stands so in the store, which was asked at a moment, in ticks of the clock.
    pub(super) fn was_checked(&self, asked: u64) {
        self.checked.fetch_max(asked, Ordering::Relaxed);
    }

    /// Returns whether the store was asked a moment ago, and after a time in ticks of the clock, and it stood so.
    pub(super) fn was_checked_lately(&self, after: u64) -> bool {
        let checked = self.checked.load(Ordering::Relaxed);
        checked > after && ticks().saturating_sub(checked) < LATELY
    }

    /// Returns the id that an import of its record would have, if it is a public game of this service that is over.
    ///
    /// # Errors
    /// Where the stored log is damaged.
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
    /// Where the stored log is damaged.
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

    /// Returns the game after its log was extended.
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

    /// Notes how the clock of the game runs.
    pub(super) fn run_clock(&mut self, clock: GameClock) {
        self.stored.info.clock = Some(clock);
    }
}

/// Games that were read or written lately, each as it was then: another process may have changed it since.
pub(super) type CachedGames = ByteCache<GameId, CachedGame>;

impl Weighted for CachedGame {
    /// What a game takes beside its texts and its keys, its replay included.
    const SMALLEST: u64 = 3072;
    /// A game that was created is wanted soon, and then for the first time.
    const OFTEN: f64 = 0.5;

    fn bytes(&self) -> u64 {
        let texts = self.log.len() + self.tags.len() + self.info.setup.line().len();
        Self::SMALLEST + texts as u64 + Keys::bytes(self.info.setup.most_plies())
    }
}
