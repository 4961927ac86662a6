//! The messages of the stream of one's own games.

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
    /// You were told every game that waits for you.
    CaughtUp(OwnCaughtUpMessage),
    /// Nothing waits that you were not told.
    Heartbeat(OwnHeartbeatMessage),
    /// The service ends the stream.
    Closing(ClosingMessage),
}

/// A game waits for you: once for each decision, and again whenever you connect.
#[derive(Serialize, ToSchema)]
pub struct TurnMessage {
    /// The game, as `GET /v1/me/games` lists it.
    game: OwnGame,
    /// The ply to write.
    #[schema(maximum = 65_536, example = 1)]
    ply: u32,
    /// The position, as you may see it; only where `include` asks for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    state: Option<State>,
    /// Your legal moves; only where `include` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    legal_moves: Option<LegalMoves>,
}

/// A game of yours that ran is over.
#[derive(Serialize, ToSchema)]
pub struct OwnOverMessage {
    /// The game, as `GET /v1/me/games` lists it.
    game: OwnGame,
    /// The final scores and ranking.
    result: Score,
}

/// A game of yours that ran was removed, or your secret holds its seat no longer.
#[derive(Serialize, ToSchema)]
pub struct OwnGoneMessage {
    /// The id of the game: 32 hex digits.
    game_id: GameId,
    /// The code of the problem.
    code: Code,
    /// A sentence for people.
    #[schema(max_length = 4096)]
    detail: String,
}

/// You were told every game that waits for you.
#[derive(Serialize, ToSchema)]
pub struct OwnCaughtUpMessage {
    /// How many of your games run and are followed.
    #[schema(maximum = 1000)]
    running: usize,
}

/// Nothing has happened for a while, and the connection is alive.
#[derive(Serialize, ToSchema)]
pub struct OwnHeartbeatMessage {
    /// How many of your games run and are followed.
    #[schema(maximum = 1000)]
    running: usize,
}

impl OwnMessage {
    /// Says that a game waits for a caller, with its position and legal moves if they are wanted.
    ///
    /// # Errors
    /// Where the stored log is damaged.
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

    /// Says how a game ended.
    ///
    /// # Errors
    /// Where the stored log is damaged.
    pub fn over(game: &CachedGame, caller: &Caller) -> Result<Self, Problem> {
        let result = game.ledger()?.table().score();
        let game = OwnGame::new(&Summary::from_game(game)?, caller);
        Ok(Self::Over(Box::new(OwnOverMessage { game, result })))
    }

    /// Says why a game is gone.
    pub fn gone(game_id: GameId, why: ReadError) -> Self {
        let Problem { code, detail, .. } = why.into();
        Self::Gone(OwnGoneMessage { game_id, code, detail })
    }

    /// Says that the secret holds its seat no longer.
    pub fn seat_lost(game_id: GameId) -> Self {
        let detail = "your secret does not hold its seat any longer".to_owned();
        Self::Gone(OwnGoneMessage { game_id, code: Code::NotYourSeat, detail })
    }

    /// Says that everything that waits was told.
    pub const fn caught_up(running: usize) -> Self {
        Self::CaughtUp(OwnCaughtUpMessage { running })
    }

    /// Says that a stream is alive.
    pub const fn heartbeat(running: usize) -> Self {
        Self::Heartbeat(OwnHeartbeatMessage { running })
    }

    /// Says that the service ends the stream.
    pub const fn closing(retry: u32) -> Self {
        Self::Closing(ClosingMessage { retry })
    }

    /// Returns the text of a message: JSON in one line.
    pub fn text(&self) -> String {
        // It has string keys only, and nothing that fails.
        serde_json::to_string(self).unwrap_or_default()
    }
}
