//! What becomes of games that never start: seats are left, games are removed, by their owners or after a while.

use std::sync::Arc;
use std::time::Duration;

use assam_record::clock::now;
use assam_record::game::{AwaitsBeacon, Holder, SeatKind, Status};
use assam_record::hex::Hex;
use assam_rules::Seat;
use assam_store::{StoreError, Update};
use jiff::{SignedDuration, Timestamp};

use crate::app::background::repeat;
use crate::app::write::plan::{Plan, PlannedChange};
use crate::app::{App, CachedGame, Caller};

/// How long the service waits before it looks again for games that never started.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Why an open game is not removed, or a seat not left.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    /// The caller does not own the game.
    #[error("only the owner may remove a game")]
    NotOwner,
    /// The caller does not hold the seat.
    #[error("your secret does not hold seat {}", .0.number())]
    NotYours(Seat),
    /// The game has started.
    #[error("the game has started: it stays, and its seats with it")]
    Started,
    /// The game waits for a round of its beacon: whoever knows that round could try again.
    #[error("{0}: until then it stays, and its seats with it")]
    Waiting(AwaitsBeacon),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Removes a game that has not started.
    ///
    /// # Errors
    /// Where the caller does not own it, or it has started.
    pub async fn remove_game(&self, game: &Arc<CachedGame>, caller: &Caller) -> Result<(), WithdrawError> {
        let plan = |game: &CachedGame| {
            if !caller.is_owner(game) {
                return Err(WithdrawError::NotOwner);
            }
            waits_for_players(game)?;
            removal(game)
        };
        self.game_writer.change(game, plan).await.map(|_| ())
    }

    /// Makes a seat open again, in a game that has not started. Nothing changes where it is open.
    ///
    /// # Errors
    /// Where the caller does not hold the seat, or the game has started.
    pub async fn leave_seat(
        &self,
        game: &Arc<CachedGame>,
        caller: &Caller,
        seat: Seat,
    ) -> Result<(), WithdrawError> {
        let plan = |game: &CachedGame| {
            let is_open = |holder: &Holder| holder.kind == SeatKind::Open;
            if game.info.holder(seat).is_some_and(is_open) {
                return Ok(Plan::Stands(()));
            }
            if caller.seat(game) != Some(seat) {
                return Err(WithdrawError::NotYours(seat));
            }
            if game.info.status != Status::Open {
                return Err(WithdrawError::Started);
            }
            waits_for_players(game)?;
            let mut seats = game.info.seats.clone();
            let reserved = seats[seat.index()].reserved.take();
            seats[seat.index()] = Holder { reserved, ..Holder::new(SeatKind::Open) };
            Ok(Plan::update(Update { seats, ..Update::new(&game.info) }, ()))
        };
        self.game_writer.change(game, plan).await.map(|_| ())
    }

    /// Removes games that have not started within this time, again and again. It never returns.
    pub async fn keep_removing_open_games(self: Arc<Self>, older_than: SignedDuration) {
        let pause = older_than.unsigned_abs().clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        repeat("games that never started are not removed", async || {
            let removed = self.remove_open_games(older_than).await?;
            if removed > 0 {
                tracing::info!(removed, "removed games that never started");
            }
            Ok::<_, StoreError>(pause)
        })
        .await;
    }

    /// Removes games that were created longer ago than that and have not started; those that wait for a round of their beacon
    /// once that is out for so long. Returns how many.
    ///
    /// # Errors
    /// Where the store fails.
    pub async fn remove_open_games(&self, older_than: SignedDuration) -> Result<usize, StoreError> {
        let moment = now().saturating_sub(older_than).unwrap_or(Timestamp::MIN);
        let (mut removed, mut after) = (0, (Timestamp::MIN, Hex([0; 16])));
        loop {
            let found = self.reads.open_before(moment, after).await?;
            let Some(last) = found.last() else { return Ok(removed) };
            after = *last;
            for (_, id) in found {
                match self.game_writer.load(id).await {
                    Ok(Some(game)) => {
                        match self.game_writer.change(&game, |game| expired(game, moment)).await {
                            Ok(_) => removed += 1,
                            // It has started, its round may still come, another process was first, or somebody holds it: the others go.
                            Err(
                                WithdrawError::Started
                                | WithdrawError::Waiting(_)
                                | WithdrawError::Store(StoreError::NotFound | StoreError::Locked),
                            ) => {}
                            Err(WithdrawError::Store(error)) => return Err(error),
                            Err(error) => return Err(StoreError::Backend(error.to_string())),
                        }
                    }
                    // Another version of the service may have stored what cannot be read, and removes it.
                    Ok(None) | Err(StoreError::Unreadable { .. }) => {}
                    Err(error) => return Err(error),
                }
            }
        }
    }
}

/// Checks that a game waits for no beacon.
fn waits_for_players(game: &CachedGame) -> Result<(), WithdrawError> {
    game.waiting().map_or(Ok(()), |waiting| Err(WithdrawError::Waiting(waiting)))
}

/// Plans to remove a game that was created before a moment, unless it has started, or the round for which it waits was not out by then.
fn expired(game: &CachedGame, moment: Timestamp) -> Result<Plan<()>, WithdrawError> {
    match game.waiting() {
        Some(waiting) if waiting.is_out_after(moment) => Err(WithdrawError::Waiting(waiting)),
        _ => removal(game),
    }
}

/// Plans to remove a game, unless it has started.
pub(super) fn removal(game: &CachedGame) -> Result<Plan<()>, WithdrawError> {
    match game.info.status {
        Status::Open => Ok(Plan::Change(PlannedChange::Delete, ())),
        Status::Running | Status::Finished | Status::Aborted => Err(WithdrawError::Started),
    }
}
