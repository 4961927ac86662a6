//! The position line: what it says, and every way in which it can be wrong.

use std::collections::BTreeSet;

use assam_notation::{Code, Error, Opening, SetupLine};
use assam_rules::marrakech::{Impossible, Position};
use assam_rules::{Game, Rule, Turn};

const THREE: &str = "marrakech/1 seats=3 position=";

fn read(line: &str) -> Result<Opening<Position>, Error> {
    SetupLine::read_position_line(line).and_then(|line| Opening::read(&line))
}

#[test]
fn a_position_built_by_hand_is_read_and_written_in_canonical_form() {
    let by_hand = "marrakech/1 start_dirhams=30 seats=3 position=7/3rr2/7/7/7/2b4/2b4;e6d6,c2c1;d7N;3;lay;30,28,32;r14b14y15;y;-";
    let opening = read(by_hand).unwrap();
    assert_eq!(
        opening.line(),
        "MKN/1 marrakech/1 seats=3 position=7/3rr2/7/7/7/2b4/2b4;c1c2,d6e6;d7N;3;lay;30,28,32;r14b14y15;y;-"
    );
    let replay = opening.replay();
    assert!(matches!(replay.position().turn(), Turn::Player(seat) if seat.number() == 3));
    // Seat 3 may not cover the red rug whole.
    assert_eq!(replay.position().legal_actions().len(), 6);
}

#[test]
fn a_line_without_a_position_is_no_position_line() {
    let error = read("marrakech/1 seats=3").unwrap_err();
    assert_eq!((error.rule, error.place.column), ("notation.setup.no-position", 20));
    assert_eq!(read("MKN/1 marrakech/1 seats=3").unwrap_err().rule, "notation.setup.ruleset");
}

#[test]
fn the_start_of_a_game_as_a_position_is_the_start_of_a_game() {
    let line = format!("{THREE}7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-");
    assert_eq!(read(&line).unwrap().line(), "MKN/1 marrakech/1 seats=3");
}

/// Value of `position=` for three seats, and the rule that it breaks.
const IMPOSSIBLE: &[(&str, Impossible)] = &[
    ("7/7/7/7/7/7/g6;-;d4N;1;orient;30,30,30;r15b15y15;r;-", Impossible::StrangeColour),
    ("7/3rb2/7/7/7/7/7;d6e6;d7N;3;orient;30,30,30;r14b14y15;y;-", Impossible::TornRug),
    ("7/7/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-", Impossible::TornRug),
    ("7/3rrr1/7/7/7/7/7;d6e6,e6f6;d7N;2;orient;30,30,30;r14b15y15;b;-", Impossible::SharedSquare),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;60,0,30;r15b0y15;r;2,2", Impossible::OutTwice),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;60,0,30;r15b0y15;r;4", Impossible::OutTwice),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b0y15;r;2", Impossible::OutWithDirhams),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;60,0,30;r15b15y15;r;2", Impossible::OutWithRugs),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r16b15y15;r;-", Impossible::TooManyLeft),
    ("7/3rr2/7/7/7/7/6r;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-", Impossible::TooManyVisible),
    ("7/3rr2/7/7/7/7/7;-;d7N;1;orient;30,30,30;r13b13y13;r;-", Impossible::NoWholeRug),
    ("7/3rr2/7/7/7/7/7;d6e6;d7N;3;orient;30,30,30;r14b15y15;y;-", Impossible::RugsOutOfTurn),
    ("7/3rr2/7/7/7/7/7;d6e6;d7N;1;orient;30,30,30;r14b15y15;r;-", Impossible::RugsOutOfTurn),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,31;r15b15y15;r;-", Impossible::Dirhams),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,29;r15b15y15;r;-", Impossible::Dirhams),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;61,0,30;r15b0y15;r;2", Impossible::Dirhams),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;-;-", Impossible::Phase),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;b;-", Impossible::Hand),
    ("7/7/7/7/7/7/7;-;d4N;2;orient;60,0,30;r15b0y15;b;2", Impossible::SeatNotIn),
    ("7/7/7/7/7/7/7;-;d4N;4;orient;30,30,30;r15b15y15;g;-", Impossible::SeatNotIn),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;90,0,0;r15b0y0;r;2,3", Impossible::ShouldBeOver),
    ("7/3rr2/7/7/7/7/7;d6e6;d7N;1;lay;30,30,30;r0b0y0;r;-", Impossible::ShouldBeOver),
    ("7/7/7/7/7/7/7;-;d4N;-;over;30,30,30;r15b15y15;-;-", Impossible::ShouldGoOn),
];

