//! The analysis of uses of numbers.

use arrayvec::ArrayVec;
use assam_rules::marrakesh::{Action, Card, Match, Phase, Position, Trick};

use super::half::{Boards, repeated};
use super::hands::{NextTrick, Wins};
use super::search::{Search, plain};
use super::tricks::{bonus_times, face, kind};
use super::worth::{MeanOdds, Odds};

/// The number of boards that are looked at closely.
const WIDTH: usize = 24;

impl Search<'_> {
    /// Returns the odds of each use of a number.
    pub(super) fn uses(
        &mut self,
        actions: &[Action],
        position: &Position,
        trick: &Trick,
        bonus: Option<Card>,
        off: u8,
    ) -> ArrayVec<Odds, 32> {
        let now = self.worth.between(&self.halves, 0);
        let Some(uses) = position.open_uses().filter(|_| self.halves[0].empty() > 0) else {
            return actions.iter().map(|_| now).collect();
        };
        // The boards that each use can lead to, as bits of a set.
        let mut ends = ArrayVec::<(u32, u32, Odds), 256>::new();
        let mut boards = Boards::new();
        let first = self.halves[0].pieces | u32::from(off) << 24;
        for (bit, action) in actions.iter().enumerate() {
            let Action::Use { number, point } = *action else { continue };
            let mut left = uses;
            left.advance(number, point);
            let mut board = first - (1 << (4 * point.index()));
            board += if point > number { 1 << (4 * (point.index() - number.index() - 1)) } else { 1 << 24 };
            let Phase::Use { values, .. } = position.diagram().phase else { continue };
            let mut rest = ArrayVec::<(u32, u32), 6>::new();
            for other in values.numbers() {
                let times = values.count(other) - u8::from(other == number);
                if times > 0 {
                    rest.push((u32::from(other.get()), u32::from(times)));
                }
            }
            boards.clear();
            boards.push(board);
            for (number, times) in rest {
                let from = boards.clone();
                let mut all = Boards::new();
                for &board in &from {
                    repeated(board, number, times, &mut boards);
                    for &board in &boards {
                        if !all.contains(&board) && !all.is_full() {
                            all.push(board);
                        }
                    }
                }
                boards = all;
            }
            for &board in &boards {
                if let Some(end) = ends.iter_mut().find(|end| end.0 == board) {
                    end.1 |= 1 << bit;
                } else if !ends.is_full() {
                    ends.push((board, 1 << bit, Odds::default()));
                }
            }
        }
        self.weigh(&mut ends, trick, bonus, position);
        let best = |bit: usize| ends.iter().filter(|end| end.1 >> bit & 1 > 0).map(|end| end.2).max();
        (0..actions.len()).map(|bit| best(bit).unwrap_or(now)).collect()
    }

    /// Fills in the odds of the boards after the own uses of numbers.
    fn weigh(
        &mut self,
        ends: &mut [(u32, u32, Odds)],
        trick: &Trick,
        bonus: Option<Card>,
        position: &Position,
    ) {
        let is_due = bonus.is_none() && kind(trick).has_bonus() && position.deck() > 0;
        let half = self.halves[0];
        self.nodes += ends.len() as u64;
        for end in &mut *ends {
            let halves = [half.after(end.0), self.halves[1]];
            let more = if is_due { self.bonus(&halves, 0) } else { 0 };
            let rest = self.evaluation.rest(&self.hand, &self.unseen, &halves, true);
            end.2 = plain(0, &halves, more + rest, &self.worth);
        }
        // The best boards of each use are looked at more closely. The others keep less than the best of those.
        ends.sort_unstable_by_key(|end| (core::cmp::Reverse(end.2), end.0));
        let uses_bonus = self.bonus_uses(trick);
        // The plain look and the closer one differ, so a plain one never comes first.
        let mut least = Odds::MOST;
        let mut others = Wins::new(self.halves[1], 0);
        let mut others_empty = u8::MAX;
        for (place, end) in ends.iter_mut().enumerate() {
            if !self.looks_ahead() || place >= WIDTH {
                end.2 = end.2.min(least);
                continue;
            }
            let halves = [half.after(end.0), self.halves[1]];
            if is_due && halves[0].pieces > 0 {
                end.2 = self.with_bonus(end.0, &uses_bonus);
                least = least.min(end.2);
                continue;
            }
            let empty = halves[0].empty();
            if empty + halves[1].empty() == 0 {
                least = least.min(end.2);
                continue;
            }
            if empty != others_empty {
                others = Wins::new(self.halves[1], empty);
                others_empty = empty;
            }
            let mut own = Wins::new(halves[0], halves[1].empty());
            let next =
                NextTrick { evaluation: self.evaluation, order: self.setup.value_order, halves, leads: true };
            let mut hand = self.hand;
            let margin = next.margin([&mut own, &mut others], &mut hand, &self.unseen, &mut self.nodes);
            let (_, variance) = self.worth.margin(&halves, 0);
            end.2 = self.worth.odds(margin, variance);
            least = least.min(end.2);
        }
    }

    /// Returns the number of unseen cards by number and by uses: 1, 4 and 6.
    fn bonus_uses(&self, trick: &Trick) -> [[u32; 3]; 7] {
        let mut uses = [[0; 3]; 7];
        for card in Card::all() {
            let matching = Match::of(trick.winning_card(), card);
            let times = bonus_times(trick.matching(), matching, self.setup.sn_bonus.times());
            uses[face(card) % 7][usize::from(times / 3)] += u32::from(self.unseen[face(card)]);
        }
        uses
    }

    /// Returns the odds of a board before the bonus card is drawn.
    fn with_bonus(&mut self, board: u32, uses: &[[u32; 3]; 7]) -> Odds {
        let mut boards = Boards::new();
        let (mut mean, mut count) = (MeanOdds::default(), 0_i64);
        for (number, cards) in (0_u32..).zip(uses) {
            for (&cards, times) in cards.iter().zip([1, 4, 6]) {
                if cards == 0 {
                    continue;
                }
                repeated(board, number, times, &mut boards);
                self.nodes += boards.len() as u64;
                let odds = |&board: &u32| {
                    let halves = [self.halves[0].after(board), self.halves[1]];
                    (self.worth.between(&halves, 0), halves)
                };
                let best = boards.iter().map(odds).max_by_key(|(odds, _)| *odds);
                let odds = best.map_or_else(Odds::default, |(_, halves)| {
                    let rest = self.evaluation.rest(&self.hand, &self.unseen, &halves, true);
                    plain(0, &halves, rest, &self.worth)
                });
                mean.add(odds, i64::from(cards));
                count += i64::from(cards);
            }
        }
        mean.mean(count)
    }
}
