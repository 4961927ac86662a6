//! The rugs on the market: the colour of each covered square, and the pairs of halves that form whole rugs.

use super::{ByColour, Colour, Direction, Rug, Square};

/// The rugs as seen from above.
///
/// Six bitboards: one per colour, and two that mark visible halves of the same whole rug. Two boards that
/// look the same and allow the same rugs are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Board {
    colours: ByColour<u64>,
    /// Squares with a rug that continues to the east, both halves visible.
    whole_east: u64,
    /// Squares with a rug that continues to the north, both halves visible.
    whole_north: u64,
}

impl Board {
    /// Returns the colour on a square, or `None` if it is bare.
    #[inline]
    pub fn colour(&self, square: Square) -> Option<Colour> {
        // At most one term is not 0. A sum has no branch, and the processor could not predict the branches of
        // a search.
        let number: u64 = (1..).zip(self.colours.0).map(|(n, seen)| n * (seen >> square.index() & 1)).sum();
        Colour::ALL.get((number as usize).wrapping_sub(1)).copied()
    }

    /// Returns the squares that show a colour as a bitboard: bit [`Square::index`] for each square.
    pub const fn bits(&self, colour: Colour) -> u64 {
        self.colours.0[colour as usize]
    }

    /// Returns the western or southern squares of whole rugs as bitboards: of those that continue to the east,
    /// and of those that continue to the north.
    pub const fn whole_bits(&self) -> [u64; 2] {
        [self.whole_east, self.whole_north]
    }

    /// Counts the visible halves of a colour, 0..=49.
    pub fn visible(&self, colour: Colour) -> u8 {
        self.colours[colour].count_ones() as u8
    }

    /// Returns whether the two squares show both halves of one rug.
    pub fn is_whole(&self, rug: Rug) -> bool {
        let [low, _] = rug.squares();
        match rug.direction() {
            Direction::North | Direction::South => self.whole_north & low.bit() != 0,
            Direction::East | Direction::West => self.whole_east & low.bit() != 0,
        }
    }

    /// Returns every rug with both halves visible, ordered by its first square (a1, b1 .. g7).
    pub fn whole_rugs(&self) -> impl Iterator<Item = Rug> {
        Square::all()
            .flat_map(|low| {
                [Direction::North, Direction::East].map(|direction| Rug::new(low, low.step(direction)?))
            })
            .flatten()
            .filter(|&rug| self.is_whole(rug))
    }

    /// Returns the bits of the squares in these colours that are joined to `square` by shared sides,
    /// including itself. Returns 0 if the square shows none of the colours.
    pub(super) fn field(&self, square: Square, colours: &[Colour]) -> u64 {
        let ground = colours.iter().fold(0, |ground, &colour| ground | self.colours[colour]);
        let mut field = square.bit() & ground;
        loop {
            let grown = field | (field << 1 | field >> 1 | field << 8 | field >> 8) & ground;
            if grown == field {
                return field;
            }
            field = grown;
        }
    }

    /// Lays a rug over the squares below it.
    pub(super) fn lay(&mut self, rug: Rug, colour: Colour) {
        let covered = rug.bits();
        for seen in &mut self.colours.0 {
            *seen &= !covered;
        }
        self.colours[colour] |= covered;
        // A rug that loses a half is no longer whole. Its mark is on its low square, which is covered or lies
        // west or south of a covered square.
        self.whole_east &= !(covered | covered >> 1);
        self.whole_north &= !(covered | covered >> 8);
        self.join(rug);
    }

    /// Puts half a rug on a bare square.
    pub(super) fn show(&mut self, square: Square, colour: Colour) {
        self.colours[colour] |= square.bit();
    }

    /// Marks the two squares as one whole rug.
    pub(super) fn join(&mut self, rug: Rug) {
        let [low, _] = rug.squares();
        let (east, north) = match rug.direction() {
            Direction::North | Direction::South => (0, low.bit()),
            Direction::East | Direction::West => (low.bit(), 0),
        };
        self.whole_east |= east;
        self.whole_north |= north;
    }
}
