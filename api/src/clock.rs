//! The one place that reads the clock.

use std::sync::LazyLock;
use std::time::Instant;

use jiff::Timestamp;

/// Returns the current time, in whole milliseconds.
pub fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Returns the milliseconds since some moment, which no change of the clock disturbs.
pub fn ticks() -> u64 {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    BEGAN.elapsed().as_millis() as u64
}

/// Formats a time as clients see it: RFC 3339 in UTC, always with milliseconds, so that times sort as text.
pub fn rfc3339(time: Timestamp) -> String {
    format!("{time:.3}")
}
