//! The one place that reads the clock.

use jiff::Timestamp;

/// Returns the current time, in whole milliseconds.
pub fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap_or(Timestamp::UNIX_EPOCH)
}

/// Formats a time as clients see it: RFC 3339 in UTC, always with milliseconds, so that times sort as text.
pub fn rfc3339(time: Timestamp) -> String {
    format!("{time:.3}")
}
