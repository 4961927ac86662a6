//! The analysis of a decision: expectation over unseen cards, and the next trick with the own hand.

use arrayvec::ArrayVec;
use assam_rules::Game as _;
use assam_rules::marrakesh::{Action, Card, Cards, Diagram, Lead, Phase, Position, Setup, Side};

use super::evaluation::Evaluation;
use super::half::{Boards, Half};
use super::hands::{NextTrick, Wins};
use super::table::POINT;
use super::tricks::{FACES, Faces, Kind, face, outcome};
use super::worth::{MeanOdds, Odds, Worth};
use crate::equity::Equity;
use crate::{Analysis, AnalysisLine, View};

/// How much a search does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Whether it looks at the next trick with the cards in hand.
    pub looks_ahead: bool,
    /// The number of half boards evaluated beyond which it no longer looks ahead.
    pub nodes: u64,
}

impl Effort {
    /// Looks at the trick that is played.
    pub const THIS_TRICK: Self = Self { looks_ahead: false, nodes: 0 };
    /// Looks at the next trick, too.
    pub const NEXT_TRICK: Self = Self { looks_ahead: true, nodes: 60_000 };
}

/// Weighs the legal decisions of a view.
pub fn analyse(view: &View<Position>, effort: Effort, evaluation: &Evaluation) -> Analysis<Position> {
    let mut analysis = Analysis { lines: ArrayVec::new(), nodes: 0 };
    let Some(side) = Side::of(view.seat()) else { return analysis };
    let diagram = view.position().diagram();
    let mut search = Search {
        effort,
        evaluation: *evaluation,
        setup: *view.position().setup(),
        worth: Worth::new(evaluation.tables, view.position(), side),
        halves: [side, side.opponent()].map(|side| Half::of(diagram, side)),
        unseen: unseen(diagram, side),
        hand: faces(diagram.hands[side].known()),
        nodes: 0,
    };
    let odds: ArrayVec<Odds, 32> = match diagram.phase {
        Phase::Lead { .. } => search.cards(view.actions(), true),
        Phase::Reply { .. } => search.cards(view.actions(), false),
        Phase::Use { trick, bonus, off, .. } => {
            search.uses(view.actions(), view.position(), &trick, bonus, off)
        }
        Phase::Dice | Phase::Deal(_) | Phase::Bonus { .. } | Phase::Over => return analysis,
    };
    for (&action, odds) in view.actions().iter().zip(odds) {
        analysis.lines.push(AnalysisLine { action, equity: equity(side, odds) });
    }
    analysis.sort(view.seat());
    analysis.nodes = search.nodes;
    analysis
}

/// Returns the equity of both sides from the odds of one.
pub(super) fn equity(side: Side, odds: Odds) -> Equity {
    let mut equity = Equity::default();
    for (side, odds) in [(side, odds), (side.opponent(), odds.of_other())] {
        equity.shares[side.seat()] = odds.share;
        equity.points[side.seat()] = odds.lead * 1000 / POINT;
    }
    equity
}

/// Counts cards by face.
pub fn faces(cards: Cards) -> Faces {
    let mut faces = [0; FACES];
    for card in cards.iter() {
        faces[face(card)] += 1;
    }
    faces
}

/// Counts the cards that a side has not seen in this round. Of the discards it sees the top.
pub fn unseen(diagram: &Diagram, side: Side) -> Faces {
    let mut unseen = [0; FACES];
    for card in Card::all() {
        unseen[face(card)] = card.copies();
    }
    let mut see = |card: Card| {
        let cards = &mut unseen[face(card)];
        *cards = cards.saturating_sub(1);
    };
    diagram.hands[side].known().iter().for_each(&mut see);
    diagram.tricks.iter().flat_map(|trick| [trick.lead, trick.reply]).for_each(&mut see);
    let is_own = |leader: Side| leader == side;
    match diagram.phase {
        Phase::Reply { leader, lead: Lead::Known(card) } if is_own(leader) => see(card),
        Phase::Use { trick, .. } | Phase::Bonus { trick, .. } => {
            [trick.lead, trick.reply].into_iter().for_each(&mut see)
        }
        Phase::Reply { .. } | Phase::Lead { .. } | Phase::Dice | Phase::Deal(_) | Phase::Over => {}
    }
    // After a round, the top is a card of its last trick, and later a bonus card. It is never one of the above.
    diagram.discards.top.into_iter().for_each(&mut see);
    unseen
}

