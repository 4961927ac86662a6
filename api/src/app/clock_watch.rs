//! When this process has looked at clocks.

use std::sync::atomic::{AtomicI64, Ordering};

use jiff::Timestamp;

/// When this process has looked at clocks.
#[derive(Default)]
pub(super) struct ClockWatch {
    /// In milliseconds since 1970; 0 where it never has.
    looked: AtomicI64,
}

impl ClockWatch {
    /// Returns when it has; none where it never has.
    pub(super) fn looked(&self) -> Option<Timestamp> {
        let looked = self.looked.load(Ordering::Relaxed);
        if looked == 0 { None } else { Timestamp::from_millisecond(looked).ok() }
    }

    /// Notes that it has.
    pub(super) fn look(&self, now: Timestamp) {
        self.looked.store(now.as_millisecond(), Ordering::Relaxed);
    }
}
