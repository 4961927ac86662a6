//! The options of a match of Marrakesh. The seats are always two: 1 Blue, 2 Red.

/// The number of rounds in a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounds {
    /// A match.
    #[default]
    Twelve,
    /// A short match.
    Six,
}

impl Rounds {
    /// Returns the number of rounds: 12 or 6.
    pub const fn number(self) -> u8 {
        match self {
            Self::Twelve => 12,
            Self::Six => 6,
        }
    }
}

/// The number of times that an unmatched bonus card's number is used after a trick of two identical cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SnBonus {
    /// Four times (the original rules).
    #[default]
    Four,
    /// Once (the variant of the article's author).
    One,
}

impl SnBonus {
    /// Returns the number of times: 4 or 1.
    pub const fn times(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::One => 1,
        }
    }
}

/// The order in which the two numbers of a trick are used.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOrder {
    /// The winner chooses.
    #[default]
    Free,
    /// The larger number that can be used comes first.
    HighFirst,
}

/// The use that a winner whose three ovals are full makes of the numbers of a trick.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FullOvals {
    /// They move pieces inside the board, but bear nothing off.
    #[default]
    Move,
    /// Nothing is moved, and no bonus card is drawn.
    NullOnly,
}

/// The options; the default is the rule set's.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Setup {
    /// See [`FullOvals`].
    pub full_ovals: FullOvals,
    /// See [`Rounds`].
    pub rounds: Rounds,
    /// See [`SnBonus`].
    pub sn_bonus: SnBonus,
    /// See [`ValueOrder`].
    pub value_order: ValueOrder,
}

impl Setup {
    /// The number of seats of a match: Blue and Red.
    pub const SEATS: u8 = 2;
}
