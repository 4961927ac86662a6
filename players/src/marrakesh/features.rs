//! The inputs of the network between two tricks: the hand of one side, and both half boards.

use super::half::Half;
use super::tricks::{FACES, Faces};
use crate::net::{Net, UNIT};

/// The number of inputs.
pub const INPUTS: usize = 56;
/// The number of hidden units.
pub const HIDDEN: usize = 48;

/// The network: what a hand adds to the margin that the tables expect.
pub type HandNet = Net<INPUTS, HIDDEN, 2>;

/// The points of a margin that one unit of difference between the outputs represents.
pub const POINTS_PER_OUTPUT: i32 = 16;

/// Fills in the inputs for a side with this hand. Its half board comes first.
pub fn fill(hand: &Faces, unseen: &Faces, halves: &[Half; 2], leads: bool, inputs: &mut [i16; INPUTS]) {
    let mut inputs = inputs.iter_mut();
    let mut put = |value: i32| {
        if let Some(input) = inputs.next() {
            *input = value.clamp(-8 * UNIT, 8 * UNIT) as i16;
        }
    };
    let (mut suits, mut numbers, mut others) = ([0; 4], [0; 7], [0; 4]);
    for face in 0..FACES {
        suits[face / 7] += i32::from(hand[face]);
        numbers[face % 7] += i32::from(hand[face]);
        others[face / 7] += i32::from(unseen[face]);
    }
    let cards: i32 = suits.iter().sum();
    let all: i32 = others.iter().sum();
    for suit in suits {
        put(suit * UNIT / 2);
        put(if leads { suit * UNIT / 2 } else { 0 });
    }
    for number in numbers {
        put(number * UNIT / 2);
    }
    for other in others {
        put(other * 8 * UNIT / all.max(1) - 2 * UNIT);
    }
    put(cards * UNIT / 4);
    put(if leads { UNIT } else { 0 });
    put(numbers.iter().zip(0..).map(|(count, number)| count * number).sum::<i32>() * UNIT / 16);
    for half in halves {
        let on = |point: i32| (half.pieces >> (4 * point) & 15) as i32;
        put(numbers[1..].iter().zip(0..).map(|(count, point)| count * on(point)).sum::<i32>() * UNIT / 4);
        put(half.pips() * UNIT / 16);
        put((0..6).map(on).sum::<i32>() * UNIT / 4);
        for empty in 1..4 {
            put(if half.empty() == empty { UNIT } else { 0 });
        }
        for point in 0..6 {
            put(on(point) * UNIT / 2);
        }
        let marks = || half.marks.iter().take(usize::from(half.marked));
        put(marks().filter(|&&mark| mark == 0).count() as i32 * UNIT);
        put(marks().filter(|&&mark| mark == 1).count() as i32 * UNIT);
        put(i32::from(half.marks[0]) * UNIT / 2);
        put(i32::from(half.marks[1]) * UNIT / 2);
        put(i32::from(half.empty() == 0 && half.pieces == 0) * UNIT);
    }
}
