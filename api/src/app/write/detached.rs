//! What is begun is finished, also where nobody waits for it any more.

use std::mem;
use std::panic::resume_unwind;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::thread;

use tokio::runtime::Handle;
use tokio::task::JoinHandle;
use tracing::Instrument as _;

/// Work that goes on by itself once it has to wait: also where this is dropped, as a request is whose client hangs up, and where it is not polled any
/// more, as a request is whose client hangs up before it has read what came before. A change is written then all the same, and whoever follows its
/// game has to hear of it.
pub(super) struct Detached<F>(WorkStage<F>)
where
    F: Future<Output: Send> + Send + 'static;

enum WorkStage<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    Begins(Pin<Box<F>>),
    GoesOn(JoinHandle<F::Output>),
    Ended,
}

impl<F> Detached<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    /// Begins some work, once this is polled or dropped.
    pub(in crate::app) fn new(work: F) -> Self {
        Self(WorkStage::Begins(Box::pin(work)))
    }
}

impl<F> Future for Detached<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let stage = mem::replace(&mut self.0, WorkStage::Ended);
        let mut goes_on = match stage {
            WorkStage::Begins(mut work) => match work.as_mut().poll(context) {
                Poll::Ready(done) => return Poll::Ready(done),
                Poll::Pending => tokio::spawn(work.in_current_span()),
            },
            WorkStage::GoesOn(goes_on) => goes_on,
            WorkStage::Ended => return Poll::Pending,
        };
        match Pin::new(&mut goes_on).poll(context) {
            Poll::Ready(Ok(done)) => Poll::Ready(done),
            Poll::Ready(Err(error)) => match error.try_into_panic() {
                Ok(panic) => resume_unwind(panic),
                // The runtime ends.
                Err(_) => Poll::Pending,
            },
            Poll::Pending => {
                self.0 = WorkStage::GoesOn(goes_on);
                Poll::Pending
            }
        }
    }
}

impl<F> Drop for Detached<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    fn drop(&mut self) {
        // Work that panicked cannot go on.
        if let WorkStage::Begins(work) = mem::replace(&mut self.0, WorkStage::Ended)
            && !thread::panicking()
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(work);
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::future::poll_fn;
    use std::time::Duration;

    use tokio::sync::oneshot;
    use tokio::time::timeout;

    use super::*;

    /// Work that waits for a word, and passes it on.
    fn work() -> (oneshot::Sender<u8>, Detached<impl Future<Output = u8> + Send>, oneshot::Receiver<u8>) {
        let ((word, came), (pass_on, passed_on)) = (oneshot::channel(), oneshot::channel());
        let work = async {
            let word = came.await.unwrap();
            pass_on.send(word).unwrap();
            word
        };
        (word, Detached::new(work), passed_on)
    }

    #[tokio::test]
    async fn work_whose_waiter_is_gone_goes_on_to_its_end() {
        let (word, mut work, passed_on) = work();
        let is_begun = poll_fn(|context| Poll::Ready(Pin::new(&mut work).poll(context).is_pending()));
        assert!(is_begun.await);
        drop(work);
        word.send(7).unwrap();
        assert_eq!(passed_on.await, Ok(7));
    }

    #[tokio::test]
    async fn work_whose_waiter_is_not_polled_any_more_goes_on_to_its_end() {
        let (word, mut work, passed_on) = work();
        let is_begun = poll_fn(|context| Poll::Ready(Pin::new(&mut work).poll(context).is_pending()));
        assert!(is_begun.await);
        word.send(7).unwrap();
        assert_eq!(timeout(Duration::from_secs(20), passed_on).await, Ok(Ok(7)));
        drop(work);
    }

    #[tokio::test]
    async fn work_that_is_waited_for_gives_what_it_made() {
        let (word, work, passed_on) = work();
        word.send(7).unwrap();
        assert_eq!(work.await, 7);
        assert_eq!(passed_on.await, Ok(7));
    }
}
