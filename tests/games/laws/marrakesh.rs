//! Laws of Marrakesh for every position and every move of random matches.

mod blindness;
mod records;

use std::collections::BTreeMap;
use std::sync::Mutex;

use assam_players::{Playable as _, Player, random_action};
use assam_referee::ends_list;
use assam_rules::marrakesh::{
    Action, Card, Chance, Deal, Diagram, Digit, Discards, Event, FullOvals, Lead, Oval, Phase, Points,
    Position, Rounds, Rule, Setup, Side, SnBonus, Stop, ValueOrder,
};
use assam_rules::{Game, Leave, Move, Seat, Turn};

use super::{every_leave, for_every_seed};
use crate::dice::Dice;

const MATCHES: u64 = 5_000;

/// A random match in progress, with random options and a random or solitaire player on each seat.
struct Table {
    position: Position,
    dice: Dice,
    plays_solitaire: [bool; 2],
    /// How often a seat leaves, in ten thousand decisions.
    leaves: u64,
}

impl Table {
    fn new(seed: u64) -> Self {
        let mut dice = Dice::new(seed);
        let setup = Setup {
            full_ovals: dice.pick(&[FullOvals::Move, FullOvals::NullOnly]),
            rounds: dice.pick(&[Rounds::Twelve, Rounds::Six]),
            sn_bonus: dice.pick(&[SnBonus::Four, SnBonus::One]),
            value_order: dice.pick(&[ValueOrder::Free, ValueOrder::HighFirst]),
        };
        let plays_solitaire = [dice.pick(&[true, false]), dice.pick(&[true, false])];
        let leaves = dice.pick(&[0, 0, 10, 100]);
        Self { position: Position::new(&setup), dice, plays_solitaire, leaves }
    }

    /// Returns the next decision, or the outcomes of one act of chance, or nothing when the match is over.
    fn choose(&mut self) -> Vec<Move<Position>> {
        let dice = &mut self.dice;
        match self.position.turn() {
            Turn::Chance => {
                let drawn = self.position.draw_chance(&mut |range| dice.below(range));
                drawn.into_iter().map(Move::Chance).collect()
            }
            Turn::Player(_) if dice.below(10_000) < self.leaves => {
                let leaves =
                    [Leave::Abort, Leave::Resign(Seat::FIRST), Leave::Timeout(Seat::new(2).unwrap())];
                vec![Move::Leave(dice.pick(&leaves))]
            }
            Turn::Player(seat) => {
                let mut draw = |range| dice.below(range);
                let action = if self.plays_solitaire[seat.index()] {
                    self.position.decision_of(Player::SolitaireAi, &mut draw)
                } else {
                    random_action(&self.position, &mut draw)
                };
                vec![Move::Action(action.unwrap())]
            }
            Turn::Over | Turn::Aborted => Vec::new(),
        }
    }

    /// Plays to the end, and passes every position with its move and events to `look`.
    fn play(mut self, mut look: impl FnMut(&Position, Move<Position>, &[Event], &Position, &mut Dice)) {
        loop {
            let moves = self.choose();
            if moves.is_empty() {
                return;
            }
            for mv in moves {
                let before = self.position.clone();
                let mut events = Vec::new();
                self.position.play_telling(mv, &mut |event| events.push(event)).unwrap();
                look(&before, mv, &events, &self.position, &mut self.dice);
            }
        }
    }
}

/// Returns what `viewer` sees of a position. Of the discards, that is the number and the top card.
pub(crate) fn shown(position: &Position, viewer: assam_rules::Viewer) -> (Diagram, u8, u8) {
    let mut shown = *position.masked(viewer, false).diagram();
    let discards = shown.discards.len();
    shown.discards = Discards { top: shown.discards.top, ..Discards::default() };
    (shown, discards, position.deck())
}

/// Returns every decision that can be written: 28 cards, the unknown one, 36 uses.
fn every_action() -> impl Iterator<Item = Action> {
    let uses = Digit::all().flat_map(|number| Digit::all().map(move |point| Action::Use { number, point }));
    Card::all().map(Action::Play).chain([Action::LeadUnknown]).chain(uses)
}

