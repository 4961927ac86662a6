//! Much that is to be sent at once, such as the page of a list that many wait for. A thread sends a portion of it, and sees to other requests before
//! the next.

use std::sync::Arc;

use tokio::sync::Semaphore;

/// How much of it a thread sends in one round of its runtime, in KiB.
const PORTION: usize = 512;

thread_local! {
    /// What is left of the portion of this round, in KiB.
    static LEFT: Arc<Semaphore> = Arc::new(Semaphore::new(PORTION));
}

/// Waits until so many bytes may be sent.
pub async fn wait_for_portion(bytes: usize) {
    let left = LEFT.with(Arc::clone);
    let kib = bytes.div_ceil(1024).min(PORTION) as u32;
    if let Ok(part) = left.acquire_many_owned(kib).await {
        // It is polled when the round ends: after all requests that are at hand, and before those of the next round are looked for.
        tokio::spawn(async move { drop(part) });
    }
}

#[cfg(test)]
mod tests {
    use futures_util::future::{FutureExt as _, join_all};
    use tokio::task::yield_now;

    use super::*;

    #[tokio::test]
    async fn what_is_more_than_a_portion_waits_for_the_next_round() {
        let part = || wait_for_portion(PORTION * 1024 / 4);
        assert!(join_all([part(), part(), part(), part()]).now_or_never().is_some());
        assert!(part().now_or_never().is_none());
        yield_now().await;
        assert!(part().now_or_never().is_some());
    }

    #[tokio::test]
    async fn what_is_larger_than_a_portion_is_one() {
        assert!(wait_for_portion(usize::MAX).now_or_never().is_some());
        assert!(wait_for_portion(1).now_or_never().is_none());
        yield_now().await;
        assert!(wait_for_portion(1).now_or_never().is_some());
    }
}
