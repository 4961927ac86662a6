//! Turning Assam, the die, the border.

use assam_rules::marrakech::{Action, Chance, Die, Direction, Position};
use assam_rules::{Game, Move, Turn};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::{ONE_COLOUR, after, assam, legal, refused, turn};

/// The exit, and the entry for `ne-sw` and for `nw-se`.
const EXITS: [(&str, &str, &str); 28] = [
    ("a7N", "b7S", "a7E"),
    ("b7N", "a7S", "c7S"),
    ("c7N", "d7S", "b7S"),
    ("d7N", "c7S", "e7S"),
    ("e7N", "f7S", "d7S"),
    ("f7N", "e7S", "g7S"),
    ("g7N", "g7W", "f7S"),
    ("g7E", "g7S", "g6W"),
    ("g6E", "g5W", "g7W"),
    ("g5E", "g6W", "g4W"),
    ("g4E", "g3W", "g5W"),
    ("g3E", "g4W", "g2W"),
    ("g2E", "g1W", "g3W"),
    ("g1E", "g2W", "g1N"),
    ("g1S", "f1N", "g1W"),
    ("f1S", "g1N", "e1N"),
    ("e1S", "d1N", "f1N"),
    ("d1S", "e1N", "c1N"),
    ("c1S", "b1N", "d1N"),
    ("b1S", "c1N", "a1N"),
    ("a1S", "a1E", "b1N"),
    ("a1W", "a1N", "a2E"),
    ("a2W", "a3E", "a1E"),
    ("a3W", "a2E", "a4E"),
    ("a4W", "a5E", "a3E"),
    ("a5W", "a4E", "a6E"),
    ("a6W", "a7E", "a5E"),
    ("a7W", "a6E", "a7S"),
];

/// Returns where Assam is after one step, by the table.
fn step(from: &str, wiring: &str) -> String {
    if let Some((_, ne_sw, nw_se)) = EXITS.iter().find(|(exit, _, _)| *exit == from) {
        return if wiring == "ne-sw" { ne_sw } else { nw_se }.to_string();
    }
    let [file, rank, facing] = *from.as_bytes() else { panic!("{from:?}") };
    let (file, rank) = match facing {
        b'N' => (file, rank + 1),
        b'E' => (file + 1, rank),
        b'S' => (file, rank - 1),
        _ => (file - 1, rank),
    };
    [file, rank, facing].map(char::from).iter().collect()
}

#[test]
fn assam_leaves_over_every_exit_and_comes_back_where_the_table_says_in_both_wirings() {
    for wiring in ["ne-sw", "nw-se"] {
        let mut seen = [false; EXITS.len()];
        for seed in 0..40 {
            let settings = format!("seats=4 rugs_per_player=60 start_dirhams=999 track={wiring}");
            walk(after(&settings, ""), wiring, seed, &mut seen);
        }
        assert_eq!(seen, [true; EXITS.len()], "{wiring}");
    }
}

/// Plays a random game, and tries every way to turn and every roll at each turn.
fn walk(mut position: Position, wiring: &str, seed: u64, seen: &mut [bool; EXITS.len()]) {
    let mut dice = ChaCha8Rng::seed_from_u64(seed);
    while let Turn::Player(_) = position.turn() {
        for (to, die) in directions_and_dice() {
            let mut tried = position.clone();
            if tried.play(Move::Action(Action::Orient(to))).is_err() {
                continue;
            }
            let mut expected = assam(&tried);
            for _ in 0..die.steps() {
                if let Some(exit) = EXITS.iter().position(|(exit, _, _)| *exit == expected) {
                    seen[exit] = true;
                }
                expected = step(&expected, wiring);
            }
            let from = assam(&tried);
            tried.play(Move::Chance(Chance::Die(die))).unwrap();
            assert_eq!(assam(&tried), expected, "{from}, {die:?}, {wiring}");
        }
        let choices = position.legal_actions();
        position.play(Move::Action(choices[dice.next_u64() as usize % choices.len()])).unwrap();
        let roll = position.draw_chance(&mut |range| dice.next_u64() % range);
        for roll in roll {
            position.play(Move::Chance(roll)).unwrap();
        }
    }
}

fn directions_and_dice() -> impl Iterator<Item = (Direction, Die)> {
    let dice = [Die::One, Die::Two, Die::Three, Die::Four];
    Direction::ALL.into_iter().flat_map(move |to| dice.map(|die| (to, die)))
}

