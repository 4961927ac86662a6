//! The normal distribution in integers.

use crate::share::{ONE, Share};

/// Steps for each standard deviation.
const STEPS: usize = 64;
/// The probability of a value below x, for x from 0 to 6 standard deviations.
static BELOW: [Share; 6 * STEPS + 2] = below();

const fn below() -> [Share; 6 * STEPS + 2] {
    // exp(-h^2) and exp(-h^2 / 2) for h = 1/64, in 2^-60ths.
    const SQUARE: u128 = 1_152_640_063_987_078_655;
    const HALF: u128 = 1_152_780_775_708_076_725;
    // Trapezia, summed in 2^-60ths.
    let mut sums = [0_u128; 6 * STEPS + 2];
    let (mut density, mut ratio) = (1_u128 << 60, HALF);
    let mut index = 1;
    while index < sums.len() {
        let next = (density * ratio) >> 60;
        sums[index] = sums[index - 1] + (density + next) / 2;
        density = next;
        ratio = (ratio * SQUARE) >> 60;
        index += 1;
    }
    let all = sums[sums.len() - 1];
    let mut below = [0; 6 * STEPS + 2];
    index = 0;
    while index < below.len() {
        below[index] = ONE / 2 + (sums[index] * (ONE as u128 / 2) / all) as Share;
        index += 1;
    }
    below
}

/// Returns the probability of a value below x, for x in 2^-16ths of a standard deviation.
#[inline]
pub fn probability(x: i32) -> Share {
    let size = x.unsigned_abs().min(6 << 16);
    let index = (size >> 10) as usize;
    let part = (size & 1023) as i32;
    let (here, next) = (BELOW[index], BELOW[index + 1]);
    let share = here + (((next - here) * part) >> 10);
    if x < 0 { ONE - share } else { share }
}
