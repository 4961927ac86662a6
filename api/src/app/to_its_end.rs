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
