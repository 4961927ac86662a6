//! Which uses of the numbers are legal: the movement of the pieces.

use super::{Digit, Points, Rule, ValueOrder, Values};
use crate::Actions;

/// All that decides whether a use is legal.
#[derive(Clone, Copy, Debug)]
pub(super) struct Uses {
    /// The pieces of the winner.
    pub points: Points,
    /// Has she an empty oval, so that pieces can be borne off?
    pub may_bear_off: bool,
    /// What is left to use.
    pub values: Values,
    /// See [`ValueOrder`].
    pub order: ValueOrder,
}

impl Uses {
    /// Is one use of this number, at this point, legal?
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

    /// Every legal use, larger numbers first, and of each number higher points first.
    pub fn legal(self) -> impl Iterator<Item = (Digit, Digit)> {
        self.values
            .numbers()
            .rev()
            .flat_map(|number| Digit::all().rev().map(move |point| (number, point)))
            .filter(move |&(number, point)| self.check(number, point).is_ok())
    }

    /// The legal uses as a list of something made of them.
    pub fn list<A>(self, action: impl Fn(Digit, Digit) -> A) -> Actions<A> {
        self.legal().map(|(number, point)| action(number, point)).collect()
    }

    /// Can anything be used? Where a number can, every lower one can.
    pub fn any(&self) -> bool {
        self.values.lowest().is_some_and(|number| self.is_usable(number))
    }

    /// Can this number be used, were it the only one? While pieces can be borne off: as long as there are any.
    fn is_usable(&self, number: Digit) -> bool {
        self.points.highest().is_some_and(|highest| self.may_bear_off || highest > number)
    }

    /// After this use, can another number not be used that could be used with a better choice?
    ///
    /// "A player must utilize the numbers on the trick cards and any bonus card to move or bear off pieces whenever
    /// possible." It matters only while nothing can be borne off, and with two
    /// different numbers: uses of one number add up to the same in any order.
    fn loses_a_use(&self, number: Digit, point: Digit) -> bool {
        !self.may_bear_off && !self.leaves_another(number, point) && self.has_use_that_leaves_another()
    }

    /// Is a number usable after this use, other than that one?
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
