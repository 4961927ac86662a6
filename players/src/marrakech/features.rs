//! The inputs of a network: a few numbers for each seat, beginning with the seat whose turn begins.

use assam_rules::marrakech::{Direction, Insolvency, Orientation, Position, Region};
use assam_rules::{Game as _, Seat};

use super::visits::{BySquare, CERTAIN, FACES, tables};
use crate::net::{UNIT, dot};

/// The features of each seat.
pub const OF_SEAT: usize = 18;
/// The features of the whole table.
pub const OF_TABLE: usize = 4;

/// Returns the number of features at a table, rounded up to a multiple of 8.
pub const fn count(seats: usize) -> usize {
    (seats * OF_SEAT + OF_TABLE).next_multiple_of(8)
}

/// The rugs of one seat.
#[derive(Clone, Copy)]
struct Rugs {
    /// The toll of each square, 0 if another seat owns it.
    toll: BySquare,
    /// 1 for each visible half.
    half: BySquare,
    halves: i32,
    fields: i32,
    largest: i32,
    squares: i32,
    whole: i32,
}

const NO_RUGS: Rugs =
    Rugs { toll: [0; 56], half: [0; 56], halves: 0, fields: 0, largest: 0, squares: 0, whole: 0 };

/// Fills in the features of a position in which a turn begins. `IN` is at least [`count`].
pub fn fill<const IN: usize>(position: &Position, inputs: &mut [i16; IN]) {
    let setup = position.setup();
    let (seats, options) = (setup.seats(), setup.options());
    let mut rugs = [const { NO_RUGS }; Seat::MAX as usize];
    let mut order = [Seat::FIRST; Seat::MAX as usize];
    let mut seat = position.seat();
    for place in &mut order[..usize::from(seats)] {
        *place = seat;
        seat = seat.next(seats);
    }
    let order = &order[..usize::from(seats)];
    for (rugs, &seat) in rugs.iter_mut().zip(order) {
        if !position.is_out(seat) {
            look(position, seat, rugs);
        }
    }
    let rugs = &rugs[..usize::from(seats)];

    let (square, facing) = position.assam();
    let directions: &[Direction] = match options.orientation {
        Orientation::Start => &THREE[facing as usize],
        Orientation::End => &THREE[facing as usize][..1],
    };
    let ways = directions.len() as i32;
    let purse = i32::from(position.dirhams(position.seat()));

    // The tolls of the next roll, in 6ths, and the chance that the seat cannot pay.
    let mut mean = [0; Seat::MAX as usize];
    let mut least = [0; Seat::MAX as usize];
    let (mut least_paid, mut least_ruin) = (i32::MAX, 0);
    for &direction in directions {
        let (mut tolls, mut paid, mut ruin) = ([0; Seat::MAX as usize], 0, 0);
        for (die, sides) in FACES {
            let (to, _) = options.track.walk(square, direction, die);
            for (toll, rugs) in tolls.iter_mut().zip(rugs).skip(1) {
                let due = i32::from(rugs.toll[to.index()]);
                let is_ruin = match options.insolvency {
                    Insolvency::Eliminate => due > purse,
                    Insolvency::EliminateAtZero => due > 0 && due >= purse,
                    Insolvency::PayWhatYouCan => false,
                };
                *toll += sides * due.min(purse);
                paid += sides * due.min(purse);
                ruin += sides * i32::from(is_ruin);
            }
        }
        for (mean, toll) in mean.iter_mut().zip(tolls) {
            *mean += toll;
        }
        if paid + 8 * ruin < least_paid {
            (least_paid, least_ruin, least) = (paid + 8 * ruin, ruin, tolls);
        }
    }
    mean[0] = mean.iter().sum();
    least[0] = least.iter().sum();

    let tables = tables(options.track, options.orientation);
    let row = |table: &'static [[BySquare; 55]; 4]| &table[facing as usize][square.index()];
    let (second, third, fourth) = (row(&tables.second), row(&tables.third), row(&tables.fourth));
    let (beside_first, beside_second) = (row(&tables.beside_first), row(&tables.beside_second));
    let left = |seat: Seat| {
        setup.colours(seat).iter().map(|&colour| i32::from(position.rugs_left(colour))).sum::<i32>()
    };
    let turns: i32 = order.iter().map(|&seat| left(seat)).sum();
    let deviation = (9 * 64 * turns).max(0).isqrt() + 16;
    let mut inputs = inputs.iter_mut();
    let mut put = |value: i32| {
        if let Some(input) = inputs.next() {
            *input = value.clamp(-8 * UNIT, 8 * UNIT) as i16;
        }
    };
    for (place, (rugs, &seat)) in rugs.iter().zip(order).enumerate() {
        let best_other = order
            .iter()
            .filter(|&&other| other != seat && !position.is_out(other))
            .map(|&other| position.score(other))
            .max()
            .unwrap_or(0);
        let lead = position.score(seat) - best_other;
        put(i32::from(position.dirhams(seat)) * UNIT / 16);
        put(rugs.halves * UNIT / 8);
        put(rugs.fields * UNIT / 4);
        put(rugs.largest * UNIT / 8);
        put(rugs.squares * UNIT / 64);
        put(least[place] * UNIT / 6);
        put(mean[place] * UNIT / (6 * ways));
        put(dot(second, &rugs.toll) * UNIT / CERTAIN);
        put(dot(third, &rugs.toll) * UNIT / CERTAIN);
        put(dot(fourth, &rugs.toll) * UNIT / CERTAIN);
        put(dot(beside_first, &rugs.half) * UNIT / CERTAIN);
        put(dot(beside_second, &rugs.half) * UNIT / CERTAIN);
        put(rugs.whole * UNIT / 4);
        put(lead * 8 * UNIT / deviation);
        put(lead * UNIT / 16);
        put(left(seat) * UNIT / 8);
        put(if position.is_out(seat) { UNIT } else { 0 });
        put(if place == 0 { least_ruin * UNIT / 6 } else { 0 });
    }
    put(turns * UNIT / 16);
    put(8 * UNIT * 4 / (turns + 4));
    put(turns.min(4) * UNIT / 4);
    put(turns.min(12) * UNIT / 8);
}

