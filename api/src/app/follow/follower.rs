//! Following a game: everything between a follower's place and the current game.

use std::sync::Arc;

use assam_record::game::{GameId, Head};
use assam_record::game_clock::GameClock;
use assam_record::log::Damaged;
use assam_rules::Seat;

use super::followed::{FollowedAs, FollowedGame, LogPlace, NewestGame, SharedPly};
use super::presence::PresentSeats;
use crate::app::{App, CachedGame, Caller, ReadError, StoreError};

/// A message for a follower.
pub enum Notice {
    /// The follower's data does not belong to the game, or it may see more than before. A snapshot follows.
    Reset(Option<Head>),
    /// The whole game.
    Snapshot(Arc<CachedGame>),
    /// The seats.
    Seats(Arc<CachedGame>),
    /// The clock.
    Clock(GameClock),
    /// The next ply.
    Ply(Arc<SharedPly>),
    /// The follower has everything so far.
    CaughtUp(Option<Head>),
    /// The connected seats.
    Present(PresentSeats),
    /// The last message.
    End(Ended),
}

/// Why a game is no longer followed.
pub enum Ended {
    /// The game is over.
    Over(Arc<CachedGame>),
    /// The game is gone: removed, or taken down.
    Gone(ReadError),
    /// The follower's secret no longer holds its seat.
    SeatLost(Seat),
}

/// A follower of a game.
pub struct Follower {
    caller: Caller,
    followed: FollowedGame,
    at: At,
    /// The seat that the caller held at the last check.
    seat: Option<Seat>,
    /// Whether each ply comes with the position after it.
    has_states: bool,
    /// The revision of the seats sent last.
    revision: Option<i64>,
    /// Whether the other seats are shown that this one is connected.
    shows: bool,
    /// The seat shown to them.
    shown: Option<Seat>,
    /// The connected seats sent last.
    present: Option<PresentSeats>,
    /// The clock sent last.
    clock: Option<GameClock>,
}

/// The progress of a follower.
#[derive(Clone, Copy)]
enum At {
    /// Nothing was sent yet. The follower has everything up to this place, or nothing.
    Beginning(Option<LogPlace>),
    /// Everything up to this place was sent, or nothing if the game had not started.
    Told(Option<LogPlace>),
    /// The follower may see more than before.
    Otherwise,
}

impl App {
    /// Follows a game that the caller may see, from its current state.
    ///
    /// # Errors
    /// As [`App::game`].
    pub async fn follow(&self, caller: &Caller, id: GameId) -> Result<Follower, ReadError> {
        // Following begins before reading, so no change is missed in between.
        let followed = self.game_writer.follow(id);
        let game = self.game(caller, id).await?;
        let (caller, seat) = (caller.clone(), caller.seat(&game));
        Ok(Follower {
            caller,
            followed,
            at: At::Beginning(None),
            seat,
            has_states: false,
            revision: None,
            clock: None,
            shows: false,
            shown: None,
            present: None,
        })
    }
}

impl Follower {
    /// Resumes after a place instead of sending a snapshot. Must be called before anything is sent.
    pub const fn resume(&mut self, after: LogPlace) {
        self.at = At::Beginning(Some(after));
    }

    /// Sends each ply with the position after it. Must be called before anything is sent.
    pub const fn with_states(&mut self) {
        self.has_states = true;
    }

    /// Shows the other seats that the caller's seat is connected, as long as this follower lasts.
    pub const fn show(&mut self) {
        self.shows = true;
    }

    /// Waits until there may be something to send.
    pub async fn changed(&mut self) {
        self.followed.changed().await;
    }

    /// Returns the current game.
    ///
    /// # Errors
    /// If it is gone, or the caller may no longer see it.
    pub fn game(&mut self) -> Result<Arc<CachedGame>, ReadError> {
        match self.followed.newest() {
            Some(NewestGame::Stands(game)) if self.caller.may_see(&game.access()) => Ok(game),
            Some(NewestGame::Gone(error @ StoreError::TakenDown(_))) => Err(error.into()),
            Some(NewestGame::Stands(_) | NewestGame::Gone(_)) | None => Err(ReadError::NotFound),
        }
    }

    /// Returns all messages between the follower's place and the current game.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn catch_up(&mut self) -> Result<Vec<Notice>, Damaged> {
        let game = match self.game() {
            Ok(game) => game,
            Err(gone) => return Ok(vec![Notice::End(Ended::Gone(gone))]),
        };
        let seat = self.caller.seat(&game);
        if let Some(lost) = self.seat.filter(|_| seat != self.seat) {
            self.show_as(None, false);
            return Ok(vec![Notice::End(Ended::SeatLost(lost))]);
        }
        if seat != self.seat {
            self.seat = seat;
            // Before the start, nothing sent could have changed its meaning.
            if !matches!(self.at, At::Told(None)) {
                self.at = At::Otherwise;
            }
        }
        let head = game.info.head;
        let is_beginning = !matches!(self.at, At::Told(_));
        let after = match self.at {
            At::Beginning(None) | At::Otherwise => None,
            At::Beginning(Some(place)) | At::Told(Some(place)) => Some(Some(place)),
            At::Told(None) => Some(None),
        };
        let plies = match after {
            Some(after) => {
                self.followed.plies(FollowedAs { seat, has_states: self.has_states }, &game, after)?
            }
            None => None,
        };
        let mut notices = Vec::new();
        if plies.is_none() {
            if !matches!(self.at, At::Beginning(None)) {
                notices.push(Notice::Reset(head));
            }
            notices.push(Notice::Snapshot(Arc::clone(&game)));
        }
        let is_caught_up = is_beginning || plies.is_none();
        if is_caught_up || self.revision != Some(game.info.revision) {
            self.revision = Some(game.info.revision);
            notices.push(Notice::Seats(Arc::clone(&game)));
        }
        notices.extend(plies.into_iter().flatten().map(Notice::Ply));
        if let Some(clock) = game.info.clock.as_ref().filter(|clock| self.clock.as_ref() != Some(clock)) {
            self.clock = Some(clock.clone());
            notices.push(Notice::Clock(clock.clone()));
        }
        if self.shows && self.shown != seat {
            self.show_as(seat, false);
        }
        let present = self.followed.present();
        if seat.is_some() && !game.info.is_over() && self.present != Some(present) {
            self.present = Some(present);
            notices.push(Notice::Present(present));
        }
        self.at = At::Told(head.map(LogPlace::from));
        if is_caught_up {
            notices.push(Notice::CaughtUp(head));
        }
        if game.info.is_over() {
            notices.push(Notice::End(Ended::Over(game)));
        }
        Ok(notices)
    }

    fn show_as(&mut self, seat: Option<Seat>, is_held: bool) {
        if let Some(shown) = self.shown {
            self.followed.leave(shown, is_held);
        }
        if let Some(seat) = seat {
            self.followed.enter(seat);
        }
        self.shown = seat;
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        self.show_as(None, true);
    }
}
