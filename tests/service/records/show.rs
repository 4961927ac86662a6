//! `assam show`: the position shown, its colours, and the error if it cannot be shown.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::harness::{assam, err, out};

const GAME: &str = "MKN/1 marrakech/1 seats=3 cover=any\nseat1: Aisha\n\nN+3 d6e6\nE+2 f5f6\nS+4 e3e4\n*\n";

/// Returns the description of the last word of a picture.
fn ply(shown: &str) -> &str {
    shown.lines().find_map(|line| line.split_once("Ply ")).map(|(_, told)| told).unwrap_or_default()
}

#[test]
fn the_last_ply_is_shown_or_the_one_that_is_asked_for() {
    let shown = assam(&["show", "-"], GAME);
    assert_eq!((shown.status.code(), ply(&out(&shown)), err(&shown).as_str()), (Some(0), "6: e3e4", ""));
    assert!(out(&shown).starts_with("marrakech/1 seats=3 cover=any\n\n"), "{}", out(&shown));
    for (wanted, told) in [("0", "0"), ("1", "1: N+3"), ("6", "6: e3e4")] {
        let shown = assam(&["show", "-", "--ply", wanted], GAME);
        assert_eq!((shown.status.code(), ply(&out(&shown))), (Some(0), told));
    }
    let beyond = assam(&["show", "-", "--ply", "7"], GAME);
    assert_eq!((beyond.status.code(), out(&beyond).as_str()), (Some(1), ""));
    assert_eq!(err(&beyond), "assam: <stdin>: there is no ply 7: the last one is 6\n");
    // A draw at the start belongs to ply 0, and a record may begin in a position.
    let drawn = assam(&["show", "-", "--ply", "0"], "MKN/1 marrakech/1 seats=2\n\n+r N+3 *\n");
    assert_eq!(ply(&out(&drawn)), "0: +r");
    assert!(out(&drawn).contains("Seat 1 must turn Assam, in hand: red"));
    let line = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";
    for begins in [format!("MKN/1 {line}\n\n*\n"), format!("{line}\n")] {
        let shown = out(&assam(&["show", "-"], &begins));
        assert!(shown.starts_with("marrakech/1 seats=3\n\n") && shown.contains("│rrrrrrr│"), "{shown}");
    }
}

#[test]
fn a_record_of_several_is_chosen_by_its_number() {
    let file = format!("{GAME}\n{}\n{GAME}", GAME.replace(" e3e4", ""));
    for (arguments, told, heading) in [
        (&["show", "-"][..], "6: e3e4", "(record 1; --record shows others)"),
        (&["show", "-", "--record", "2"], "5: S+4", "(record 2; --record shows others)"),
        (&["show", "-", "--record", "3"], "6: e3e4", "(record 3)"),
    ] {
        let shown = assam(arguments, &file);
        assert_eq!((shown.status.code(), ply(&out(&shown))), (Some(0), told));
        let first = format!("marrakech/1 seats=3 cover=any {heading}");
        assert_eq!(out(&shown).lines().next().unwrap(), first);
    }
    let beyond = assam(&["show", "-", "--record", "4"], &file);
    assert_eq!((beyond.status.code(), out(&beyond).as_str()), (Some(1), ""));
    assert_eq!(err(&beyond), "assam: <stdin>: there is no record 4: the last one is 3\n");
}

#[test]
fn of_a_record_that_breaks_the_position_before_is_shown_and_where_it_broke() {
    let broken = GAME.replace("f5f6", "f5f7");
    for (arguments, told) in [
        (&["show", "-"][..], "3: E+2"),
        (&["show", "-", "--ply", "2"], "2: d6e6"),
        (&["show", "-", "--ply", "6"], "3: E+2"),
    ] {
        let shown = assam(arguments, &broken);
        assert_eq!((shown.status.code(), ply(&out(&shown))), (Some(1), told));
        assert!(err(&shown).contains("--> <stdin>:5:5\n"), "{}", err(&shown));
        assert!(err(&shown).contains("notation.rug.no-common-side, ply 4"), "{}", err(&shown));
    }
    let cut_off = assam(&["show", "-"], GAME.strip_suffix("*\n").unwrap());
    assert_eq!((cut_off.status.code(), ply(&out(&cut_off))), (Some(1), "6: e3e4"));
    assert!(err(&cut_off).starts_with("error[missing_marker]"));
    for nothing in ["", "\n", "noise", "MKN/2 x\n\n*\n", "\u{0}\u{1}"] {
        let refused = assam(&["show", "-"], nothing);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
        assert!(err(&refused).starts_with("error["), "{}", err(&refused));
    }
}

