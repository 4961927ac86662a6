//! The one place that reads the clock.

use jiff::Timestamp;

/// Now, in whole milliseconds.
pub fn now() -> Timestamp {
    Timestamp::from_millisecond(Timestamp::now().as_millisecond()).unwrap_or(Timestamp::UNIX_EPOCH)
}
