//! Ratings by the Weng-Lin method (R. C. Weng, C.-J. Lin: A Bayesian Approximation Method for Online Ranking,
//! 2011), which rates games of more than two players.

use skillratings::MultiTeamOutcome;
use skillratings::weng_lin::{WengLinConfig, WengLinRating, weng_lin_multi_team};

/// A rating: an estimate of strength, and its uncertainty. Both are whole billionths and are rounded after
/// each game, so that recomputing them gives the same results.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rating {
    rating: i64,
    uncertainty: i64,
    /// The number of rated games.
    pub games: u64,
}

const ONE: f64 = 1e9;

/// The rating of a player without games: 25, with an uncertainty of 25/3.
impl Default for Rating {
    fn default() -> Self {
        Self::rounded(&WengLinRating::default(), 0)
    }
}

impl Rating {
    /// Returns a stored rating, in billionths.
    pub const fn stored(rating: i64, uncertainty: i64, games: u64) -> Self {
        Self { rating, uncertainty, games }
    }

    /// Returns estimate and uncertainty in billionths, for storing.
    pub const fn billionths(&self) -> (i64, i64) {
        (self.rating, self.uncertainty)
    }

    fn rounded(rating: &WengLinRating, games: u64) -> Self {
        let billionths = |value: f64| (value * ONE).round() as i64;
        Self { rating: billionths(rating.rating), uncertainty: billionths(rating.uncertainty), games }
    }

    /// Returns the estimate.
    pub fn rating(&self) -> f64 {
        self.rating as f64 / ONE
    }

    /// Returns its standard deviation.
    pub fn uncertainty(&self) -> f64 {
        self.uncertainty as f64 / ONE
    }

    /// Returns a probable lower bound of the strength, in billionths: the estimate minus three times the
    /// uncertainty. It keeps a single lucky game from leading.
    pub const fn floor(&self) -> i64 {
        self.rating - 3 * self.uncertainty
    }

    /// Returns the lower bound as clients see it.
    pub fn at_least(&self) -> f64 {
        self.floor() as f64 / ONE
    }

    /// Rates one game from the ratings of its players, each with their place, 1 or more.
    pub fn after_game(played: &[(Self, usize)]) -> Vec<Self> {
        let before: Vec<[WengLinRating; 1]> = played
            .iter()
            .map(|(one, _)| [WengLinRating { rating: one.rating(), uncertainty: one.uncertainty() }])
            .collect();
        let teams: Vec<(&[WengLinRating], MultiTeamOutcome)> = before
            .iter()
            .zip(played)
            .map(|(team, (_, place))| (&team[..], MultiTeamOutcome::new(*place)))
            .collect();
        let after = weng_lin_multi_team(&teams, &WengLinConfig::default());
        after
            .iter()
            .flatten()
            .zip(played)
            .map(|(rating, (before, _))| Self::rounded(rating, before.games + 1))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_wins_gains_and_who_loses_falls_and_both_are_known_better() {
        let new = Rating::default();
        assert_eq!((new.rating(), new.at_least()), (25.0, 0.000_000_001));
        let after = Rating::after_game(&[(new, 1), (new, 3), (new, 2)]);
        let ratings: Vec<i64> = after.iter().map(|one| one.rating).collect();
        assert!(ratings[0] > ratings[2] && ratings[2] > ratings[1], "{ratings:?}");
        assert!(after.iter().all(|one| one.uncertainty < new.uncertainty && one.games == 1));
        // Published values of the method for two new players: tests of openskill.py and of the library.
        let [winner, loser] = Rating::after_game(&[(new, 1), (new, 2)])[..] else { panic!() };
        assert_eq!((winner.rating() * 1e3).round(), 27_635.0);
        assert_eq!((loser.rating() * 1e3).round(), 22_365.0);
        let [one, other] = Rating::after_game(&[(new, 1), (new, 1)])[..] else { panic!() };
        assert_eq!((one, one.rating), (other, new.rating));
    }
}
