//! The evaluation that was learned: a network for each number of seats.

use assam_rules::marrakech::Position;
use assam_rules::{Game as _, Seat};

use super::features::{count, fill};
use super::search::Evaluate;
use crate::net::Net;
use crate::share::{Shares, softmax};

/// The hidden units of each network.
pub const HIDDEN: usize = 32;

static TWO: Net<{ count(2) }, HIDDEN, 2> = Net::read(include_bytes!("../../weights/marrakech-2.bin"));
static THREE: Net<{ count(3) }, HIDDEN, 3> = Net::read(include_bytes!("../../weights/marrakech-3.bin"));
static FOUR: Net<{ count(4) }, HIDDEN, 4> = Net::read(include_bytes!("../../weights/marrakech-4.bin"));

/// The networks in `players/weights`.
pub struct Learned;

impl Evaluate for Learned {
    fn shares(&self, position: &Position) -> Shares {
        match position.setup().seats() {
            2 => shares_of(&TWO, position),
            3 => shares_of(&THREE, position),
            _ => shares_of(&FOUR, position),
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
    let mut numbers = [None; Seat::MAX as usize];
    let mut seat = position.seat();
    for output in net.outputs(&inputs) {
        numbers[seat.index()] = (!position.is_out(seat)).then_some(output);
        seat = seat.next(OUT as u8);
    }
    softmax(&numbers)
}