#[test]
fn every_impossible_position_is_refused_with_the_reason() {
    for (value, reason) in IMPOSSIBLE {
        let line = format!("{THREE}{value}");
        let error = read(&line).unwrap_err();
        assert_eq!((error.code, error.rule), (Code::ImpossiblePosition, reason.id()), "{line}");
        assert_eq!((error.place.line, error.place.column), (1, THREE.len() as u32 + 1), "{line}");
        assert_eq!(error.detail, reason.text());
    }
    let reached: BTreeSet<&str> = IMPOSSIBLE.iter().map(|(_, reason)| reason.id()).collect();
    let all: BTreeSet<&str> = Impossible::ALL.iter().map(|reason| reason.id()).collect();
    assert_eq!(reached, all);
}

/// Value of `position=` for three seats, the rule that its syntax breaks, and the byte.
const MALFORMED: &[(&str, &str, usize)] = &[
    ("", "notation.position.board", 0),
    ("8/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.board", 0),
    ("7/34/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.board", 3),
    ("7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.board", 11),
    ("7/7/7/7/7/7/6x;-;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.board", 13),
    ("7/7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.field", 13),
    ("7/7/7/7/7/7/7;d6e7;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.whole-rugs", 14),
    ("7/3rr2/7/7/7/7/7;d6e6,e6d6;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.position.whole-rugs", 22),
    ("7/7/7/7/7/7/7;;d4N;1;orient;30,30,30;r15b15y15;r;-", "notation.decision.unknown", 14),
    ("7/7/7/7/7/7/7;-;h4N;1;orient;30,30,30;r15b15y15;r;-", "notation.decision.unknown", 16),
    ("7/7/7/7/7/7/7;-;d4n;1;orient;30,30,30;r15b15y15;r;-", "notation.position.assam", 18),
    ("7/7/7/7/7/7/7;-;d4N;0;orient;30,30,30;r15b15y15;r;-", "notation.position.seat", 20),
    ("7/7/7/7/7/7/7;-;d4N;1;roll;30,30,30;r15b15y15;r;-", "notation.position.phase", 22),
    ("7/7/7/7/7/7/7;-;d4N;1;lay;30,30,30;r15b15y15;-;-", "notation.position.phase", 22),
    ("7/7/7/7/7/7/7;-;d4N;1;over;30,30,30;r15b15y15;-;-", "notation.position.phase", 22),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30;r15b15y15;r;-", "notation.position.dirhams", 34),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,030;r15b15y15;r;-", "notation.position.dirhams", 35),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,99999;r15b15y15;r;-", "notation.position.dirhams", 35),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;b15r15y15;r;-", "notation.position.rugs-left", 38),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y;r;-", "notation.position.rugs-left", 45),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;x;-", "notation.position.hand", 48),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;", "notation.position.out", 50),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;5", "notation.position.out", 50),
    ("7/7/7/7/7/7/7;-;d4N;1;orient;30,30,30;r15b15y15;r;-;", "notation.position.trailing", 51),
];

#[test]
fn every_malformed_position_is_refused_with_its_place() {
    for (value, rule, offset) in MALFORMED {
        let line = format!("{THREE}{value}");
        let error = read(&line).unwrap_err();
        assert_eq!((error.code, error.rule), (Code::NotationSyntax, *rule), "{line}");
        assert_eq!(error.place.column as usize, THREE.len() + offset + 1, "{line}");
        assert!(error.expected.is_some());
    }
    let reached: BTreeSet<&str> = MALFORMED.iter().map(|(_, rule, _)| *rule).collect();
    let source = include_str!("../../notation/src/marrakech/position.rs");
    for rule in source.split('"').filter(|literal| literal.starts_with("notation.")) {
        assert!(reached.contains(rule), "{rule}");
    }
}

#[test]
fn no_cut_and_no_odd_byte_in_a_position_line_panics() {
    let line = format!("{THREE}7/3rr2/7/7/7/2b4/2b4;c1c2,d6e6;d7N;3;lay;30,28,32;r14b14y15;y;-");
    assert!(read(&line).is_ok());
    for end in 0..line.len() {
        assert!(read(&line[..end]).is_err(), "{}", &line[..end]);
        for odd in ["", "\0", " ", ";", "/", "-", "9", "0", "z", "r", "\u{e9}", "=="] {
            let _ = read(&format!("{}{odd}{}", &line[..end], &line[end + 1..]));
        }
    }
}
