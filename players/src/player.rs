//! The closed list of players, and the trait of the games they play.

use assam_rules::{Game, Pool};

use crate::equity::Equity;
use crate::{Analysis, View};

/// A built-in player.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// The automated opponent of the solitaire game of Marrakesh.
    SolitaireAi,
    /// Chooses among the legal decisions with equal probability.
    Random,
    /// Counts dirhams, visible halves and the next tolls.
    Hand,
    /// Learned by playing against itself.
    Merchant(Level),
}

/// A level of a merchant, 1 to 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// Every level, weakest first.
    pub const ALL: [Self; 8] = [Self(1), Self(2), Self(3), Self(4), Self(5), Self(6), Self(7), Self(8)];

    /// Returns the number, 1 to 8.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Returns the place in [`Level::ALL`].
    pub(crate) const fn index(self) -> usize {
        (self.0 - 1) as usize
    }
}

/// A merchant's name, version and character.
const MERCHANTS: [(&str, &str, &str); 8] = [
    ("merchant-1/1", "Yasmin", "Yasmin is new to the market and forgets half of what she sees."),
    ("merchant-2/1", "Omar", "Omar learns by paying, and often takes the second best offer."),
    ("merchant-3/1", "Layla", "Layla counts what she has, and sometimes what others have."),
    ("merchant-4/1", "Karim", "Karim knows every price, but gets lost when two are alike."),
    ("merchant-5/1", "Salma", "Salma rarely makes a bad bargain and stays out of trouble."),
    ("merchant-6/1", "Idris", "Idris weighs every chance and slips only when the choice is close."),
    ("merchant-7/1", "Zohra", "Zohra makes the best of her turn, every time."),
    ("merchant-8/1", "Ibn Battuta", "Ibn Battuta has seen it all and thinks two turns ahead."),
];

impl Player {
    /// Every player, in the order of [`Player::name`]s in documents.
    pub const ALL: &'static [Self] = &[
        Self::SolitaireAi,
        Self::Random,
        Self::Hand,
        Self::Merchant(Level(1)),
        Self::Merchant(Level(2)),
        Self::Merchant(Level(3)),
        Self::Merchant(Level(4)),
        Self::Merchant(Level(5)),
        Self::Merchant(Level(6)),
        Self::Merchant(Level(7)),
        Self::Merchant(Level(8)),
    ];

    /// Returns the name in the interface, in records and in the hash that commits to the seats.
    ///
    /// A merchant's name ends with a version. Its decisions never change, and better weights get a new
    /// version. The other players never change at all, and have no version.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SolitaireAi => "solitaire-ai",
            Self::Random => "random",
            Self::Hand => "hand",
            Self::Merchant(level) => MERCHANTS[level.index()].0,
        }
    }

    /// Returns the level of a merchant.
    pub const fn level(self) -> Option<Level> {
        match self {
            Self::Merchant(level) => Some(level),
            Self::SolitaireAi | Self::Random | Self::Hand => None,
        }
    }

    /// Returns the name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Self::SolitaireAi => "Solitaire player",
            Self::Random => "Random player",
            Self::Hand => "Bookkeeper",
            Self::Merchant(level) => MERCHANTS[level.index()].1,
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
            Self::Hand => {
                "Counts dirhams, visible halves and the expected tolls of the next roll, as they will be after its turn."
            }
            Self::Merchant(level) => MERCHANTS[level.index()].2,
        }
    }

    /// Returns the player with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|player| player.name() == name)
    }

    /// Returns the player with this name, or the newest version of the name without a version.
    pub fn newest(name: &str) -> Option<Self> {
        let is_newest =
            |player: &&Self| player.name().split_once('/').is_some_and(|(family, _)| family == name);
        Self::named(name).or_else(|| Self::ALL.iter().rev().find(is_newest).copied())
    }
}

/// A game that built-in players can play.
pub trait Playable: Game {
    /// The players that can play this game. Merchants come last, the strongest one at the end.
    const PLAYERS: &'static [Player];

    /// Weighs the decisions of the seat on turn by the strongest search that evaluates about `nodes` positions,
    /// at least one turn. Decisions that look bad at first are left out, but never `kept`.
    fn analyse(view: &View<Self>, nodes: u64, kept: Option<Self::Action>) -> Analysis<Self>;

    /// Returns a player's decision, or `None` if the game does not have the player.
    ///
    /// `draw(r)` must return a number below `r`, with equal probability. `r` is never 0.
    fn choose(view: &View<Self>, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Self::Action>;

    /// Returns the number of positions with which [`Playable::analyse`] searches as deep as a merchant. Returns `None`
    /// if the game does not have the player, or if the player is not a merchant.
    fn nodes_of(player: Player) -> Option<u64>;

    /// Returns what the seats can expect in any position, also where chance is due. In a finished game, that is the
    /// result.
    fn equity(&self) -> Equity;

    /// Returns a player's decision for the seat on turn, from what that seat may know. Returns `None` if no seat is
    /// on turn, if its own cards are unknown, or if the game does not have the player.
    ///
    /// `draw(r)` must return a number below `r`, with equal probability. `r` is never 0.
    fn decision_of(&self, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Self::Action> {
        Self::choose(&View::new(self)?, player, draw)
    }

    /// Returns the pool that a player draws from here. It is open only if the decision follows from what
    /// everyone can see.
    ///
    /// A merchant looks at its hand for every decision, also for one that shows no card.
    fn choice_pool_of(&self, player: Player) -> Pool {
        match player {
            Player::Random | Player::SolitaireAi | Player::Hand => self.choice_pool(),
            Player::Merchant(_) if Self::HAS_SECRETS => Pool::Hidden,
            Player::Merchant(_) => Pool::Open,
        }
    }
}
