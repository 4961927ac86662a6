//! Tables of the points that a half board will probably earn.

use super::half::{Half, ON_POINTS};

/// The integer for one point in a mean.
pub const POINT: i32 = 1024;
/// The integer for one squared point in a variance.
pub const SQUARE: i32 = 256;

/// The half boards with an empty oval.
pub const OPEN: usize = 462 + 923 + 1709;
/// The half boards with a mark.
pub const MARKED: usize = 923 + 1709 + 2975;

/// The tables. A half board's worth also depends on the empty ovals of the opponent, 0..=3, and on the leader.
pub struct Tables {
    mean: [i16; OPEN * 8],
    variance: [u16; OPEN * 8],
    bonus: [i16; MARKED * 4],
}

impl Tables {
    /// The size of the file of means and variances, and of the file of bonus cards, in bytes.
    pub const BYTES: [usize; 3] = [OPEN * 16, OPEN * 16, MARKED * 8];

    /// Reads the files: the means, the variances, and the means before a bonus card. All are little-endian.
    ///
    /// # Panics
    /// If a file has another size.
    pub const fn read(means: &[u8], variances: &[u8], bonuses: &[u8]) -> Self {
        assert!(means.len() == Self::BYTES[0], "the file of means has another size");
        assert!(variances.len() == Self::BYTES[1], "the file of variances has another size");
        assert!(bonuses.len() == Self::BYTES[2], "the file of bonuses has another size");
        let mut tables = Self { mean: [0; OPEN * 8], variance: [0; OPEN * 8], bonus: [0; MARKED * 4] };
        let mut at = 0;
        while at < OPEN * 8 {
            tables.mean[at] = i16::from_le_bytes([means[2 * at], means[2 * at + 1]]);
            tables.variance[at] = u16::from_le_bytes([variances[2 * at], variances[2 * at + 1]]);
            at += 1;
        }
        at = 0;
        while at < MARKED * 4 {
            tables.bonus[at] = i16::from_le_bytes([bonuses[2 * at], bonuses[2 * at + 1]]);
            at += 1;
        }
        tables
    }

    /// Returns the mean and the variance of the points that a half board will earn its player, less those it
    /// will earn the opponent.
    #[inline]
    pub fn worth(&self, half: &Half, other_empty: u8, leads: bool) -> (i32, i32) {
        if half.empty() == 0 {
            return (finished(half), 0);
        }
        let at = slot(index(half), other_empty, leads);
        (i32::from(self.mean[at]), i32::from(self.variance[at]))
    }

    /// Returns the mean alone: see [`Tables::worth`].
    #[inline]
    pub fn mean(&self, half: &Half, other_empty: u8, leads: bool) -> i32 {
        if half.empty() == 0 {
            return finished(half);
        }
        i32::from(self.mean[slot(index(half), other_empty, leads)])
    }

    /// Returns the mean of a half board whose player won the trick and has a bonus card to draw. The oval of the
    /// trick is already marked with the pieces that are off.
    #[inline]
    pub fn mean_before_bonus(&self, half: &Half, other_empty: u8) -> i32 {
        if half.pieces == 0 {
            return finished(half);
        }
        i32::from(self.bonus[bonus_slot(index(half), other_empty)])
    }
}

/// Returns the place in the tables of means and variances.
#[inline]
pub const fn slot(index: usize, other_empty: u8, leads: bool) -> usize {
    index * 8 + other_empty as usize * 2 + leads as usize
}

/// Returns the place in the table of means before a bonus card.
#[inline]
pub const fn bonus_slot(index: usize, other_empty: u8) -> usize {
    (index - 462) * 4 + other_empty as usize
}

/// Returns the mean of a half board that gets no more marks. A point for pips depends on the opponent.
#[inline]
pub fn finished(half: &Half) -> i32 {
    let (offence, defence) = half.score();
    let pips =
        if half.pieces == 0 { 0 } else { ((9 - half.pips()) * POINT / 24).clamp(-POINT / 2, POINT / 2) };
    (offence - defence) * POINT + pips
}

/// Returns the index of a half board with pieces: first those without a mark, then those with one, two, three.
#[inline]
pub fn index(half: &Half) -> usize {
    let [first, second, third] = half.marks;
    let marks = usize::from(first) * 49 + usize::from(second) * 7 + usize::from(third);
    usize::from(BASES[usize::from(half.marked) & 3][marks % 343]) + rank(half.pieces)
}

/// Returns the place of pieces among all layouts of as many pieces.
#[inline]
pub fn rank(pieces: u32) -> usize {
    // The sums of the counts up to each point.
    let sums = (pieces & ON_POINTS).wrapping_mul(0x11_1111);
    let part = |index: usize| usize::from(RANKS[index][(sums >> (4 * index) & 15) as usize]);
    part(0) + part(1) + part(2) + part(3) + part(4)
}

static RANKS: [[u16; 16]; 5] = ranks();

const fn ranks() -> [[u16; 16]; 5] {
    let mut ranks = [[0; 16]; 5];
    let mut index = 0;
    while index < 5 {
        let mut sum = 0;
        while sum <= 6 {
            ranks[index][sum] = choose(sum + index, index + 1) as u16;
            sum += 1;
        }
        index += 1;
    }
    ranks
}

const fn choose(of: usize, number: usize) -> usize {
    if number > of {
        return 0;
    }
    let (mut result, mut at) = (1, 0);
    while at < number {
        result = result * (of - at) / (at + 1);
        at += 1;
    }
    result
}

static BASES: [[u16; 343]; 4] = bases();

const fn bases() -> [[u16; 343]; 4] {
    let mut bases = [[0; 343]; 4];
    let mut next = 0;
    let mut marked = 0;
    while marked < 4 {
        let step = [343, 49, 7, 1][marked];
        let mut marks = 0;
        while marks < 343 {
            let off = marks / 49 + marks / 7 % 7 + marks % 7;
            if off < 6 {
                bases[marked][marks] = next as u16;
                next += choose(11 - off, 5);
            }
            marks += step;
        }
        marked += 1;
    }
    bases
}
