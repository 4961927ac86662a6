//! The content of the position line. The vectors have every way in which it can be wrong.

use assam_notation::{Error, Opening, SetupLine};
use assam_rules::marrakech::Position;
use assam_rules::{Game, Turn};

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
    // Seat 3 may not cover the red rug completely.
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
