//! The options of a match of Marrakesh. There are always two seats: 1 Blue, 2 Red.

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

/// The number of uses of an unmatched bonus card's number after a trick of two identical cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SnBonus {
    /// Four uses, as in the original rules.
    #[default]
    Four,
    /// One use, a variant by the author of the article.
    One,
}

impl SnBonus {
    /// Returns the number of uses: 4 or 1.
    pub const fn times(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::One => 1,
        }
    }
}

/// The order of use of a trick's two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOrder {
    /// The winner chooses.
    #[default]
    Free,
    /// The larger number that can be used comes first.
    HighFirst,
}

/// The effect of a trick's numbers for a winner whose three ovals are full.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FullOvals {
    /// They move pieces inside the board, but bear nothing off.
    #[default]
    Move,
    /// Nothing is moved, and no bonus card is drawn.
    NullOnly,
}

/// The options. Defaults are those of the rule set.
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
    /// The number of seats in a match.
    pub const SEATS: u8 = 2;
}
