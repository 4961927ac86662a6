//! What is begun is finished, even if its caller is gone.

use std::future::pending;
use std::panic::resume_unwind;

use futures_util::FutureExt as _;
use tracing::Instrument as _;

/// Does work to its end, on its own. The future of a request is dropped when its client hangs up, or is not polled any more: a change that is under way
/// is written nevertheless, its followers hear of it, and a session goes back to its pool. A panic goes on in the caller.
pub async fn detached<T: Send + 'static>(work: impl Future<Output = T> + Send + 'static) -> T {
    let mut work = Box::pin(work.in_current_span());
    // It begins at once, so changes queue up in the order in which they were asked for.
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
