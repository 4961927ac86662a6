//! A half board in one small value, and everything that numbers can make of it.

use arrayvec::ArrayVec;
use assam_rules::marrakesh::{Diagram, Oval, Points, Side, ValueOrder};

/// One player's pieces and marked ovals.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Half {
    /// Four bits per point, the 1-point lowest.
    pub pieces: u32,
    /// The pieces in each marked oval. A null chip is 0, as are ovals without a mark.
    pub marks: [u8; 3],
    /// The number of marked ovals.
    pub marked: u8,
}

/// The boards that a trick can lead to. The bits above the six points count the pieces borne off.
pub type Boards = ArrayVec<u32, 256>;

/// The bits of the six points.
pub const ON_POINTS: u32 = 0xFF_FFFF;
const ONE_OFF: u32 = 1 << 24;

impl Half {
    /// Returns the half board of a side. Pieces that are off in the running trick are in neither place.
    pub fn of(diagram: &Diagram, side: Side) -> Self {
        let mut half = Self { pieces: packed(diagram.points[side]), ..Self::default() };
        for oval in diagram.ovals[side].0 {
            match oval {
                Oval::Pieces(pieces) => half.mark(pieces),
                Oval::Chip => half.mark(0),
                Oval::Empty | Oval::Closed => {}
            }
        }
        half
    }

    /// Returns the number of ovals that can still be marked.
    #[inline]
    pub const fn empty(&self) -> u8 {
        if self.pieces == 0 { 0 } else { 3 - self.marked }
    }

    /// Marks the next oval.
    #[inline]
    pub fn mark(&mut self, pieces: u8) {
        if let Some(mark) = self.marks.get_mut(usize::from(self.marked)) {
            *mark = pieces;
            self.marked += 1;
        }
    }

    /// Returns this half board after a trick that was won with this result.
    #[inline]
    pub fn after(mut self, board: u32) -> Self {
        self.pieces = board & ON_POINTS;
        self.mark((board >> 24) as u8);
        self
    }

    /// Returns the sum of the point numbers of the pieces.
    pub fn pips(&self) -> i32 {
        (0..6).map(|index| (index + 1) * (self.pieces >> (4 * index) & 15) as i32).sum()
    }

    /// Returns the points that the ovals earn: for the player, and for the opponent.
    #[inline]
    pub fn score(&self) -> (i32, i32) {
        let [first, second, third] = self.marks;
        let ovals = usize::from(first) * 49 + usize::from(second) * 7 + usize::from(third);
        let (offence, defence) = SCORES[usize::from(self.marked) & 3][ovals % 343];
        (i32::from(offence), i32::from(defence))
    }
}

/// Returns points in the packed form of [`Half::pieces`].
pub fn packed(points: Points) -> u32 {
    points.counts().iter().rev().fold(0, |packed, &count| packed << 4 | u32::from(count))
}

/// The score of ovals by the number of marks and their pieces.
static SCORES: [[(u8, u8); 343]; 4] = scores();

const fn scores() -> [[(u8, u8); 343]; 4] {
    let mut scores = [[(0, 0); 343]; 4];
    let mut marked = 0;
    while marked < 4 {
        let mut ovals = 0;
        while ovals < 343 {
            scores[marked][ovals] = score([ovals / 49, ovals / 7 % 7, ovals % 7], marked);
            ovals += 1;
        }
        marked += 1;
    }
    scores
}

const fn score(pieces: [usize; 3], marked: usize) -> (u8, u8) {
    let is_off = pieces[0] + pieces[1] + pieces[2] == 6;
    let offence = match pieces {
        _ if !is_off => 0,
        [6, 0, 0] | [0, 6, 0] | [0, 0, 6] => return (12, 0),
        [4, 2, 0] | [3, 3, 0] | [1, 1, 4] => 9,
        [1, 4, 1] => 12,
        [1..=5, 1..=5, 0] if marked == 2 => 6,
        [2, 2, 2] | [3, 1, 2] => 6,
        _ => 3,
    };
    let (mut chips, mut singles) = (0, 0);
    let mut oval = 0;
    while oval < marked && oval < 3 {
        match pieces[oval] {
            0 => chips += 1,
            1 => singles += 1,
            _ => {}
        }
        oval += 1;
    }
    let defence = match (singles, chips) {
        (3, 0) => 4,
        (2, 1) => 6,
        (1, 2) => 9,
        (0, 3) => 18,
        (_, 1) => 1,
        (_, 2) => 4,
        _ => 0,
    };
    (offence, defence)
}

/// Replaces boards by those after one use of a number. Boards without pieces stay.
#[inline]
fn use_once(from: &[u32], number: u32, to: &mut Boards) {
    to.clear();
    for &board in from {
        let pieces = board & ON_POINTS;
        if pieces == 0 {
            add(to, board);
            continue;
        }
        let shift = 4 * number;
        let mut above = pieces >> (shift - 4);
        if above == 0 {
            let highest = pieces.ilog2() & !3;
            add(to, board - (1 << highest) + ONE_OFF);
            continue;
        }
        if above & 15 > 0 {
            add(to, board - (1 << (shift - 4)) + ONE_OFF);
        }
        above >>= 4;
        let mut low = 0;
        while above > 0 {
            if above & 15 > 0 {
                add(to, board - (1 << (low + shift)) + (1 << low));
            }
            above >>= 4;
            low += 4;
        }
    }
}

#[inline]
fn add(boards: &mut Boards, board: u32) {
    if !boards.contains(&board) && !boards.is_full() {
        boards.push(board);
    }
}

/// Lists the boards after this many uses of one number, while pieces can be borne off.
#[inline]
pub fn repeated(board: u32, number: u32, times: u32, boards: &mut Boards) {
    boards.clear();
    boards.push(board);
    if number == 0 {
        return;
    }
    let mut other = Boards::new();
    for _ in 0..times {
        use_once(boards, number, &mut other);
        core::mem::swap(boards, &mut other);
    }
}

/// Lists the boards after one use of each number, while pieces can be borne off.
#[inline]
pub fn pair(board: u32, low: u32, high: u32, order: ValueOrder, boards: &mut Boards) {
    if low == 0 {
        return repeated(board, high, 1, boards);
    }
    let mut one = Boards::new();
    use_once(&[board], high, &mut one);
    use_once(&one, low, boards);
    if order == ValueOrder::Free && low != high {
        let mut others = Boards::new();
        use_once(&[board], low, &mut one);
        use_once(&one, high, &mut others);
        for &board in &others {
            add(boards, board);
        }
    }
}
