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

use crate::noise::waver;
use crate::player::Level;
use crate::random::one_of;
use crate::share::{ONE, Share, Shares, won};
use crate::{Analysis, Playable, Player, View};
use evaluation::Evaluation;
use features::HandNet;
use half::Half;
use search::{Effort, analyse};
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

impl Playable for Position {
    const PLAYERS: &'static [Player] = &[
        Player::Random,
        Player::SolitaireAi,
        Player::Merchant(LEVELS[0].0),
        Player::Merchant(LEVELS[1].0),
        Player::Merchant(LEVELS[2].0),
    ];

    fn analyse(view: &View<Self>, nodes: u64) -> Analysis<Self> {
        let looks_ahead = nodes >= LOOK_AHEAD;
        let most = nodes.saturating_mul(4).min(Effort::NEXT_TRICK.nodes);
        let effort = if looks_ahead { Effort { looks_ahead, nodes: most } } else { Effort::THIS_TRICK };
        analyse(view, effort, &Evaluation { tables: &TABLES, net: Some(&HAND_NET) })
    }

    /// Returns what the seats will probably win, without a look at their hands.
    fn value(&self) -> Shares {
        let diagram = self.diagram();
        let worth = |side| Worth::new(&TABLES, self, side);
        let halves = |side: Side| [side, side.opponent()].map(|side| Half::of(diagram, side));
        let (seat, share) = match (self.turn().is_end(), diagram.phase) {
            (true, _) | (_, Phase::Over) => {
                return self.ranking().map_or_else(Shares::default, |ranking| won(ranking.winners()));
            }
            (_, Phase::Dice | Phase::Deal(_)) => (Side::Blue, worth(Side::Blue).before_round()),
            (_, Phase::Lead { leader } | Phase::Reply { leader, .. }) => {
                (leader, worth(leader).between(&halves(leader), 0))
            }
            (_, Phase::Bonus { trick, .. }) => {
                (trick.winner(), worth(trick.winner()).between(&halves(trick.winner()), 0))
            }
            (_, Phase::Use { trick, .. }) => {
                let evaluation = Evaluation { tables: &TABLES, net: None };
                let best = View::new(self).map(|view| analyse(&view, Effort::THIS_TRICK, &evaluation));
                let line = best.as_ref().and_then(|best| best.lines.first());
                (trick.winner(), line.map_or(ONE / 2, |line| line.shares[trick.winner().seat()]))
            }
        };
        let mut shares = Shares::default();
        shares[seat.seat()] = share;
        shares[seat.opponent().seat()] = ONE - share;
        shares
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
