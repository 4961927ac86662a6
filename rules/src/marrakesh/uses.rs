//! The legal uses of numbers, which move the pieces.

use super::{Digit, Points, Rule, ValueOrder, Values};

/// The numbers that the winner of a trick may still use, and everything that decides whether a use is legal.
#[derive(Clone, Copy, Debug)]
pub struct Uses {
    /// The pieces of the winner.
    pub(super) points: Points,
    /// Whether the winner has an empty oval to bear pieces off into.
    pub(super) may_bear_off: bool,
    /// The remaining uses.
    pub(super) values: Values,
    /// See [`ValueOrder`].
    pub(super) order: ValueOrder,
}

impl Uses {
    /// Checks one use of a number at a point.
    ///
    /// # Errors
    /// The rule that it breaks.
    pub fn check(&self, number: Digit, point: Digit) -> Result<(), Rule> {
        if self.values.count(number) == 0 {
            return Err(Rule::NumberNotLeft);
        }
        if self.points.on(point) == 0 {
            return Err(Rule::NoPiece);
        }
        if point <= number {
            if !self.may_bear_off {
                return Err(Rule::OvalsFull);
            }
            if point < number && self.points.highest() != Some(point) {
                return Err(Rule::HigherPiece);
            }
        }
        let larger_is_usable = || self.values.numbers().any(|n| n > number && self.is_usable(n));
        match self.order {
            ValueOrder::HighFirst if larger_is_usable() => Err(Rule::HighFirst),
            ValueOrder::Free if self.loses_a_use(number, point) => Err(Rule::BothNumbers),
            ValueOrder::HighFirst | ValueOrder::Free => Ok(()),
        }
    }

    /// Returns every legal use as number and point, larger numbers first, then higher points first.
    pub fn legal(self) -> impl Iterator<Item = (Digit, Digit)> {
        self.values
            .numbers()
            .rev()
            .flat_map(|number| Digit::all().rev().map(move |point| (number, point)))
            .filter(move |&(number, point)| self.check(number, point).is_ok())
    }

    /// Uses a number at a point, which must be legal. Returns whether that bears a piece off.
    pub const fn advance(&mut self, number: Digit, point: Digit) -> bool {
        self.values.use_up(number);
        self.points.advance(point, number)
    }

    /// Returns whether anything can be used. If a number can, every lower one can.
    pub fn any(&self) -> bool {
        self.values.lowest().is_some_and(|number| self.is_usable(number))
    }

    /// Returns whether this number could be used as the only one. While pieces can be borne off, any piece is
    /// enough.
    fn is_usable(&self, number: Digit) -> bool {
        self.points.highest().is_some_and(|highest| self.may_bear_off || highest > number)
    }

    /// Returns whether this use leaves no other number usable, although a different use would.
    ///
    /// > A player must utilize the numbers on the trick cards and any bonus card to move or bear off pieces
    /// > whenever possible.
    ///
    /// This matters only while nothing can be borne off, and only for two different numbers. Uses of a single
    /// number add up to the same in any order.
    fn loses_a_use(&self, number: Digit, point: Digit) -> bool {
        !self.may_bear_off && !self.leaves_another(number, point) && self.has_use_that_leaves_another()
    }

    /// Returns whether a different number is usable after this use.
    fn leaves_another(&self, number: Digit, point: Digit) -> bool {
        let mut after = *self;
        after.points.advance(point, number);
        self.values.numbers().any(|other| other != number && after.is_usable(other))
    }

    fn has_use_that_leaves_another(&self) -> bool {
        self.values.numbers().any(|number| {
            Digit::all().any(|point| {
                point > number && self.points.on(point) > 0 && self.leaves_another(number, point)
            })
        })
    }
}
