//! The search: expectation over chance, and the best decision of each seat for itself.

use arrayvec::ArrayVec;
use assam_rules::marrakech::{Action, Phase, Position};
use assam_rules::{Game as _, Move, Seat};

use crate::equity::{Equity, MeanEquity};
use crate::share::won;

/// An evaluation of positions in which a turn begins.
pub trait Evaluate {
    /// Returns what the seats will probably get.
    fn equity(&self, position: &Position) -> Equity;
}

/// How far a search looks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    /// The number of turns, from 1.
    pub turns: u32,
    /// The number of rugs that are tried in later turns, from 1.
    pub width: usize,
    /// The number of rugs that are tried in the turn that is searched, from 1.
    pub first_width: usize,
    /// The number of last turns in which the search tries only the colour with more rugs left.
    pub one_colour: u32,
}

impl Depth {
    /// One turn, weighed completely.
    pub const ONE_TURN: Self = Self { turns: 1, width: 12, first_width: 12, one_colour: 0 };
}

/// A search that counts the positions that it evaluates.
pub struct Search<'a, E> {
    evaluation: &'a E,
    depth: Depth,
    nodes: u64,
    limit: u64,
    kept: Option<Action>,
}

impl<'a, E: Evaluate> Search<'a, E> {
    /// Returns a search that stops once it has evaluated more than `limit` positions.
    pub const fn new(evaluation: &'a E, depth: Depth, limit: u64) -> Self {
        Self { evaluation, depth, nodes: 0, limit, kept: None }
    }

    /// Returns the search, which never leaves out this decision of the position that it weighs.
    pub const fn keeping(mut self, kept: Option<Action>) -> Self {
        self.kept = kept;
        self
    }

    /// Returns the number of evaluated positions.
    pub const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns whether the search stopped, so that what it returns means nothing.
    pub const fn is_stopped(&self) -> bool {
        self.nodes > self.limit
    }

    /// Weighs every legal decision. Those that look worse at first are left out if the depth has a width.
    pub fn decisions(&mut self, position: &Position) -> ArrayVec<(Action, Equity), 12> {
        let seat = position.seat();
        let turns = self.depth.turns;
        match position.phase() {
            Phase::Lay { .. } => self.rugs(position, turns, self.depth.first_width, self.kept),
            Phase::Orient { .. } | Phase::TurnUp | Phase::Roll { .. } | Phase::Over | Phase::Aborted => {
                let weigh = |action| (action, self.within(&after(position, Move::Action(action)), turns));
                let mut decisions: ArrayVec<_, 12> =
                    position.legal_actions().into_iter().map(weigh).collect();
                sort(&mut decisions, seat);
                decisions
            }
        }
    }

    /// Returns what the seats will probably get in any position, when the turn that is begun ends.
    pub fn value(&mut self, position: &Position) -> Equity {
        self.within(position, 1)
    }

    /// Returns what the seats will probably get at the beginning of a turn.
    fn start(&mut self, position: &Position, turns: u32) -> Equity {
        if matches!(position.phase(), Phase::Over | Phase::Aborted) {
            return result(position);
        }
        if turns == 0 || self.is_stopped() {
            self.nodes += 1;
            return self.evaluation.equity(position);
        }
        self.within(position, turns)
    }

    /// Returns what the seats will probably get during a turn, which is the first of `turns`.
    fn within(&mut self, position: &Position, turns: u32) -> Equity {
        match position.phase() {
            Phase::TurnUp | Phase::Roll { .. } => self.chance(position, turns),
            Phase::Orient { hand: Some(_) } => {
                let seat = position.seat();
                let actions = position.legal_actions();
                let weigh = |action: &Action| self.within(&after(position, Move::Action(*action)), turns);
                best(actions.iter().map(weigh), seat)
            }
            Phase::Orient { hand: None } => {
                let seat = position.seat();
                let actions = position.legal_actions();
                let weigh = |action: &Action| self.start(&after(position, Move::Action(*action)), turns - 1);
                best(actions.iter().map(weigh), seat)
            }
            Phase::Lay { .. } => {
                let decisions = self.rugs(position, turns, self.depth.width, None);
                decisions.first().map_or_else(Equity::default, |(_, equity)| *equity)
            }
            Phase::Over | Phase::Aborted => self.start(position, 0),
        }
    }

