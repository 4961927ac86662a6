//! A command leaves a complete database file behind.

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, Command};

use super::{OVER, database, text, url, with};
use crate::harness::{assam, err, out, start};

/// Returns the number of games in the file alone, as after `cp`.
fn games_in_copy(file: &Path) -> String {
    let folder = tempfile::tempdir().unwrap();
    let copy = folder.path().join("copy.db");
    fs::copy(file, &copy).unwrap();
    let exported = assam(&["export", "--export-delay", "0", "--database", &url(&copy)], "");
    assert_eq!(exported.status.code(), Some(0), "{}", err(&exported));
    err(&exported)
}

fn check_is_whole(file: &Path, why: &str) {
    let log = fs::metadata(with(file, "-wal")).map_or(0, |log| log.len());
    assert_eq!(log, 0, "{why}: games are still in the log of writes");
}

#[test]
fn a_database_is_whole_by_itself_after_each_command_that_writes_to_it() {
    for round in 0..12 {
        let folder = tempfile::tempdir().unwrap();
        let file = database(folder.path());
        check_is_whole(&file, &format!("import {round}"));
        assert_eq!(games_in_copy(&file), "1 game\n");
    }
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let (backup, database) = (text(&folder.path().join("a.backup")), url(&file));
    let keys = text(&folder.path().join("new.keys"));
    for command in [
        &["migrate"][..],
        &["key", "rotate", "--key-file", &keys, "--after", "0"],
        &["key", "list"],
        &["abort", "--running"],
        &["ratings", "--again"],
        &["ratings"],
        &["export"],
        &["doctor"],
        &["audit"],
        &["backup", &backup],
    ] {
        let done = assam(&[command, &["--database", &database]].concat(), "");
        assert_eq!(done.status.code(), Some(0), "{command:?}: {}", err(&done));
        check_is_whole(&file, command[0]);
    }
    let other = folder.path().join("other.db");
    let restored = assam(&["restore", &backup, "--database", &url(&other)], "");
    assert_eq!(restored.status.code(), Some(0), "{}", err(&restored));
    check_is_whole(&other, "restore");
    assert_eq!(games_in_copy(&other), "1 game\n");
}

fn signalled(child: &Child, signal: &str) {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
}

#[test]
fn a_command_that_is_interrupted_after_a_commit_leaves_it_in_the_file() {
    for signal in ["INT", "TERM"] {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.db");
        let mut child = start(&["import", "-", "--json", "--database", &url(&file)]);
        let mut input = child.stdin.take().unwrap();
        let records = out(&assam(&["random", "60", "--seed", "3"], ""));
        input.write_all(records.as_bytes()).unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
        assert!(told.next().unwrap().unwrap().contains("\"new\""));
        signalled(&child, signal);
        let ended = child.wait_with_output().unwrap();
        drop(input);
        assert_eq!((ended.status.code(), err(&ended).as_str()), (Some(130), ""));
        check_is_whole(&file, signal);
        assert_ne!(games_in_copy(&file), "0 games\n");
    }
}

#[test]
fn a_file_without_tables_or_games_is_no_database() {
    let folder = tempfile::tempdir().unwrap();
    let empty = folder.path().join("empty.db");
    fs::write(&empty, "").unwrap();
    let copied = folder.path().join("copied.db");
    let connection = rusqlite::Connection::open(&copied).unwrap();
    connection.execute_batch("PRAGMA journal_mode = WAL").unwrap();
    drop(connection);
    let foreign = folder.path().join("foreign.db");
    let connection = rusqlite::Connection::open(&foreign).unwrap();
    connection.execute_batch("CREATE TABLE notes (text)").unwrap();
    drop(connection);
    let backup = text(&folder.path().join("a.backup"));
    for (file, why) in [(&empty, "has no table"), (&copied, "has no table"), (&foreign, "no table of games")]
    {
        let before = fs::read(file).unwrap();
        for command in [
            &["export"][..],
            &["doctor"],
            &["doctor", "--json"],
            &["audit"],
            &["backup", &backup],
            &["abort", "--running"],
            &["ratings"],
            &["remove", "00000000000000000000000000000000", "--reason", "why"],
            &["key", "list"],
            &["serve", "--read-only", "--listen", "127.0.0.1:0"],
        ] {
            let refused = assam(&[command, &["--database", &url(file)]].concat(), "");
            assert_ne!(refused.status.code(), Some(0), "{command:?} {why}");
            assert_eq!(out(&refused), "", "{command:?} {why}");
            assert!(err(&refused).contains(why), "{command:?} {why}: {}", err(&refused));
            assert!(fs::read(file).unwrap() == before, "{command:?} {why}");
        }
    }
    // The advised command works.
    let filled = assam(&["import", "-", "--database", &url(&copied)], OVER);
    assert_eq!(filled.status.code(), Some(0), "{}", err(&filled));
    assert_eq!(games_in_copy(&copied), "1 game\n");
}
