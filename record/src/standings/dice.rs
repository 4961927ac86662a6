//! Thrown dice, counted.

use assam_players::Amount;
use assam_referee::{Faces, Roll};
use assam_rules::Seat;
use serde::Serialize;
use statrs::distribution::{ChiSquared, ContinuousCDF as _};
use utoipa::ToSchema;

/// Dice and their luck, in numbers that add up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct DiceTally {
    /// The number of games.
    pub games: u64,
    /// How many dice showed each face from 1 to 6.
    pub faces: [u64; 6],
    /// The luck of those who threw, in 10,000ths of the win.
    pub luck: i64,
    /// The sum of the squares of the luck of each roll. Its root is the standard deviation of [`DiceTally::luck`].
    pub luck_squares: i64,
    /// The luck in 1,000ths of a point.
    pub luck_points: i64,
}

/// How far dice are from what fair ones show on average: Pearson's chi-square test.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ChiSquare {
    /// The sum of the squared differences from the expected numbers, each divided by the expected number.
    pub statistic: f64,
    /// The number of faces of the die, less 1.
    pub degrees_of_freedom: u32,
    /// The probability that fair dice are at least this far away.
    pub p_value: f64,
}

/// The outcome of a chi-square test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Fairness {
    /// Too few dice: a face is expected fewer than 5 times.
    TooFew,
    /// `p_value` is 0.05 or more.
    Usual,
    /// `p_value` is 0.001 to 0.05.
    Unusual,
    /// `p_value` is below 0.001.
    VeryUnusual,
}

impl DiceTally {
    /// Counts the dice that some seats threw in a game. Seats that throw together share the luck of the roll.
    pub fn of(rolls: &[Roll], is_counted: impl Fn(Seat) -> bool) -> Self {
        let mut tally = Self { games: 1, ..Self::default() };
        for roll in rolls {
            let mut luck = Amount::default();
            for (seat, faces) in roll.thrown.iter().filter(|(seat, _)| is_counted(*seat)) {
                tally.faces.iter_mut().zip(faces).for_each(|(sum, count)| *sum += u64::from(*count));
                luck += roll.luck[*seat];
            }
            tally.luck += i64::from(luck.win);
            tally.luck_squares += i64::from(luck.win).pow(2);
            tally.luck_points += i64::from(luck.points);
        }
        tally
    }

    /// Adds other dice.
    pub fn add(&mut self, other: &Self) {
        self.games += other.games;
        for (sum, count) in self.faces.iter_mut().zip(other.faces) {
            *sum += count;
        }
        self.luck += other.luck;
        self.luck_squares += other.luck_squares;
        self.luck_points += other.luck_points;
    }

    /// Returns the number of dice.
    pub fn dice(&self) -> u64 {
        self.faces.iter().sum()
    }

    /// Returns how many of these dice would show each face on average, if `die` is fair and has so many sides with
    /// each face.
    pub fn expected(&self, die: Faces) -> [f64; 6] {
        let sides: u8 = die.iter().sum();
        die.map(|sides_of_face| self.dice() as f64 * f64::from(sides_of_face) / f64::from(sides))
    }

    /// Tests whether fair dice are this far from the expected numbers, or returns `None` without dice.
    pub fn chi_square(&self, die: Faces) -> Option<ChiSquare> {
        if self.dice() == 0 {
            return None;
        }
        let faces = self.faces.iter().zip(self.expected(die)).filter(|(_, expected)| *expected > 0.0);
        let (mut statistic, mut count) = (0.0, 0);
        for (found, expected) in faces {
            statistic += (*found as f64 - expected).powi(2) / expected;
            count += 1;
        }
        let degrees_of_freedom = count - 1;
        let p_value = ChiSquared::new(degrees_of_freedom.into()).ok()?.sf(statistic);
        Some(ChiSquare { statistic, degrees_of_freedom, p_value })
    }

    /// Returns the outcome of the test.
    pub fn fairness(&self, die: Faces) -> Fairness {
        let is_large = self.expected(die).iter().all(|expected| *expected == 0.0 || *expected >= 5.0);
        match self.chi_square(die).filter(|_| is_large) {
            None => Fairness::TooFew,
            Some(test) if test.p_value >= 0.05 => Fairness::Usual,
            Some(test) if test.p_value >= 0.001 => Fairness::Unusual,
            Some(_) => Fairness::VeryUnusual,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    const MARRAKECH: Faces = [1, 2, 2, 1, 0, 0];

    fn dice(faces: [u64; 6]) -> DiceTally {
        DiceTally { games: 1, faces, ..DiceTally::default() }
    }

    /// Worked out by hand: 60 dice are expected to show 10, 20, 20 and 10. The critical values are those of printed
    /// tables.
    #[test]
    fn the_chi_square_test_agrees_with_sums_on_paper_and_printed_tables() {
        let test = dice([13, 15, 22, 10, 0, 0]).chi_square(MARRAKECH).unwrap();
        assert!((test.statistic - (0.9 + 1.25 + 0.2)).abs() < 1e-12, "{test:?}");
        assert_eq!(test.degrees_of_freedom, 3);
        // (statistic 6 * 6 / 6 + 6 * 6 / 12 = 9): 0.0293 for three degrees.
        let test = dice([0, 18, 12, 6, 0, 0]).chi_square(MARRAKECH).unwrap();
        assert!((test.statistic - 9.0).abs() < 1e-12 && (test.p_value - 0.0293).abs() < 5e-5, "{test:?}");
        // Six equal faces: (5 * 5 + 5 * 5) / 10 = 5, which is 0.4159 for five degrees.
        let test = dice([15, 5, 10, 10, 10, 10]).chi_square([1; 6]).unwrap();
        assert!((test.statistic - 5.0).abs() < 1e-12 && (test.p_value - 0.4159).abs() < 5e-5, "{test:?}");
        assert_eq!(dice([0; 6]).chi_square([1; 6]), None);
    }

    #[test]
    fn few_dice_show_nothing_and_a_loaded_die_is_found() {
        let fairness = |faces| dice(faces).fairness(MARRAKECH);
        assert_eq!(fairness([0; 6]), Fairness::TooFew);
        assert_eq!(fairness([29, 0, 0, 0, 0, 0]), Fairness::TooFew);
        assert_eq!(fairness([5, 10, 10, 5, 0, 0]), Fairness::Usual);
        assert_eq!(fairness([0, 18, 12, 6, 0, 0]), Fairness::Unusual);
        assert_eq!(fairness([30, 0, 0, 0, 0, 0]), Fairness::VeryUnusual);
    }
}
