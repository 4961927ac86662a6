//! The score of a round: named categories from the ovals, and pips from the points.

use super::{BySide, Oval, Ovals, Points, Side};

/// The category of a player's own ovals, once all six pieces are off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offence {
    /// Six in one oval: 6-X-X, 0-6-X, 0-0-6.
    Backgammon,
    /// The gammon 4-2.
    Tangier,
    /// The gammon 3-3.
    Gibraltar,
    /// Any other six pieces in the first two ovals, some in each.
    Gammon,
    /// The game 1-4-1.
    ElAyun,
    /// The game 1-1-4.
    Bogart,
    /// The game 2-2-2.
    Casablanca,
    /// The game 3-1-2.
    Rabat,
    /// Any other six pieces in three ovals.
    Game,
}

impl Offence {
    /// Every category, in the order of the rules.
    pub const ALL: [Self; 9] = [
        Self::Backgammon,
        Self::Tangier,
        Self::Gibraltar,
        Self::Gammon,
        Self::ElAyun,
        Self::Bogart,
        Self::Casablanca,
        Self::Rabat,
        Self::Game,
    ];

    /// Returns the category of these ovals, or `None` while pieces are on the board. The order of the ovals
    /// matters.
    pub fn of(ovals: Ovals) -> Option<Self> {
        if ovals.pieces() < Points::PIECES {
            return None;
        }
        let pieces = ovals.0.map(|oval| match oval {
            Oval::Pieces(pieces) => pieces,
            Oval::Empty | Oval::Chip | Oval::Closed => 0,
        });
        Some(match pieces {
            [6, 0, 0] | [0, 6, 0] | [0, 0, 6] => Self::Backgammon,
            [4, 2, 0] => Self::Tangier,
            [3, 3, 0] => Self::Gibraltar,
            [1..=5, 1..=5, 0] => Self::Gammon,
            [1, 4, 1] => Self::ElAyun,
            [1, 1, 4] => Self::Bogart,
            [2, 2, 2] => Self::Casablanca,
            [3, 1, 2] => Self::Rabat,
            _ => Self::Game,
        })
    }

    /// Returns the points of the category: 3, 6, 9 or 12.
    pub const fn points(self) -> u8 {
        match self {
            Self::Backgammon | Self::ElAyun => 12,
            Self::Tangier | Self::Gibraltar | Self::Bogart => 9,
            Self::Gammon | Self::Casablanca | Self::Rabat => 6,
            Self::Game => 3,
        }
    }
}

/// The category of the opponent's ovals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Defence {
    /// 1-1-1.
    LittleFez,
    /// Two single pieces and a null chip, in any order.
    CommonFez,
    /// One single piece and two null chips, in any order.
    RoyalFez,
    /// 0-0-0.
    GrandFez,
    /// One null chip, and no Fez.
    OneChip,
    /// Two null chips, and no Fez.
    TwoChips,
}

impl Defence {
    /// Every category, in the order of the rules.
    pub const ALL: [Self; 6] =
        [Self::LittleFez, Self::CommonFez, Self::RoyalFez, Self::GrandFez, Self::OneChip, Self::TwoChips];

    /// Returns the category of the opponent's ovals. The order of the ovals does not matter.
    ///
    /// > If a player achieves a backgammon, any null chips in her ovals are ignored for scoring.
    pub fn of(ovals: Ovals) -> Option<Self> {
        if Offence::of(ovals) == Some(Offence::Backgammon) {
            return None;
        }
        let count = |wanted: Oval| ovals.0.iter().filter(|&&oval| oval == wanted).count();
        match (count(Oval::Pieces(1)), count(Oval::Chip)) {
            (3, 0) => Some(Self::LittleFez),
            (2, 1) => Some(Self::CommonFez),
            (1, 2) => Some(Self::RoyalFez),
            (0, 3) => Some(Self::GrandFez),
            (_, 1) => Some(Self::OneChip),
            (_, 2) => Some(Self::TwoChips),
            (_, _) => None,
        }
    }

    /// Returns the points of the category: 1, 4, 6, 9 or 18.
    pub const fn points(self) -> u8 {
        match self {
            Self::LittleFez | Self::TwoChips => 4,
            Self::CommonFez => 6,
            Self::RoyalFez => 9,
            Self::GrandFez => 18,
            Self::OneChip => 1,
        }
    }
}

/// The score of one player in a round.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SideScore {
    /// The category of the player's own ovals.
    pub offence: Option<Offence>,
    /// The category of the opponent's ovals.
    pub defence: Option<Defence>,
    /// Whether the player has the point for fewer pips, possible only if neither player has all pieces off.
    pub pips: bool,
}

impl SideScore {
    /// Returns the points, 0..=30.
    pub fn points(self) -> u8 {
        self.offence.map_or(0, Offence::points)
            + self.defence.map_or(0, Defence::points)
            + u8::from(self.pips)
    }
}

/// The score of both players in a round.
pub type RoundScore = BySide<SideScore>;

impl RoundScore {
    /// Returns the score of a round that ended with these points and ovals.
    ///
    /// > If neither player achieves at least game, the players total the point values of all pieces they have
    /// > left on the board. The player with the lowest total scores 1 point for Pips.
    pub fn of(points: BySide<Points>, ovals: BySide<Ovals>) -> Self {
        let pips = |side: Side| points[side].pips();
        let none_is_off = Side::BOTH.iter().all(|&side| points[side].pieces() > 0);
        Self(Side::BOTH.map(|side| SideScore {
            offence: Offence::of(ovals[side]),
            defence: Defence::of(ovals[side.opponent()]),
            pips: none_is_off && pips(side) < pips(side.opponent()),
        }))
    }
}
