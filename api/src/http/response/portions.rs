//! Much that is to be sent at once, such as the page of a list that many wait for. A thread sends a portion of it, and sees to other requests before
//! the next.

use std::cell::RefCell;
use std::sync::Arc;

use assam_store::round::Round;

/// How much of it a thread sends in one round of its runtime, in bytes; what is sent last may be more.
const PORTION: usize = 512 << 10;

/// The portion of a round.
struct Portion {
    of: Arc<Round>,
    sent: usize,
}

thread_local! {
    static NOW: RefCell<Option<Portion>> = const { RefCell::new(None) };
}

/// Waits until so many bytes may be sent.
pub async fn wait_for_portion(bytes: usize) {
    while let Some(full) = full_portion(bytes) {
        full.ends().await;
    }
}

/// Takes so many bytes of what may be sent in this round, or returns the round, where that much was sent already.
fn full_portion(bytes: usize) -> Option<Arc<Round>> {
    NOW.with_borrow_mut(|now| {
        let begun = now.take().filter(|portion| !portion.of.is_over());
        let portion = now.insert(begun.unwrap_or_else(|| Portion { of: Round::begin(), sent: 0 }));
        if portion.sent >= PORTION {
            return Some(Arc::clone(&portion.of));
        }
        portion.sent = portion.sent.saturating_add(bytes);
        None
    })
}

#[cfg(test)]
mod tests {
    use futures_util::future::{FutureExt as _, join_all};
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn what_is_more_than_a_portion_waits_for_the_next_round() {
        let part = || wait_for_portion(PORTION / 4);
        assert!(join_all([part(), part(), part(), part()]).now_or_never().is_some());
        assert!(part().now_or_never().is_none());
        yield_now().await;
        assert!(part().now_or_never().is_some());
    }

    #[tokio::test]
    async fn what_is_larger_than_a_portion_is_sent_too() {
        for _ in 0..2 {
            assert!(wait_for_portion(usize::MAX).now_or_never().is_some());
            assert!(wait_for_portion(1).now_or_never().is_none());
            yield_now().await;
        }
    }

    #[tokio::test]
    async fn nobody_waits_for_those_who_do_not_go_on() {
        wait_for_portion(PORTION).await;
        let mut stuck: Vec<_> = (0..9).map(|_| Box::pin(wait_for_portion(PORTION))).collect();
        assert!(stuck.iter_mut().all(|one| one.now_or_never().is_none()));
        yield_now().await;
        assert!(wait_for_portion(1).now_or_never().is_some());
    }

    #[test]
    fn nobody_waits_for_a_runtime_that_is_gone() {
        let runtime = || tokio::runtime::Builder::new_current_thread().build().expect("a runtime");
        for _ in 0..2 {
            let sent = runtime().block_on(async { wait_for_portion(PORTION).now_or_never() });
            assert!(sent.is_some());
        }
    }
}
