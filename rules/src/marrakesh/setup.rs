//! The options of a match of Marrakesh. The seats are always two: 1 Blue, 2 Red.

/// How many rounds a match has.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Rounds {
    /// A match.
    #[default]
    Twelve,
    /// A short match.
    Six,
}

impl Rounds {
    /// 12 or 6.
    pub const fn number(self) -> u8 {
        match self {
            Self::Twelve => 12,
            Self::Six => 6,
        }
    }
}

/// How often the number of a bonus card is used that matches nothing, after a trick of two identical cards.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum SnBonus {
    /// Four times (the original rules).
    #[default]
    Four,
    /// Once (the variant of the article's author).
    One,
}

impl SnBonus {
    /// 4 or 1.
    pub const fn times(self) -> u8 {
        match self {
            Self::Four => 4,
            Self::One => 1,
        }
    }
}

/// Which of two numbers is used first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ValueOrder {
    /// The winner chooses.
    #[default]
    Free,
    /// The larger one that can be used.
    HighFirst,
}

/// What the winner of a trick whose three ovals are full does with the numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum FullOvals {
    /// She moves inside the board, and bears nothing off.
    #[default]
    Move,
    /// Nothing, and no bonus card is drawn.
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
    /// Seats of a match: Blue and Red.
    pub const SEATS: u8 = 2;
}
