//! The account of a game: what chance did, what the seats did, and how both add up to the result.

use core::ops::{Add, AddAssign, Sub};

use assam_rules::{Audience, BySeat, Leave, Move, Pool, Seat, Turn};

use crate::analysis::Analysis;
use crate::equity::Equity;
use crate::luck::chance;
use crate::share::{ONE, Share};
use crate::{Playable, View};

/// A part of the win and of the points. Amounts are whole numbers, so they add up exactly.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Amount {
    /// The share of the win in 10,000ths.
    pub win: i32,
    /// Points in 1,000ths, as in [`Points`](crate::Points).
    pub points: i32,
}

/// The [`Amount::win`] of a certain win.
pub const CERTAIN_WIN: i32 = 10_000;

impl Add for Amount {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { win: self.win + other.win, points: self.points + other.points }
    }
}

impl Sub for Amount {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self { win: self.win - other.win, points: self.points - other.points }
    }
}

impl AddAssign for Amount {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

/// Returns the amounts of an equity, rounded to the nearest.
pub fn amounts(equity: &Equity) -> BySeat<Amount> {
    BySeat(core::array::from_fn(|seat| Amount {
        win: win_of(equity.shares.0[seat]),
        points: equity.points.0[seat],
    }))
}

/// Returns a share of the win in 10,000ths, rounded to the nearest.
pub const fn win_of(share: Share) -> i32 {
    ((share as i64 * CERTAIN_WIN as i64 + ONE as i64 / 2) >> ONE.trailing_zeros()) as i32
}

/// The maker of a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// Chance: what changes is luck.
    Chance,
    /// A seat that decided, resigned or ran out of time: what changes is its error.
    Seat(Seat),
    /// No seat: the game was aborted.
    Nobody,
}

/// A move and what it changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JudgedMove<G: Playable> {
    /// The maker of the move.
    pub cause: Cause,
    /// The difference between the judge's value of the position now and after the move before.
    pub correction: BySeat<Amount>,
    /// Whether cards were hidden when it was made. Then the correction after it is part of [`Balance::hidden`].
    pub is_hidden: bool,
    /// The mean over all outcomes of chance, or the best decision.
    pub before: BySeat<Amount>,
    /// The outcome, or the decision that was made.
    pub after: BySeat<Amount>,
    /// The decisions that the seat had, if there was a choice and the judge knows what the seat knew.
    pub analysis: Option<Analysis<G>>,
}

impl<G: Playable> JudgedMove<G> {
    /// Returns what the move changed for a seat: luck, or an error.
    pub fn change(&self, seat: Seat) -> Amount {
        self.after[seat] - self.before[seat]
    }

    /// Returns how bad the seat's decision was. Returns `None` for chance, and for a decision that is fine.
    pub fn mark(&self) -> Option<Mark> {
        let Cause::Seat(seat) = self.cause else { return None };
        Mark::of(self.change(seat).win)
    }
}

/// How bad a decision was.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Mark {
    /// `?!`: it cost at least 2 % of the win.
    Doubtful,
    /// `?`: it cost at least 5 %.
    Mistake,
    /// `??`: it cost at least 10 %.
    Blunder,
}

impl Mark {
    /// Every mark with the least loss in 10,000ths that earns it, the lightest first.
    pub const ALL: [(Self, i32); 3] = [(Self::Doubtful, 200), (Self::Mistake, 500), (Self::Blunder, 1_000)];

    /// Returns the mark for an error in 10,000ths of the win, which is 0 or less.
    pub fn of(error: i32) -> Option<Self> {
        Self::ALL.iter().rev().find(|(_, least)| -error >= *least).map(|(mark, _)| *mark)
    }

    /// Returns the sign, as in annotations of chess games.
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Doubtful => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }
}

/// The columns of a seat: the result is the sum of the others, to the last digit.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Balance {
    /// The seat's expectation at first.
    pub start: Amount,
    /// The luck of all chance.
    pub luck: Amount,
    /// The seat's errors. The win is 0 or less.
    pub errors: Amount,
    /// The seat's gain from the errors of others.
    pub gifts: Amount,
    /// The difference between what the cards were and what the deciding seats knew of them.
    pub hidden: Amount,
    /// Differences between two values of one position. They measure the uncertainty of the other columns.
    pub corrections: Amount,
    /// The result, or what the seat can expect if the game is not over.
    pub result: Amount,
    /// The decisions with a choice that were judged.
    pub decisions: u32,
    /// The decisions with each of [`Mark::ALL`].
    pub marks: [u32; 3],
}

impl Balance {
    /// Returns the result without the luck.
    pub fn luck_adjusted(&self) -> Amount {
        self.result - self.luck
    }
}

