//! Changes that wait to be written: which of them are written next, and which wait for games that somebody else holds.

use std::collections::{HashMap, HashSet, VecDeque};
use std::time::Duration;

use assam_record::game::GameId;
use assam_store::{StoreError, Write};
use tokio::sync::mpsc;

use super::pending_write::{Outcome, PendingWrite};

/// How many changes are written together.
pub(in crate::app) const BATCH: usize = 256;
/// Fewer changes than these that are no moves wait for one another, where moves wait that can be written without them.
const TOGETHER: usize = 8;
/// How long they have waited at most where they let moves pass.
const PATIENCE: Duration = Duration::from_millis(10);

/// Changes that are not under way yet, in the order in which they came.
#[derive(Default)]
pub(super) struct WriteQueue(VecDeque<PendingWrite>);

impl WriteQueue {
    pub(in crate::app) fn len(&self) -> usize {
        self.0.len()
    }

    pub(in crate::app) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(in crate::app) fn push(&mut self, pending: PendingWrite) {
        self.0.push_back(pending);
    }

    /// Tells all of them that they are not written.
    pub(in crate::app) fn end(&mut self, why: &StoreError) {
        self.0.drain(..).for_each(|pending| pending.end(Err(why.clone())));
    }

    /// Returns whether only moves are written next, of games for which nothing else waits. A statement that creates, seats, starts or ends games
    /// costs PostgreSQL several times what one costs that has moves alone, and not much more for several games than for one.
    fn is_for_moves(&self) -> bool {
        let (moves, others): (Vec<_>, Vec<_>) = self.0.iter().partition(|pending| pending.change.is_move());
        (1..TOGETHER).contains(&others.len())
            && others.iter().all(|pending| pending.completion.since.elapsed() < PATIENCE)
            && moves.iter().any(|one| others.iter().all(|other| other.change.id() != one.change.id()))
    }

    /// Takes the first changes that wait, at most one of a game: a second one was made for what the first one leaves. Changes
    /// of games that somebody else holds are deferred: one of a game waits for it, some follow, and more are refused. They are told
    /// together, so that those who come again at once do not keep everybody busy.
    pub(super) fn next_batch(
        &mut self,
        locked: &mut LockedGames,
        deferred: &mpsc::UnboundedSender<PendingWrite>,
        may_let_pass: bool,
    ) -> Vec<PendingWrite> {
        let is_for_moves = may_let_pass && self.is_for_moves();
        let mut games = HashSet::new();
        let (mut batch, mut rest) = (Vec::new(), VecDeque::new());
        for pending in self.0.drain(..) {
            let id = pending.change.id();
            if let Some(followers) = locked.waiting.get_mut(&id) {
                if locked.followers < locked.room {
                    locked.followers += 1;
                    followers.push(pending);
                } else {
                    pending.end(Err(StoreError::Busy));
                }
            } else if locked.timed_out.contains(&id) {
                locked.defer(pending, deferred);
            } else if batch.len() < BATCH && (pending.change.is_move() || !is_for_moves) && games.insert(id) {
                batch.push(pending);
            } else {
                // Nor one that comes later.
                games.insert(id);
                rest.push_back(pending);
            }
        }
        self.0 = rest;
        batch
    }
}

/// The games that somebody else holds.
pub(super) struct LockedGames {
    /// Each has one change that is tried again and again, and those that wait for what becomes of that one.
    waiting: HashMap<GameId, Vec<PendingWrite>>,
    /// How many wait like that in all, and how many may.
    followers: usize,
    room: usize,
    /// The last change waited too long: the next one does not make the others wait to find that out.
    timed_out: HashSet<GameId>,
}

impl LockedGames {
    pub(super) fn with_room(room: usize) -> Self {
        Self { waiting: HashMap::new(), followers: 0, room, timed_out: HashSet::new() }
    }

    /// Returns how many changes wait.
    pub(in crate::app) fn len(&self) -> usize {
        self.waiting.len() + self.followers
    }

    /// Defers the first change of a game that somebody else holds, where as many such games as can be tried together do
    /// not wait already.
    pub(super) fn defer(&mut self, pending: PendingWrite, deferred: &mpsc::UnboundedSender<PendingWrite>) {
        if self.waiting.len() == BATCH {
            return pending.end(Err(StoreError::Busy));
        }
        self.waiting.insert(pending.change.id(), Vec::new());
        // The loop that retries them ends after the one that defers them.
        let _ = deferred.send(pending);
    }

