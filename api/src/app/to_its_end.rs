//! What is begun is finished, also where nobody waits for it any more.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::thread;

use tokio::runtime::Handle;

/// Work that goes on where this is dropped before it is done, as a request is whose client hangs up: a change is written then all the same, and
/// whoever follows its game has to hear of it.
pub(super) struct ToItsEnd<F>(Option<Pin<Box<F>>>)
where
    F: Future<Output: Send> + Send + 'static;

impl<F> ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    /// Begins some work, once this is polled or dropped.
    pub(super) fn new(work: F) -> Self {
        Self(Some(Box::pin(work)))
    }
}

impl<F> Future for ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    type Output = F::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
        let Some(work) = &mut self.0 else { return Poll::Pending };
        let done = ready!(work.as_mut().poll(context));
        self.0 = None;
        Poll::Ready(done)
    }
}

impl<F> Drop for ToItsEnd<F>
where
    F: Future<Output: Send> + Send + 'static,
{
    fn drop(&mut self) {
        // Work that panicked cannot go on.
        if let Some(work) = self.0.take().filter(|_| !thread::panicking())
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

    use tokio::sync::oneshot;

    use super::*;

    /// Work that waits for a word, and passes it on.
    fn work() -> (oneshot::Sender<u8>, ToItsEnd<impl Future<Output = u8> + Send>, oneshot::Receiver<u8>) {
        let ((word, came), (pass_on, passed_on)) = (oneshot::channel(), oneshot::channel());
        let work = async {
            let word = came.await.unwrap();
            pass_on.send(word).unwrap();
            word
        };
        (word, ToItsEnd::new(work), passed_on)
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
    async fn work_that_is_waited_for_gives_what_it_made() {
        let (word, work, passed_on) = work();
        word.send(7).unwrap();
        assert_eq!(work.await, 7);
        assert_eq!(passed_on.await, Ok(7));
    }
}
