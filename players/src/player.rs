//! The closed list of players, and the trait of the games that they play.

use assam_rules::Game;

use crate::random_action;

/// A built-in player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The automated opponent of the solitaire game of Marrakesh.
    SolitaireAi,
    /// Chooses among the legal decisions, each equally likely.
    Random,
}

impl Player {
    /// Every player.
    pub const ALL: &'static [Self] = &[Self::SolitaireAi, Self::Random];

    /// Returns its name in the interface, in records and in the hash that commits to the seats.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SolitaireAi => "solitaire-ai",
            Self::Random => "random",
        }
    }

    /// Returns how it plays, in a sentence.
    pub const fn meaning(self) -> &'static str {
        match self {
            Self::SolitaireAi => {
                "Plays a card of its hand, each equally likely. Of the ways to use the numbers of a trick or of a bonus card, it \
                 takes the one with the most pieces off, then the one that moves from higher points, then the one that uses \
                 larger numbers."
            }
            Self::Random => "Chooses among the legal decisions, each equally likely.",
        }
    }

    /// Returns the player of this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|player| player.name() == name)
    }
}

/// A game that built-in players can play.
pub trait Playable: Game {
    /// The players that can play this game.
    const PLAYERS: &'static [Player] = &[Player::Random];

    /// Returns what a player decides for the seat on turn; none where no seat is on turn, where the cards that it would
    /// have to know are unknown, and for a player that the game does not have.
    ///
    /// `draw(r)` must return a number below `r`, each equally likely; `r` is never 0.
    fn choose(&self, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Self::Action> {
        match player {
            Player::Random => random_action(self, draw),
            Player::SolitaireAi => None,
        }
    }
}