pub(super) struct Search<'a> {
    pub(super) effort: Effort,
    pub(super) evaluation: Evaluation<'a>,
    pub(super) setup: Setup,
    pub(super) worth: Worth<'a>,
    /// The own half board, then the other's.
    pub(super) halves: [Half; 2],
    pub(super) unseen: Faces,
    pub(super) hand: Faces,
    pub(super) nodes: u64,
}

impl Search<'_> {
    pub(super) fn looks_ahead(&self) -> bool {
        self.effort.looks_ahead && self.nodes < self.effort.nodes
    }

    /// Returns the odds of each card to play.
    fn cards(&mut self, actions: &[Action], leads: bool) -> ArrayVec<Odds, 32> {
        let looks_ahead = self.looks_ahead();
        let odds = self.cards_once(actions, leads);
        if looks_ahead && !self.looks_ahead() {
            // Odds with and without a look ahead do not compare.
            return self.cards_once(actions, leads);
        }
        odds
    }

    fn cards_once(&mut self, actions: &[Action], leads: bool) -> ArrayVec<Odds, 32> {
        let mut cards = ArrayVec::<usize, 32>::new();
        for action in actions {
            cards.push(match action {
                Action::Play(card) => face(*card),
                Action::LeadUnknown | Action::Use { .. } => 0,
            });
        }
        // Pairs of cards with the same result are weighed one after another.
        let mut pairs = ArrayVec::<Pair, 256>::new();
        for (place, &card) in cards.iter().enumerate() {
            for other in (0..FACES).filter(|&other| self.unseen[other] > 0) {
                let is = if leads { outcome(card, other) } else { outcome(other, card) };
                let winner = usize::from(is.leader_wins != leads);
                if !pairs.is_full() {
                    pairs.push(Pair { winner, kind: is.kind.place(), place, other });
                }
            }
        }
        pairs.sort_unstable_by_key(|pair| (pair.winner, pair.kind, pair.place, pair.other));
        let mut means = [MeanOdds::default(); 32];
        let mut wins = self.fixed_wins();
        for same in pairs.chunk_by(|one, two| (one.winner, one.kind) == (two.winner, two.kind)) {
            let Some(first) = same.first() else { continue };
            let mut won = self.won(first.winner, Kind::at(first.kind));
            for pair in same {
                let mut odds = Odds::LEAST;
                for won in &mut won {
                    odds = odds.max(self.after_trick(won, cards[pair.place], pair.other, &mut wins));
                }
                means[pair.place].add(odds, i64::from(self.unseen[pair.other]));
            }
        }
        let count: i64 = self.unseen.iter().map(|&cards| i64::from(cards)).sum();
        means[..cards.len()].iter().map(|mean| mean.mean(count)).collect()
    }

    /// Returns tables of both current half boards, by the empty ovals of the other one.
    fn fixed_wins(&self) -> [[Wins; 4]; 2] {
        self.halves.map(|half| [0, 1, 2, 3].map(|other_empty| Wins::new(half, other_empty)))
    }

    /// Returns the result of a trick of this kind before the hands are looked at.
    fn won(&mut self, winner: usize, kind: Kind) -> ArrayVec<Won, 2> {
        let mut halves = self.halves;
        let loser = 1 - winner;
        if halves[winner].empty() == 0 {
            halves[loser].mark(0);
            return ArrayVec::from_iter([Won::new(winner, loser, halves, 0, &self.worth)]);
        }
        let half = halves[winner];
        let mut boards = Boards::new();
        kind.boards(half.pieces, self.setup.value_order, &mut boards);
        self.nodes += boards.len() as u64;
        // The best board, and the next best one.
        let mut best: [Option<(Odds, Half)>; 2] = [None; 2];
        for &board in &boards {
            halves[winner] = half.after(board);
            let more = if kind.has_bonus() { self.bonus(&halves, winner) } else { 0 };
            let odds = plain(winner, &halves, more, &self.worth);
            let odds = if winner == 0 { odds } else { odds.of_other() };
            let this = Some((odds, halves[winner]));
            let is_less = |place: Option<(Odds, Half)>| place.is_none_or(|(least, _)| odds > least);
            if is_less(best[0]) {
                best = [this, best[0]];
            } else if is_less(best[1]) {
                best[1] = this;
            }
        }
        let mut results = ArrayVec::new();
        let width = if winner == 0 && self.looks_ahead() { 2 } else { 1 };
        for (_, half) in best.into_iter().flatten().take(width) {
            halves[winner] = half;
            let more = if kind.has_bonus() { self.bonus(&halves, winner) } else { 0 };
            results.push(Won::new(winner, winner, halves, more, &self.worth));
        }
        results
    }

    /// Returns what a bonus card will probably add to the mean of the winner.
    pub(super) fn bonus(&self, halves: &[Half; 2], winner: usize) -> i32 {
        let (half, other) = (&halves[winner], halves[1 - winner].empty());
        if half.pieces == 0 {
            return 0;
        }
        self.evaluation.tables.mean_before_bonus(half, other) - self.evaluation.tables.mean(half, other, true)
    }

    /// Returns the odds after a trick of these cards.
    fn after_trick(&mut self, won: &mut Won, card: usize, other: usize, wins: &mut [[Wins; 4]; 2]) -> Odds {
        let empty = won.halves.map(|half| half.empty());
        if empty[0] + empty[1] == 0 {
            return won.odds;
        }
        let leads = won.winner == 0;
        let more = if leads { won.more } else { -won.more };
        let (mut hand, mut unseen) = (self.hand, self.unseen);
        hand[card] = hand[card].saturating_sub(1);
        if !self.looks_ahead() {
            let rest = self.evaluation.rest(&hand, &unseen, &won.halves, leads);
            return self.worth.odds(won.mean + more + rest, won.variance);
        }
        unseen[other] = unseen[other].saturating_sub(1);
        let next = NextTrick {
            evaluation: self.evaluation,
            order: self.setup.value_order,
            halves: won.halves,
            leads,
        };
        let [own, others] = wins;
        let (own_place, other_place) = (usize::from(empty[1]) & 3, usize::from(empty[0]) & 3);
        let pair = if won.changed == 0 {
            [&mut won.wins, &mut others[other_place]]
        } else {
            [&mut own[own_place], &mut won.wins]
        };
        let margin = next.margin(pair, &mut hand, &unseen, &mut self.nodes);
        self.worth.odds(margin + more, won.variance)
    }
}

/// A card of the hand, by its place, with a card of the other side.
struct Pair {
    winner: usize,
    kind: usize,
    place: usize,
    other: usize,
}

/// The result of a trick.
struct Won {
    winner: usize,
    halves: [Half; 2],
    /// The side whose half board changed.
    changed: usize,
    /// The probable addition of the bonus card to the winner's mean.
    more: i32,
    mean: i32,
    variance: i32,
    odds: Odds,
    wins: Wins,
}

impl Won {
    fn new(winner: usize, changed: usize, halves: [Half; 2], more: i32, worth: &Worth) -> Self {
        let (mean, variance) = worth.margin(&halves, winner);
        let odds = plain(winner, &halves, more, worth);
        let wins = Wins::new(halves[changed], halves[1 - changed].empty());
        Self { winner, halves, changed, more, mean, variance, odds, wins }
    }
}

/// Returns the odds after a trick without a look at the hands. The winner's mean is greater by `more`.
pub(super) fn plain(winner: usize, halves: &[Half; 2], more: i32, worth: &Worth) -> Odds {
    if more == 0 {
        return worth.between(halves, winner);
    }
    let (mean, variance) = worth.margin(halves, winner);
    worth.odds(mean + if winner == 0 { more } else { -more }, variance)
}
