//! A yardstick: an evaluation that counts instead of learning.

use assam_rules::marrakech::{Direction, Position};
use assam_rules::{Game as _, Seat};

use super::search::Evaluate;
use super::visits::FACES;
use crate::equity::Equity;
use crate::share::{ONE, Shares};

/// Counts dirhams and visible halves, and the tolls if each seat turned Assam for the least toll and walked him
/// from here.
pub struct Hand;

impl Evaluate for Hand {
    fn equity(&self, position: &Position) -> Equity {
        weigh(position, tolls(position)).into()
    }
}

/// Returns the expected payments in 18ths if each seat turned Assam for the least toll and walked him from here:
/// received less paid.
fn tolls(position: &Position) -> [i32; Seat::MAX as usize] {
    let (square, facing) = position.assam();
    let setup = position.setup();
    let options = setup.options();
    let mut sums = [0; Seat::MAX as usize];
    for payer in Seat::all(setup.seats()).filter(|&payer| !position.is_out(payer)) {
        let mut least = ([0; Seat::MAX as usize], i32::MAX);
        for direction in Direction::ALL {
            if direction == facing.opposite() {
                continue;
            }
            let (mut received, mut all) = ([0; Seat::MAX as usize], 0);
            for (die, sides) in FACES {
                let (to, _) = options.track.walk(square, direction, die);
                let payee = position.board().colour(to).and_then(|colour| setup.owner(colour));
                if let Some(payee) = payee.filter(|&payee| !position.is_out(payee) && payee != payer) {
                    let paid = i32::from(position.toll(to)).min(i32::from(position.dirhams(payer)));
                    received[payee.index()] += 3 * sides * paid;
                    all += 3 * sides * paid;
                }
            }
            if all < least.1 {
                least = (received, all);
            }
        }
        for (sum, received) in sums.iter_mut().zip(least.0) {
            *sum += received;
        }
        sums[payer.index()] -= least.1;
    }
    sums
}

/// Turns scores, with `more` in 18ths, into numbers that rise with the lead over the other seats.
fn weigh(position: &Position, more: [i32; Seat::MAX as usize]) -> Shares {
    let seats = position.setup().seats();
    let worth = |seat: Seat| {
        if position.is_out(seat) { 0 } else { 18 * position.score(seat) + more[seat.index()] }
    };
    let all: i32 = Seat::all(seats).map(worth).sum();
    let mut shares = Shares::default();
    for seat in Seat::all(seats) {
        let lead = i32::from(seats) * worth(seat) - all;
        shares[seat] = (ONE / 2 + lead * 16).clamp(1, ONE - 1);
    }
    shares
}
