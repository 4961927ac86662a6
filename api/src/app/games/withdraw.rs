//! Games that never start: leaving their seats, and removing them, by their owners or after a while.

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

/// How long the service waits between searches for games that never started.
const SHORTEST_PAUSE: Duration = Duration::from_secs(1);
const LONGEST_PAUSE: Duration = Duration::from_secs(600);

/// Why an open game was not removed, or a seat not left.
#[derive(Debug, thiserror::Error)]
pub enum WithdrawError {
    /// The caller does not own the game.
    #[error("only the owner may remove a game")]
    NotOwner,
    /// The caller does not hold the seat.
    #[error("your secret does not hold seat {}", .0.number())]
    NotYours(Seat),
    /// The game has started.
    #[error("the game has started, so it cannot be removed and its seats stay taken")]
    Started,
    /// The game waits for a round of its beacon. Anyone who knows that round could otherwise try again.
    #[error("{0}. Until then, it cannot be removed and its seats stay taken")]
    Waiting(AwaitsBeacon),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Removes a game that has not started.
    ///
    /// # Errors
    /// If the caller does not own it, or it has started.
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

    /// Opens a seat again, in a game that has not started. Nothing changes if it is open.
    ///
    /// # Errors
    /// If the caller does not hold the seat, or the game has started.
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

    /// Repeatedly removes games that have not started within this time. Never returns.
    pub async fn keep_removing_open_games(self: Arc<Self>, older_than: SignedDuration) {
        let pause = older_than.unsigned_abs().clamp(SHORTEST_PAUSE, LONGEST_PAUSE);
        repeat("games that never started cannot be removed yet", async || {
            let removed = self.remove_open_games(older_than).await?;
            if removed > 0 {
                tracing::info!(removed, "removed games that never started");
            }
            Ok::<_, StoreError>(pause)
        })
        .await;
    }

    /// Removes games that have not started, if they are older than this, or, for games that wait for a
    /// beacon, if the round was published longer ago. Returns their number.
    ///
    /// # Errors
    /// If the store fails.
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
                            // It has started, its round may still come, another process was first, or another
                            // writer holds it. Others are still removed.
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

/// Plans to remove a game created before a moment, unless it has started, or its beacon's round was not
/// published by then.
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
