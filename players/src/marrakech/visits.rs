//! The probability that Assam visits each square some moves from now.

use assam_rules::marrakech::{Die, Direction, Orientation, Square, Track};

/// A number for each square, by [`Square::index`], and 0 for indices without a square.
pub(super) type BySquare = [i16; 56];

/// The integer for a probability of 1.
pub(super) const CERTAIN: i32 = 8192;

/// Probabilities for each square, by the direction that Assam faces and by the square he is on.
type Visits = [[BySquare; 55]; 4];

/// Probabilities that follow from Assam's square and direction. Each of the directions that he can be turned to is equally
/// likely.
pub(super) struct Tables {
    /// The squares that he reaches with two moves.
    pub(super) second: Visits,
    /// The squares that he reaches with three moves.
    pub(super) third: Visits,
    /// The squares that he reaches with four moves.
    pub(super) fourth: Visits,
    /// The squares next to those that he reaches with one move.
    pub(super) beside_first: Visits,
    /// The squares next to those that he reaches with two moves.
    pub(super) beside_second: Visits,
}

/// Returns the tables of a track, for an Assam who is turned before he walks next, or not.
pub(super) const fn tables(track: Track, orientation: Orientation) -> &'static Tables {
    match (track, orientation) {
        (Track::NeSw, Orientation::Start) => &NE_SW_START,
        (Track::NeSw, Orientation::End) => &NE_SW_END,
        (Track::NwSe, Orientation::Start) => &NW_SE_START,
        (Track::NwSe, Orientation::End) => &NW_SE_END,
    }
}

static NE_SW_START: Tables = all(&NE_SW, true);
static NE_SW_END: Tables = all(&NE_SW, false);
static NW_SE_START: Tables = all(&NW_SE, true);
static NW_SE_END: Tables = all(&NW_SE, false);

/// One to four moves of an Assam who is not turned before the first one.
static NE_SW: [Visits; 4] = visits(Track::NeSw);
static NW_SE: [Visits; 4] = visits(Track::NwSe);

const fn all(visits: &[Visits; 4], is_turned: bool) -> Tables {
    let turned = if is_turned {
        [turned(&visits[0]), turned(&visits[1]), turned(&visits[2]), turned(&visits[3])]
    } else {
        *visits
    };
    Tables {
        second: turned[1],
        third: turned[2],
        fourth: turned[3],
        beside_first: beside(&turned[0]),
        beside_second: beside(&turned[1]),
    }
}

/// Returns the mean over the three directions that Assam can be turned to.
#[allow(long_running_const_eval, reason = "a table of a few hundred places")]
const fn turned(visits: &Visits) -> Visits {
    let mut turned = [[[0; 56]; 55]; 4];
    let mut facing = 0;
    while facing < 4 {
        let mut from = 0;
        while from < 55 {
            let mut index = 0;
            while index < 56 {
                let sum = visits[facing][from][index] as i32
                    + visits[(facing + 1) % 4][from][index] as i32
                    + visits[(facing + 3) % 4][from][index] as i32;
                turned[facing][from][index] = ((sum + 1) / 3) as i16;
                index += 1;
            }
            from += 1;
        }
        facing += 1;
    }
    turned
}

/// Returns the tables for one to four moves.
#[allow(long_running_const_eval, reason = "a table of a few hundred places, each a sum over twelve others")]
const fn visits(track: Track) -> [Visits; 4] {
    let mut visits = [[[[0; 56]; 55]; 4]; 4];
    let mut moves = 0;
    while moves < 4 {
        let mut facing = 0;
        while facing < 4 {
            let mut from = 0;
            while from < 49 {
                let square = square(from);
                let mut sums = [0_i32; 56];
                let mut die = 0;
                while die < 4 {
                    let (to, now) = track.walk(square, Direction::ALL[facing], FACES[die].0);
                    let mut turn = 0;
                    if moves == 0 {
                        sums[to.index()] += FACES[die].1 * CERTAIN;
                    } else {
                        while turn < 4 {
                            if turn != now.opposite() as usize {
                                let later = &visits[moves - 1][turn][to.index()];
                                let mut index = 0;
                                while index < 56 {
                                    sums[index] += FACES[die].1 * later[index] as i32;
                                    index += 1;
                                }
                            }
                            turn += 1;
                        }
                    }
                    die += 1;
                }
                let share = if moves == 0 { 6 } else { 18 };
                let mut index = 0;
                while index < 56 {
                    visits[moves][facing][square.index()][index] = ((sums[index] + share / 2) / share) as i16;
                    index += 1;
                }
                from += 1;
            }
            facing += 1;
        }
        moves += 1;
    }
    visits
}

/// Returns the probability of being next to a visited square, counted once for each such square.
#[allow(long_running_const_eval, reason = "a table of a few hundred places")]
const fn beside(visits: &Visits) -> Visits {
    let mut beside = [[[0; 56]; 55]; 4];
    let mut facing = 0;
    while facing < 4 {
        let mut from = 0;
        while from < 55 {
            let mut at = 0;
            while at < 49 {
                let mut turn = 0;
                while turn < 4 {
                    if let Some(next) = square(at).step(Direction::ALL[turn]) {
                        beside[facing][from][next.index()] += visits[facing][from][square(at).index()];
                    }
                    turn += 1;
                }
                at += 1;
            }
            from += 1;
        }
        facing += 1;
    }
    beside
}

/// The faces of the die, each with the number of sides that show it.
pub(super) const FACES: [(Die, i32); 4] = [(Die::One, 1), (Die::Two, 2), (Die::Three, 2), (Die::Four, 1)];

const fn square(n: u8) -> Square {
    Square::new(n % 7, n / 7).expect("a number below 49 is a square")
}
