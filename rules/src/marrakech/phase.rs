//! What the game waits for.

use super::Colour;

/// What the game waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The top rug of the pile of the seat whose turn begins is turned up.
    TurnUp,
    /// The seat turns Assam: before the roll, with a rug in hand; or at the end of its turn, with none.
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
    /// Played to the end.
    Over,
    /// Aborted.
    Aborted,
}
