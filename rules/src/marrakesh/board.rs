//! A half board: six points with pieces, and three ovals.

use super::Digit;
use super::counts::Counts;

/// The number of a player's pieces on each point.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Points(Counts);

impl Points {
    /// The number of pieces per player.
    pub const PIECES: u8 = 6;

    /// Returns pieces with these counts on the points 1 to 6, or `None` if they are more than six.
    pub fn new(counts: [u8; 6]) -> Option<Self> {
        let mut points = Counts::default();
        for (point, &count) in Digit::all().zip(&counts) {
            points.add(point, count);
        }
        (points.total() <= Self::PIECES).then_some(Self(points))
    }

    /// Returns the counts on the points 1 to 6.
    pub fn counts(self) -> [u8; 6] {
        self.0.all()
    }

    /// Returns the number of pieces on a point, 0..=6.
    pub const fn on(self, point: Digit) -> u8 {
        self.0.of(point)
    }

    /// Returns the number of pieces on the board, 0..=6.
    pub const fn pieces(self) -> u8 {
        self.0.total()
    }

    /// Returns the highest point with a piece.
    pub fn highest(self) -> Option<Digit> {
        self.0.highest()
    }

    /// Returns the sum of the point numbers of the pieces, 0..=36.
    pub fn pips(self) -> u8 {
        Digit::all().map(|point| point.get() * self.on(point)).sum()
    }

    /// Moves a piece down by this number, or off if that leads beyond the 1-point. Returns whether it went
    /// off.
    pub(super) const fn advance(&mut self, from: Digit, number: Digit) -> bool {
        if !self.0.take(from) {
            return false;
        }
        match Digit::new(from.get().saturating_sub(number.get())) {
            Some(to) => {
                self.0.add(to, 1);
                false
            }
            None => true,
        }
    }
}

/// A throw of six dice, as the pieces they place.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Throw(Points);

impl Throw {
    /// Returns the throw that places these pieces, or `None` if they are not six.
    pub fn new(points: Points) -> Option<Self> {
        (points.pieces() == Points::PIECES).then_some(Self(points))
    }

    /// Returns the points with the pieces.
    pub const fn points(self) -> Points {
        self.0
    }
}

/// The contents of an oval.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Oval {
    /// Nothing yet.
    #[default]
    Empty,
    /// A null chip: nothing was borne off in this oval's trick.
    Chip,
    /// This many pieces, 1..=6.
    Pieces(u8),
    /// Nothing for the rest of the round, because all six pieces are off.
    Closed,
}

/// The three ovals of a player, in filling order.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Ovals(pub [Oval; 3]);

impl Ovals {
    /// Returns the index of the first empty oval, from 0.
    pub fn next(self) -> Option<usize> {
        self.0.iter().position(|&oval| oval == Oval::Empty)
    }

    /// Returns the number of empty ovals, 0..=3.
    pub fn empty(self) -> u8 {
        self.0.iter().map(|&oval| u8::from(oval == Oval::Empty)).sum()
    }

    /// Returns the number of pieces in all three, 0..=6.
    pub fn pieces(self) -> u8 {
        self.0.iter().fold(0, |sum, oval| match oval {
            Oval::Pieces(pieces) => sum.saturating_add(*pieces),
            Oval::Empty | Oval::Chip | Oval::Closed => sum,
        })
    }

    /// Marks an oval.
    pub(super) const fn mark(&mut self, oval: usize, mark: Oval) {
        self.0[oval % 3] = mark;
    }

    /// Closes the empty ovals.
    pub(super) fn close(&mut self) {
        for oval in &mut self.0 {
            if *oval == Oval::Empty {
                *oval = Oval::Closed;
            }
        }
    }
}
