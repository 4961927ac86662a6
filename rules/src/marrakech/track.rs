//! The turn-arounds at the border of the market.

use super::{Die, Direction, Square, Track};

/// Returns Assam's square and facing after he steps out of `from` towards `facing`.
///
/// > Si Assam sort du marche, il suit le demi-tour indique par les fleches (les fleches ne comptent pas comme
/// > un point de deplacement).
///
/// The 28 exits are numbered clockwise from "north out of a7". Each turn-around joins two neighbouring exits
/// in this order, and the wiring decides which two.
const fn turn_around(track: Track, from: Square, facing: Direction) -> (Square, Direction) {
    let exit = exit_number(from, facing);
    let other = match track {
        Track::NeSw => exit ^ 1,
        Track::NwSe => (((exit + 1) ^ 1) + 27) % 28,
    };
    let (square, outward) = exit_at(other);
    (square, outward.opposite())
}

impl Track {
    /// Returns Assam's square and facing after each step from `from` towards `facing`, without end. A step
    /// out of the market goes round a turn-around. Walking back retraces the way.
    pub fn steps(self, from: Square, facing: Direction) -> impl Iterator<Item = (Square, Direction)> {
        let first = step(self, from, facing);
        core::iter::successors(Some(first), move |&(at, facing)| Some(step(self, at, facing)))
    }

    /// Returns Assam's square and facing after a roll from `from` towards `facing`.
    pub const fn walk(self, from: Square, facing: Direction, die: Die) -> (Square, Direction) {
        let walks = match self {
            Self::NeSw => &NE_SW,
            Self::NwSe => &NW_SE,
        };
        walks[facing as usize][from.index()][die.steps() as usize - 1]
    }
}

/// Assam's squares and facings after one to four steps, by his initial facing and square.
type Walks = [[[(Square, Direction); 4]; Square::BITS]; 4];

static NE_SW: Walks = walks(Track::NeSw);
static NW_SE: Walks = walks(Track::NwSe);

const fn walks(track: Track) -> Walks {
    let squares = Square::SIDE * Square::SIDE;
    let mut walks = [[[(Square::CENTRE, Direction::North); 4]; Square::BITS]; 4];
    let mut start = 0;
    while start < 4 * squares {
        let first_facing = Direction::ALL[(start / squares) as usize];
        let from = Square::nth(start % squares);
        let (mut at, mut facing) = (from, first_facing);
        let mut steps = 0;
        while steps < 4 {
            (at, facing) = step(track, at, facing);
            walks[first_facing as usize][from.index()][steps] = (at, facing);
            steps += 1;
        }
        start += 1;
    }
    walks
}

/// Takes one step: straight ahead, or round a turn-around.
const fn step(track: Track, from: Square, facing: Direction) -> (Square, Direction) {
    match from.step(facing) {
        Some(to) => (to, facing),
        None => turn_around(track, from, facing),
    }
}

const LAST: u8 = Square::SIDE - 1;

const fn exit_number(from: Square, outward: Direction) -> u8 {
    match outward {
        Direction::North => from.file(),
        Direction::East => 7 + (LAST - from.rank()),
        Direction::South => 14 + (LAST - from.file()),
        Direction::West => 21 + from.rank(),
    }
}

const fn exit_at(number: u8) -> (Square, Direction) {
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
