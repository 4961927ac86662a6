//! The expectations of the seats.

use assam_rules::{BySeat, Seat};

use crate::share::{Share, Shares};

/// Points of the seats in 1,000ths: the final score in dirhams in Marrakech, and the lead at the end of the match in
/// Marrakesh.
pub type Points = BySeat<i32>;

/// The expectations of the seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Equity {
    /// The shares of the win.
    pub shares: Shares,
    /// The points. A player that decides by shares alone leaves them 0.
    pub points: Points,
}

impl From<Shares> for Equity {
    fn from(shares: Shares) -> Self {
        Self { shares, points: Points::default() }
    }
}

/// The mean of equities.
#[derive(Default)]
pub(crate) struct MeanEquity {
    shares: [i64; Seat::MAX as usize],
    points: [i64; Seat::MAX as usize],
    weight: i64,
}

impl MeanEquity {
    /// Adds an equity as often as `weight` says.
    pub(crate) fn add(&mut self, equity: &Equity, weight: u32) {
        let weight = i64::from(weight);
        for seat in 0..Seat::MAX as usize {
            self.shares[seat] += weight * i64::from(equity.shares.0[seat]);
            self.points[seat] += weight * i64::from(equity.points.0[seat]);
        }
        self.weight += weight;
    }

    /// Returns the mean, rounded down. It is 0 if nothing was added.
    pub(crate) fn mean(&self) -> Equity {
        let weight = self.weight.max(1);
        let mean = |sums: [i64; Seat::MAX as usize]| BySeat(sums.map(|sum| sum.div_euclid(weight) as Share));
        Equity { shares: mean(self.shares), points: mean(self.points) }
    }
}
