//! Tricks: their winner, the match between cards, and the uses of their numbers.

use super::counts::Counts;
use super::{Card, Digit, Side, SnBonus};

/// The two cards of a trick.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Trick {
    /// The player who led.
    pub leader: Side,
    /// The card led.
    pub lead: Card,
    /// The card of the receiver.
    pub reply: Card,
}

impl Trick {
    /// Returns the winner. Numbers never decide.
    ///
    /// > If the two cards have the same suit, the receiver always wins.
    ///
    /// > If a club and a spade are played to the same trick, the club wins.
    ///
    /// Otherwise the higher suit wins.
    pub fn winner(self) -> Side {
        if self.lead.suit().beats(self.reply.suit()) { self.leader } else { self.leader.opponent() }
    }

    /// Returns the winner's card, which the bonus card is compared with.
    pub fn winning_card(self) -> Card {
        if self.winner() == self.leader { self.lead } else { self.reply }
    }

    /// Returns the match between the two cards.
    pub fn matching(self) -> Match {
        Match::of(self.lead, self.reply)
    }

    /// Returns the numbers that the winner uses before any bonus card.
    pub fn values(self) -> Values {
        match self.matching() {
            Match::Nothing | Match::Suit => {
                let mut values = Values::times(self.lead.number(), 1);
                values.add(self.reply.number(), 1);
                values
            }
            Match::Number => Values::times(self.lead.number(), 4),
            Match::Both => Values::times(self.lead.number(), 6),
        }
    }

    /// Returns the match with the bonus card, and the uses of its number: 1, 4 or 6.
    pub fn bonus(self, card: Card, sn_bonus: SnBonus) -> (Match, u8) {
        let matching = Match::of(self.winning_card(), card);
        let times = match (self.matching(), matching) {
            (Match::Both, Match::Nothing) => sn_bonus.times(),
            (_, Match::Nothing) => 1,
            (_, Match::Suit | Match::Number) => 4,
            (_, Match::Both) => 6,
        };
        (matching, times)
    }
}

/// The match between two cards.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Match {
    /// Neither suit nor number.
    Nothing,
    /// The suit only.
    Suit,
    /// The number only, including two queens.
    Number,
    /// Suit and number: identical cards, never queens.
    Both,
}

impl Match {
    /// Returns the match between these two cards.
    pub fn of(one: Card, other: Card) -> Self {
        match (one.suit() == other.suit(), one.rank() == other.rank()) {
            (false, false) => Self::Nothing,
            (true, false) => Self::Suit,
            (false, true) => Self::Number,
            (true, true) => Self::Both,
        }
    }

    /// Returns whether a bonus card follows such a trick.
    pub const fn has_bonus(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Suit | Self::Number | Self::Both => true,
        }
    }
}

/// The remaining uses of each number.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values(Counts);

impl Values {
    /// Returns this many uses of a number, or nothing without a number.
    pub fn times(number: Option<Digit>, times: u8) -> Self {
        let mut values = Self::default();
        values.add(number, times);
        values
    }

    /// Adds this many uses of a number, or nothing without a number.
    pub const fn add(&mut self, number: Option<Digit>, times: u8) {
        if let Some(number) = number {
            self.0.add(number, times);
        }
    }

    /// Returns the remaining uses of this number, 0..=6.
    pub const fn count(self, number: Digit) -> u8 {
        self.0.of(number)
    }

    /// Returns the numbers with remaining uses, from 1 to 6, each once.
    pub fn numbers(self) -> impl DoubleEndedIterator<Item = Digit> + Clone {
        Digit::all().filter(move |&number| self.count(number) > 0)
    }

    /// Returns whether nothing is left to use.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the total of remaining uses, 0..=6.
    pub const fn total(self) -> u8 {
        self.0.total()
    }

    /// Returns the uses without `other`, or `None` if some of `other` are missing.
    pub(super) fn without(self, other: Self) -> Option<Self> {
        let mut left = Self::default();
        for number in Digit::all() {
            left.0.add(number, self.count(number).checked_sub(other.count(number))?);
        }
        Some(left)
    }

    /// Returns the lowest number with remaining uses.
    pub(super) const fn lowest(self) -> Option<Digit> {
        self.0.lowest()
    }

    /// Removes one use of this number.
    pub(super) const fn use_up(&mut self, number: Digit) {
        self.0.take(number);
    }
}
