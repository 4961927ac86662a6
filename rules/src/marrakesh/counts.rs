//! Counts of the digits 1 to 6 in one machine word.

use super::Digit;

/// A count, 0..=15, of each digit 1 to 6: pieces on points, or uses of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Counts(
    /// Four bits per digit, the 1 lowest.
    u32,
);

impl Counts {
    /// Returns the count of this digit, 0..=15.
    pub const fn of(self, digit: Digit) -> u8 {
        (self.0 >> Self::shift(digit) & 15) as u8
    }

    /// Adds this many to a digit, saturating at 15.
    pub const fn add(&mut self, digit: Digit, more: u8) {
        let room = 15 - self.of(digit);
        let more = if more < room { more } else { room };
        self.0 += (more as u32) << Self::shift(digit);
    }

    /// Takes one from a digit. Returns false if its count is 0.
    pub const fn take(&mut self, digit: Digit) -> bool {
        let is_there = self.of(digit) > 0;
        self.0 -= (is_there as u32) << Self::shift(digit);
        is_there
    }

    /// Returns the sum of all counts, 0..=90.
    pub const fn total(self) -> u8 {
        const LOW: u32 = 0x0F_0F_0F;
        let [one, two, three, _] = ((self.0 & LOW) + (self.0 >> 4 & LOW)).to_le_bytes();
        one + two + three
    }

    /// Returns whether all counts are 0.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Returns the lowest digit with a count above 0.
    pub const fn lowest(self) -> Option<Digit> {
        Digit::new((self.0.trailing_zeros() / 4 + 1) as u8)
    }

    /// Returns the highest digit with a count above 0.
    pub fn highest(self) -> Option<Digit> {
        Digit::new(self.0.checked_ilog2()? as u8 / 4 + 1)
    }

    /// Returns the counts of the digits 1 to 6.
    pub fn all(self) -> [u8; 6] {
        core::array::from_fn(|index| (self.0 >> (4 * index) & 15) as u8)
    }

    const fn shift(digit: Digit) -> usize {
        4 * digit.index()
    }
}

impl core::fmt::Debug for Counts {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        self.all().fmt(f)
    }
}