fn check_move(position: &Position, mv: Move<Position>, is_legal: bool) -> Option<Rule> {
    let mut after = position.clone();
    let verdict = after.play(mv);
    assert_eq!(verdict.is_ok(), is_legal, "{mv:?} in {position:?}");
    if !is_legal {
        assert_eq!(after, *position, "{mv:?}");
    }
    verdict.err()
}

#[test]
fn what_is_legal_can_be_played_and_what_is_not_is_refused_and_changes_nothing() {
    assert_eq!(every_action().count(), 28 + 1 + 36);
    let broken = Mutex::new(BTreeMap::new());
    let decisions = for_every_seed(MATCHES, |seed| {
        let mut decisions = 0;
        let mut rules = BTreeMap::new();
        Table::new(seed).play(|_, _, _, position, _| {
            let legal = position.legal_actions();
            assert!(legal.iter().enumerate().all(|(n, action)| !legal[..n].contains(action)), "{legal:?}");
            assert!(legal.len() <= 11, "{legal:?}");
            assert_eq!(legal.is_empty(), !matches!(position.turn(), Turn::Player(_)));
            for action in every_action() {
                let rule = check_move(position, Move::Action(action), legal.contains(&action));
                *rules.entry(rule.map(assam_rules::Rule::id)).or_insert(0_u64) += 1;
            }
            decisions += u64::from(!legal.is_empty());
        });
        let mut broken = broken.lock().unwrap();
        for (rule, times) in rules {
            *broken.entry(rule).or_insert(0) += times;
        }
        decisions
    });
    assert!(decisions > 60_000, "{decisions}");
    let broken = broken.into_inner().unwrap();
    for rule in [Rule::HighFirst, Rule::OvalsFull, Rule::HigherPiece, Rule::NoPiece] {
        assert!(broken[&Some(assam_rules::Rule::id(rule))] >= 20, "{broken:?}");
    }
}

#[test]
fn there_are_52_cards_and_six_pieces_a_side_in_every_position() {
    for_every_seed(MATCHES, |seed| {
        Table::new(seed).play(|_, _, _, position, _| {
            let is = position.diagram();
            let on_table = match is.phase {
                Phase::Reply { .. } => 1,
                Phase::Use { .. } | Phase::Bonus { .. } => 2,
                Phase::Dice | Phase::Deal(_) | Phase::Lead { .. } | Phase::Over => 0,
            };
            let in_hands: u8 = is.hands.0.iter().map(|hand| hand.len()).sum();
            let played = 2 * is.tricks.len() as u8 + on_table;
            assert_eq!(position.deck() + is.discards.len() + in_hands + played, 52, "{position:?}");
            for side in Side::BOTH {
                let pieces = is.points[side].pieces() + is.ovals[side].pieces() + is.phase.off(side);
                // There are no pieces before the very first dice.
                let before_all = is.round == 1 && is.phase == Phase::Dice;
                assert_eq!(pieces, if before_all { 0 } else { Points::PIECES }, "{position:?}");
            }
        });
        0
    });
}

