//! A sequential probability ratio test of a difference in Elo.
//!
//! It uses the normal approximation of the generalized test (as Fishtest does), with deals as samples. Luck has
//! mean 0, so luck-adjusted shares have the same mean as shares and a smaller variance.

use serde::{Deserialize, Serialize};

use super::estimate::{Samples, share_of};

/// The probability of each kind of error.
const ERROR: f64 = 0.05;
/// The test looks at the samples after every so many deals, and never in between.
pub const CHECKPOINT: u64 = 32;

/// The two hypotheses: that the difference is `elo0`, or `elo1`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Hypotheses {
    pub elo0: f64,
    pub elo1: f64,
}

/// The finding of the test.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Finding {
    #[serde(rename = "H0")]
    H0,
    #[serde(rename = "H1")]
    H1,
    #[serde(rename = "continue")]
    Continue,
}

/// The state of a test.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    #[serde(flatten)]
    pub hypotheses: Hypotheses,
    /// The logarithm of the ratio of likelihoods.
    pub llr: f64,
    /// The ratios at which the test ends.
    pub bounds: [f64; 2],
    pub state: Finding,
}

impl Hypotheses {
    /// Tests the samples so far.
    pub fn test(self, samples: &Samples, seats: u8) -> Sprt {
        let bound = ((1.0 - ERROR) / ERROR).ln();
        let [share0, share1] = [self.elo0, self.elo1].map(|elo| share_of(elo, seats));
        let count = samples.count as f64;
        let llr = samples.variance().map_or(0.0, |variance| {
            let distance = 2.0 * samples.mean() - share0 - share1;
            // Equal samples do not prove that all others are the same.
            count * (share1 - share0) * distance / (2.0 * variance.max(0.25 / count))
        });
        let state = match llr {
            _ if llr >= bound => Finding::H1,
            _ if llr <= -bound => Finding::H0,
            _ => Finding::Continue,
        };
        Sprt { hypotheses: self, llr, bounds: [-bound, bound], state }
    }
}
