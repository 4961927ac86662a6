//! The clock of a game: the time left for each seat, and since when the seat on turn spends it. It is a rule
//! of the table like patience, and not part of the record.

use std::fmt;
use std::str::FromStr;

use assam_rules::Seat;
use jiff::{SignedDuration, Timestamp};

/// The time control of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ClockRule {
    /// The seconds per seat at the start: 1 to [`ClockRule::LONGEST`].
    pub initial: u32,
    /// The seconds that a seat gains for each ply that it decides: 0 to [`ClockRule::LARGEST`].
    pub increment: u32,
}

/// The clock of a game, as of its last word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameClock {
    /// The time control.
    pub rule: ClockRule,
    /// The milliseconds left for each seat.
    pub left: Vec<u64>,
    /// The clock of the seat on turn, or `None` before the start and when the game is over.
    pub running: Option<RunningClock>,
}

/// A running clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RunningClock {
    /// The moment it counts from (whole milliseconds).
    pub since: Timestamp,
    /// The moment it runs out.
    pub until: Timestamp,
}

impl ClockRule {
    /// The longest time at the start in seconds: a week.
    pub const LONGEST: u32 = 604_800;
    /// The largest increment in seconds: a day.
    pub const LARGEST: u32 = 86_400;

    /// Returns whether both numbers are in their ranges.
    pub fn is_valid(self) -> bool {
        (1..=Self::LONGEST).contains(&self.initial) && self.increment <= Self::LARGEST
    }

    /// Returns the clock of an unstarted game with this many seats.
    pub fn wound(self, seats: usize) -> GameClock {
        GameClock { rule: self, left: vec![u64::from(self.initial) * 1000; seats], running: None }
    }
}

/// The stored form: seconds, `+`, seconds.
impl fmt::Display for ClockRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}+{}", self.initial, self.increment)
    }
}

/// The error of a text that is not a time control.
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
    /// Returns the clock from a moment on, with this seat on turn or none.
    pub fn run_for(self, seat: Option<Seat>, since: Timestamp) -> Self {
        let left = seat.and_then(|seat| self.left.get(seat.index()).copied());
        let running = left.map(|left| RunningClock { since, until: later(since, left) });
        Self { running, ..self }
    }

    /// Returns the clock after a submission that arrived at a moment. The seat that was on turn spends the
    /// time until then and gains the increment for each ply that it decided. Arriving before the clock ran
    /// costs no time.
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

    /// Returns the time left for each seat in stored form: milliseconds, separated by single spaces.
    pub fn left_text(&self) -> String {
        self.left.iter().map(u64::to_string).collect::<Vec<_>>().join(" ")
    }

    /// Reads the time left for each seat.
    pub fn read_left(text: &str) -> Option<Vec<u64>> {
        text.split(' ').map(|left| left.parse().ok()).collect()
    }
}

fn later(moment: Timestamp, ms: u64) -> Timestamp {
    let ms = SignedDuration::from_millis(i64::try_from(ms).unwrap_or(i64::MAX));
    moment.saturating_add(ms).unwrap_or(Timestamp::MAX)
}