#[test]
fn each_trick_marks_one_oval_and_a_round_has_six_tricks_less_the_closed_ovals() {
    let lengths = Mutex::new([0; 7]);
    for_every_seed(MATCHES, |seed| {
        let (mut tricks, mut marked, mut scored) = (0, 0, 0);
        Table::new(seed).play(|before, _, events, position, _| {
            for event in events {
                match event {
                    Event::TrickWon { .. } => tricks += 1,
                    Event::OvalMarked { .. } => marked += 1,
                    Event::BonusDrawn { .. } => {
                        assert!(matches!(before.diagram().phase, Phase::Bonus { .. }), "{before:?}");
                    }
                    Event::RoundScored { round, score } => {
                        scored += 1;
                        assert_eq!(*round, scored);
                        let ovals: Vec<Oval> =
                            position.diagram().ovals.0.into_iter().flat_map(|side| side.0).collect();
                        let closed = ovals.iter().filter(|oval| **oval == Oval::Closed).count();
                        assert!(!ovals.contains(&Oval::Empty));
                        assert_eq!(tricks, 6 - closed);
                        lengths.lock().unwrap()[tricks] += 1;
                        assert!(score.0.iter().all(|side| side.points() <= 30), "{score:?}");
                        assert_eq!(position.diagram().scores.last(), Some(score));
                        tricks = 0;
                        marked = 0;
                    }
                }
            }
            let in_use = matches!(position.diagram().phase, Phase::Use { .. } | Phase::Bonus { .. });
            assert_eq!(tricks, marked + usize::from(in_use));
        });
        0
    });
    let lengths = lengths.into_inner().unwrap();
    assert!(lengths[3..].iter().all(|&rounds| rounds >= 5), "{lengths:?}");
}

#[test]
fn the_totals_are_those_of_the_rounds_and_the_ranking_follows_from_them() {
    for_every_seed(MATCHES, |seed| {
        let mut last = None;
        Table::new(seed).play(|_, _, _, position, _| {
            let totals = Side::BOTH.map(|side| i32::from(position.total(side)));
            assert_eq!(position.scores().as_slice(), totals);
            last = Some(position.clone());
        });
        let last = last.unwrap();
        let key = |side| (last.total(side), last.rounds_scored(side), last.best_round(side));
        let order = key(Side::Blue).cmp(&key(Side::Red));
        let ranked = last.ranking().map(|ranking| ranking.winners().to_vec());
        let expected = match last.diagram().stop {
            Some(Stop::Aborted) => None,
            Some(Stop::Left(side)) => Some(vec![side.opponent().seat()]),
            None if order.is_gt() => Some(vec![Side::Blue.seat()]),
            None if order.is_lt() => Some(vec![Side::Red.seat()]),
            None => Some(Side::BOTH.map(Side::seat).to_vec()),
        };
        assert_eq!(ranked, expected);
        0
    });
}

#[test]
fn chance_is_accepted_exactly_where_it_could_be_drawn() {
    let bonuses = for_every_seed(MATCHES, |seed| {
        let mut bonuses = 0;
        Table::new(seed).play(|before, mv, _, _, dice| {
            let drawable = before.outcomes();
            for card in Card::all() {
                let possible = drawable.iter().any(|(drawn, _)| *drawn == Chance::Bonus(card));
                check_move(before, Move::Chance(Chance::Bonus(card)), possible);
            }
            for side in Side::BOTH {
                let due = before.turn() == Turn::Chance && before.diagram().phase == Phase::Deal(side);
                check_move(before, Move::Chance(Chance::Deal(side, Deal::UNKNOWN)), due);
            }
            if let Move::Chance(Chance::Bonus(_)) = mv {
                bonuses += 1;
                let cards: u32 = drawable.iter().map(|(_, weight)| weight).sum();
                assert_eq!(cards, u32::from(before.deck()));
                // One draw per card, over the sorted deck.
                let place = dice.below(cards.into());
                let drawn = before.draw_chance(&mut |range| {
                    assert_eq!(range, u64::from(cards));
                    place
                });
                let sorted = drawable.iter().flat_map(|&(chance, weight)| vec![chance; weight as usize]);
                assert_eq!(drawn.first().copied(), sorted.clone().nth(place as usize));
            }
        });
        bonuses
    });
    assert!(bonuses > 2_000, "{bonuses}");
}

#[test]
fn a_seat_may_leave_exactly_while_somebody_must_decide() {
    for_every_seed(MATCHES / 4, |seed| {
        Table::new(seed).play(|_, _, _, position, _| {
            for leave in every_leave() {
                let has_seat = match leave {
                    Leave::Abort => true,
                    Leave::Resign(seat) | Leave::Timeout(seat) => seat.number() <= 2,
                };
                let is_legal = has_seat && matches!(position.turn(), Turn::Player(_));
                check_move(position, Move::Leave(leave), is_legal);
            }
        });
        0
    });
}

