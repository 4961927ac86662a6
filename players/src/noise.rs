//! A generator of numbers from one draw, and the noise that makes a player weaker.

use assam_rules::{Game, Seat};

use crate::analysis::Analysis;
use crate::share::Share;

/// A small generator: splitmix64 of Steele, Lea and Flood (2014).
#[derive(Clone, Debug)]
pub(crate) struct Generator(u64);

impl Generator {
    /// Returns a generator that one draw decides.
    pub(crate) fn drawn(draw: &mut dyn FnMut(u64) -> u64) -> Self {
        Self(draw(1 << 48))
    }

    /// Returns the next number.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number with mean 0 and standard deviation `deviation`, near to normal: the sum of four uniform
    /// numbers.
    fn normal(&mut self, deviation: Share) -> i64 {
        let bits = self.next();
        let sum: i64 = (0..4).map(|part| (bits >> (16 * part) & 0xFFFF) as i64).sum::<i64>() - 2 * 0xFFFF;
        // The sum's standard deviation is 65,536 divided by the square root of 3.
        sum * i64::from(deviation) / 37_837
    }
}

/// Adds noise to the shares of a seat, and sorts the lines again.
pub(crate) fn waver<G: Game>(
    analysis: &mut Analysis<G>,
    seat: Seat,
    deviation: Share,
    draw: &mut dyn FnMut(u64) -> u64,
) {
    if deviation == 0 {
        return;
    }
    let mut generator = Generator::drawn(draw);
    for line in &mut analysis.lines {
        let noisy = i64::from(line.equity.shares[seat]) + generator.normal(deviation);
        line.equity.shares[seat] = noisy.clamp(i64::from(Share::MIN), i64::from(Share::MAX)) as Share;
    }
    analysis.sort(seat);
}
