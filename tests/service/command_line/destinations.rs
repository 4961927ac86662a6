//! Commands never overwrite their inputs or parts of a database.

use std::fs;
use std::os::unix::fs::symlink;
use std::process::{Command, Stdio};

use rusqlite::Connection;

use super::{OVER, contents, database, text, url, with};
use crate::harness::{KEY, assam, err, out};

#[test]
fn no_command_writes_onto_a_database_or_anything_that_belongs_to_one_whatever_its_name() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let file = database(folder.path());
    let backup = path("kept.backup");
    assert!(assam(&["backup", &text(&backup), "--database", &url(&file)], "").status.success());
    fs::write(with(&file, ".keys"), KEY).unwrap();
    fs::write(path("game.mkn"), OVER).unwrap();
    // An open connection keeps its write-ahead log.
    let open = Connection::open(&file).unwrap();
    open.execute_batch("PRAGMA user_version = 7").unwrap();
    for (source, name) in [("a.db", "hard.txt"), ("a.db-wal", "hard-log.txt"), ("a.db.keys", "hard-keys.txt")]
    {
        fs::hard_link(path(source), path(name)).unwrap();
    }
    for (target, name) in [("a.db", "soft.db"), ("a.db-shm", "soft.txt"), ("a.db-journal", "dangling.txt")] {
        symlink(target, path(name)).unwrap();
    }
    let before = contents(folder.path());
    let taken = [
        "a.db",
        "a.db-wal",
        "a.db-shm",
        "a.db-journal",
        "a.db.keys",
        "hard.txt",
        "hard-log.txt",
        "hard-keys.txt",
        "soft.db",
        "soft.txt",
        "dangling.txt",
        "soft.db-wal",
        "soft.db.keys",
    ];
    for taken in taken.map(|name| text(&path(name))) {
        let (game, database) = (text(&path("game.mkn")), url(&file));
        let own = database.as_str();
        for command in [
            &["export", "--database", own, "-o", &taken][..],
            &["export", "--database", own, "--form", "ndjson", "-o", &taken],
            &["convert", &game, "--to", "json", "-o", &taken],
            &["convert", &game, "--to", "games.parquet", "-o", &taken],
            &["convert", &game, "--to", "svg", "-o", &taken],
            &["backup", &taken, "--database", own],
            &["audit", &game, "--state", &taken],
            &[
                "witness",
                "--key-file",
                &taken,
                "--name",
                "example.org/witness",
                "--url",
                "http://127.0.0.1:9",
                "--log-key",
                "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                "--state",
                &text(&path("new.state")),
            ],
            &[
                "witness",
                "--key-file",
                &text(&path("new.key")),
                "--name",
                "example.org/witness",
                "--url",
                "http://127.0.0.1:9",
                "--log-key",
                "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
                "--state",
                &taken,
            ],
        ] {
            let refused = assam(command, "");
            assert_eq!(
                (refused.status.code(), out(&refused).as_str()),
                (Some(2), ""),
                "{command:?}: {}",
                err(&refused)
            );
            assert_eq!(err(&refused).trim_end().lines().count(), 1, "{command:?}: {}", err(&refused));
            // The key of the witness may be made before its state is refused.
            let _ = fs::remove_file(path("new.key"));
            assert!(contents(folder.path()) == before, "{command:?}");
        }
        // No database is created there either.
        if !taken.ends_with("a.db") && !taken.ends_with("soft.db") && !taken.ends_with("hard.txt") {
            let refused = assam(&["import", &game, "--database", &format!("sqlite:{taken}")], "");
            assert_eq!(refused.status.code(), Some(2), "{taken}: {}", err(&refused));
            assert!(contents(folder.path()) == before, "{taken}");
        }
    }
    // Only a backup replaces a backup.
    for command in [
        &["export", "--database", &url(&file), "-o"][..],
        &["convert", &text(&path("game.mkn")), "--to", "file", "-o"],
    ] {
        assert_eq!(assam(&[command, &[&text(&backup)]].concat(), "").status.code(), Some(2));
    }
    assert!(contents(folder.path()) == before);
    assert!(assam(&["backup", &text(&backup), "--database", &url(&file)], "").status.success());
}

#[test]
fn no_command_writes_onto_its_own_input() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::write(path("game.mkn"), OVER).unwrap();
    fs::hard_link(path("game.mkn"), path("hard.mkn")).unwrap();
    symlink("game.mkn", path("soft.mkn")).unwrap();
    fs::write(path("marrakech-1-3-seats.svg"), "").unwrap();
    let before = contents(folder.path());
    let [game, whole] = [text(&path("game.mkn")), text(folder.path())];
    for taken in ["game.mkn", "hard.mkn", "soft.mkn"].map(|name| text(&path(name))) {
        for input in [&game, &whole] {
            let refused = assam(&["convert", input, "--to", "canonical", "-o", &taken], "");
            assert_eq!(refused.status.code(), Some(2), "{taken}");
            assert!(
                err(&refused).contains("this command reads it, so it is left alone"),
                "{}",
                err(&refused)
            );
        }
        let mut piped = Command::new(env!("CARGO_BIN_EXE_assam"));
        piped.args(["convert", "-", "--to", "file", "-o", &taken]).env_clear();
        let piped = piped.stdin(fs::File::open(&game).unwrap()).stderr(Stdio::null()).status().unwrap();
        assert_eq!(piped.code(), Some(2));
        let refused = assam(&["import", &game, "--database", &format!("sqlite:{taken}")], "");
        assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
        let refused = assam(&["audit", &game, "--state", &taken], "");
        assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
        assert!(contents(folder.path()) == before, "{taken}");
    }
    // A new file next to it is no input.
    let done = assam(&["convert", &whole, "--to", "canonical", "-o", &text(&path("new.mkn"))], "");
    assert_eq!(done.status.code(), Some(0), "{}", err(&done));
}

#[test]
fn a_command_that_names_its_files_itself_spares_databases_that_they_are_linked_to() {
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let before = contents(folder.path());
    let into = folder.path().join("made");
    fs::create_dir(&into).unwrap();
    for name in ["assam.1", "marrakech-1-3-seats.svg"] {
        symlink("../a.db", into.join(name)).unwrap();
    }
    for command in [&["man", "--out", &text(&into)][..], &["stats", "-", "--svg", &text(&into)]] {
        let refused = assam(command, OVER);
        assert_eq!(refused.status.code(), Some(2), "{command:?}");
        assert!(err(&refused).contains("it is a database"), "{}", err(&refused));
        assert!(contents(folder.path()) == before);
    }
    let kept = fs::read(&file).unwrap();
    let restored = assam(&["restore", &text(&file), "--database", &url(&file)], "");
    assert_eq!(restored.status.code(), Some(2), "{}", err(&restored));
    assert!(fs::read(&file).unwrap() == kept);
}
