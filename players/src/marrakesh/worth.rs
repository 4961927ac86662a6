//! The worth of a position between two tricks, from one side's view.

use core::cmp::Ordering;

use assam_rules::Game as _;
use assam_rules::marrakesh::{Position, Side};

use super::half::Half;
use super::normal::probability;
use super::table::{POINT, SQUARE, Tables};
use crate::share::{ONE, Share};

/// The variance of the margin of a round, in squared points.
const ROUND: i32 = 72;

/// The expectation of a side. Odds compare by the share of the win alone.
#[derive(Clone, Copy, Default, Debug)]
pub struct Odds {
    /// The share of the win.
    pub share: Share,
    /// The lead at the end of the match in [`POINT`]ths. Later rounds bring both sides the same.
    pub lead: i32,
}

impl Odds {
    /// Less than any other.
    pub(super) const LEAST: Self = Self { share: Share::MIN, lead: 0 };
    /// A certain win.
    pub(super) const MOST: Self = Self { share: ONE, lead: 0 };

    /// Returns the other side's odds.
    pub(super) const fn of_other(self) -> Self {
        Self { share: ONE - self.share, lead: -self.lead }
    }
}

impl PartialEq for Odds {
    fn eq(&self, other: &Self) -> bool {
        self.share == other.share
    }
}

impl Eq for Odds {}

impl PartialOrd for Odds {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Odds {
    fn cmp(&self, other: &Self) -> Ordering {
        self.share.cmp(&other.share)
    }
}

/// The mean of odds.
#[derive(Clone, Copy, Default)]
pub(super) struct MeanOdds {
    share: i64,
    lead: i64,
}

impl MeanOdds {
    pub(super) fn add(&mut self, odds: Odds, weight: i64) {
        self.share += weight * i64::from(odds.share);
        self.lead += weight * i64::from(odds.lead);
    }

    /// Returns the mean of odds whose weights add up to `weight`.
    pub(super) const fn mean(self, weight: i64) -> Odds {
        let weight = if weight > 0 { weight } else { 1 };
        Odds { share: (self.share / weight) as Share, lead: (self.lead / weight) as i32 }
    }
}

/// The match around the running round, and the tables to evaluate it with.
pub struct Worth<'a> {
    /// The tables.
    pub tables: &'a Tables,
    /// The points that this side is ahead in the match.
    lead: i32,
    /// Whether this is the last round.
    is_last: bool,
    /// By the variance of this round in squared points: 2^-16ths of a standard deviation for each point.
    per_point: [i32; 256],
    /// The rounds in which the sides scored, and their best rounds.
    ties: [(u8, u8); 2],
}

impl<'a> Worth<'a> {
    /// Returns the worth of positions of this round for a side.
    pub fn new(tables: &'a Tables, position: &Position, side: Side) -> Self {
        let other = side.opponent();
        let left = i32::from(position.setup().rounds.number().saturating_sub(position.diagram().round));
        let mut per_point = [0; 256];
        for (variance, per_point) in (0_i32..).zip(&mut per_point) {
            // In 16ths, so that the root has two binary places.
            let all = (variance + left * ROUND) * 16 + 8;
            *per_point = (1 << 18) / all.isqrt().max(1);
        }
        Self {
            tables,
            lead: i32::from(position.total(side)) - i32::from(position.total(other)),
            is_last: left == 0,
            per_point,
            ties: [side, other].map(|side| (position.rounds_scored(side), position.best_round(side))),
        }
    }

    /// Returns this side's odds for a margin of the round, in [`POINT`]ths, with this variance.
    #[inline]
    pub fn odds(&self, margin: i32, variance: i32) -> Odds {
        let per_point = self.per_point[(variance / SQUARE).clamp(0, 255) as usize];
        let lead = self.lead * POINT + margin;
        let x = i64::from(lead) * i64::from(per_point) / i64::from(POINT);
        Odds { share: probability(x.clamp(-(8 << 16), 8 << 16) as i32), lead }
    }

    /// Returns this side's odds before the dice of a round are thrown.
    pub fn before_round(&self) -> Odds {
        self.odds(0, ROUND * SQUARE)
    }

    /// Returns the mean and the variance of the margin between two tricks.
    #[inline]
    pub fn margin(&self, halves: &[Half; 2], leader: usize) -> (i32, i32) {
        let [own, other] = halves;
        let one = self.tables.worth(own, other.empty(), leader == 0);
        let two = self.tables.worth(other, own.empty(), leader == 1);
        (one.0 - two.0, one.1 + two.1)
    }

    /// Returns this side's odds between two tricks or at the end of the round. The halves are this side's, then
    /// the other's.
    #[inline]
    pub fn between(&self, halves: &[Half; 2], leader: usize) -> Odds {
        if halves[0].empty() + halves[1].empty() == 0 {
            return self.after_round(halves);
        }
        let (mean, variance) = self.margin(halves, leader);
        self.odds(mean, variance)
    }

    /// Returns this side's odds after the round.
    pub fn after_round(&self, halves: &[Half; 2]) -> Odds {
        let [own, other] = halves;
        let (own_score, other_score) = (own.score(), other.score());
        let pips = if own.pieces > 0 && other.pieces > 0 { (other.pips() - own.pips()).signum() } else { 0 };
        let points = [
            own_score.0 + other_score.1 + i32::from(pips > 0),
            other_score.0 + own_score.1 + i32::from(pips < 0),
        ];
        let margin = points[0] - points[1];
        if !self.is_last {
            return self.odds(margin * POINT, 0);
        }
        let tie = |index: usize| {
            let (rounds, best) = self.ties[index];
            (i32::from(rounds) + i32::from(points[index] > 0), i32::from(best).max(points[index]))
        };
        let order = (self.lead + margin).cmp(&0).then(tie(0).cmp(&tie(1)));
        let share = match order {
            Ordering::Less => 0,
            Ordering::Equal => ONE / 2,
            Ordering::Greater => ONE,
        };
        Odds { share, lead: (self.lead + margin) * POINT }
    }
}
