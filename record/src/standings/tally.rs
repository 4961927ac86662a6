//! A player's results over many games, in numbers that add up.

use crate::game::GameId;

/// A player's best score, and the first game with it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestScore {
    /// The score.
    pub score: i32,
    /// The game.
    pub game: GameId,
}

/// A player's games, wins and scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerTally {
    /// The number of finished games, 1 or more. A player with several seats in a game counts once per seat.
    pub games: u64,
    /// The number of first places, alone or shared.
    pub firsts: u64,
    /// The sum of the scores.
    pub score_sum: i64,
    /// The best score.
    pub best: BestScore,
}

impl PlayerTally {
    /// Adds later results.
    pub fn add(&mut self, later: &Self) {
        self.games += later.games;
        self.firsts += later.firsts;
        self.score_sum += later.score_sum;
        if later.best.score > self.best.score {
            self.best = later.best;
        }
    }

    /// Returns the mean of the scores.
    pub fn mean_score(&self) -> f64 {
        self.score_sum as f64 / self.games as f64
    }
}