/// The directions that Assam can be turned to, by the one he faces: straight ahead first.
const THREE: [[Direction; 3]; 4] = [
    [Direction::North, Direction::East, Direction::West],
    [Direction::East, Direction::South, Direction::North],
    [Direction::South, Direction::West, Direction::East],
    [Direction::West, Direction::North, Direction::South],
];

/// Counts the rugs of a seat that is in the game.
#[inline]
fn look(position: &Position, seat: Seat, rugs: &mut Rugs) {
    let (setup, board) = (position.setup(), position.board());
    let colours = setup.colours(seat);
    let [east, north] = board.whole_bits();
    let mut both = 0;
    for &colour in colours {
        both |= board.bits(colour);
    }
    rugs.halves = both.count_ones() as i32;
    rugs.whole = (both & (east | north)).count_ones() as i32;
    match setup.options().region {
        Region::Owner => fields(both, rugs),
        Region::Colour => {
            for &colour in colours {
                fields(board.bits(colour), rugs);
            }
        }
    }
}

/// Adds the fields of these squares.
#[inline]
fn fields(mut ground: u64, rugs: &mut Rugs) {
    while ground != 0 {
        let mut field = ground & ground.wrapping_neg();
        loop {
            let grown = (field | field << 1 | field >> 1 | field << 8 | field >> 8) & ground;
            if grown == field {
                break;
            }
            field = grown;
        }
        ground &= !field;
        let size = field.count_ones() as i32;
        rugs.fields += 1;
        rugs.largest = rugs.largest.max(size);
        rugs.squares += size * size;
        while field != 0 {
            let index = field.trailing_zeros() as usize % 56;
            rugs.toll[index] = size as i16;
            rugs.half[index] = 1;
            field &= field - 1;
        }
    }
}
