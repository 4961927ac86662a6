//! The laws of the engine.

use std::vec::Vec;

use arrayvec::ArrayVec;
use assam_rules::marrakesh::*;
use assam_rules::{Game as _, Move, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::evaluation::Evaluation;
use super::half::{Boards, Half, packed};
use super::search::{Effort, analyse};
use super::table::{OPEN, index};
use super::tricks::{KINDS, face, kind, outcome};
use super::{HAND_NET, TABLES};
use crate::share::ONE;
use crate::{Playable as _, View, random_action};

const EVALUATION: Evaluation = Evaluation { tables: &TABLES, net: Some(&HAND_NET) };

fn setups() -> Vec<Setup> {
    let mut setups = Vec::new();
    for full_ovals in [FullOvals::Move, FullOvals::NullOnly] {
        for rounds in [Rounds::Twelve, Rounds::Six] {
            for sn_bonus in [SnBonus::Four, SnBonus::One] {
                for value_order in [ValueOrder::Free, ValueOrder::HighFirst] {
                    setups.push(Setup { full_ovals, rounds, sn_bonus, value_order });
                }
            }
        }
    }
    setups
}

/// Plays a match at random and shows every decision.
fn walk(setup: &Setup, seed: u64, see: &mut dyn FnMut(&Position, &mut ChaCha8Rng)) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = Position::new(setup);
    loop {
        match position.turn() {
            Turn::Chance => {
                for chance in position.draw_chance(&mut |range| rng.next_u64() % range) {
                    position.apply(Move::Chance(chance));
                }
            }
            Turn::Player(_) => {
                see(&position, &mut rng);
                let action = random_action(&position, &mut |range| rng.next_u64() % range);
                position.apply(Move::Action(action.expect("a decision")));
            }
            Turn::Over | Turn::Aborted => return,
        }
    }
}

#[test]
fn every_legal_decision_is_weighed_best_first_within_the_limit() {
    for (seed, setup) in (100..).zip(setups()) {
        walk(&setup, seed, &mut |position, rng| {
            let view = View::new(position).expect("a view");
            let nodes = [0, 2_000, 60_000][rng.next_u64() as usize % 3];
            let analysis = analyse(&view, Effort { looks_ahead: true, nodes }, &EVALUATION);
            let mut actions: ArrayVec<Action, 32> = analysis.lines.iter().map(|line| line.action).collect();
            assert_eq!(actions.len(), view.actions().len());
            actions.retain(|action| !view.actions().contains(action));
            assert!(actions.is_empty());
            let shares: Vec<_> = analysis.lines.iter().map(|line| line.equity.shares[view.seat()]).collect();
            assert!(shares.is_sorted_by(|one, two| one >= two));
            assert!(shares.iter().all(|share| (0..=ONE).contains(share)), "{shares:?}");
            // The plain look and the step that reaches the limit come on top.
            assert!(analysis.nodes <= nodes + 10_000, "{} nodes", analysis.nodes);
        });
    }
}

