//! Changes that somebody waits for, and how these are told what became of them.

use std::cell::RefCell;
use std::time::Instant;

use assam_record::game_clock::GameClock;
use assam_store::{StoreError, Write};
use tokio::runtime::{self, Handle};
use tokio::sync::{mpsc, oneshot};

use crate::traced::Journey;

/// A change that waits to be written.
pub(super) struct PendingWrite {
    pub(in crate::app) change: Write,
    pub(in crate::app) completion: Completion,
}

/// How whoever waits for a change is told its outcome.
pub(super) struct Completion {
    pub(in crate::app) since: Instant,
    pub(super) journey: Journey,
    dispatcher: OutcomeDispatcher,
    outcome: oneshot::Sender<Reported>,
}

pub(super) type Outcome = Result<(), StoreError>;

/// What whoever waits for a change is told: also the clock of the game, if that runs from then on.
pub(super) type Reported = Result<Option<GameClock>, StoreError>;

impl PendingWrite {
    /// Returns a change that waits from now on, and what this thread is told.
    pub(in crate::app) fn new(change: Write) -> (Self, oneshot::Receiver<Reported>) {
        let (outcome, told) = oneshot::channel();
        let completion = Completion {
            since: Instant::now(),
            journey: Journey::begin(),
            dispatcher: OutcomeDispatcher::here(),
            outcome,
        };
        (Self { change, completion }, told)
    }

    /// Tells the outcome. Whoever waited for it may have gone.
    pub(in crate::app) fn end(self, written: Outcome) {
        let Self { change, completion } = self;
        let _ = completion.outcome.send(written.map(|()| change.into_clock()));
    }
}

/// Tells outcomes to those who wait on one thread, for which the thread is woken once. To wake it for each of them would cost more than the
/// changes do: an operating system lets a thread that is woken go first, so it would answer one request after the other, and the thread that writes
/// would wait in between.
#[derive(Clone)]
pub(super) struct OutcomeDispatcher(mpsc::UnboundedSender<Vec<(PendingWrite, Outcome)>>);

thread_local! {
    /// That of the runtime in which this thread waited last.
    static DISPATCHER: RefCell<Option<(runtime::Id, OutcomeDispatcher)>> = const { RefCell::new(None) };
}

impl OutcomeDispatcher {
    /// Returns the one of this thread. It tells for as long as the runtime works in which this is called: whoever waits there may stop
    /// waiting, or look late, and the others are told nevertheless.
    ///
    /// # Panics
    /// Outside a runtime.
    pub(in crate::app) fn here() -> Self {
        let runtime = Handle::current();
        DISPATCHER.with_borrow_mut(|kept| match kept {
            Some((id, dispatcher)) if *id == runtime.id() && !dispatcher.0.is_closed() => dispatcher.clone(),
            _ => kept.insert((runtime.id(), Self::start(&runtime))).1.clone(),
        })
    }

    fn start(runtime: &Handle) -> Self {
        let (dispatcher, mut told) = mpsc::unbounded_channel::<Vec<(PendingWrite, Outcome)>>();
        runtime.spawn(async move {
            while let Some(outcomes) = told.recv().await {
                outcomes.into_iter().for_each(|(pending, written)| pending.end(written));
            }
        });
        Self(dispatcher)
    }
}

/// Sends the outcomes of changes to those who wait for them.
pub(in crate::app) fn dispatch(finished: &mut Vec<(PendingWrite, Outcome)>) {
    while let Some((pending, _)) = finished.first() {
        let dispatcher = pending.completion.dispatcher.clone();
        let is_there = |(pending, _): &mut (PendingWrite, Outcome)| {
            pending.completion.dispatcher.0.same_channel(&dispatcher.0)
        };
        let mut there: Vec<_> = finished.extract_if(.., is_there).collect();
        match there.pop() {
            Some((pending, written)) if there.is_empty() => pending.end(written),
            last => {
                there.extend(last);
                // Where the runtime has ended, nobody waits.
                let _ = dispatcher.0.send(there);
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(in crate::app) mod tests {
    use std::thread;

    use assam_record::game::{GameId, Head, Status};
    use assam_record::hex::Hex;
    use assam_record::log::Extension;
    use tokio::runtime::Builder;
    use tokio::sync::oneshot::error::TryRecvError;

    use super::*;

    /// A move of a game, or what ends it.
    pub(in crate::app) fn append(game: u8, status: Status) -> Write {
        let (hash, entries) = ([0; 32], String::new());
        let extension =
            Extension { entries, head: Head { ply: 2, hash }, status, finished_at: None, clock: None };
        let at = Head { ply: 1, hash };
        Write::Append { id: id(game), revision: 0, at, extension, end: None }
    }

    pub(in crate::app) fn id(game: u8) -> GameId {
        Hex([game; 16])
    }

    fn pending(game: u8) -> (PendingWrite, oneshot::Receiver<Reported>) {
        PendingWrite::new(append(game, Status::Running))
    }

    /// Tells on another thread that these are written, but for the last one.
    fn tell_elsewhere(writes: Vec<PendingWrite>) {
        let last = writes.len() - 1;
        let outcome = |at| if at == last { Err(StoreError::Conflict) } else { Ok(()) };
        let mut finished =
            writes.into_iter().enumerate().map(|(at, pending)| (pending, outcome(at))).collect();
        thread::spawn(move || dispatch(&mut finished)).join().unwrap();
    }

    #[tokio::test]
    async fn each_is_told_its_own_outcome_on_its_own_thread() {
        let ((first, mut first_told), (second, second_told)) = (pending(1), pending(2));
        let (other, other_told) = thread::spawn(|| {
            let runtime = Builder::new_current_thread().build().unwrap();
            let other = runtime.block_on(async { pending(3) });
            // It works no more.
            drop(runtime);
            other
        })
        .join()
        .unwrap();
        tell_elsewhere(vec![other, first, second]);
        assert!(matches!(first_told.try_recv(), Err(TryRecvError::Empty)), "this thread has not been here");
        assert!(matches!(first_told.await, Ok(Ok(None))));
        assert!(matches!(second_told.await, Ok(Err(StoreError::Conflict))));
        assert!(matches!(other_told.await, Ok(Ok(None))), "the only one is told at once");
    }

    #[tokio::test]
    async fn those_who_stopped_waiting_or_look_late_hold_up_nobody() {
        let writes: Vec<_> = (0..4).map(pending).collect();
        let (writes, mut told): (Vec<_>, Vec<_>) = writes.into_iter().unzip();
        let (_looks_late, gone) = (told.remove(0), told.remove(0));
        drop(gone);
        tell_elsewhere(writes);
        for told in told {
            told.await.unwrap().err();
        }
    }

    #[test]
    fn a_thread_that_works_with_one_runtime_after_the_other_is_told_in_each() {
        for _ in 0..2 {
            let runtime = Builder::new_current_thread().build().unwrap();
            runtime.block_on(async {
                let ((first, told), (second, _)) = (pending(1), pending(2));
                tell_elsewhere(vec![first, second]);
                assert!(matches!(told.await, Ok(Ok(None))));
            });
        }
        let runtimes: Vec<_> = (0..2).map(|_| Builder::new_current_thread().build().unwrap()).collect();
        for runtime in runtimes.iter().chain(&runtimes) {
            runtime.block_on(async {
                let ((first, told), (second, _)) = (pending(1), pending(2));
                tell_elsewhere(vec![first, second]);
                assert!(matches!(told.await, Ok(Ok(None))), "the other runtime stands still");
            });
        }
    }
}
