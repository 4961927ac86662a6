//! The turn-arounds at the border of the market.

use super::{Direction, Square, Track};

/// Where Assam comes back when he steps out of `from` in `facing`: the square and his new facing.
///
/// "Si Assam sort du marche, il suit le demi-tour indique par les fleches (les fleches ne comptent pas comme
/// un point de deplacement)." The 28 exits are numbered clockwise from "north out of a7"; two exits that are
/// neighbours in this order are the ends of one turn-around, and which two depends on the wiring.
pub(super) fn turn_around(track: Track, from: Square, facing: Direction) -> (Square, Direction) {
    let exit = exit_number(from, facing);
    let other = match track {
        Track::NeSw => exit ^ 1,
        Track::NwSe => (((exit + 1) ^ 1) + 27) % 28,
    };
    let (square, outward) = exit_at(other);
    (square, outward.opposite())
}

/// One step of Assam: straight ahead, or round a turn-around.
pub(super) fn step(track: Track, from: Square, facing: Direction) -> (Square, Direction) {
    match from.step(facing) {
        Some(to) => (to, facing),
        None => turn_around(track, from, facing),
    }
}

const LAST: u8 = Square::SIDE - 1;

fn exit_number(from: Square, outward: Direction) -> u8 {
    match outward {
        Direction::North => from.file(),
        Direction::East => 7 + (LAST - from.rank()),
        Direction::South => 14 + (LAST - from.file()),
        Direction::West => 21 + from.rank(),
    }
}

fn exit_at(number: u8) -> (Square, Direction) {
    let along = number % 7;
    let (file, rank, outward) = match number / 7 {
        0 => (along, LAST, Direction::North),
        1 => (LAST, LAST - along, Direction::East),
        2 => (LAST - along, 0, Direction::South),
        _ => (0, along, Direction::West),
    };
    let square = Square::new(file, rank).expect("file and rank are 0..=6 by construction");
    (square, outward)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_exit_number_names_its_exit() {
        for number in 0..28 {
            let (square, outward) = exit_at(number);
            assert_eq!(square.step(outward), None);
            assert_eq!(exit_number(square, outward), number);
        }
    }

    #[test]
    fn a_turn_around_leads_back_where_it_came_from() {
        for track in [Track::NeSw, Track::NwSe] {
            for number in 0..28 {
                let (square, outward) = exit_at(number);
                let (back, facing) = turn_around(track, square, outward);
                assert_eq!(turn_around(track, back, facing.opposite()), (square, outward.opposite()));
            }
        }
    }
}
