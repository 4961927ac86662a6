//! Waiting for what the service does by itself.

use std::thread;
use std::time::{Duration, Instant};

/// How long nobody asks after each question.
const PAUSE: Duration = Duration::from_millis(5);

/// What a question gives, asked again and again until it gives something; nothing where that does not come within so many seconds. Between two
/// questions the processor is free for what is waited for, and for other tests.
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

/// Whether something comes within so many seconds.
pub(crate) fn comes(seconds: u64, mut is_so: impl FnMut() -> bool) -> bool {
    soon(seconds, || is_so().then_some(())).is_some()
}

/// Waits for the next millisecond. Times of the service are whole milliseconds: what happens in the same one has no order in lists.
pub(crate) fn next_millisecond() {
    let begun = assam_record::clock::now();
    while assam_record::clock::now() == begun {
        thread::yield_now();
    }
}
