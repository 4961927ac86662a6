//! What the match waits for.

use super::{Card, Side, Trick, Values};

/// What the match waits for, with the cards on the table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The dice of a round.
    Dice,
    /// The hand of this player; Blue's is dealt first.
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
        /// The card that lies face down in front of the leader.
        lead: Lead,
    },
    /// The winner of the trick uses a number.
    Use {
        /// The trick.
        trick: Trick,
        /// The numbers left to use, of the trick or of the bonus card.
        values: Values,
        /// The bonus card, once it is drawn: from then on, its number is used.
        bonus: Option<Card>,
        /// Pieces borne off in this trick so far, 0..=5.
        off: u8,
    },
    /// The bonus card is drawn.
    Bonus {
        /// The trick.
        trick: Trick,
        /// Pieces borne off in this trick so far, 0..=5.
        off: u8,
    },
    /// The last round is scored.
    Over,
}

impl Phase {
    /// Returns how many pieces a side has borne off in the trick on the table, 0..=5. They stand neither on a point nor
    /// in an oval.
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

/// A card that was led, before it is turned up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lead {
    /// This card.
    Known(Card),
    /// A card that is not known here.
    Unknown,
}

/// How a match was stopped before its end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// This player resigned or ran out of time: the other one wins.
    Left(Side),
    /// Aborted: there is no ranking.
    Aborted,
}
