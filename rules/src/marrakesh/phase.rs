//! The phases of a match.

use super::{Card, Side, Trick, Values};

/// The phase of a match: the move that it waits for, with the cards on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The dice of a round are thrown.
    Dice,
    /// This player's hand is dealt, Blue's first.
    Deal(Side),
    /// A card is led.
    Lead {
        /// The player who leads.
        leader: Side,
    },
    /// The receiver plays a card.
    Reply {
        /// The player who led.
        leader: Side,
        /// The card face down in front of the leader.
        lead: Lead,
    },
    /// The winner of the trick uses a number.
    Use {
        /// The trick.
        trick: Trick,
        /// The remaining uses of numbers, from the trick or from the bonus card.
        values: Values,
        /// The bonus card, once drawn. From then on, its number is used.
        bonus: Option<Card>,
        /// The pieces borne off in this trick so far, 0..=5.
        off: u8,
    },
    /// The bonus card is drawn.
    Bonus {
        /// The trick.
        trick: Trick,
        /// The pieces borne off in this trick so far, 0..=5.
        off: u8,
    },
    /// The last round is scored.
    Over,
}

impl Phase {
    /// Returns the number of pieces that a side has borne off in the trick on the table, 0..=5. These pieces
    /// are neither on a point nor in an oval.
    pub fn off(self, side: Side) -> u8 {
        match self {
            Self::Use { trick, off, .. } | Self::Bonus { trick, off } if trick.winner() == side => off,
            Self::Use { .. }
            | Self::Bonus { .. }
            | Self::Dice
            | Self::Deal(_)
            | Self::Lead { .. }
            | Self::Reply { .. }
            | Self::Over => 0,
        }
    }
}

/// A led card before it is turned up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// This card.
    Known(Card),
    /// An unknown card.
    Unknown,
}

/// An early end of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// This player resigned or ran out of time. The other player wins.
    Left(Side),
    /// The match was aborted without a ranking.
    Aborted,
}
