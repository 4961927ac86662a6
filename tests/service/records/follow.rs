//! `assam show --follow`: the output while the file of a game grows, is corrected, is replaced, disappears
//! and comes back.

use std::fs::{self, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use crate::harness::{assam, err, start};

const GAME: &str = "MKN/1 marrakech/1 seats=3 cover=any\nseat1: Aisha\n\nN+3 d6e6\nE+2 f5f6\nS+4 e3e4\n*\n";
const START: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n";

/// A program that follows a game.
struct Follower {
    child: Child,
    /// The line for each ply that it shows.
    plies: Receiver<String>,
    /// Its lines on standard error.
    said: Receiver<String>,
}

/// Reads lines on another thread, and passes on the wanted part of each.
fn lines(input: impl Read + Send + 'static, wanted: fn(String) -> Option<String>) -> Receiver<String> {
    let (sender, lines) = channel();
    thread::spawn(move || {
        for line in BufReader::new(input).lines().map(Result::unwrap).filter_map(wanted) {
            let _ = sender.send(line);
        }
    });
    lines
}

impl Follower {
    fn start(source: &str, number: &str) -> Self {
        let mut child = start(&["show", "--follow", source, "--record", number]);
        let told = |line: String| line.split_once("Ply ").map(|(_, told)| told.to_owned());
        let plies = lines(child.stdout.take().unwrap(), told);
        let said = lines(child.stderr.take().unwrap(), Some);
        Self { child, plies, said }
    }

    fn of(path: &Path) -> Self {
        Self::start(path.to_str().unwrap(), "1")
    }

    fn next(&self) -> String {
        self.plies.recv_timeout(Duration::from_secs(60)).unwrap()
    }

    /// Waits until it prints this on standard error.
    fn says(&self, text: &str) {
        while !self.said.recv_timeout(Duration::from_secs(60)).expect(text).contains(text) {}
    }

    /// Waits for the end. Returns the exit status, the unread plies, and the unread lines of standard error.
    fn end(mut self) -> (Option<i32>, Vec<String>, Vec<String>) {
        drop(self.child.stdin.take());
        let status = self.child.wait().unwrap();
        (status.code(), self.plies.iter().collect(), self.said.iter().collect())
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn append(path: &Path, text: &str) {
    OpenOptions::new().append(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Replaces a file as editors do.
fn replace(path: &Path, text: &str) {
    let new = path.with_extension("new");
    fs::write(&new, text).unwrap();
    fs::rename(new, path).unwrap();
}

/// Returns a file with a running game, in a separate folder.
fn begun(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("game.mkn");
    fs::write(&path, text).unwrap();
    (folder, path)
}

#[test]
fn a_game_is_followed_word_by_word_as_its_file_grows_until_the_end_marker() {
    let (_folder, path) = begun("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6");
    let mut follower = Follower::of(&path);
    // The last word may be incomplete: d6e6+b is one if two colours are drawn.
    assert_eq!(follower.next(), "1: N+3");
    append(&path, "\nE+");
    assert_eq!(follower.next(), "2: d6e6");
    append(&path, "2 f5f6 S+4\n");
    assert_eq!([follower.next(), follower.next(), follower.next()], ["3: E+2", "4: f5f6", "5: S+4"]);
    append(&path, "!resign1 !resign2\n= 0 0 ");
    assert_eq!([follower.next(), follower.next()], ["6: !resign1", "7: !resign2"]);
    assert!(follower.child.try_wait().unwrap().is_none());
    append(&path, "30\n");
    assert_eq!(follower.end(), (Some(0), vec![], vec![]));
}

#[test]
fn a_record_is_followed_before_it_is_begun_and_one_that_is_whole_is_shown() {
    let (_folder, path) = begun(&format!("{GAME}\nMKN/1 marr"));
    let follower = Follower::start(path.to_str().unwrap(), "2");
    append(&path, "akech/1 seats=2 two_player=one-colour\nseat1: A");
    append(&path, "isha\n");
    append(&path, "\n");
    assert_eq!(follower.next(), "0");
    append(&path, "N+3 d6d7 ");
    assert_eq!(follower.next(), "1: N+3");
    follower.says("under-assam, ply 2");
    assert_eq!(Follower::of(&path).next(), "6: e3e4");
    assert_eq!(Follower::of(&path).end(), (Some(0), vec!["6: e3e4".to_owned()], vec![]));
}

#[test]
fn an_error_is_shown_and_once_it_is_corrected_the_game_goes_on() {
    let (_folder, path) = begun(START);
    let follower = Follower::of(&path);
    assert_eq!(follower.next(), "2: d6e6");
    append(&path, "E+2 f5f7\n");
    assert_eq!(follower.next(), "3: E+2");
    follower.says("error[notation_syntax]");
    follower.says(":4:5");
    // The last words again without the error, and then new ones.
    replace(&path, &format!("{START}E+2\n"));
    assert_eq!(follower.next(), "3: E+2");
    replace(&path, &format!("{START}E+2 f5f6\n*\n"));
    assert_eq!(follower.next(), "4: f5f6");
    assert_eq!(follower.end().0, Some(0));
}

#[test]
fn a_corrected_earlier_ply_is_seen_however_the_file_was_written() {
    let (_folder, path) = begun(&format!("{START}E+2 f5f6\n"));
    let follower = Follower::of(&path);
    assert_eq!(follower.next(), "4: f5f6");
    // In place, with the same length, and perhaps within one step of the file system's clock.
    fs::write(&path, format!("{START}E+2 f6g6\n")).unwrap();
    assert_eq!(follower.next(), "4: f6g6");
    fs::write(&path, format!("{START}E+2 f5f6\n")).unwrap();
    assert_eq!(follower.next(), "4: f5f6");
    // An earlier one, in a file that replaces it.
    replace(&path, &format!("{}E+2 f5f6\n", START.replace("N+3 d6e6", "N+2 d5e5")));
    assert_eq!(follower.next(), "3: E+2");
    follower.says("error[");
    replace(&path, &format!("{}E+1\n", START.replace("d6e6", "d6d5")));
    assert_eq!(follower.next(), "3: E+1");
    // Removed words, and other settings.
    replace(&path, START);
    assert_eq!(follower.next(), "2: d6e6");
    replace(&path, &START.replace("seats=3", "seats=4"));
    assert_eq!(follower.next(), "2: d6e6");
    // The record is complete once another one begins, and then lacks its end marker.
    append(&path, "MKN/1 ");
    follower.says("error[missing_marker]");
    replace(&path, &format!("{START}*\n"));
    assert_eq!(follower.end().0, Some(0));
}

#[test]
fn a_file_that_is_cut_off_removed_and_written_again_is_followed_on() {
    let (_folder, path) = begun(&format!("{START}E+2 f5f6\n"));
    let follower = Follower::of(&path);
    assert_eq!(follower.next(), "4: f5f6");
    OpenOptions::new().write(true).open(&path).unwrap().set_len(START.len() as u64).unwrap();
    assert_eq!(follower.next(), "2: d6e6");
    fs::remove_file(&path).unwrap();
    follower.says("waiting for it");
    fs::write(&path, format!("{START}E+2\n")).unwrap();
    assert_eq!(follower.next(), "3: E+2");
    fs::write(&path, "").unwrap();
    fs::write(&path, format!("{START}E+2 f5f6 *\n")).unwrap();
    assert_eq!(follower.end(), (Some(0), vec!["4: f5f6".to_owned()], vec![]));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_it_after_a_whole_position_and_leaves_the_terminal_as_it_was() {
    let (_folder, path) = begun(START);
    let mut child = start(&["show", "--follow", "--color", "always", path.to_str().unwrap()]);
    let mut shown = String::new();
    let mut out = BufReader::new(child.stdout.take().unwrap());
    while !shown.contains("Ply 2") {
        out.read_line(&mut shown).unwrap();
    }
    append(&path, "E+2\n");
    while !shown.contains("Ply 3") {
        out.read_line(&mut shown).unwrap();
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    out.read_to_string(&mut shown).unwrap();
    let ended = child.wait_with_output().unwrap();
    assert_eq!((ended.status.code(), err(&ended).as_str()), (Some(130), ""));
    // It sets only colours, and each line resets its changes.
    assert!(shown.ends_with("g\n"), "{shown:?}");
    for line in shown.lines() {
        let mut sequences = line.split("\u{1b}[").skip(1).map(|rest| rest.split_once('m').unwrap().0);
        assert!(sequences.all(|codes| codes.chars().all(|c| c.is_ascii_digit() || c == ';')), "{line:?}");
        assert!(line.rsplit_once("\u{1b}[").is_none_or(|(_, rest)| rest.starts_with("0m")), "{line:?}");
    }
}

#[test]
fn the_standard_input_is_followed_until_it_ends_or_breaks() {
    let mut follower = Follower::start("-", "1");
    let mut input = follower.child.stdin.take().unwrap();
    input.write_all(b"MKN/1 marrakech/1 seats=3\n\nN+3 ").unwrap();
    assert_eq!(follower.next(), "1: N+3");
    input.write_all(b"d6e6 E").unwrap();
    assert_eq!(follower.next(), "2: d6e6");
    input.write_all(b"+2\n").unwrap();
    assert_eq!(follower.next(), "3: E+2");
    drop(input);
    let (status, rest, said) = follower.end();
    assert_eq!((status, rest), (Some(1), vec![]));
    assert!(said[0].starts_with("error[missing_marker]"), "{said:?}");

    let mut follower = Follower::start("-", "1");
    let mut input = follower.child.stdin.take().unwrap();
    input.write_all(b"MKN/1 marrakech/1 seats=3\n\nN+3 d6d7 ").unwrap();
    // Piped input cannot be corrected.
    let status = follower.child.wait().unwrap();
    assert_eq!(status.code(), Some(1));
    drop(input);

    let nothing = assam(&["show", "--follow", "-", "--record", "2"], GAME);
    assert_eq!(err(&nothing), "assam: <stdin>: there is no record 2: the last one is 1\n");
    assert_eq!(nothing.status.code(), Some(1));
}
