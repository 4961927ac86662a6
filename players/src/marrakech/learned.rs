//! The evaluation that was learned: a network for each number of seats.

use assam_rules::marrakech::Position;
use assam_rules::{Game as _, Seat};

use super::features::{count, fill};
use super::search::Evaluate;
use crate::equity::{Equity, Points};
use crate::net::Net;
use crate::share::{Shares, softmax};

/// The hidden units of each network.
pub const HIDDEN: usize = 32;

static TWO: Net<{ count(2) }, HIDDEN, 2> = Net::read(include_bytes!("../../weights/marrakech-2.bin"));
static THREE: Net<{ count(3) }, HIDDEN, 3> = Net::read(include_bytes!("../../weights/marrakech-3.bin"));
static FOUR: Net<{ count(4) }, HIDDEN, 4> = Net::read(include_bytes!("../../weights/marrakech-4.bin"));

/// The hidden units of each network for points.
pub const POINTS_HIDDEN: usize = 16;
/// The dirhams that an output of 1 of a network for points represents.
pub const POINTS_PER_OUTPUT: i32 = 64;

static POINTS_OF_TWO: Net<{ count(2) }, POINTS_HIDDEN, 2> =
    Net::read(include_bytes!("../../weights/marrakech-points-2.bin"));
static POINTS_OF_THREE: Net<{ count(3) }, POINTS_HIDDEN, 3> =
    Net::read(include_bytes!("../../weights/marrakech-points-3.bin"));
static POINTS_OF_FOUR: Net<{ count(4) }, POINTS_HIDDEN, 4> =
    Net::read(include_bytes!("../../weights/marrakech-points-4.bin"));

/// The networks for shares in `players/weights`.
pub struct Learned;

impl Evaluate for Learned {
    fn equity(&self, position: &Position) -> Equity {
        match position.setup().seats() {
            2 => shares_of(&TWO, position).into(),
            3 => shares_of(&THREE, position).into(),
            _ => shares_of(&FOUR, position).into(),
        }
    }
}

/// The networks for shares and those for points.
pub struct Judge;

impl Evaluate for Judge {
    fn equity(&self, position: &Position) -> Equity {
        match position.setup().seats() {
            2 => equity_of(&TWO, &POINTS_OF_TWO, position),
            3 => equity_of(&THREE, &POINTS_OF_THREE, position),
            _ => equity_of(&FOUR, &POINTS_OF_FOUR, position),
        }
    }
}

/// Returns what the seats will probably win according to a network with an output for each seat, the one whose
/// turn begins first.
pub fn shares_of<const IN: usize, const UNITS: usize, const OUT: usize>(
    net: &Net<IN, UNITS, OUT>,
    position: &Position,
) -> Shares {
    let mut inputs = [0; IN];
    fill(position, &mut inputs);
    shares(net.outputs(&inputs), position)
}

fn equity_of<const IN: usize, const UNITS: usize, const OUT: usize>(
    for_shares: &Net<IN, UNITS, OUT>,
    for_points: &Net<IN, POINTS_HIDDEN, OUT>,
    position: &Position,
) -> Equity {
    let mut inputs = [0; IN];
    fill(position, &mut inputs);
    let mut points = Points::default();
    let mut seat = position.seat();
    for output in for_points.outputs(&inputs) {
        // The network adds to the present score. A seat that is out keeps it.
        let more = if position.is_out(seat) { 0 } else { i64::from(output) };
        let unit = i64::from(Net::<IN, POINTS_HIDDEN, OUT>::OUTPUT_UNIT);
        points[seat] =
            1000 * position.score(seat) + (more * 1000 * i64::from(POINTS_PER_OUTPUT) / unit) as i32;
        seat = seat.next(OUT as u8);
    }
    Equity { shares: shares(for_shares.outputs(&inputs), position), points }
}

fn shares<const OUT: usize>(outputs: [i32; OUT], position: &Position) -> Shares {
    let mut numbers = [None; Seat::MAX as usize];
    let mut seat = position.seat();
    for output in outputs {
        numbers[seat.index()] = (!position.is_out(seat)).then_some(output);
        seat = seat.next(OUT as u8);
    }
    softmax(&numbers)
}