#[test]
fn a_turn_around_costs_nothing_and_the_square_it_ends_on_is_a_step() {
    // d5, d6, d7, and round to c7.
    assert_eq!(assam(&after("seats=3", "N+4")), "c7S");
    assert_eq!(assam(&after("seats=3 track=nw-se", "N+4")), "e7S");
}

#[test]
fn in_a_looped_corner_he_stays_on_his_square_and_looks_along_the_other_side() {
    let to_g7 = "E+3 g5g6 N+3";
    assert_eq!(assam(&after("seats=3", to_g7)), "g7N");
    assert_eq!(assam(&after("seats=3", &format!("{to_g7} f7f6 N+1"))), "g7W");
    assert_eq!(assam(&after("seats=3", &format!("{to_g7} f7f6 E+1"))), "g7S");
    assert_eq!(assam(&after("seats=3 track=nw-se", &format!("{to_g7} f7f6 N+1"))), "f7S");
}

#[test]
fn assam_starts_on_d4_and_faces_north_or_as_the_option_says() {
    assert_eq!(assam(&after("seats=3", "")), "d4N");
    for facing in ["N", "E", "S", "W"] {
        assert_eq!(assam(&after(&format!("seats=3 start_facing={facing}"), "")), format!("d4{facing}"));
    }
}

#[test]
fn he_goes_left_straight_or_right_and_is_never_turned_about() {
    for (facing, about, three) in [
        ("N", "S", ["E", "N", "W"]),
        ("E", "W", ["E", "N", "S"]),
        ("S", "N", ["E", "S", "W"]),
        ("W", "E", ["N", "S", "W"]),
    ] {
        let settings = format!("seats=3 start_facing={facing}");
        assert_eq!(legal(&after(&settings, "")), three);
        assert_eq!(refused(&settings, &format!("{about}+1")), "marrakech.orient.about-turn");
    }
}

#[test]
fn he_is_turned_from_where_a_turn_around_left_him() {
    // He came back facing South, so North is about.
    assert_eq!(refused("seats=3", "N+4 b7c7"), "marrakech.rug.under-assam");
    assert_eq!(refused("seats=3", "N+4 b6b7 N+1"), "marrakech.orient.about-turn");
}

#[test]
fn the_die_has_one_1_two_2s_two_3s_and_one_4() {
    let mut position = after("seats=3", "");
    position.play(Move::Action(Action::Orient(Direction::North))).unwrap();
    let weights = position.outcomes();
    let expected = [(Die::One, 1), (Die::Two, 2), (Die::Three, 2), (Die::Four, 1)];
    assert_eq!(&*weights, expected.map(|(die, weight)| (Chance::Die(die), weight)));
}

#[test]
fn seat_1_begins_and_the_turn_goes_round_clockwise() {
    let words = ["N+1", "d6d7", "E+1", "f5g5", "S+1", "e3e2", "S+1", "d3d2", "S+1"];
    let seats: Vec<String> =
        (1..=words.len()).map(|played| turn(&after("seats=4", &words[..played].join(" ")))).collect();
    let expected =
        ["1 rug", "2 orient", "2 rug", "3 orient", "3 rug", "4 orient", "4 rug", "1 orient", "1 rug"];
    assert_eq!(seats, expected);
    assert_eq!(turn(&after("seats=3", &words[..6].join(" "))), "1 orient");
    assert_eq!(turn(&after(ONE_COLOUR, &words[..4].join(" "))), "1 orient");
}

#[test]
fn with_orientation_end_a_game_begins_with_a_roll_and_each_turn_ends_with_turning_him() {
    let settings = "seats=3 orientation=end";
    assert_eq!(turn(&after(settings, "+1")), "1 rug");
    assert_eq!(turn(&after(settings, "+1 d6d7")), "1 orient");
    assert_eq!(turn(&after(settings, "+1 d6d7 E+1")), "2 rug");
    assert_eq!(assam(&after(settings, "+1 d6d7 E+1")), "e5E");
    assert_eq!(refused(settings, "+1 d6d7 S+1"), "marrakech.orient.about-turn");
    for facing in Direction::ALL {
        let start = format!("{settings} start_facing={facing}");
        assert!(assam(&after(&start, "+1")).ends_with(facing.letter()));
    }
}