    /// Tells what became of a deferred change, and those that wait for that.
    pub(in crate::app) fn end(&mut self, pending: PendingWrite, written: Outcome) {
        let id = pending.change.id();
        match (&written, &pending.change) {
            // The id of a new game may never come again.
            (Err(StoreError::Locked), Write::Create { .. }) => {}
            (Err(StoreError::Locked), _) => {
                self.timed_out.insert(id);
            }
            // Somebody may hold it still.
            (Err(StoreError::Unavailable(_) | StoreError::Unwritable(_) | StoreError::Backend(_)), _) => {}
            (Ok(()) | Err(_), _) => {
                self.timed_out.remove(&id);
            }
        }
        let was_let_go = matches!(written, Ok(()) | Err(StoreError::Conflict | StoreError::Exists));
        let followers = self.waiting.remove(&id).unwrap_or_default();
        self.followers -= followers.len();
        for follower in followers {
            // What is written now, here or by another process, is not what they were planned for.
            let outdated = follower.change.why_unchanged(true);
            follower.end(Err(if was_let_go { outdated } else { StoreError::Busy }));
        }
        pending.end(written);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Instant;

    use assam_record::game::Status;

    use super::*;
    use crate::app::write::pending_write::tests::append;
    use crate::app::write::pending_write::tests::id;

    const A_WHILE: Duration = Duration::from_secs(1_000);

    /// A change that has not waited, however long the test takes.
    fn fresh(change: Write) -> PendingWrite {
        let (mut pending, _told) = PendingWrite::new(change);
        pending.completion.since = Instant::now() + A_WHILE;
        pending
    }

    fn play(game: u8) -> PendingWrite {
        fresh(append(game, Status::Running))
    }

    fn end(game: u8) -> PendingWrite {
        fresh(append(game, Status::Finished))
    }

    fn waiting(writes: impl IntoIterator<Item = PendingWrite>) -> WriteQueue {
        WriteQueue(writes.into_iter().collect())
    }

    /// The games of the next batch, and whether each makes a move.
    fn next(waiting: &mut WriteQueue, may_let_pass: bool) -> Vec<(GameId, bool)> {
        let (deferred, _to_retry) = mpsc::unbounded_channel();
        let batch = waiting.next_batch(&mut LockedGames::with_room(1), &deferred, may_let_pass);
        batch.iter().map(|pending| (pending.change.id(), pending.change.is_move())).collect()
    }

    #[tokio::test]
    async fn a_few_ends_let_the_moves_of_other_games_pass() {
        let mut waiting = waiting([play(1), end(2), play(3), end(4)]);
        assert_eq!(next(&mut waiting, true), [(id(1), true), (id(3), true)]);
        assert_eq!(next(&mut waiting, true), [(id(2), false), (id(4), false)], "no moves wait");
        assert!(waiting.is_empty());
    }

    #[tokio::test]
    async fn ends_are_written_with_the_moves_where_they_are_many_or_have_waited_or_nothing_is_gained() {
        let many = (0..TOGETHER as u8).map(end).chain([play(100)]);
        assert_eq!(next(&mut waiting(many), true).len(), TOGETHER + 1);
        let mut patient = end(1);
        patient.completion.since = Instant::now() - 2 * PATIENCE;
        assert_eq!(next(&mut waiting([patient, play(2)]), true).len(), 2);
        assert_eq!(next(&mut waiting([end(1), play(2)]), false).len(), 2, "a database in this process");
    }

    #[tokio::test]
    async fn nothing_passes_an_earlier_change_of_its_game() {
        let mut waiting = waiting([end(1), play(1), play(2), play(2)]);
        assert_eq!(next(&mut waiting, true), [(id(2), true)], "one change of a game, and the first");
        assert_eq!(next(&mut waiting, true), [(id(2), true)]);
        assert_eq!(next(&mut waiting, true), [(id(1), false)], "the move of its game waits for it");
        assert_eq!(next(&mut waiting, true), [(id(1), true)]);
    }
}