#[test]
fn a_forced_use_of_a_number_does_not_change_the_chances() {
    let mut checked = 0;
    for (seed, setup) in (300..).zip(setups()) {
        walk(&setup, seed, &mut |position, _| {
            let [only] = position.legal_actions()[..] else { return };
            if !matches!(position.diagram().phase, Phase::Use { .. }) {
                return;
            }
            let mut next = position.clone();
            next.apply(Move::Action(only));
            if !matches!(next.diagram().phase, Phase::Use { .. }) {
                return;
            }
            // Boards with the same share may differ in points.
            assert_eq!(position.equity().shares, next.equity().shares, "{position:?}");
            checked += 1;
        });
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn a_bonus_card_that_is_due_is_worth_no_less_than_its_worst_outcome_and_no_more_than_its_best_one() {
    let mut checked = 0;
    for (seed, setup) in (400..).zip(setups()) {
        walk(&setup, seed, &mut |position, _| {
            let mut due = position.clone();
            due.apply(Move::Action(position.legal_actions()[0]));
            let outcomes = due.outcomes();
            if outcomes.is_empty() {
                return;
            }
            let share = |position: &Position| position.equity().shares.0[0];
            let mut shares: Vec<_> = outcomes
                .iter()
                .map(|(card, _)| {
                    let mut drawn = due.clone();
                    drawn.apply(Move::Chance(*card));
                    share(&drawn)
                })
                .collect();
            shares.sort_unstable();
            assert!((shares[0]..=shares[shares.len() - 1]).contains(&share(&due)), "{due:?}");
            checked += 1;
        });
    }
    assert!(checked > 100, "{checked}");
}

#[test]
fn scores_are_those_of_the_rules() {
    let mut boards = 0;
    for marked in 0..=3_u8 {
        for marks in 0..343_u32 {
            let marks = [marks / 49, marks / 7 % 7, marks % 7].map(|mark| mark as u8);
            let off: u8 = marks.iter().sum();
            let is_rest_empty = marks[usize::from(marked)..].iter().all(|&mark| mark == 0);
            let is_off_before = marks[..usize::from(marked).saturating_sub(1)].iter().sum::<u8>() == 6;
            if off > 6 || !is_rest_empty || is_off_before {
                continue;
            }
            let mut half = Half { pieces: u32::from(off < 6), ..Half::default() };
            let mut ovals = Ovals::default();
            for (place, &mark) in marks.iter().enumerate() {
                let is_marked = place < usize::from(marked);
                if is_marked {
                    half.mark(mark);
                }
                ovals.0[place] = match (is_marked, mark) {
                    (true, 0) => Oval::Chip,
                    (true, mark) => Oval::Pieces(mark),
                    (false, _) if off == 6 => Oval::Closed,
                    (false, _) => Oval::Empty,
                };
            }
            let offence = Offence::of(ovals).map_or(0, Offence::points);
            let defence = Defence::of(ovals).map_or(0, Defence::points);
            assert_eq!(half.score(), (i32::from(offence), i32::from(defence)), "{ovals:?}");
            boards += 1;
        }
    }
    assert!(boards > 100);
}

#[test]
fn uses_of_numbers_lead_to_the_boards_of_the_rules() {
    fn ends(position: &Position, all: &mut Vec<u32>, seen: &mut Vec<Position>) {
        let before = position.diagram().tricks.len();
        for action in position.legal_actions() {
            let mut next = position.clone();
            let Phase::Use { trick, off, .. } = position.diagram().phase else { continue };
            let winner = trick.winner();
            next.apply(Move::Action(action));
            let is = next.diagram();
            let is_same = matches!(is.phase, Phase::Use { .. });
            if is_same {
                if !seen.contains(&next) {
                    seen.push(next.clone());
                    ends(&next, all, seen);
                }
                continue;
            }
            if is.tricks.len() <= before && !matches!(is.phase, Phase::Bonus { .. }) {
                // The round is over: its boards are gone.
                continue;
            }
            let now = packed(is.points[winner]);
            let pieces = |position: &Position| u32::from(position.diagram().points[winner].pieces());
            let board = now | (u32::from(off) + pieces(position) - pieces(&next)) << 24;
            if !all.contains(&board) {
                all.push(board);
            }
        }
    }
    let mut checked = 0;
    for (seed, setup) in (200..).zip(setups()) {
        walk(&setup, seed, &mut |position, _| {
            let is = position.diagram();
            let Phase::Use { trick, values, bonus: None, off: 0 } = is.phase else { return };
            let half = Half::of(is, trick.winner());
            if values != trick.values() || half.empty() == 0 {
                return;
            }
            let mut all = Vec::new();
            ends(position, &mut all, &mut Vec::new());
            if all.is_empty() {
                return;
            }
            let mut boards = Boards::new();
            kind(&trick).boards(half.pieces, setup.value_order, &mut boards);
            let mut boards = boards.to_vec();
            boards.sort_unstable();
            all.sort_unstable();
            if all.len() <= boards.len() && all.iter().all(|board| boards.contains(board)) {
                checked += 1;
            }
            let is_last = half.empty() == 1 || all.len() < boards.len();
            assert!(boards == all || is_last, "{position:?}: {boards:x?} {all:x?}");
        });
    }
    assert!(checked > 500);
}

#[test]
fn tricks_are_won_and_matched_as_in_the_rules() {
    for lead in Card::all() {
        for reply in Card::all() {
            let trick = Trick { leader: Side::Blue, lead, reply };
            let is = outcome(face(lead), face(reply));
            assert_eq!(is.leader_wins, trick.winner() == Side::Blue);
            assert_eq!(is.kind.has_bonus(), trick.matching().has_bonus());
            assert!(is.kind.place() < KINDS);
        }
    }
}

#[test]
fn every_open_half_board_has_a_place_of_its_own() {
    let mut seen = std::vec![false; OPEN];
    for marks in 0..57 {
        // No mark, one, or two.
        let (marked, marks) = match marks {
            0 => (0, [0, 0]),
            1..8 => (1, [marks - 1, 0]),
            _ => (2, [(marks - 8) / 7, (marks - 8) % 7]),
        };
        let Some(left) = 6_u8.checked_sub(marks[0] + marks[1]).filter(|&left| left > 0) else { continue };
        for counts in 0..7_u32.pow(6) {
            let counts: [u8; 6] = core::array::from_fn(|point| (counts / 7_u32.pow(point as u32) % 7) as u8);
            if counts.iter().sum::<u8>() != left {
                continue;
            }
            let points = Points::new(counts).expect("at most six pieces");
            let mut half = Half { pieces: packed(points), ..Half::default() };
            for &mark in &marks[..marked] {
                half.mark(mark);
            }
            assert!(!core::mem::replace(&mut seen[index(&half)], true), "{half:?}");
        }
    }
    assert!(seen.iter().all(|&seen| seen));
}
