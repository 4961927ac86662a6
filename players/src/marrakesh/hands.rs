//! The next trick with a known hand against unseen cards.

use super::evaluation::Evaluation;
use super::half::{Boards, Half};
use super::table::Tables;
use super::tricks::{FACES, Faces, KINDS, Kind, outcome};
use assam_rules::marrakesh::ValueOrder;

/// The results of a half board, by the kind of trick. It is filled in when it is needed.
#[derive(Clone)]
pub struct Wins {
    half: Half,
    other_empty: u8,
    known: [u64; 2],
    /// The mean, and whether all pieces are off.
    best: [(i32, bool); KINDS],
}

impl Wins {
    /// Returns an empty table for a half board.
    pub const fn new(half: Half, other_empty: u8) -> Self {
        Self { half, other_empty, known: [0; 2], best: [(0, false); KINDS] }
    }

    /// Returns the mean of the half board after this side won such a trick, and whether it is off then.
    /// `early` is what being off early is worth, and `nodes` counts evaluated half boards.
    #[inline]
    fn best(
        &mut self,
        tables: &Tables,
        kind: Kind,
        early: i32,
        order: ValueOrder,
        nodes: &mut u64,
    ) -> (i32, bool) {
        let place = kind.place();
        let bit = 1 << (place % 64);
        if self.known[place / 64] & bit == 0 {
            self.known[place / 64] |= bit;
            let mut boards = Boards::new();
            kind.boards(self.half.pieces, order, &mut boards);
            *nodes += boards.len() as u64;
            let mut best = (i32::MIN, false);
            for &board in &boards {
                let half = self.half.after(board);
                let is_off = half.pieces == 0;
                let mean = if kind.has_bonus() {
                    tables.mean_before_bonus(&half, self.other_empty)
                } else {
                    tables.mean(&half, self.other_empty, true)
                };
                let choice = mean + if is_off { early } else { 0 };
                let least = best.0.saturating_add(if best.1 { early } else { 0 });
                if best.0 == i32::MIN || choice > least {
                    best = (mean, is_off);
                }
            }
            self.best[place] = best;
        }
        self.best[place]
    }
}

/// Returns a half board after its side won a typical trick: one piece off.
fn typical(half: &Half) -> Half {
    let highest = half.pieces.checked_ilog2().map_or(0, |bit| 1 << (bit & !3));
    half.after((half.pieces - highest) | 1 << 24)
}

/// A trick that is about to be played between this side, with a known hand, and the other side.
pub struct NextTrick<'a> {
    /// The evaluation.
    pub evaluation: Evaluation<'a>,
    /// The order of use of two numbers.
    pub order: ValueOrder,
    /// This side's half board, then the other's.
    pub halves: [Half; 2],
    /// Whether this side leads.
    pub leads: bool,
}

impl NextTrick<'_> {
    /// Returns the mean margin if this side plays the best card of its hand. Other cards are equally likely.
    pub fn margin(&self, wins: [&mut Wins; 2], hand: &mut Faces, unseen: &Faces, nodes: &mut u64) -> i32 {
        let [own, other] = &self.halves;
        let empty = [own.empty(), other.empty()];
        let tables = self.evaluation.tables;
        // What a side is worth after the other one won: with one oval less, and with none.
        let lost = |half: &Half, empty: u8| {
            [tables.mean(half, empty.saturating_sub(1), false), tables.mean(half, 0, false)]
        };
        let chipped = |half: &Half| {
            let mut half = *half;
            half.mark(0);
            tables.mean(&half, 0, false)
        };
        let (own_lost, other_lost) = (lost(own, empty[1]), lost(other, empty[0]));
        let own_full = tables.mean(own, 0, true) - chipped(other);
        let other_full = chipped(own) - tables.mean(other, 0, true);
        let [own_wins, other_wins] = wins;
        let chip = |half: &Half| {
            let mut half = *half;
            half.mark(0);
            half
        };
        let after_win = if empty[0] == 0 { [*own, chip(other)] } else { [typical(own), *other] };
        let after_loss = if empty[1] == 0 { [chip(own), *other] } else { [*own, typical(other)] };
        let mut best = i64::MIN;
        let mut count: i64 = unseen.iter().map(|&cards| i64::from(cards)).sum();
        count = count.max(1);
        for card in 0..FACES {
            if hand[card] == 0 {
                continue;
            }
            let (mut sum, mut won) = (0, 0);
            for (face, &cards) in unseen.iter().enumerate() {
                if cards == 0 {
                    continue;
                }
                let is = if self.leads { outcome(card, face) } else { outcome(face, card) };
                let margin = if is.leader_wins == self.leads {
                    won += i64::from(cards);
                    if empty[0] == 0 {
                        own_full
                    } else {
                        let early = other_lost[0] - other_lost[1];
                        let (mean, is_off) = own_wins.best(tables, is.kind, early, self.order, nodes);
                        mean - other_lost[usize::from(is_off)]
                    }
                } else if empty[1] == 0 {
                    other_full
                } else {
                    let early = own_lost[0] - own_lost[1];
                    let (mean, is_off) = other_wins.best(tables, is.kind, early, self.order, nodes);
                    own_lost[usize::from(is_off)] - mean
                };
                sum += i64::from(margin) * i64::from(cards);
            }
            if self.evaluation.net.is_some() {
                hand[card] -= 1;
                let win = self.evaluation.rest(hand, unseen, &after_win, true);
                let loss = self.evaluation.rest(hand, unseen, &after_loss, false);
                hand[card] += 1;
                sum += won * i64::from(win) + (count - won) * i64::from(loss);
            }
            best = best.max(sum);
        }
        if best == i64::MIN {
            return tables.mean(own, empty[1], self.leads) - tables.mean(other, empty[0], !self.leads);
        }
        (best / count) as i32
    }
}
