//! The closed list of players, and the trait of the games they play.

use assam_rules::Game;

use crate::random_action;

/// A built-in player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The automated opponent of the solitaire game of Marrakesh.
    SolitaireAi,
    /// Chooses among the legal decisions with equal probability.
    Random,
}

impl Player {
    /// Every player.
    pub const ALL: &'static [Self] = &[Self::SolitaireAi, Self::Random];

    /// Returns the name in the interface, in records and in the hash that commits to the seats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SolitaireAi => "solitaire-ai",
            Self::Random => "random",
        }
    }

    /// Returns a description of how it plays.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::SolitaireAi => {
                "Plays a card of its hand, each with equal probability. Uses numbers to bear off the most pieces. Ties \
                 go to moves from higher points, then to larger numbers."
            }
            Self::Random => "Chooses among the legal decisions with equal probability.",
        }
    }

    /// Returns the player with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|player| player.name() == name)
    }
}

/// A game that built-in players can play.
pub trait Playable: Game {
    /// The players that can play this game.
    const PLAYERS: &'static [Player] = &[Player::Random];

    /// Returns a player's decision for the seat on turn. Returns `None` if no seat is on turn, if cards that
    /// the player has to know are unknown, or if the game does not have the player.
    ///
    /// `draw(r)` must return a number below `r`, with equal probability. `r` is never 0.
    fn choose(&self, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Self::Action> {
        match player {
            Player::Random => random_action(self, draw),
            Player::SolitaireAi => None,
        }
    }
}
