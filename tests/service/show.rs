//! `assam show`: which position is shown, in which colours, and what is said where it cannot be.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::harness::{assam, err, out, start};

const GAME: &str = "MKN/1 marrakech/1 seats=3 cover=any\nseat1: Aisha\n\nN+3 d6e6\nE+2 f5f6\nS+4 e3e4\n*\n";

/// The last word of a picture, as it tells it.
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
    // What is drawn at the start belongs to ply 0; a record may begin in a position.
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

/// A program that follows a game, and what it tells of each ply.
struct Follower {
    child: Child,
    plies: Receiver<String>,
}

impl Follower {
    fn start(source: &str, number: &str) -> Self {
        let mut child = start(&["show", "--follow", source, "--record", number]);
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let (sender, plies) = channel();
        thread::spawn(move || {
            for line in lines.map(Result::unwrap) {
                if let Some((_, told)) = line.split_once("Ply ") {
                    let _ = sender.send(told.to_owned());
                }
            }
        });
        Self { child, plies }
    }

    fn next(&self) -> String {
        self.plies.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// Waits for the end: exit status, the plies that were left, and what was said on standard error.
    fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        drop(self.child.stdin.take());
        let ended = self.child.wait_with_output().unwrap();
        (ended.status.code(), self.plies.iter().collect(), err(&ended))
    }
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

#[test]
fn a_game_is_followed_word_by_word_as_its_file_grows_until_the_end_marker() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mkn");
    fs::write(&path, "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6").unwrap();
    let follower = Follower::start(path.to_str().unwrap(), "1");
    // The last word may still be growing: d6e6+b is one where two colours are drawn.
    assert_eq!(follower.next(), "1: N+3");
    append(&path, "\nE+");
    assert_eq!(follower.next(), "2: d6e6");
    append(&path, "2 f5f6 S+4\n");
    assert_eq!([follower.next(), follower.next(), follower.next()], ["3: E+2", "4: f5f6", "5: S+4"]);
    append(&path, "!resign1 !resign2\n= 0 0 ");
    assert_eq!([follower.next(), follower.next()], ["6: !resign1", "7: !resign2"]);
    append(&path, "30\n");
    assert_eq!(follower.end(), (Some(0), vec![], String::new()));
}

#[test]
fn a_follower_starts_before_the_record_is_begun_and_ends_with_an_error_where_it_breaks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mkn");
    fs::write(&path, format!("{GAME}\nMKN/1 marr")).unwrap();
    let follower = Follower::start(path.to_str().unwrap(), "2");
    append(&path, "akech/1 seats=2 two_player=one-colour\nseat1: A");
    append(&path, "isha\n");
    append(&path, "\n");
    assert_eq!(follower.next(), "0");
    append(&path, "N+3 d6d7 ");
    assert_eq!(follower.next(), "1: N+3");
    let (status, rest, told) = follower.end();
    assert_eq!((status, rest), (Some(1), vec![]));
    assert!(told.contains("marrakech.rug.under-assam, ply 2") && told.contains(":12:5\n"), "{told}");

    let follower = Follower::start(path.to_str().unwrap(), "1");
    assert_eq!(follower.next(), "6: e3e4");
    assert_eq!(follower.end(), (Some(0), vec![], String::new()));

    fs::write(&path, "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 ").unwrap();
    let follower = Follower::start(path.to_str().unwrap(), "1");
    assert_eq!(follower.next(), "2: d6e6");
    fs::write(&path, "MKN/1").unwrap();
    let (status, _, told) = follower.end();
    assert_eq!(status, Some(1));
    assert!(told.ends_with("the file became shorter\n"), "{told}");
}

#[test]
fn the_standard_input_is_followed_until_it_ends() {
    let mut follower = Follower::start("-", "1");
    let mut input = follower.child.stdin.take().unwrap();
    input.write_all(b"MKN/1 marrakech/1 seats=3\n\nN+3 ").unwrap();
    assert_eq!(follower.next(), "1: N+3");
    input.write_all(b"d6e6 E").unwrap();
    assert_eq!(follower.next(), "2: d6e6");
    input.write_all(b"+2\n").unwrap();
    assert_eq!(follower.next(), "3: E+2");
    drop(input);
    let (status, rest, told) = follower.end();
    assert_eq!((status, rest), (Some(1), vec![]));
    assert!(told.starts_with("error[missing_marker]"), "{told}");

    let nothing = assam(&["show", "--follow", "-", "--record", "2"], GAME);
    assert_eq!(err(&nothing), "assam: <stdin>: there is no record 2: the last one is 1\n");
    assert_eq!(nothing.status.code(), Some(1));
}