#[test]
fn every_position_between_two_words_is_that_of_its_diagram() {
    let positions = for_every_seed(MATCHES, |seed| {
        let mut positions = 0;
        Table::new(seed).play(|_, _, _, position, _| {
            if position.turn() != Turn::Chance {
                let read = Position::from_diagram(position.setup(), position.diagram());
                assert_eq!(read.as_ref(), Ok(position));
                positions += 1;
            }
        });
        positions
    });
    assert!(positions > 60_000, "{positions}");
}

#[test]
fn a_diagram_with_a_fault_is_refused_or_can_be_played_to_the_end() {
    let played = for_every_seed(MATCHES, |seed| {
        let mut played = 0;
        Table::new(seed).play(|_, _, _, position, dice| {
            let mut diagram = *position.diagram();
            let other = |digit: u64| Digit::new(digit as u8 + 1).unwrap();
            let card = Card::all().nth(dice.below(28) as usize).unwrap();
            match dice.below(9) {
                0 => diagram.round = dice.below(256) as u8,
                1 => diagram.ovals[Side::Red].0[dice.below(3) as usize] = Oval::Pieces(dice.below(256) as u8),
                2 => {
                    diagram.ovals[Side::Blue].0[dice.below(3) as usize] =
                        dice.pick(&[Oval::Chip, Oval::Empty])
                }
                3 => diagram.discards.unknown = dice.below(256) as u8,
                4 => diagram.discards.top = Some(card),
                5 => diagram.hands.0.swap(0, 1),
                6 => {
                    if let Phase::Use { values, off, .. } = &mut diagram.phase {
                        *values = assam_rules::marrakesh::Values::times(Some(other(dice.below(6))), 4);
                        *off = dice.below(256) as u8;
                    }
                }
                7 => diagram.phase = Phase::Reply { leader: Side::Red, lead: Lead::Known(card) },
                _ => {
                    let counts = [0; 6].map(|_: u8| dice.below(2) as u8);
                    diagram.points[Side::Blue] = Points::new(counts).unwrap();
                }
            }
            if dice.below(20) > 0 {
                return;
            }
            if let Ok(position) = Position::from_diagram(position.setup(), &diagram) {
                let rest = Table { position, dice: Dice::new(seed), plays_solitaire: [false; 2], leaves: 0 };
                rest.play(|_, _, _, _, _| {});
                played += 1;
            }
        });
        played
    });
    assert!(played > 40, "{played}");
}

#[test]
fn a_move_that_is_not_legal_gives_a_position_without_meaning_but_never_a_panic() {
    for_every_seed(MATCHES, |seed| {
        let mut dice = Dice::new(seed);
        let mut position = Position::new(&Setup::default());
        let actions: Vec<Action> = every_action().collect();
        for _ in 0..300 {
            let mv = match dice.below(4) {
                0 | 1 => Move::Action(dice.pick(&actions)),
                2 => Move::Chance(Chance::Bonus(Card::all().nth(dice.below(28) as usize).unwrap())),
                _ => {
                    let fresh = Position::new(&Setup::default());
                    let mut next = fresh.clone();
                    let dealt = fresh.draw_chance(&mut |range| dice.below(range));
                    next.apply(Move::Chance(dealt[0]));
                    let deal = next.draw_chance(&mut |range| dice.below(range));
                    Move::Chance(dice.pick(&[dealt[0], deal[0], deal[1]]))
                }
            };
            position.apply(mv);
            position.legal_actions();
            ends_list(&position);
            position.scores();
            position.outcomes();
            position.masked(assam_rules::Viewer::Spectator, false);
            if position.turn() == Turn::Chance {
                position.draw_chance(&mut |range| dice.below(range));
            }
            let _ = Position::from_diagram(position.setup(), position.diagram());
        }
        0
    });
}
