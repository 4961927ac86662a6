//! Runs work to its end, even if its caller is gone.

use std::future::pending;
use std::panic::resume_unwind;

use futures_util::FutureExt as _;
use tracing::Instrument as _;

/// Runs work to its end, independent of the caller. The future of a request is dropped when its client
/// disconnects, or is no longer polled. A change in progress is still written, its followers are notified,
/// and its session goes back to the pool. A panic continues in the caller.
pub async fn detached<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let mut work = Box::pin(work.in_current_span());
    // It starts at once, so changes queue in the order of their requests.
    if let Some(done) = (&mut work).now_or_never() {
        return done;
    }
    match tokio::spawn(work).await {
        Ok(done) => done,
        Err(error) => match error.try_into_panic() {
            Ok(panic) => resume_unwind(panic),
            // The runtime ends, and the caller with it.
            Err(_) => pending().await,
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    #[tokio::test]
    async fn work_whose_caller_is_gone_or_not_polled_any_more_goes_on_to_its_end() {
        for is_dropped in [true, false] {
            let ((word, came), (pass_on, passed_on)) = (oneshot::channel::<u8>(), oneshot::channel());
            let mut caller = Box::pin(detached(async { pass_on.send(came.await.unwrap()).unwrap() }));
            assert_eq!((&mut caller).now_or_never(), None);
            let _caller = (!is_dropped).then_some(caller);
            word.send(7).unwrap();
            assert_eq!(passed_on.await, Ok(7));
        }
    }
}
