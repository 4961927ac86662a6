//! What somebody did in many games, in numbers that add up.

use crate::game::GameId;

/// The best score of somebody, and the first game that brought it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BestScore {
    /// The score.
    pub score: i32,
    /// The game.
    pub game: GameId,
}

/// The games of somebody: how many, how many of them were won, and their scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlayerTally {
    /// How many games ended, 1 or more. Who holds several seats of a game has as many games there.
    pub games: u64,
    /// How many of them brought the first place, alone or shared.
    pub firsts: u64,
    /// The sum of the scores.
    pub score_sum: i64,
    /// The best score.
    pub best: BestScore,
}

impl PlayerTally {
    /// Adds what came later.
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
