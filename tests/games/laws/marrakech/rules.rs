//! Laws of the rules for every position and every move.

use std::sync::atomic::{AtomicU32, Ordering};

use assam_notation::Decision;
use assam_referee::ends_list;
use assam_rules::marrakech::{Action, Chance, Colour, Orientation, Payment, Phase, Position, TieBreak};
use assam_rules::{Game, Leave, Move, Seat, Turn};

use super::super::every_leave;
use super::table::{Table, every_action, every_chance, for_every_game};

#[test]
fn there_are_84_rugs_and_4_compass_points_to_try() {
    assert_eq!(every_action().len(), 84 + 4);
    assert_eq!(every_chance().count(), 4 + 4);
    assert_eq!(every_leave().count(), 9);
}

/// Laws prove nothing about games that are never played.
#[test]
fn the_random_games_end_in_every_way() {
    type Kind = (&'static str, fn(&Table) -> bool);
    let kinds: [Kind; 9] = [
        ("the last rug laid", |table| table.position.turn() == Turn::Over && table.position.out().is_empty()),
        ("one player left", |table| still_in(table) == 1 && rugs_left(&table.position) > 0),
        ("one player plays on alone", |table| still_in(table) == 1 && rugs_left(&table.position) == 0),
        ("nobody left", |table| still_in(table) == 0),
        ("aborted", |table| table.position.turn() == Turn::Aborted),
        ("three out", |table| table.position.out().len() == 3),
        ("shared places", |table| {
            table.position.ranking().is_some_and(|ranking| ranking.0.iter().any(|group| group.len() > 1))
        }),
        ("a leaver whose successor draws", |table| {
            table
                .words
                .iter()
                .any(|word| matches!(word.decision, Some(Decision::Leave(_))) && !word.chance.is_empty())
        }),
        ("a word with four outcomes", |table| table.words.iter().any(|word| word.chance.len() >= 4)),
    ];
    let games = kinds.map(|_| AtomicU32::new(0));
    for_every_game(10_000, |table| {
        let table = table.finish();
        for (games, (_, is_so)) in games.iter().zip(kinds) {
            games.fetch_add(u32::from(is_so(&table)), Ordering::Relaxed);
        }
        0
    });
    for (games, (kind, _)) in games.iter().zip(kinds) {
        assert!(games.load(Ordering::Relaxed) >= 20, "{kind}: {games:?}");
    }
}

fn still_in(table: &Table) -> usize {
    usize::from(table.position.setup().seats()) - table.position.out().len()
}

fn rugs_left(position: &Position) -> u32 {
    Colour::ALL.iter().map(|&colour| u32::from(position.rugs_left(colour))).sum()
}

#[test]
fn dirhams_change_hands_and_leave_only_with_a_player_who_leaves() {
    for_every_game(10_000, |mut table| {
        while let Some(mv) = table.choose() {
            let before = table.position.clone();
            let payment = table.make(mv);
            check_purses(&before, mv, payment, &table.position);
        }
        0
    });
}

#[test]
fn a_rug_always_has_two_to_twelve_places_and_assam_three_ways_to_turn() {
    let decisions = for_every_game(10_000, |mut table| {
        let mut decisions = 0;
        while let Some(mv) = table.choose() {
            let position = &table.position;
            let legal = position.legal_actions();
            assert!(legal.iter().enumerate().all(|(n, action)| !legal[..n].contains(action)), "{legal:?}");
            match position.phase() {
                Phase::Orient { .. } => assert_eq!(legal.len(), 3),
                Phase::Lay { .. } => assert!((2..=12).contains(&legal.len()), "{legal:?}"),
                Phase::TurnUp | Phase::Roll { .. } | Phase::Over | Phase::Aborted => {
                    assert!(legal.is_empty());
                }
            }
            decisions += u64::from(!legal.is_empty());
            table.make(mv);
        }
        assert!(table.position.legal_actions().is_empty());
        decisions
    });
    assert!(decisions > 100_000, "{decisions}");
}

#[test]
fn what_is_legal_can_be_played_and_what_is_not_is_refused_and_changes_nothing() {
    let actions = every_action();
    let decisions = for_every_game(10_000, |mut table| {
        let mut decisions = 0;
        loop {
            let legal = table.position.legal_actions();
            for &action in &actions {
                check_move(&table.position, Move::Action(action), legal.contains(&action));
            }
            decisions += u64::from(!legal.is_empty());
            let Some(mv) = table.choose() else { break };
            table.make(mv);
        }
        decisions
    });
    assert!(decisions > 100_000, "{decisions}");
}

#[test]
fn chance_is_accepted_exactly_where_it_could_be_drawn() {
    for_every_game(10_000, |mut table| {
        loop {
            let drawable = table.position.outcomes();
            for chance in every_chance() {
                let possible = drawable.iter().any(|(drawn, _)| *drawn == chance);
                check_move(&table.position, Move::Chance(chance), possible);
            }
            let Some(mv) = table.choose() else { break };
            table.make(mv);
        }
        0
    });
}

#[test]
fn a_seat_may_leave_exactly_while_it_is_in_and_somebody_must_decide() {
    for_every_game(10_000, |mut table| {
        loop {
            let position = &table.position;
            let someone_decides = matches!(position.turn(), Turn::Player(_));
            for leave in every_leave() {
                let is_in = match leave {
                    Leave::Abort => true,
                    Leave::Resign(seat) | Leave::Timeout(seat) => {
                        seat.number() <= position.setup().seats() && !position.out().contains(&seat)
                    }
                };
                check_move(position, Move::Leave(leave), is_in && someone_decides);
            }
            let Some(mv) = table.choose() else { break };
            table.make(mv);
        }
        0
    });
}

#[test]
fn drawing_over_the_whole_range_gives_every_outcome_as_often_as_it_weighs() {
    let draws = for_every_game(10_000, |mut table| {
        let mut draws = 0;
        loop {
            draws += u64::from(check_draws(&table.position));
            let Some(mv) = table.choose() else { break };
            table.make(mv);
        }
        draws
    });
    assert!(draws > 50_000, "{draws}");
}

#[test]
fn the_ranking_has_every_seat_once_the_winners_first_and_who_is_out_last_in_reverse_order() {
    for_every_game(10_000, |table| {
        let table = table.finish();
        check_ranking(&table.position);
        0
    });
}

#[test]
fn a_turn_passes_to_the_next_seat_clockwise_that_has_a_rug() {
    for_every_game(10_000, |mut table| {
        while let Some(mv) = table.choose() {
            let before = table.position.clone();
            let payment = table.make(mv);
            check_order(&before, mv, payment, &table.position);
        }
        0
    });
}

/// If Assam is turned last, the seat that laid a rug turns him, unless that was the last rug of all. If he is
/// turned first, the turn passes. So a list continues only for a seat that alone has rugs, in one colour: of
/// two colours, one is turned up first.
#[test]
fn a_list_of_decisions_goes_on_exactly_where_the_same_seat_decides_next_and_nothing_is_drawn() {
    let [turned_last, alone] = [0, 0].map(AtomicU32::new);
    for_every_game(10_000, |mut table| {
        while let Some(mv) = table.choose() {
            let before = table.position.clone();
            table.make(mv);
            let Move::Action(_) = mv else { continue };
            let setup = before.setup();
            let is_lay = matches!(before.phase(), Phase::Lay { .. });
            let is_last = rugs_left(&before) == 1;
            let others_have_rugs = Seat::all(setup.seats())
                .filter(|seat| *seat != before.seat())
                .any(|seat| setup.colours(seat).iter().any(|&colour| before.rugs_left(colour) > 0));
            let goes_on = is_lay
                && !is_last
                && match setup.options().orientation {
                    Orientation::End => true,
                    Orientation::Start => !others_have_rugs && !setup.has_two_colours(),
                };
            assert_eq!(ends_list(&before), !goes_on, "{before:?}, then {mv:?}");
            if goes_on {
                let counter = match setup.options().orientation {
                    Orientation::End => &turned_last,
                    Orientation::Start => &alone,
                };
                counter.fetch_add(1, Ordering::Relaxed);
            }
        }
        0
    });
    let counted = [turned_last, alone].map(AtomicU32::into_inner);
    assert!(counted[0] > 10_000 && counted[1] > 100, "{counted:?}");
}

#[test]
fn the_game_is_over_exactly_when_no_rug_is_left_or_one_player_is_where_that_ends_it() {
    for_every_game(10_000, |mut table| {
        loop {
            let position = &table.position;
            let setup = position.setup();
            let still_in = usize::from(setup.seats()) - position.out().len();
            let is_over = rugs_left(position) == 0 || (still_in == 1 && setup.options().last_standing);
            match position.turn() {
                Turn::Over => assert!(is_over, "{position:?}"),
                Turn::Player(_) | Turn::Chance => assert!(!is_over, "{position:?}"),
                Turn::Aborted => {}
            }
            let Some(mv) = table.choose() else { break };
            table.make(mv);
        }
        0
    });
}

/// Checks that exactly the right moves are accepted, and refused ones change nothing.
fn check_move(position: &Position, mv: Move<Position>, right: bool) {
    let mut after = position.clone();
    let verdict = after.play(mv);
    assert_eq!(verdict.is_ok(), right, "{mv:?} in {position:?}: {verdict:?}");
    if !right {
        assert_eq!(after, *position, "{mv:?} was refused");
    }
}

fn check_purses(before: &Position, mv: Move<Position>, payment: Option<Payment>, after: &Position) {
    assert!(payment.is_none() || matches!(mv, Move::Chance(Chance::Die(_))), "{mv:?}");
    for seat in Seat::all(before.setup().seats()) {
        let had = before.dirhams(seat);
        let expected = match (mv, payment) {
            (Move::Leave(Leave::Resign(gone) | Leave::Timeout(gone)), _) if gone == seat => 0,
            (_, Some(Payment { payer, paid, .. })) if payer == seat => had - paid,
            (_, Some(Payment { payee, paid, .. })) if payee == seat => had + paid,
            _ => had,
        };
        assert_eq!(after.dirhams(seat), expected, "seat {seat:?}, {mv:?} in {before:?}");
    }
    if let Some(Payment { payer, payee, due, paid, eliminated }) = payment {
        assert_ne!(payer, payee);
        assert_eq!(payer, before.seat());
        assert!(!before.out().contains(&payee), "nobody pays a player who is out");
        assert_eq!(paid, due.min(before.dirhams(payer)));
        assert_eq!(after.out().contains(&payer), eliminated);
    }
}

/// Draws every number of the range and compares the weights. Returns false if nothing is drawn.
fn check_draws(position: &Position) -> bool {
    let mut range = None;
    let first = position.draw_chance(&mut |r| {
        assert_eq!(range.replace(r), None, "one draw an outcome");
        0
    });
    let weights = position.outcomes();
    assert_eq!(!first.is_empty(), position.turn() == Turn::Chance);
    let Some(range) = range else {
        assert!(weights.is_empty());
        return false;
    };
    let drawn = (0..range).flat_map(|k| position.draw_chance(&mut |_| k));
    let expected = weights.iter().flat_map(|&(chance, weight)| vec![chance; weight as usize]);
    assert_eq!(drawn.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    true
}

fn check_ranking(position: &Position) {
    let Some(ranking) = position.ranking() else {
        assert_eq!(position.turn(), Turn::Aborted);
        return;
    };
    assert_eq!(position.turn(), Turn::Over);
    let order: Vec<Seat> = ranking.0.iter().flatten().copied().collect();
    let mut sorted = order.clone();
    sorted.sort();
    assert_eq!(sorted, Seat::all(position.setup().seats()).collect::<Vec<_>>());
    let (still_in, out) = order.split_at(order.len() - position.out().len());
    assert!(out.iter().rev().eq(&position.out()), "{ranking:?}, out {:?}", position.out());
    assert!(ranking.0.iter().all(|group| group.len() == 1 || !position.out().contains(&group[0])));
    // The score, then the tie-break, then the order of play: no later seat is ahead of an earlier one.
    let key = |seat: &Seat| {
        let tie_break = match position.setup().options().tie_break {
            TieBreak::Dirhams => position.dirhams(*seat),
            TieBreak::Rugs => position.visible(*seat).into(),
            TieBreak::None => 0,
        };
        (position.score(*seat), tie_break)
    };
    for pair in still_in.windows(2) {
        let [ahead, behind] = [&pair[0], &pair[1]];
        let share = ranking.0.iter().any(|group| group.contains(ahead) && group.contains(behind));
        assert!(
            key(ahead) > key(behind) || (share && key(ahead) == key(behind) && ahead < behind),
            "{position:?}"
        );
    }
    assert!(out.iter().all(|seat| position.score(*seat) == 0 && position.dirhams(*seat) == 0));
    assert_eq!(ranking.winners(), &*ranking.0[0]);
    for &seat in &order {
        let sum = i32::from(position.dirhams(seat)) + i32::from(position.visible(seat));
        assert!(out.contains(&seat) || position.score(seat) == sum);
    }
}

fn ends_turn(before: &Position, mv: Move<Position>, payment: Option<Payment>) -> bool {
    let orientation = before.setup().options().orientation;
    match mv {
        Move::Action(Action::Lay(_)) => orientation == Orientation::Start,
        Move::Action(Action::Orient(_)) => orientation == Orientation::End,
        Move::Chance(_) => payment.is_some_and(|payment| payment.eliminated),
        Move::Leave(Leave::Resign(seat) | Leave::Timeout(seat)) => seat == before.seat(),
        Move::Leave(Leave::Abort) => false,
    }
}

fn check_order(before: &Position, mv: Move<Position>, payment: Option<Payment>, after: &Position) {
    let has_rugs =
        |seat: &Seat| before.setup().colours(*seat).iter().any(|&colour| after.rugs_left(colour) > 0);
    let clockwise =
        std::iter::successors(Some(before.seat()), |seat| Some(seat.next(before.setup().seats())));
    let expected = match after.turn() {
        Turn::Player(_) | Turn::Chance if ends_turn(before, mv, payment) => {
            clockwise.skip(1).find(has_rugs).unwrap()
        }
        Turn::Player(_) | Turn::Chance => before.seat(),
        Turn::Over | Turn::Aborted => Seat::FIRST,
    };
    assert_eq!(after.seat(), expected, "{mv:?} in {before:?}");
}
