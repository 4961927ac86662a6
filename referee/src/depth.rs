//! How far the judge of an account searches.

use std::fmt;
use std::str::FromStr;

use assam_players::Player;

use crate::Ruleset;

/// How far the judge of an account searches.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Depth {
    /// About this number of positions for each decision.
    Nodes(u64),
    /// As far as this merchant does. The judge makes no errors on purpose.
    Merchant(Player),
}

/// A depth that a judge cannot have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WrongDepth {
    /// The name of no merchant.
    NoMerchant(String),
    /// The merchant plays another game.
    OtherGame(Player, Ruleset),
}

impl Depth {
    /// Returns the number of positions for each decision of a game.
    ///
    /// # Errors
    /// If the merchant plays another game.
    pub fn nodes(self, ruleset: Ruleset) -> Result<u64, WrongDepth> {
        match self {
            Self::Nodes(nodes) => Ok(nodes),
            Self::Merchant(player) => ruleset.nodes_of(player).ok_or(WrongDepth::OtherGame(player, ruleset)),
        }
    }

    /// Returns the merchants.
    pub fn merchants() -> impl Iterator<Item = Player> {
        Player::ALL.iter().copied().filter(|player| player.level().is_some())
    }
}

impl Default for Depth {
    /// With this number of positions, the judge looks two turns ahead in a game for two, in about a tenth of a second
    /// a game.
    fn default() -> Self {
        Self::Nodes(2_400)
    }
}

impl FromStr for Depth {
    type Err = WrongDepth;

    /// Reads the name of a merchant, such as `merchant-8`.
    fn from_str(name: &str) -> Result<Self, WrongDepth> {
        let merchant = Player::newest(name).filter(|player| player.level().is_some());
        merchant.map(Self::Merchant).ok_or_else(|| WrongDepth::NoMerchant(name.to_owned()))
    }
}

impl fmt::Display for WrongDepth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMerchant(name) => {
                write!(f, "{name:?} is not a merchant. The strongest one is merchant-8")
            }
            Self::OtherGame(player, ruleset) => {
                write!(f, "{} does not play {}", player.name(), ruleset.name())
            }
        }
    }
}

impl std::error::Error for WrongDepth {}
