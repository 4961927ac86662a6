//! Counters of what the application has done since it started. Counting is an atomic addition. Nothing here
//! knows who reads the counters.

use std::time::Instant;

use assam_store::counted::{Gauge, Histogram, TIMES, Total};

/// The histogram bounds of changes written together, at most 256.
const BATCHES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// The histogram bounds of plies sent together.
const PLIES: &[u64] = &[1, 2, 4, 8, 16, 32, 64, 128, 256];

/// Why a stream ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum StreamEnd {
    /// The client left, or took nothing for long.
    Client,
    /// The client was caught up, and wanted no more.
    CaughtUp,
    /// The game is over.
    Over,
    /// The game is gone, or the seat was lost.
    Gone,
    /// The service ends.
    Closing,
    /// The service failed.
    Failed,
}

/// Event streams.
#[derive(Debug)]
pub struct StreamCounts {
    /// Open streams.
    pub open: Gauge,
    ended: [Total; StreamEnd::ALL.len()],
    /// The plies sent together on a stream that was caught up.
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
        Self { open: Gauge::default(), ended: Default::default(), lag: Histogram::new(PLIES) }
    }
}

impl StreamCounts {
    /// Counts the end of a stream.
    pub fn end(&self, why: StreamEnd) {
        self.open.down();
        self.ended[why as usize].add(1);
    }

    /// Returns the number of ended streams, by reason.
    pub fn ended(&self) -> impl Iterator<Item = (&'static str, u64)> {
        StreamEnd::ALL.into_iter().map(|why| (why.name(), self.ended[why as usize].get()))
    }
}

/// Counts since the start of the application.
#[derive(Debug)]
pub struct Counts {
    /// When it started.
    pub since: Instant,
    /// Games stored, including imported ones.
    pub games: Total,
    /// Words appended to logs, without those that games start with.
    pub words: Total,
    /// Seat changes written.
    pub seatings: Total,
    /// Games removed or taken down.
    pub removals: Total,
    /// Changes planned again because another writer was first.
    pub conflicts: Total,
    /// The changes written together.
    pub batches: Histogram,
    /// The time to write them, in microseconds.
    pub writing: Histogram,
    /// Changes waiting to be written.
    pub waiting: Gauge,
    /// Changes waiting because another writer holds their games.
    pub held: Gauge,
    /// Event streams.
    pub streams: StreamCounts,
    /// Records validated.
    pub validated: Total,
    /// Records imported as new games.
    pub imported: Total,
    /// Imported records that were games before.
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
            waiting: Gauge::default(),
            held: Gauge::default(),
            streams: StreamCounts::default(),
            validated: Total::default(),
            imported: Total::default(),
            known: Total::default(),
        }
    }
}
