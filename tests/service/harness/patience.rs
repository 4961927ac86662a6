//! Waiting for background work of the service.

use std::thread;
use std::time::{Duration, Instant};

/// The pause after each question.
const PAUSE: Duration = Duration::from_millis(5);

/// Repeats a question until it gives a value, or returns `None` after so many seconds. Between questions the
/// processor is free for the service and other tests.
#[expect(clippy::disallowed_methods, reason = "no test depends on how long it is")]
pub(crate) fn soon<T>(seconds: u64, mut question: impl FnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    loop {
        let given = question();
        if given.is_some() || begun.elapsed() > Duration::from_secs(seconds) {
            return given;
        }
        thread::sleep(PAUSE);
    }
}

/// Returns whether a condition becomes true within so many seconds.
pub(crate) fn comes(seconds: u64, mut is_so: impl FnMut() -> bool) -> bool {
    soon(seconds, || is_so().then_some(())).is_some()
}

/// Waits for the next millisecond. The service's times are whole milliseconds, so events in the same one have
/// no order in lists.
pub(crate) fn next_millisecond() {
    let begun = assam_record::clock::now();
    while assam_record::clock::now() == begun {
        thread::yield_now();
    }
}
