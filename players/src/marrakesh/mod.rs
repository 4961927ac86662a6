//! Marrakesh: tables of half boards, a network for hands, search, and the levels of the merchants.

pub mod evaluation;
pub mod features;
pub mod half;
pub mod hands;
mod normal;
pub mod search;
mod solitaire;
pub mod table;
#[cfg(test)]
mod tests;
pub mod tricks;
mod uses;
pub mod worth;

use assam_rules::Game as _;
use assam_rules::marrakesh::{Action, Phase, Position, Side};

use crate::equity::Equity;
use crate::luck::chance;
use crate::noise::waver;
use crate::player::Level;
use crate::random::one_of;
use crate::share::{ONE, Share, won};
use crate::{Analysis, Playable, Player, View};
use evaluation::Evaluation;
use features::HandNet;
use half::Half;
use search::{Effort, analyse, equity, faces, unseen};
use solitaire::solitaire_action;
use table::Tables;
use worth::Worth;

/// The tables in `players/weights`.
pub static TABLES: Tables = Tables::read(
    include_bytes!("../../weights/marrakesh-means.bin"),
    include_bytes!("../../weights/marrakesh-variances.bin"),
    include_bytes!("../../weights/marrakesh-bonuses.bin"),
);

/// The network in `players/weights`.
pub static HAND_NET: HandNet = HandNet::read(include_bytes!("../../weights/marrakesh-hands.bin"));

/// How strong a level is.
struct Strength {
    /// How much it searches.
    effort: Effort,
    /// Whether it knows what a hand is worth between two tricks.
    knows_hands: bool,
    /// The standard deviation of its errors.
    noise: Share,
}

/// The levels that play Marrakesh, weakest first. All are above the solitaire player.
const LEVELS: [(Level, Strength); 3] = [
    (Level::ALL[5], Strength { effort: Effort::THIS_TRICK, knows_hands: false, noise: ONE / 1000 * 11 }),
    (Level::ALL[6], Strength { effort: Effort::THIS_TRICK, knows_hands: true, noise: ONE / 1000 * 9 }),
    (Level::ALL[7], Strength { effort: Effort::NEXT_TRICK, knows_hands: true, noise: 0 }),
];

/// The half boards that a look at the next trick evaluates in the mean.
const LOOK_AHEAD: u64 = 1_500;

/// Returns what the sides got in a finished match. An aborted one has no winner.
fn result(position: &Position) -> Equity {
    let mut result =
        Equity::from(position.ranking().map_or_else(Default::default, |ranking| won(ranking.winners())));
    for side in [Side::Blue, Side::Red] {
        let lead = i32::from(position.total(side)) - i32::from(position.total(side.opponent()));
        result.points[side.seat()] = 1000 * lead;
    }
    result
}

impl Playable for Position {
    const PLAYERS: &'static [Player] = &[
        Player::Random,
        Player::SolitaireAi,
        Player::Merchant(LEVELS[0].0),
        Player::Merchant(LEVELS[1].0),
        Player::Merchant(LEVELS[2].0),
    ];

    /// Weighs every decision, so that `kept` is among them.
    fn analyse(view: &View<Self>, nodes: u64, _kept: Option<Action>) -> Analysis<Self> {
        let looks_ahead = nodes >= LOOK_AHEAD;
        let most = nodes.saturating_mul(4).min(Effort::NEXT_TRICK.nodes);
        let effort = if looks_ahead { Effort { looks_ahead, nodes: most } } else { Effort::THIS_TRICK };
        analyse(view, effort, &Evaluation { tables: &TABLES, net: Some(&HAND_NET) })
    }

    fn nodes_of(player: Player) -> Option<u64> {
        let (_, strength) = LEVELS.iter().find(|(level, _)| player.level() == Some(*level))?;
        Some(strength.effort.nodes)
    }

    /// Returns what the seats can expect from what is known in the position: the hands count if they are known.
    fn equity(&self) -> Equity {
        let diagram = self.diagram();
        let evaluation = Evaluation { tables: &TABLES, net: Some(&HAND_NET) };
        let worth = |side| Worth::new(&TABLES, self, side);
        let halves = |side: Side| [side, side.opponent()].map(|side| Half::of(diagram, side));
        // What the known hand of a side adds to its margin.
        let hand = |side: Side, leads: bool| {
            let cards = faces(diagram.hands[side].known());
            let is_known = cards.iter().any(|&count| count > 0);
            if is_known { evaluation.rest(&cards, &unseen(diagram, side), &halves(side), leads) } else { 0 }
        };
        let best = || {
            let best = View::new(self).map(|view| analyse(&view, Effort::THIS_TRICK, &evaluation))?;
            best.lines.first().map(|line| line.equity)
        };
        let between = |leader: Side| equity(leader, worth(leader).between(&halves(leader), 0));
        let with_hands = |leader: Side| {
            let (mean, variance) = worth(leader).margin(&halves(leader), 0);
            let hands = hand(leader, true) - hand(leader.opponent(), false);
            equity(leader, worth(leader).odds(mean + hands, variance))
        };
        match (self.turn().is_end(), diagram.phase) {
            (true, _) | (_, Phase::Over) => result(self),
            (_, Phase::Dice) => equity(Side::Blue, worth(Side::Blue).before_round()),
            (_, Phase::Deal(_)) => with_hands(Position::first_leader(diagram.points)),
            (_, Phase::Lead { leader }) => with_hands(leader),
            (_, Phase::Reply { leader, .. }) => best().unwrap_or_else(|| between(leader)),
            (_, Phase::Use { trick, .. }) => best().unwrap_or_else(|| between(trick.winner())),
            (_, Phase::Bonus { trick, .. }) => match self.outcomes().first() {
                Some((card, _)) => chance(self, *card).0,
                None => between(trick.winner()),
            },
        }
    }

    fn choose(view: &View<Self>, player: Player, draw: &mut dyn FnMut(u64) -> u64) -> Option<Action> {
        match player {
            Player::Random => one_of(view.actions(), draw),
            Player::SolitaireAi => solitaire_action(view, draw),
            Player::Hand => None,
            Player::Merchant(level) => {
                let (_, strength) = LEVELS.iter().find(|(one, _)| *one == level)?;
                if let [only] = view.actions() {
                    return Some(*only);
                }
                let net = strength.knows_hands.then_some(&HAND_NET);
                let mut analysis = analyse(view, strength.effort, &Evaluation { tables: &TABLES, net });
                waver(&mut analysis, view.seat(), strength.noise, draw);
                analysis.best()
            }
        }
    }
}
