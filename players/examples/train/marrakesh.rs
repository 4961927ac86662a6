//! The tables for Marrakesh: exact expectations of a simplified game, in which both players play cards at random and use
//! numbers for the most points of the half board. Nothing is sampled except the worth of ending a round early.

use assam_players::marrakesh::half::{Boards, Half, ON_POINTS, repeated};
use assam_players::marrakesh::table::{MARKED, OPEN, POINT, SQUARE, bonus_slot, finished, index, slot};
use assam_players::marrakesh::tricks::{FACES, KINDS, Kind, outcome};
use assam_rules::marrakesh::ValueOrder;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// The probabilities of a trick: by whether this side leads, and by kind.
struct Odds {
    /// The side wins with this kind.
    wins: [[f64; KINDS]; 2],
    /// The other side wins.
    loses: [f64; 2],
    /// A bonus card has this number, by its uses: 1, 4 and 6.
    bonus: [[f64; 3]; 7],
}

fn copies(face: usize) -> f64 {
    if face.is_multiple_of(7) { 1.0 } else { 2.0 }
}

fn odds() -> Odds {
    let mut odds = Odds { wins: [[0.0; KINDS]; 2], loses: [0.0; 2], bonus: [[0.0; 3]; 7] };
    let mut bonuses = 0.0;
    for lead in 0..FACES {
        for reply in 0..FACES {
            let here = if lead == reply { copies(reply) - 1.0 } else { copies(reply) };
            let weight = copies(lead) * here / (52.0 * 51.0);
            let is = outcome(lead, reply);
            odds.wins[usize::from(is.leader_wins)][is.kind.place()] += weight;
            odds.loses[usize::from(!is.leader_wins)] += weight;
            if is.kind.has_bonus() && lead != reply {
                let winning = if is.leader_wins { lead } else { reply };
                for card in 0..FACES {
                    let left =
                        copies(card) - f64::from(u8::from(card == lead)) - f64::from(u8::from(card == reply));
                    let times = match (card / 7 == winning / 7, card % 7 == winning % 7) {
                        (false, false) => 0,
                        (true, true) => 2,
                        _ => 1,
                    };
                    odds.bonus[card % 7][times] += weight * left.max(0.0);
                    bonuses += weight * left.max(0.0);
                }
            }
        }
    }
    for row in &mut odds.bonus {
        for odds in row {
            *odds /= bonuses;
        }
    }
    odds
}

/// The tables as they are computed.
struct Draft {
    mean: Vec<f64>,
    square: Vec<f64>,
    bonus: Vec<f64>,
    bonus_square: Vec<f64>,
    /// The worth of ending the other side's tricks early: by own empty ovals otherwise, and by those of the other.
    early: [[f64; 4]; 3],
    /// The probability that the other side is off after a trick it wins, by its empty ovals.
    off: [f64; 4],
}

impl Draft {
    /// The mean and the mean square of a half board whose side won the last trick, and the mean for choosing.
    fn won(&self, half: &Half, other: u8) -> (f64, f64, f64) {
        if half.empty() == 0 {
            let mean = f64::from(finished(half)) / f64::from(POINT);
            let early = if half.pieces == 0 {
                self.early[usize::from(3 - half.marked)][usize::from(other)]
            } else {
                0.0
            };
            return (mean, mean * mean, mean + early);
        }
        let at = slot(index(half), other, true);
        (self.mean[at], self.square[at], self.mean[at])
    }

    fn best(&self, half: &Half, boards: &Boards, other: u8) -> (f64, f64) {
        let mut best = (f64::MIN, 0.0, 0.0);
        for &board in boards {
            let (mean, square, choice) = self.won(&half.after(board), other);
            if choice > best.0 {
                best = (choice, mean, square);
            }
        }
        (best.1, best.2)
    }

    fn best_before_bonus(&self, half: &Half, boards: &Boards, other: u8) -> (f64, f64) {
        let mut best = (f64::MIN, 0.0, 0.0);
        for &board in boards {
            let after = half.after(board);
            let (mean, square, choice) = if after.pieces == 0 {
                self.won(&after, other)
            } else {
                let at = bonus_slot(index(&after), other);
                (self.bonus[at], self.bonus_square[at], self.bonus[at])
            };
            if choice > best.0 {
                best = (choice, mean, square);
            }
        }
        (best.1, best.2)
    }