#[test]
fn what_cannot_be_read_and_wrong_usage_exit_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().to_str().unwrap();
    for wrong in [
        &["show"][..],
        &["show", "/nowhere/at/all.mkn"],
        &["show", folder],
        &["show", "--follow", "/nowhere/at/all.mkn"],
        &["show", "--follow", folder],
        &["show", "-", "--ply", "-1"],
        &["show", "-", "--record", "0"],
        &["show", "-", "--ply", "1", "--follow"],
        &["show", "-", "--color", "red"],
    ] {
        let refused = assam(wrong, GAME);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""), "{wrong:?}");
        assert!(!err(&refused).is_empty());
    }
}

#[test]
fn colours_are_used_where_they_are_wanted_and_change_nothing_but_colours() {
    let plain = out(&assam(&["show", "-"], GAME));
    assert!(!plain.contains('\u{1b}') && plain.contains('▼'));
    let colored = out(&assam(&["show", "-", "--color", "always"], GAME));
    assert!(colored.contains("\u{1b}["));
    assert_eq!(anstream::adapter::strip_str(&colored).to_string(), plain);
    assert_eq!(out(&assam(&["show", "-", "--color", "never"], GAME)), plain);
    let with = |variables: &[(&str, &str)], color: &str| {
        let mut child = Command::new(env!("CARGO_BIN_EXE_assam"))
            .args(["show", "-", "--color", color])
            .env_clear()
            .envs(variables.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(GAME.as_bytes()).unwrap();
        out(&child.wait_with_output().unwrap())
    };
    assert_eq!(with(&[("CLICOLOR_FORCE", "1")], "auto"), colored);
    assert_eq!(with(&[("CLICOLOR_FORCE", "1")], "never"), plain);
    assert_eq!(with(&[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")], "auto"), plain);
    assert_eq!(with(&[("TERM", "dumb")], "auto"), plain);
    assert_eq!(with(&[("NO_COLOR", "1")], "always"), colored);
}

#[test]
fn in_a_narrow_terminal_the_table_stands_below_the_board_and_no_line_is_too_long() {
    let matches = out(&assam(&["random", "--ruleset", "marrakesh/1"], ""));
    for record in [GAME, matches.as_str(), &out(&assam(&["random", "--seed", "5"], ""))] {
        let in_columns = |columns: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_assam"));
            command.args(["show", "-", "--ply", "6"]).env_clear().env("COLUMNS", columns);
            let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
            child.stdin.take().unwrap().write_all(record.as_bytes()).unwrap();
            out(&child.wait_with_output().unwrap())
        };
        let wide = out(&assam(&["show", "-", "--ply", "6"], record));
        for columns in ["80", "120", "", "0", "x"] {
            assert_eq!(in_columns(columns), wide, "{columns}");
        }
        let words = |shown: &str| {
            let mut words: Vec<String> = shown.split_whitespace().map(str::to_owned).collect();
            words.sort();
            words
        };
        for columns in [40, 45, 60] {
            let narrow = in_columns(&columns.to_string());
            assert!(narrow.lines().all(|line| line.chars().count() <= columns), "{narrow}");
            let last = narrow.lines().position(|line| line.starts_with("  └")).unwrap();
            assert!(narrow.lines().position(|line| line.contains("Ply 6")).unwrap() > last, "{narrow}");
            assert_eq!(words(&narrow), words(&wide), "{narrow}");
        }
    }
}
