//! Marrakech: features, networks, search and the levels of the merchants.

pub mod features;
mod hand;
mod learned;
pub mod search;
mod visits;

use assam_rules::Game as _;
use assam_rules::marrakech::{Action, Phase, Position};

pub use hand::Hand;
pub use learned::{HIDDEN, Learned, shares_of};
use search::{Depth, Evaluate, Search};

use crate::noise::waver;
use crate::player::Level;
use crate::random::one_of;
use crate::share::{ONE, Share, Shares};
use crate::{Analysis, AnalysisLine, Playable, Player, View};

/// How strong a level is.
struct Strength {
    /// The positions that it evaluates: see [`Playable::analyse`].
    nodes: u64,
    /// The standard deviation of its errors.
    noise: Share,
}

/// Enough for one turn.
const ONE_TURN: u64 = 0;
/// Enough for two turns, with the three best places for each roll of the first.
const TWO_TURNS: u64 = 4_000;

/// The levels, weakest first.
const LEVELS: [Strength; 8] = [
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 400 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 200 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 100 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 60 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 30 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 15 },
    Strength { nodes: ONE_TURN, noise: 0 },
    Strength { nodes: TWO_TURNS, noise: 0 },
];

impl Playable for Position {
    const PLAYERS: &'static [Player] = &[
        Player::Random,
        Player::Hand,
        Player::Merchant(Level::ALL[0]),
        Player::Merchant(Level::ALL[1]),
        Player::Merchant(Level::ALL[2]),
        Player::Merchant(Level::ALL[3]),
        Player::Merchant(Level::ALL[4]),
        Player::Merchant(Level::ALL[5]),
        Player::Merchant(Level::ALL[6]),
        Player::Merchant(Level::ALL[7]),
    ];

    fn analyse(view: &View<Self>, nodes: u64, _draw: &mut dyn FnMut(u64) -> u64) -> Analysis<Self> {
        weigh(&Learned, view, nodes)
    }

    fn value(&self) -> Shares {
        Search::new(&Learned, Depth::ONE_TURN, u64::MAX).value(self)
    }

    fn choose(view: &View<Self>, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
        match player {
            Player::Random => one_of(view.actions(), draw),
            Player::SolitaireAi => None,
            _ if view.actions().len() == 1 => view.actions().first().copied(),
            Player::Hand => weigh(&Hand, view, ONE_TURN).best(),
            Player::Merchant(level) => {
                let Strength { nodes, noise } = LEVELS[level.index()];
                let mut analysis = weigh(&Learned, view, nodes);
                waver(&mut analysis, view.seat(), noise, draw);
                analysis.best()
            }
        }
    }
}

/// Weighs the decisions with an evaluation.
pub fn weigh(evaluation: &impl Evaluate, view: &View<Position>, nodes: u64) -> Analysis<Position> {
    let depth = affordable(view.position(), nodes);
    // Estimates are means: a position can cost several times as much, but not without end.
    let mut search = Search::new(evaluation, depth, nodes.saturating_mul(4).max(10_000));
    let mut decisions = search.decisions(view.position());
    let mut all = search.nodes();
    if search.is_stopped() {
        search = Search::new(evaluation, Depth::ONE_TURN, u64::MAX);
        decisions = search.decisions(view.position());
        all += search.nodes();
    }
    let lines = decisions.into_iter().map(|(action, shares)| AnalysisLine { action, shares }).collect();
    Analysis { lines, nodes: all }
}

/// Returns the deepest search that evaluates about this many positions.
fn affordable(position: &Position, nodes: u64) -> Depth {
    /// The mean number of places for a rug.
    const PLACES: u64 = 8;
    // A turn has twelve squares to lay from: three directions, or three ways to turn at the end, and four rolls.
    const TURN: u64 = 12 * PLACES;
    let rolls = if matches!(position.phase(), Phase::Lay { .. }) { 1 } else { 12 };
    let colours = position.setup().colours(position.seat()).len() as u64;
    let deeper = |first_width: u64, one_colour: u32| {
        let turn = if one_colour > 0 { TURN } else { TURN * colours };
        rolls * first_width * turn
    };
    let depths = [
        (deeper(8, 0) * TURN, Depth { turns: 3, width: 1, first_width: 12, one_colour: 2 }),
        (deeper(3, 0) * TURN, Depth { turns: 3, width: 1, first_width: 3, one_colour: 2 }),
        (deeper(8, 0), Depth { turns: 2, width: 1, first_width: 12, one_colour: 0 }),
        (deeper(8, 1), Depth { turns: 2, width: 1, first_width: 12, one_colour: 1 }),
        (deeper(3, 1), Depth { turns: 2, width: 1, first_width: 3, one_colour: 1 }),
    ];
    depths.into_iter().find(|(cost, _)| *cost <= nodes).map_or(Depth::ONE_TURN, |(_, depth)| depth)
}
