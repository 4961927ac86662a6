//! The worth of a position between two tricks, from one side's view.

use assam_rules::Game as _;
use assam_rules::marrakesh::{Position, Side};

use super::half::Half;
use super::normal::probability;
use super::table::{POINT, SQUARE, Tables};
use crate::share::{ONE, Share};

/// The variance of the margin of a round, in squared points.
const ROUND: i32 = 72;

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

    /// Returns this side's share for a margin of the round, in [`POINT`]ths, with this variance.
    #[inline]
    pub fn share(&self, margin: i32, variance: i32) -> Share {
        let per_point = self.per_point[(variance / SQUARE).clamp(0, 255) as usize];
        let x = i64::from(self.lead * POINT + margin) * i64::from(per_point) / i64::from(POINT);
        probability(x.clamp(-(8 << 16), 8 << 16) as i32)
    }

    /// Returns this side's share before the dice of a round are thrown.
    pub fn before_round(&self) -> Share {
        self.share(0, ROUND * SQUARE)
    }

    /// Returns the mean and the variance of the margin between two tricks.
    #[inline]
    pub fn margin(&self, halves: &[Half; 2], leader: usize) -> (i32, i32) {
        let [own, other] = halves;
        let one = self.tables.worth(own, other.empty(), leader == 0);
        let two = self.tables.worth(other, own.empty(), leader == 1);
        (one.0 - two.0, one.1 + two.1)
    }

    /// Returns this side's share between two tricks or at the end of the round. The halves are this side's, then
    /// the other's.
    #[inline]
    pub fn between(&self, halves: &[Half; 2], leader: usize) -> Share {
        if halves[0].empty() + halves[1].empty() == 0 {
            return self.after_round(halves);
        }
        let (mean, variance) = self.margin(halves, leader);
        self.share(mean, variance)
    }

    /// Returns this side's share after the round.
    pub fn after_round(&self, halves: &[Half; 2]) -> Share {
        let [own, other] = halves;
        let (own_score, other_score) = (own.score(), other.score());
        let pips = if own.pieces > 0 && other.pieces > 0 { (other.pips() - own.pips()).signum() } else { 0 };
        let points = [
            own_score.0 + other_score.1 + i32::from(pips > 0),
            other_score.0 + own_score.1 + i32::from(pips < 0),
        ];
        let margin = points[0] - points[1];
        if !self.is_last {
            return self.share(margin * POINT, 0);
        }
        let tie = |index: usize| {
            let (rounds, best) = self.ties[index];
            (i32::from(rounds) + i32::from(points[index] > 0), i32::from(best).max(points[index]))
        };
        let order = (self.lead + margin).cmp(&0).then(tie(0).cmp(&tie(1)));
        match order {
            core::cmp::Ordering::Less => 0,
            core::cmp::Ordering::Equal => ONE / 2,
            core::cmp::Ordering::Greater => ONE,
        }
    }
}
