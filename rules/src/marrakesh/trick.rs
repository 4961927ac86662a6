//! Tricks: the winner, how the cards match, and how often their numbers are used.

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
    /// Returns the player who wins it. Numbers never decide.
    ///
    /// "If the two cards have the same suit, the receiver always wins." "If a club and a spade are played to the same
    /// trick, the club wins"; else the higher suit.
    pub fn winner(self) -> Side {
        if self.lead.suit().beats(self.reply.suit()) { self.leader } else { self.leader.opponent() }
    }

    /// Returns the card that its winner played, with which the bonus card is compared.
    pub fn winning_card(self) -> Card {
        if self.winner() == self.leader { self.lead } else { self.reply }
    }

    /// Returns how its cards match.
    pub fn matching(self) -> Match {
        Match::of(self.lead, self.reply)
    }

    /// Returns the numbers that its winner uses before any bonus card.
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

    /// Returns how the bonus card matches, and how often its number is used: 1, 4 or 6 times.
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

/// What two cards have in common.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Match {
    /// Neither suit nor number.
    Nothing,
    /// The suit only.
    Suit,
    /// The number only, also of two queens.
    Number,
    /// Suit and number: identical cards, never queens.
    Both,
}

impl Match {
    /// Returns what these two cards have in common.
    pub fn of(one: Card, other: Card) -> Self {
        match (one.suit() == other.suit(), one.rank() == other.rank()) {
            (false, false) => Self::Nothing,
            (true, false) => Self::Suit,
            (false, true) => Self::Number,
            (true, true) => Self::Both,
        }
    }

    /// Returns whether a bonus card is drawn after such a trick.
    pub const fn has_bonus(self) -> bool {
        match self {
            Self::Nothing => false,
            Self::Suit | Self::Number | Self::Both => true,
        }
    }
}

/// The numbers still to be used, each with how often.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Values(Counts);

impl Values {
    /// Returns this number, if any, this many times.
    pub fn times(number: Option<Digit>, times: u8) -> Self {
        let mut values = Self::default();
        values.add(number, times);
        values
    }

    /// Adds this number, if any, this many times.
    pub const fn add(&mut self, number: Option<Digit>, times: u8) {
        if let Some(number) = number {
            self.0.add(number, times);
        }
    }

    /// Returns how often this number is still to be used, 0..=6.
    pub const fn count(self, number: Digit) -> u8 {
        self.0.of(number)
    }

    /// Returns the numbers still to be used, from 1 to 6, each once.
    pub fn numbers(self) -> impl DoubleEndedIterator<Item = Digit> + Clone {
        Digit::all().filter(move |&number| self.count(number) > 0)
    }

    /// Returns whether nothing is left to use.
    pub const fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// Returns the total of uses, 0..=6.
    pub const fn total(self) -> u8 {
        self.0.total()
    }

    /// Returns what is left without `other`; none where not all of `other` is there.
    pub(super) fn without(self, other: Self) -> Option<Self> {
        let mut left = Self::default();
        for number in Digit::all() {
            left.0.add(number, self.count(number).checked_sub(other.count(number))?);
        }
        Some(left)
    }

    /// Returns the lowest number still to be used.
    pub(super) const fn lowest(self) -> Option<Digit> {
        self.0.lowest()
    }

    /// Takes away one use of this number.
    pub(super) const fn use_up(&mut self, number: Digit) {
        self.0.take(number);
    }
}