/// The account of a game that is played through, move by move.
#[derive(Clone, Debug)]
pub struct Account {
    nodes: u64,
    last: BySeat<Amount>,
    was_hidden: bool,
    balances: BySeat<Balance>,
}

impl Account {
    /// Opens an account before the first move. The judge evaluates about `nodes` positions for a decision.
    pub fn new<G: Playable>(position: &G, nodes: u64) -> Self {
        let last = amounts(&position.equity());
        let mut balances = BySeat([Balance::default(); Seat::MAX as usize]);
        for (balance, start) in balances.0.iter_mut().zip(last.0) {
            (balance.start, balance.result) = (start, start);
        }
        Self { nodes, last, was_hidden: false, balances }
    }

    /// Judges a legal move in the position before it.
    pub fn judge<G: Playable>(&mut self, position: &G, mv: Move<G>) -> JudgedMove<G> {
        let value_after = || {
            let mut next = position.clone();
            next.apply(mv);
            amounts(&next.equity())
        };
        let (cause, before, after, analysis) = match mv {
            Move::Chance(outcome) => {
                let (mean, after) = chance(position, outcome);
                (Cause::Chance, amounts(&mean), amounts(&after), None)
            }
            Move::Action(action) => {
                let cause = match position.turn() {
                    Turn::Player(seat) => Cause::Seat(seat),
                    Turn::Chance | Turn::Over | Turn::Aborted => Cause::Nobody,
                };
                let view = View::new(position).filter(|view| view.actions().len() > 1);
                let analysis = view.map(|view| G::analyse(&view, self.nodes, Some(action)));
                let value = |line: Option<&crate::AnalysisLine<G>>| line.map(|line| amounts(&line.equity));
                let lines = || analysis.iter().flat_map(|analysis| &analysis.lines);
                let before = value(lines().next());
                let after = value(lines().find(|line| line.action == action));
                let (before, after) = before.zip(after).unwrap_or_else(|| {
                    // A forced decision changes nothing, and neither does one that cannot be judged.
                    let value = if self.was_hidden { amounts(&position.equity()) } else { self.last };
                    (value, value)
                });
                (cause, before, after, analysis)
            }
            Move::Leave(Leave::Resign(seat) | Leave::Timeout(seat)) => {
                (Cause::Seat(seat), self.last, value_after(), None)
            }
            Move::Leave(Leave::Abort) => (Cause::Nobody, self.last, self.last, None),
        };
        let correction = self.correct(before);
        for seat in Seat::all(Seat::MAX) {
            let (balance, change) = (&mut self.balances[seat], after[seat] - before[seat]);
            match cause {
                Cause::Chance => balance.luck += change,
                Cause::Seat(decider) if decider == seat => balance.errors += change,
                Cause::Seat(_) | Cause::Nobody => balance.gifts += change,
            }
            balance.result = after[seat];
        }
        self.last = after;
        let is_choice_hidden = matches!(mv, Move::Action(_)) && position.choice_pool() == Pool::Hidden;
        let is_hidden = is_choice_hidden || position.audience(&mv) != Audience::Everyone;
        self.was_hidden = is_hidden;
        let judged = JudgedMove { cause, correction, is_hidden, before, after, analysis };
        if let (Cause::Seat(seat), Some(_)) = (cause, &judged.analysis) {
            self.balances[seat].decisions += 1;
            for ((mark, _), count) in Mark::ALL.iter().zip(&mut self.balances[seat].marks) {
                *count += u32::from(judged.mark() == Some(*mark));
            }
        }
        judged
    }

    /// Closes the account with the position after the last move, and returns the correction to its value: if the
    /// game is over, to the result. An aborted game has no result, and stays at its last value.
    pub fn close<G: Playable>(&mut self, position: &G) -> BySeat<Amount> {
        if position.turn() == Turn::Aborted {
            return BySeat([Amount::default(); Seat::MAX as usize]);
        }
        self.correct(amounts(&position.equity()))
    }

    /// Returns the columns of a seat.
    pub fn balance(&self, seat: Seat) -> &Balance {
        &self.balances[seat]
    }

    /// Goes on from another value of the same position, or of what was hidden in it.
    fn correct(&mut self, value: BySeat<Amount>) -> BySeat<Amount> {
        let mut correction = BySeat([Amount::default(); Seat::MAX as usize]);
        for seat in Seat::all(Seat::MAX) {
            correction[seat] = value[seat] - self.last[seat];
            let balance = &mut self.balances[seat];
            *(if self.was_hidden { &mut balance.hidden } else { &mut balance.corrections }) +=
                correction[seat];
            balance.result = value[seat];
        }
        self.last = value;
        correction
    }
}