    fn chance(&mut self, position: &Position, turns: u32) -> Equity {
        let mut mean = MeanEquity::default();
        let mut outcomes = position.outcomes();
        if matches!(position.phase(), Phase::TurnUp) && turns <= self.depth.one_colour {
            // The colour with more rugs left stands for both.
            outcomes.sort_unstable_by_key(|&(_, weight)| core::cmp::Reverse(weight));
            outcomes.truncate(1);
        }
        for (outcome, weight) in outcomes {
            let next = after(position, Move::Chance(outcome));
            let is_over = is_turn_over(position.phase(), next.phase());
            let equity = if is_over { self.start(&next, turns - 1) } else { self.within(&next, turns) };
            mean.add(&equity, weight);
        }
        mean.mean()
    }

    /// Weighs the places for a rug, best first: at first without a further turn, then the best `width` with
    /// all turns.
    fn rugs(
        &mut self,
        position: &Position,
        turns: u32,
        width: usize,
        kept: Option<Action>,
    ) -> ArrayVec<(Action, Equity), 12> {
        let seat = position.seat();
        let mut decisions = ArrayVec::<_, 12>::new();
        let mut boards = ArrayVec::<Position, 12>::new();
        for action in position.legal_actions() {
            let next = after(position, Move::Action(action));
            decisions.push((action, self.laid(&next, 1)));
            boards.push(next);
        }
        if turns > 1 {
            let mut order: ArrayVec<usize, 12> = (0..decisions.len()).collect();
            order.sort_unstable_by_key(|&index| (-decisions[index].1.shares[seat], index));
            // The decision to keep joins the best ones.
            let kept = order.iter().skip(width).copied().find(|&index| Some(decisions[index].0) == kept);
            order.truncate(width);
            order.extend(kept);
            let weighed = order
                .into_iter()
                .map(|index| (decisions[index].0, self.laid(&boards[index], turns)))
                .collect();
            decisions = weighed;
        }
        sort(&mut decisions, seat);
        decisions
    }

    /// Returns what the seats will probably get after a rug was laid in the first of `turns`.
    fn laid(&mut self, position: &Position, turns: u32) -> Equity {
        match position.phase() {
            Phase::Orient { hand: None } => self.within(position, turns),
            Phase::TurnUp
            | Phase::Orient { hand: Some(_) }
            | Phase::Roll { .. }
            | Phase::Lay { .. }
            | Phase::Over
            | Phase::Aborted => self.start(position, turns - 1),
        }
    }
}

/// Returns whether a move in one phase that led to the other ended a turn. A seat that cannot pay its toll lays no
/// rug.
pub const fn is_turn_over(before: Phase, after: Phase) -> bool {
    match (before, after) {
        (Phase::Roll { .. }, Phase::Lay { .. }) | (Phase::Lay { .. }, Phase::Orient { hand: None }) => false,
        (Phase::Roll { .. } | Phase::Lay { .. } | Phase::Orient { hand: None }, _) => true,
        (Phase::TurnUp | Phase::Orient { hand: Some(_) } | Phase::Over | Phase::Aborted, _) => false,
    }
}

/// Returns what the seats got in a finished game. An aborted one has no winner.
pub fn result(position: &Position) -> Equity {
    let mut equity =
        Equity::from(position.ranking().map_or_else(Default::default, |ranking| won(ranking.winners())));
    for (points, score) in equity.points.0.iter_mut().zip(position.scores()) {
        *points = 1000 * score;
    }
    equity
}

fn after(position: &Position, mv: Move<Position>) -> Position {
    let mut next = position.clone();
    next.apply(mv);
    next
}

fn best(weighed: impl Iterator<Item = Equity>, seat: Seat) -> Equity {
    weighed
        .fold(None, |best: Option<Equity>, equity| match best {
            Some(best) if best.shares[seat] >= equity.shares[seat] => Some(best),
            _ => Some(equity),
        })
        .unwrap_or_default()
}

/// Sorts decisions by the share of a seat, best first. Equal ones stay in order.
fn sort(decisions: &mut [(Action, Equity)], seat: Seat) {
    // An insertion sort is stable and needs no memory.
    for end in 1..decisions.len() {
        let mut at = end;
        while at > 0 && decisions[at - 1].1.shares[seat] < decisions[at].1.shares[seat] {
            decisions.swap(at - 1, at);
            at -= 1;
        }
    }
}
