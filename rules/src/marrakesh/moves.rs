//! Decisions, chance outcomes and events.

use super::{Card, Deal, Digit, Match, Oval, RoundScore, Side, Throw, Trick};

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Play this card: a lead face down, a reply face up.
    Play(Card),
    /// Lead an unknown card.
    LeadUnknown,
    /// Use this number once.
    Use {
        /// The number.
        number: Digit,
        /// The point of the piece that moves or is borne off.
        point: Digit,
    },
}

/// A chance outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// The throws that place the pieces of a round. Earlier equal throws are left out.
    Dice {
        /// Blue's six dice.
        blue: Throw,
        /// Red's six dice.
        red: Throw,
    },
    /// The hand dealt to this player. Blue's comes first.
    Deal(Side, Deal),
    /// The bonus card.
    Bonus(Card),
}

/// A consequence of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The lead was turned up and the trick has a winner.
    TrickWon {
        /// The two cards.
        trick: Trick,
        /// The winner, who uses the numbers of the cards.
        winner: Side,
        /// The match between the two cards.
        matching: Match,
    },
    /// A bonus card was compared with the winner's card.
    BonusDrawn {
        /// The bonus card.
        card: Card,
        /// The match with the winner's card.
        matching: Match,
        /// The uses of its number: 1, 4 or 6.
        times: u8,
    },
    /// The trick's oval was marked.
    OvalMarked {
        /// The owner of the oval.
        side: Side,
        /// The number of the oval, 1..=3.
        oval: u8,
        /// The mark: pieces or a null chip.
        mark: Oval,
    },
    /// A round is over.
    RoundScored {
        /// The number of the round, 1..=12.
        round: u8,
        /// The score of the round.
        score: RoundScore,
    },
}
