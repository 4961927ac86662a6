//! Means of independent samples with intervals, and differences in Elo.

use serde::{Deserialize, Serialize};

/// The quantile of the normal distribution for an interval of 95 %.
const NORMAL_95: f64 = 1.959_963_985;

/// The mean and variance of samples of shares of a win.
#[derive(Clone, Copy, Default)]
pub struct Samples {
    pub count: u64,
    mean: f64,
    /// The sum of squared differences from the mean.
    squares: f64,
}

/// A mean with its interval of 95 %.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Estimate {
    pub mean: f64,
    /// The interval, or `None` with fewer than two samples.
    pub interval: Option<[f64; 2]>,
}

/// A difference in Elo. An end without a limit is `None`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Elo {
    pub difference: Option<f64>,
    pub low: Option<f64>,
    pub high: Option<f64>,
}

impl Samples {
    /// Adds a sample (Welford's method).
    pub fn add(&mut self, sample: f64) {
        self.count += 1;
        let from_mean = sample - self.mean;
        self.mean += from_mean / self.count as f64;
        self.squares += from_mean * (sample - self.mean);
    }

    pub const fn mean(&self) -> f64 {
        self.mean
    }

    /// Returns the variance of one sample, or `None` with fewer than two.
    pub fn variance(&self) -> Option<f64> {
        (self.count >= 2).then(|| self.squares / (self.count - 1) as f64)
    }

    pub fn estimate(&self) -> Estimate {
        let around = |variance: f64| {
            let half = NORMAL_95 * (variance / self.count as f64).sqrt();
            [self.mean - half, self.mean + half]
        };
        Estimate { mean: self.mean, interval: self.variance().map(around) }
    }
}

/// Returns the share of a win that a player gets who is stronger than `seats - 1` equal opponents by this many
/// Elo.
pub fn share_of(elo: f64, seats: u8) -> f64 {
    let strength = 10_f64.powf(elo / 400.0);
    strength / (strength + f64::from(seats - 1))
}

impl Elo {
    /// Returns the difference that explains a share of a win against `seats - 1` equal opponents.
    pub fn of(share: Estimate, seats: u8) -> Self {
        let elo = |share: f64| {
            let ratio = share * f64::from(seats - 1) / (1.0 - share);
            Some(400.0 * ratio.log10()).filter(|elo| elo.is_finite())
        };
        let end = |place: usize| share.interval.and_then(|interval| elo(interval[place]));
        Self { difference: elo(share.mean), low: end(0), high: end(1) }
    }
}
