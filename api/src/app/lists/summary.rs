//! Games as lists show them, with their standings.

use assam_record::game::{Info, Status, StoredGame};
use assam_record::log::{Damaged, last_word};
use assam_rules::Seat;
use jiff::Timestamp;

/// The standing of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameStanding {
    /// The seat on turn, or none if the game is not running.
    pub seat: Option<Seat>,
    /// When the last word was written, or none before the first, and if words have no times.
    pub last_ply_at: Option<Timestamp>,
}

impl GameStanding {
    /// Returns the standing of a game that is not running.
    pub(super) fn at_rest(info: &Info) -> Self {
        Self { seat: None, last_ply_at: info.finished_at.filter(|_| !info.imported) }
    }
}

/// A game of a list.
#[derive(Clone)]
pub struct Summary {
    /// The part that lists show.
    pub info: Info,
    /// The standing.
    pub standing: GameStanding,
}

impl Summary {
    /// Returns a stored game with its standing.
    ///
    /// # Errors
    /// If its log is damaged.
    pub fn from_game(game: &StoredGame) -> Result<Self, Damaged> {
        let info = game.info.clone();
        let standing = if info.status == Status::Running {
            let (turn, last_ply_at) = last_word(&info, &game.log)?;
            GameStanding { seat: turn.seat(), last_ply_at }
        } else {
            GameStanding::at_rest(&info)
        };
        Ok(Self { info, standing })
    }
}
