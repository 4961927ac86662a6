//! The phases of a turn.

use super::Colour;

/// The phase of a turn: the move that the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The top rug of the pile is turned up for the seat on turn.
    TurnUp,
    /// The seat turns Assam: before the roll with a rug in hand, or at the end of its turn without one.
    Orient {
        /// The rug to lay later in this turn.
        hand: Option<Colour>,
    },
    /// The die is rolled.
    Roll {
        /// The rug to lay later in this turn.
        hand: Colour,
    },
    /// The seat lays its rug.
    Lay {
        /// The rug to lay.
        hand: Colour,
    },
    /// The game was played to its end.
    Over,
    /// The game was aborted.
    Aborted,
}
