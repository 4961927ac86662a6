//! The clock of a game: how much time each seat has left, and since when that of the seat on turn runs. It is a rule of the
//! table like patience, and no part of the record.

use std::fmt;
use std::str::FromStr;

use assam_rules::Seat;
use jiff::{SignedDuration, Timestamp};

/// The time that each seat of a game has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// At the start, in seconds: 1 to [`ClockRule::LONGEST`].
    pub initial: u32,
    /// What it gets for each ply that it decides, in seconds: 0 to [`ClockRule::LARGEST`].
    pub increment: u32,
}

/// The clock of a game, as of its last word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// The time that each seat has.
    pub rule: ClockRule,
    /// What each seat has left, in milliseconds.
    pub left: Vec<u64>,
    /// The clock of the seat on turn; none before the start and when the game is over.
    pub running: Option<RunningClock>,
}

/// A clock that runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningClock {
    /// The moment from which time is counted (whole milliseconds).
    pub since: Timestamp,
    /// The moment when none is left.
    pub until: Timestamp,
}

impl ClockRule {
    /// The most that a seat can have at the start, in seconds: a week.
    pub const LONGEST: u32 = 604_800;
    /// The most that a seat can get for a ply, in seconds: a day.
    pub const LARGEST: u32 = 86_400;

    /// Returns whether both numbers are in their ranges.
    pub fn is_valid(self) -> bool {
        (1..=Self::LONGEST).contains(&self.initial) && self.increment <= Self::LARGEST
    }

    /// Returns the clock of a game with so many seats that has not started.
    pub fn wound(self, seats: usize) -> GameClock {
        GameClock { rule: self, left: vec![u64::from(self.initial) * 1000; seats], running: None }
    }
}

/// As it is stored: seconds, `+`, seconds.
impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.initial, self.increment)
    }
}

/// A text that is no rule of a clock.
#[derive(Debug, thiserror::Error)]
#[error("a clock is its seconds at the start, `+`, and the seconds for each ply")]
pub struct NoClockRule;

impl FromStr for ClockRule {
    type Err = NoClockRule;

    fn from_str(text: &str) -> Result<Self, NoClockRule> {
        let (initial, increment) = text.split_once('+').ok_or(NoClockRule)?;
        let read = |seconds: &str| seconds.parse().map_err(|_| NoClockRule);
        let rule = Self { initial: read(initial)?, increment: read(increment)? };
        if rule.is_valid() { Ok(rule) } else { Err(NoClockRule) }
    }
}

impl GameClock {
    /// Returns the clock from a moment on, with this seat on turn, or none.
    pub fn run_for(self, seat: Option<Seat>, since: Timestamp) -> Self {
        let left = seat.and_then(|seat| self.left.get(seat.index()).copied());
        let running = left.map(|left| RunningClock { since, until: later(since, left) });
        Self { running, ..self }
    }

    /// Returns the clock after a submission that arrived at a moment: the seat that was on turn has spent the time until then, and
    /// gets some for each ply that it decided. A moment before the clock ran is no time.
    pub fn after(&self, was: Option<Seat>, plies: usize, arrived: Timestamp, next: Option<Seat>) -> Self {
        let mut left = self.left.clone();
        let own = was.and_then(|seat| left.get_mut(seat.index()));
        if let (Some(own), Some(running)) = (own, self.running) {
            let spent = arrived.as_millisecond() - running.since.as_millisecond();
            let gained = u64::from(self.rule.increment) * 1000 * plies as u64;
            *own = own.saturating_sub(u64::try_from(spent).unwrap_or(0)).saturating_add(gained);
        }
        Self { rule: self.rule, left, running: None }.run_for(next, arrived)
    }

    /// Counts the time of the seat on turn from another moment on.
    pub fn restart(&mut self, since: Timestamp) {
        if let Some(running) = &mut self.running {
            let left = running.until.as_millisecond() - running.since.as_millisecond();
            *running = RunningClock { since, until: later(since, u64::try_from(left).unwrap_or(0)) };
        }
    }

    /// Returns what each seat has left as it is stored: milliseconds, separated by single spaces.
    pub fn left_text(&self) -> String {
        self.left.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Reads what each seat has left.
    pub fn read_left(text: &str) -> Option<Vec<u64>> {
        text.split(' ').map(|left| left.parse().ok()).collect()
    }
}

fn later(moment: Timestamp, ms: u64) -> Timestamp {
    let ms = SignedDuration::from_millis(i64::try_from(ms).unwrap_or(i64::MAX));
    moment.saturating_add(ms).unwrap_or(Timestamp::MAX)
}
