//! Decisions, chance, and what follows from them.

use super::{Card, Deal, Digit, Match, Oval, RoundScore, Side, Throw, Trick};

/// A decision.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Play this card: face down where it is the lead, face up where it is the reply.
    Play(Card),
    /// Lead a card that is not known here.
    LeadUnknown,
    /// Use this number once.
    Use {
        /// The number.
        number: Digit,
        /// The point of the piece that is moved or borne off.
        point: Digit,
    },
}

/// Something drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Chance {
    /// The throws that place the pieces of a round; earlier throws that were equal are left out.
    Dice {
        /// Blue's six dice.
        blue: Throw,
        /// Red's six dice.
        red: Throw,
    },
    /// The hand that this player is dealt, Blue first.
    Deal(Side, Deal),
    /// The bonus card.
    Bonus(Card),
}

/// A consequence of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// The lead was turned up, and the trick has a winner.
    TrickWon {
        /// The cards.
        trick: Trick,
        /// The winner, who uses the numbers of the cards.
        winner: Side,
        /// What the two cards have in common.
        matching: Match,
    },
    /// A bonus card was compared with the winner's card.
    BonusDrawn {
        /// The bonus card.
        card: Card,
        /// What it has in common with the winner's card.
        matching: Match,
        /// The number of times its number is used: 1, 4 or 6.
        times: u8,
    },
    /// The oval of the trick was marked.
    OvalMarked {
        /// The player whose oval it is.
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
