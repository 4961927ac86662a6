//! The one place that reads the clock.

use std::sync::LazyLock;
use std::time::{Instant, SystemTime};

use jiff::Timestamp;

/// Returns the current time, in whole milliseconds.
pub fn now() -> Timestamp {
    at(machine())
}

/// Returns whether HTTP can express this machine's clock: neither before 1970 nor after 9999.
pub fn is_set() -> bool {
    let clock = machine();
    clock >= SystemTime::UNIX_EPOCH && Timestamp::try_from(clock).is_ok_and(|shown| shown < last())
}

#[expect(clippy::disallowed_methods, reason = "only this module reads the clock")]
fn machine() -> SystemTime {
    SystemTime::now()
}

/// Returns the last time that can be stored, in whole milliseconds.
pub fn last() -> Timestamp {
    Timestamp::from_second(Timestamp::MAX.as_second()).unwrap_or(Timestamp::MAX)
}

/// Returns the moment of a clock, limited to the range that can be stored.
fn at(clock: SystemTime) -> Timestamp {
    let end = if clock < SystemTime::UNIX_EPOCH { Timestamp::MIN } else { last() };
    let shown = Timestamp::try_from(clock).unwrap_or(end).min(last());
    Timestamp::from_millisecond(shown.as_millisecond()).unwrap_or(end)
}

/// Returns the milliseconds since an arbitrary moment, unaffected by clock changes.
pub fn ticks() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed().as_millis() as u64
}

/// Formats a time as clients see it: RFC 3339 in UTC, always with milliseconds, so that times sort as text.
pub fn rfc3339(time: Timestamp) -> String {
    format!("{time:.3}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_clock_beyond_all_dates_is_at_the_first_or_the_last() {
        let years = |years: u64| Duration::from_secs(years * 366 * 86_400);
        let beyond = SystemTime::UNIX_EPOCH.checked_add(years(9_000));
        let before = SystemTime::UNIX_EPOCH.checked_sub(years(13_000));
        let nearly = SystemTime::from(Timestamp::MAX);
        for (clock, end) in [(beyond, last()), (Some(nearly), last()), (before, Timestamp::MIN)] {
            let shown = clock.map(at);
            assert_eq!(shown, Some(end));
            // It can be read again once stored.
            assert_eq!(shown.and_then(|it| Timestamp::from_millisecond(it.as_millisecond()).ok()), Some(end));
        }
        let early = SystemTime::UNIX_EPOCH.checked_sub(Duration::from_millis(1_500));
        assert_eq!(early.map(|early| at(early).as_millisecond()), Some(-1_500));
    }
}