    fn solve(&mut self, odds: &Odds) {
        let all = halves();
        for marked in (0..4).rev() {
            for half in all.iter().filter(|half| half.marked == marked) {
                if marked > 0 {
                    self.solve_bonus(half, odds);
                }
            }
            for half in all.iter().filter(|half| half.marked == marked && marked < 3) {
                self.solve_trick(half, odds);
            }
        }
    }

    fn solve_bonus(&mut self, half: &Half, odds: &Odds) {
        let mut boards = Boards::new();
        let last = usize::from(half.marked) - 1;
        let mut before = *half;
        before.marked -= 1;
        before.marks[last] = 0;
        let board = half.pieces | u32::from(half.marks[last]) << 24;
        let (mut means, mut squares) = ([0.0; 4], [0.0; 4]);
        for number in 0..7 {
            for (times, uses) in [1, 4, 6].into_iter().enumerate() {
                repeated(board, number as u32, uses, &mut boards);
                for other in 0..4 {
                    let (mean, square) = self.best(&before, &boards, other);
                    means[usize::from(other)] += odds.bonus[number][times] * mean;
                    squares[usize::from(other)] += odds.bonus[number][times] * square;
                }
            }
        }
        for other in 0..4 {
            let at = bonus_slot(index(half), other);
            self.bonus[at] = means[usize::from(other)];
            self.bonus_square[at] = squares[usize::from(other)];
        }
    }

    fn solve_trick(&mut self, half: &Half, odds: &Odds) {
        let mut boards = Boards::new();
        let (mut means, mut squares) = ([[0.0; 4]; 2], [[0.0; 4]; 2]);
        for kind in (0..KINDS).map(Kind::at) {
            let place = kind.place();
            if odds.wins[0][place] + odds.wins[1][place] == 0.0 {
                continue;
            }
            kind.boards(half.pieces, ValueOrder::Free, &mut boards);
            for other in 0..4 {
                let (mean, square) = if kind.has_bonus() {
                    self.best_before_bonus(half, &boards, other)
                } else {
                    self.best(half, &boards, other)
                };
                for leads in 0..2 {
                    means[leads][usize::from(other)] += odds.wins[leads][place] * mean;
                    squares[leads][usize::from(other)] += odds.wins[leads][place] * square;
                }
            }
        }
        let at = |other: usize, leads: usize| slot(index(half), other as u8, leads == 1);
        for other in 0..4 {
            for leads in 0..2 {
                let (mean, square) = if other == 0 {
                    let mut chip = *half;
                    chip.mark(0);
                    if chip.empty() == 0 {
                        let mean = f64::from(finished(&chip)) / f64::from(POINT);
                        (mean, mean * mean)
                    } else {
                        let at = slot(index(&chip), 0, false);
                        (self.mean[at], self.square[at])
                    }
                } else {
                    let off = self.off[other];
                    let (next, none) = (at(other - 1, 0), at(0, 0));
                    let mix = |values: &[f64]| (1.0 - off) * values[next] + off * values[none];
                    (mix(&self.mean), mix(&self.square))
                };
                let here = at(other, leads);
                self.mean[here] = means[leads][other] + odds.loses[leads] * mean;
                self.square[here] = squares[leads][other] + odds.loses[leads] * square;
            }
        }
    }

