//! Shares of a win as integers.

use assam_rules::{BySeat, Seat};

/// A share of a win: the probability of winning, where tied winners share. [`ONE`] is a certain win.
pub type Share = i32;

/// The share of a certain win.
pub const ONE: Share = 1 << 24;

/// The shares of the seats, which add up to [`ONE`] within rounding.
pub type Shares = BySeat<Share>;

/// Returns the shares of a finished game from its winners.
pub fn won(winners: &[Seat]) -> Shares {
    let mut shares = Shares::default();
    for &seat in winners {
        shares[seat] = ONE / winners.len() as Share;
    }
    shares
}

/// `exp(-x)` in 2^-22ths, for x in steps of 1/16 from 0 on.
const EXP: [u32; 258] = exp_table();

const fn exp_table() -> [u32; 258] {
    // exp(-1/16) in 2^-60ths. A product keeps 60 bits, so rounding never reaches those that are kept.
    const STEP: u128 = 1_083_069_521_826_238_951;
    let mut table = [0; 258];
    let mut value: u128 = 1 << 60;
    let mut index = 0;
    while index < 258 {
        table[index] = ((value + (1 << 37)) >> 38) as u32;
        value = (value * STEP) >> 60;
        index += 1;
    }
    table
}

/// Returns `exp(-x)` in 2^-22ths for x in 2^-18ths, at least 0.
#[inline]
fn exp_of_minus(x: i32) -> u32 {
    let index = (x >> 14) as usize;
    if index >= 256 {
        return 0;
    }
    let part = (x & 0x3FFF) as u32;
    let (here, next) = (EXP[index], EXP[index + 1]);
    here - ((u64::from(here - next) * u64::from(part)) >> 14) as u32
}

/// Turns one number for each seat into shares: `exp(number)` of each, less than 1 in all. Numbers are in 2^-18ths,
/// and numbers of seats that cannot win any more are `None`.
pub fn softmax(numbers: &[Option<i32>]) -> Shares {
    let most = numbers.iter().flatten().copied().max().unwrap_or(0);
    let mut powers = [0_u32; Seat::MAX as usize];
    let mut sum = 0_u64;
    for (power, number) in powers.iter_mut().zip(numbers) {
        if let Some(number) = number {
            *power = exp_of_minus(most.saturating_sub(*number));
            sum += u64::from(*power);
        }
    }
    let mut shares = Shares::default();
    for (share, power) in shares.0.iter_mut().zip(powers) {
        *share = ((u64::from(power) << 24) / sum.max(1)) as Share;
    }
    shares
}
