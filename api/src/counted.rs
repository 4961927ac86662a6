//! What the application has done since it started, in numbers. To count one is an atomic addition; nothing here knows who reads them.

use std::time::Instant;

use assam_store::counted::{Histogram, Level, TIMES, Total};

/// The bounds of how many changes are written together, of which there are 256 at most.
const BATCHES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The bounds of how many plies are told together.
const PLIES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Why a stream ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamEnd {
    /// Its client went, or was told nothing for long.
    Client,
    /// It was to end once its client had everything.
    CaughtUp,
    /// The game is over.
    Over,
    /// The game is gone, or a seat was lost.
    Gone,
    /// The service ends.
    Closing,
    /// The service failed.
    Failed,
}

/// Streams of events.
#[derive(Debug)]
pub struct StreamCounts {
    /// Those that are open.
    pub open: Level,
    ended: [Total; StreamEnd::ALL.len()],
    /// How many plies a stream that had everything was told together.
    pub lag: Histogram,
}

impl StreamEnd {
    const ALL: [Self; 6] =
        [Self::Client, Self::CaughtUp, Self::Over, Self::Gone, Self::Closing, Self::Failed];

    const fn name(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::CaughtUp => "caught_up",
            Self::Over => "over",
            Self::Gone => "gone",
            Self::Closing => "closing",
            Self::Failed => "failed",
        }
    }
}

impl Default for StreamCounts {
    fn default() -> Self {
        Self { open: Level::default(), ended: Default::default(), lag: Histogram::new(PLIES) }
    }
}

impl StreamCounts {
    /// Counts the end of a stream.
    pub fn end(&self, why: StreamEnd) {
        self.open.down();
        self.ended[why as usize].add(1);
    }

    /// Returns how many ended, by why.
    pub fn ended(&self) -> impl Iterator<Item = (&'static str, u64)> {
        StreamEnd::ALL.into_iter().map(|why| (why.name(), self.ended[why as usize].get()))
    }
}

/// What the application has done since it started.
#[derive(Debug)]
pub struct Counts {
    /// When it started.
    pub since: Instant,
    /// Games that were stored, imported ones among them.
    pub games: Total,
    /// Words that were appended to logs; those with which a game starts are not counted.
    pub words: Total,
    /// Changes of seats that were written.
    pub seatings: Total,
    /// Games that were removed, or taken down.
    pub removals: Total,
    /// Changes that were planned again, because another writer was first.
    pub conflicts: Total,
    /// How many changes were written together.
    pub batches: Histogram,
    /// How long it took to write them, in microseconds.
    pub writing: Histogram,
    /// Changes that wait to be written.
    pub waiting: Level,
    /// Changes that wait because somebody else holds their games.
    pub held: Level,
    /// Streams of events.
    pub streams: StreamCounts,
    /// Records that were validated.
    pub validated: Total,
    /// Records that became games.
    pub imported: Total,
    /// Records that were imported, and had been games before.
    pub known: Total,
}

impl Default for Counts {
    fn default() -> Self {
        Self {
            since: Instant::now(),
            games: Total::default(),
            words: Total::default(),
            seatings: Total::default(),
            removals: Total::default(),
            conflicts: Total::default(),
            batches: Histogram::new(BATCHES),
            writing: Histogram::new(TIMES),
            waiting: Level::default(),
            held: Level::default(),
            streams: StreamCounts::default(),
            validated: Total::default(),
            imported: Total::default(),
            known: Total::default(),
        }
    }
}