    /// Plays rounds of the simplified game to learn what ending a round early is worth.
    fn sample(&mut self, rounds: u32, seed: u64) {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut below = move |range: u32| rng.next_u32() % range;
        let mut early = [[(0.0, 0.0); 4]; 3];
        let mut off = [(0.0, 0.0); 4];
        let mut boards = Boards::new();
        for _ in 0..rounds {
            let mut halves = [Half::default(); 2];
            for half in &mut halves {
                for _ in 0..6 {
                    half.pieces += 1 << (4 * below(6));
                }
            }
            let mut leader = usize::from(halves[0].pieces.swap_bytes() < halves[1].pieces.swap_bytes());
            while halves[0].empty() + halves[1].empty() > 0 {
                let card = |below: &mut dyn FnMut(u32) -> u32| loop {
                    let card = below(56) as usize;
                    if !card.is_multiple_of(14) {
                        break card / 2;
                    }
                };
                let (lead, reply) = (card(&mut below), card(&mut below));
                let is = outcome(lead, reply);
                let winner = if is.leader_wins { leader } else { 1 - leader };
                let (own, other) = (halves[winner], halves[1 - winner]);
                leader = winner;
                if own.empty() == 0 {
                    halves[1 - winner].mark(0);
                    continue;
                }
                is.kind.boards(own.pieces, ValueOrder::Free, &mut boards);
                let mut best = (f64::MIN, 0);
                for &board in &boards {
                    let (_, _, choice) = self.won(&own.after(board), other.empty());
                    if choice > best.0 {
                        best = (choice, board);
                    }
                }
                if is.kind.has_bonus() && best.1 & ON_POINTS > 0 {
                    let card = card(&mut below);
                    let winning = if is.leader_wins { lead } else { reply };
                    let times = match (card / 7 == winning / 7, card % 7 == winning % 7) {
                        (false, false) => 1,
                        (true, true) => 6,
                        _ => 4,
                    };
                    repeated(best.1, (card % 7) as u32, times, &mut boards);
                    best.0 = f64::MIN;
                    for &board in &boards.clone() {
                        let (_, _, choice) = self.won(&own.after(board), other.empty());
                        if choice > best.0 {
                            best = (choice, board);
                        }
                    }
                }
                halves[winner] = own.after(best.1);
                let now = &halves[winner];
                let place = &mut off[usize::from(own.empty())];
                place.1 += 1.0;
                place.0 += f64::from(u8::from(now.pieces == 0));
                if other.empty() > 0 {
                    for (left, early) in early.iter_mut().enumerate().skip(1) {
                        let mean = |empty: usize| self.mean[slot(index(&other), empty as u8, false)];
                        let place = &mut early[usize::from(other.empty())];
                        place.0 += mean(left) - mean(0);
                        place.1 += 1.0;
                    }
                }
            }
        }
        for (early, sums) in self.early.iter_mut().zip(early) {
            for (early, (sum, count)) in early.iter_mut().zip(sums) {
                *early = if count > 0.0 { sum / count } else { 0.0 };
            }
        }
        for (off, (sum, count)) in self.off.iter_mut().zip(off) {
            *off = if count > 0.0 { sum / count } else { 0.0 };
        }
    }
}

/// Returns every half board with pieces.
fn halves() -> Vec<Half> {
    let mut boards = vec![0_u32];
    let mut layouts: Vec<Vec<u32>> = Vec::new();
    for _ in 0..=6 {
        layouts.push(boards.clone());
        let mut more: Vec<u32> =
            boards.iter().flat_map(|board| (0..6).map(move |point| board + (1 << (4 * point)))).collect();
        more.sort_unstable();
        more.dedup();
        boards = more;
    }
    let mut halves = Vec::new();
    for marked in 0..=3_u8 {
        for marks in 0..7_u32.pow(u32::from(marked)) {
            let mut half = Half::default();
            let mut left = marks;
            for _ in 0..marked {
                half.mark((left % 7) as u8);
                left /= 7;
            }
            let off: usize = half.marks.iter().map(|&mark| usize::from(mark)).sum();
            if off < 6 {
                halves.extend(layouts[6 - off].iter().map(|&pieces| Half { pieces, ..half }));
            }
        }
    }
    halves
}

/// Computes the tables and returns their three files.
pub fn tables(rounds: u32) -> [Vec<u8>; 3] {
    let odds = odds();
    let mut draft = Draft {
        mean: vec![0.0; OPEN * 8],
        square: vec![0.0; OPEN * 8],
        bonus: vec![0.0; MARKED * 4],
        bonus_square: vec![0.0; MARKED * 4],
        early: [[0.0; 4]; 3],
        off: [0.0, 1.0, 0.2, 0.03],
    };
    for pass in 0..3 {
        draft.solve(&odds);
        draft.sample(rounds, pass);
    }
    draft.solve(&odds);
    let round = |number: f64| if number < 0.0 { number - 0.5 } else { number + 0.5 };
    let means = |values: &[f64]| -> Vec<u8> {
        values.iter().flat_map(|&mean| (round(mean * f64::from(POINT)) as i16).to_le_bytes()).collect()
    };
    let variances = draft.mean.iter().zip(&draft.square).flat_map(|(mean, square)| {
        let variance = (square - mean * mean).max(0.0);
        (round(variance * f64::from(SQUARE)).min(65535.0) as u16).to_le_bytes()
    });
    [means(&draft.mean), variances.collect(), means(&draft.bonus)]
}
