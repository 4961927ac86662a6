//! Marrakech: features, networks, search and the levels of the merchants.

pub mod features;
mod hand;
mod learned;
pub mod search;
mod visits;

use assam_rules::Game as _;
use assam_rules::marrakech::{Action, Phase, Position};

pub use hand::Hand;
pub use learned::{HIDDEN, Judge, Learned, POINTS_HIDDEN, POINTS_PER_OUTPUT, shares_of};
use search::{Depth, Evaluate, Search};

use crate::equity::Equity;
use crate::noise::waver;
use crate::player::Level;
use crate::random::one_of;
use crate::share::{ONE, Share};
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
/// Enough for two turns, and for three from a rug on.
const THREE_TURNS: u64 = 14_000;

/// The levels, weakest first. The noise makes steps of about the same size.
const LEVELS: [Strength; 8] = [
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 100 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 77 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 58 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 43 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 31 },
    Strength { nodes: ONE_TURN, noise: ONE / 1000 * 17 },
    Strength { nodes: ONE_TURN, noise: 0 },
    Strength { nodes: THREE_TURNS, noise: 0 },
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

    fn analyse(view: &View<Self>, nodes: u64, kept: Option<Action>) -> Analysis<Self> {
        weigh(&Judge, view, nodes, kept)
    }

    fn nodes_of(player: Player) -> Option<u64> {
        player.level().map(|level| LEVELS[level.index()].nodes)
    }

    fn equity(&self) -> Equity {
        Search::new(&Judge, Depth::ONE_TURN, u64::MAX).value(self)
    }

    fn choose(view: &View<Self>, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
        match player {
            Player::Random => one_of(view.actions(), draw),
            Player::SolitaireAi => None,
            _ if view.actions().len() == 1 => view.actions().first().copied(),
            Player::Hand => weigh(&Hand, view, ONE_TURN, None).best(),
            Player::Merchant(level) => {
                let Strength { nodes, noise } = LEVELS[level.index()];
                let mut analysis = weigh(&Learned, view, nodes, None);
                waver(&mut analysis, view.seat(), noise, draw);
                analysis.best()
            }
        }
    }
}

/// Weighs the decisions with an evaluation. Those that look bad at first are left out, but never `kept`.
pub fn weigh(
    evaluation: &impl Evaluate,
    view: &View<Position>,
    nodes: u64,
    kept: Option<Action>,
) -> Analysis<Position> {
    let depth = affordable(view.position(), nodes);
    // Estimates are means: a position can cost several times as much, but not without end.
    let mut search = Search::new(evaluation, depth, nodes.saturating_mul(3).max(10_000)).keeping(kept);
    let mut decisions = search.decisions(view.position());
    let mut all = search.nodes();
    if search.is_stopped() {
        search = Search::new(evaluation, Depth::ONE_TURN, u64::MAX);
        decisions = search.decisions(view.position());
        all += search.nodes();
    }
    let lines = decisions.into_iter().map(|(action, equity)| AnalysisLine { action, equity }).collect();
    Analysis { lines, nodes: all }
}

/// Returns the deepest search that evaluates about this many positions.
fn affordable(position: &Position, nodes: u64) -> Depth {
    /// The mean number of places for a rug.
    const PLACES: u64 = 8;
    /// The squares to lay from: three directions, or three ways to turn at the end, and four rolls.
    const ROLLS: u64 = 12;
    const TURN: u64 = ROLLS * PLACES;
    let rolls = if matches!(position.phase(), Phase::Lay { .. }) { 1 } else { ROLLS };
    let colours = position.setup().colours(position.seat()).len() as u64;
    let two = |first_width: usize, colours: u64| {
        let one_colour = u32::from(colours == 1);
        (rolls * first_width as u64 * colours * TURN, Depth { turns: 2, width: 1, first_width, one_colour })
    };
    // The second turn is weighed to find the best place for each roll, and a third turn follows each of those.
    let three = |first_width: usize| {
        let cost = rolls * first_width as u64 * (TURN + ROLLS * TURN);
        (cost, Depth { turns: 3, width: 1, first_width, one_colour: 2 })
    };
    let depths = [three(8), three(3), two(6, colours), two(6, 1), two(3, 1)];
    // In a measurement with three and four seats, a third turn made play weaker.
    let skipped = if position.setup().seats() == 2 { 0 } else { 2 };
    depths
        .into_iter()
        .skip(skipped)
        .find(|(cost, _)| *cost <= nodes)
        .map_or(Depth::ONE_TURN, |(_, depth)| depth)
}
