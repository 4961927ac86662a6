//! What the match waits for.

use super::{Card, Side, Trick, Values};

/// What the match waits for, with what lies on the table for it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The dice of a round.
    Dice,
    /// The hand of this player; Blue's is dealt first.
    Deal(Side),
    /// A card is led.
    Lead {
        /// Who leads.
        leader: Side,
    },
    /// The receiver plays a card.
    Reply {
        /// Who led.
        leader: Side,
        /// The card that lies face down in front of her.
        lead: Lead,
    },
    /// The winner of the trick uses a number.
    Use {
        /// The trick.
        trick: Trick,
        /// What is left to use, of the trick or of the bonus card.
        values: Values,
        /// The bonus card, once it is drawn: its number is used then.
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

/// The card that was led, before it is turned up.
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
