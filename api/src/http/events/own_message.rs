//! The messages of the stream of your own games.

use assam_record::game::GameId;
use assam_record::log::MaskedReplay;
use assam_referee::{Score, State};
use serde::Serialize;
use utoipa::ToSchema;

use super::message::ClosingMessage;
use crate::app::{CachedGame, Caller, ReadError, Summary};
use crate::http::games::lists::OwnGame;
use crate::http::play::moves::LegalMoves;
use crate::problem::{Code, Problem};

/// A message about your games.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "kebab-case")]
pub enum OwnMessage {
    /// A game waits for you.
    Turn(Box<TurnMessage>),
    /// A game is over.
    Over(Box<OwnOverMessage>),
    /// A game is no longer yours.
    Gone(OwnGoneMessage),
    /// You have received every game that is waiting for you.
    CaughtUp(OwnCaughtUpMessage),
    /// Nothing new waits for you.
    Heartbeat(OwnHeartbeatMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// A game is waiting for you. Sent once for each decision, and again at each connection.
#[derive(Serialize, ToSchema)]
pub struct TurnMessage {
    /// The game, as in `GET /v1/me/games`.
    game: OwnGame,
    /// The ply to write.
    #[schema(maximum = 65_536, example = 1)]
    ply: u32,
    /// The position, as you may see it, with `include=state`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
    /// Your legal moves, with `include=legal-moves`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    legal_moves: Option<LegalMoves>,
}

/// One of your running games ended.
#[derive(Serialize, ToSchema)]
pub struct OwnOverMessage {
    /// The game, as in `GET /v1/me/games`.
    game: OwnGame,
    /// The final scores and ranking.
    result: Score,
}

/// One of your running games was removed, or your secret no longer holds its seat.
#[derive(Serialize, ToSchema)]
pub struct OwnGoneMessage {
    /// The id of the game: 32 hex digits.
    game_id: GameId,
    /// The code of the problem.
    code: Code,
    /// An explanation for people.
    #[schema(max_length = 4096)]
    detail: String,
}

/// You have received every game that is waiting for you.
#[derive(Serialize, ToSchema)]
pub struct OwnCaughtUpMessage {
    /// The number of running games followed.
    #[schema(maximum = 1000)]
    running: usize,
}

/// The connection is alive, but nothing has happened for a while.
#[derive(Serialize, ToSchema)]
pub struct OwnHeartbeatMessage {
    /// The number of running games followed.
    #[schema(maximum = 1000)]
    running: usize,
}

impl OwnMessage {
    /// Returns the message that a game waits for a caller, optionally with position and legal moves.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn turn(
        game: &CachedGame,
        caller: &Caller,
        with_state: bool,
        with_moves: bool,
    ) -> Result<Self, Problem> {
        let viewer = caller.viewer(game);
        let head = game.started()?;
        let state = match with_state {
            true => Some(MaskedReplay::by(viewer, game, head.ply)?.table.state()),
            false => None,
        };
        let legal_moves = match with_moves {
            true => Some(LegalMoves::new(game, viewer)?),
            false => None,
        };
        let game = OwnGame::new(&Summary::from_game(game)?, caller);
        Ok(Self::Turn(Box::new(TurnMessage { game, ply: head.ply + 1, state, legal_moves })))
    }

    /// Returns the result of a game.
    ///
    /// # Errors
    /// If the stored log is damaged.
    pub fn over(game: &CachedGame, caller: &Caller) -> Result<Self, Problem> {
        let result = game.ledger()?.table().score();
        let game = OwnGame::new(&Summary::from_game(game)?, caller);
        Ok(Self::Over(Box::new(OwnOverMessage { game, result })))
    }

    /// Returns the reason why a game is gone.
    pub fn gone(game_id: GameId, why: ReadError) -> Self {
        let Problem { code, detail, .. } = why.into();
        Self::Gone(OwnGoneMessage { game_id, code, detail })
    }

    /// Returns the message that the secret no longer holds its seat.
    pub fn seat_lost(game_id: GameId) -> Self {
        let detail = "your secret no longer holds its seat".to_owned();
        Self::Gone(OwnGoneMessage { game_id, code: Code::NotYourSeat, detail })
    }

    /// Returns the message that ends the catch-up.
    pub const fn caught_up(running: usize) -> Self {
        Self::CaughtUp(OwnCaughtUpMessage { running })
    }

    /// Returns a heartbeat.
    pub const fn heartbeat(running: usize) -> Self {
        Self::Heartbeat(OwnHeartbeatMessage { running })
    }

    /// Returns the message that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the message as one line of JSON.
    pub fn text(&self) -> String {
        // Keys are strings, so serialization cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
