//! Files and folders that belong to another user.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use super::{OVER, contents, database, text, url, with};
use crate::harness::{assam, err};

/// A user without files.
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the program as a user without root's privileges.
fn bound(folder: &Path, arguments: &[&str]) -> Output {
    let program = folder.join("assam");
    let built = env!("CARGO_BIN_EXE_assam");
    if !program.exists() && fs::hard_link(built, &program).is_err() {
        fs::copy(built, &program).unwrap();
    }
    let mut command = Command::new(&program);
    command.args(arguments).env_clear();
    if fs::metadata(folder).unwrap().uid() == 0 {
        command.uid(NOBODY).gid(NOBODY);
    }
    command.output().unwrap()
}

/// Checks that an error names a file or folder, its mode, its owner and the current user.
fn check_names(told: &Output, path: &Path, mode: &str, what: &str) {
    assert!(matches!(told.status.code(), Some(1 | 2)), "{what}: {told:?}");
    let said = err(told);
    assert!(said.contains(&format!("{} belongs to ", path.display())), "{what}: {said}");
    assert!(said.contains(&format!(", mode {mode}, and this process runs as ")), "{what}: {said}");
    assert!(!said.contains("Error code"), "{what}: {said}");
    assert_eq!(said.trim_end().lines().count(), 1, "{what}: {said}");
}

#[test]
fn what_cannot_be_read_or_written_is_named_with_its_owner_its_mode_and_who_we_are() {
    let folder = tempfile::tempdir().unwrap();
    set_mode(folder.path(), 0o755);
    let inner = folder.path().join("inner");
    fs::create_dir(&inner).unwrap();
    let file = database(&inner);
    for left in ["-wal", "-shm"] {
        // SQLite may have removed it.
        let _ = fs::remove_file(with(&file, left));
    }
    let game = folder.path().join("game.mkn");
    fs::write(&game, OVER).unwrap();
    let [game, backup, out] =
        ["game.mkn", "inner/a.backup", "inner/out.mkn"].map(|name| text(&folder.path().join(name)));
    let (own, pages) = (url(&file), text(&inner.join("pages")));
    let socket = format!("unix:{}", text(&inner.join("a.sock")));
    let all = [
        &["export", "--database", &own][..],
        &["doctor", "--database", &own],
        &["import", &game, "--database", &own],
        &["migrate", "--database", &own],
        &["serve", "--listen", "127.0.0.1:0", "--database", &own],
        &["serve", "--read-only", "--listen", "127.0.0.1:0", "--database", &own],
    ];
    set_mode(&inner, 0o755);
    set_mode(&file, 0o000);
    for command in all {
        check_names(&bound(folder.path(), command), &file, "0", command[0]);
    }
    // It can be read, but not written.
    set_mode(&file, 0o444);
    set_mode(&inner, 0o555);
    for command in [all[2], all[3], all[4]] {
        check_names(&bound(folder.path(), command), &file, "444", command[0]);
    }
    // An export needs no more.
    let export = bound(folder.path(), all[0]);
    assert_eq!(export.status.code(), Some(0), "{}", err(&export));
    let doctor = bound(folder.path(), &["doctor", "--json", "--database", &own]);
    let told = String::from_utf8(doctor.stdout.clone()).unwrap();
    assert!(
        told.contains(&format!("{} belongs to ", fs::canonicalize(&file).unwrap().display())),
        "{told} {}",
        err(&doctor)
    );
    // No file can be created in the folder.
    let new = url(&inner.join("new.db"));
    for command in [
        &["import", &game, "--database", &new][..],
        &["convert", &game, "--to", "file", "-o", &out],
        &["backup", &backup, "--database", &own],
        &["man", "--out", &pages],
        &["stats", &game, "--svg", &pages],
        &["serve", "--database", &own, "--listen", &socket],
    ] {
        check_names(&bound(folder.path(), command), &inner, "555", command[0]);
    }
    // The contents of the folder are not even visible.
    set_mode(&inner, 0o700);
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        for command in all {
            check_names(&bound(folder.path(), command), &inner, "700", command[0]);
        }
    }
    // The write-ahead log of another user.
    set_mode(&inner, 0o777);
    set_mode(&file, 0o666);
    let log = with(&file, "-wal");
    fs::write(&log, "").unwrap();
    set_mode(&log, 0o000);
    check_names(&bound(folder.path(), all[2]), &log, "0", "the log of writes");
    // Records.
    set_mode(Path::new(&game), 0o000);
    check_names(&bound(folder.path(), &["validate", &game]), Path::new(&game), "0", "validate");
    // A backup, and a folder of records.
    for command in [&["restore", &game, "--database", &new][..], &["audit", &game], &["show", &game]] {
        check_names(&bound(folder.path(), command), Path::new(&game), "0", command[0]);
    }
    let games = folder.path().join("games");
    fs::create_dir(&games).unwrap();
    set_mode(&games, 0o000);
    let import = bound(folder.path(), &["import", &text(&games), "--database", &new]);
    check_names(&import, &games, "0", "import");
}

#[cfg(target_os = "linux")]
#[test]
fn what_sqlite_alone_cannot_open_is_named_with_its_owner_and_its_mode() {
    for file in ["/proc/version", "/proc/assam.db"] {
        let own = format!("sqlite:{file}");
        for command in [&["migrate"][..], &["serve", "--listen", "127.0.0.1:0"]] {
            let refused = assam(&[command, &["--database", &own]].concat(), "");
            let said = err(&refused);
            assert!(!said.contains("Error code") && said.lines().count() == 1, "{command:?}: {said}");
            assert!(said.contains(file) && said.contains("/proc"), "{command:?}: {said}");
            assert!(said.contains(" belongs to root (uid 0), mode "), "{command:?}: {said}");
            assert!(said.contains(", and this process runs as "), "{command:?}: {said}");
        }
    }
}

#[test]
fn what_is_missing_or_of_another_kind_is_said_in_words() {
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let path = |name: &str| text(&folder.path().join(name));
    fs::create_dir(path("folder")).unwrap();
    fs::write(path("game.mkn"), OVER).unwrap();
    // The files outside the database.
    let others = || {
        let mut others = contents(folder.path());
        others.retain(|(path, _)| !text(path).contains("a.db"));
        others
    };
    let before = others();
    let (own, new, game) = (url(&file), url(&folder.path().join("new.db")), path("game.mkn"));
    let missing = "there is no such file or folder";
    let is_folder = "it is a folder, but must be a file";
    let is_file = "is a file, but must be a folder";
    for (name, why) in [("missing", missing), ("folder", is_folder), ("game.mkn/x", is_file)] {
        let name = path(name);
        for command in [
            &["show", &name][..],
            &["verify", &name],
            &["audit", &name],
            &["audit", &game, "--checkpoint", &name],
            &["restore", &name, "--database", &new],
            &["verify", &game, "--beacon", &name],
        ] {
            check_says(command, why);
        }
        if why != is_folder {
            for command in [&["validate", &name][..], &["stats", &name], &["convert", &name, "--to", "file"]]
            {
                check_says(command, why);
            }
        }
    }
    let written = |name: &str, why: &str| {
        let name = path(name);
        for command in [
            &["convert", &game, "--to", "file", "-o", &name][..],
            &["convert", &game, "--to", "svg", "-o", &name],
            &["export", "--database", &own, "-o", &name],
            &["audit", &game, "--state", &name],
            &["witness", "--key-file", &name, "--name", "example.org/w"],
            &["key", "rotate", "--database", &own, "--key-file", &name],
            &["migrate", "--database", &format!("sqlite:{name}")],
            &["import", &game, "--database", &format!("sqlite:{name}")],
        ] {
            check_says(command, why);
        }
    };
    written("folder", is_folder);
    written("new/", is_folder);
    written("new/.", is_folder);
    written("missing/x", "there is no folder");
    written("game.mkn/x", is_file);
    check_says(&["backup", &path("new/"), "--database", &own], is_folder);
    check_says(&["export", "--database", &format!("{own}/")], is_file);
    for command in [&["man", "--out", &game][..], &["stats", &game, "--svg", &game]] {
        check_says(command, is_file);
    }
    check_says(&["serve", "--listen", &format!("unix:{}", path("missing/a.sock"))], missing);
    check_says(&["serve", "--listen", &format!("unix:{}", path("folder"))], "it exists, and is not a socket");
    assert_eq!(others(), before);
}

/// Checks that a command fails with a readable sentence.
fn check_says(command: &[&str], why: &str) {
    let refused = assam(command, "");
    let said = err(&refused);
    assert!(matches!(refused.status.code(), Some(1 | 2)), "{command:?}: {said}");
    assert!(said.contains(why) && !said.contains("os error"), "{command:?}: {said}");
}

#[test]
fn names_of_files_steer_no_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let name = text(&folder.path().join("\u{1b}[31m\u{202e}\u{200b}.db"));
    let below = format!("{name}/x");
    for command in [
        &["export", "--database", &format!("sqlite:{name}")][..],
        &["doctor", "--database", &format!("sqlite:{name}")],
        &["migrate", "--database", &format!("sqlite:{below}")],
        &["backup", &below, "--database", &format!("sqlite:{name}")],
        &["restore", &name, "--database", &format!("sqlite:{below}")],
        &["audit", &name],
        &["audit", "-", "--state", &below],
        &["witness", "--key-file", &below, "--name", "example.org/w"],
        &["serve", "--listen", &format!("unix:{below}")],
    ] {
        let refused = assam(command, "");
        assert!(matches!(refused.status.code(), Some(1 | 2)), "{command:?}");
        let said = err(&refused);
        assert!(said.contains("\\u{1b}[31m\\u{202e}\\u{200b}.db"), "{command:?}: {said}");
        assert!(!said.contains(['\u{1b}', '\u{202e}', '\u{200b}']), "{command:?}: {said}");
    }
}

#[test]
fn a_folder_in_place_of_a_database_is_called_that() {
    let folder = tempfile::tempdir().unwrap();
    let own = url(folder.path());
    for command in [&["export"][..], &["doctor"], &["migrate"], &["serve", "--listen", "127.0.0.1:0"]] {
        let refused = assam(&[command, &["--database", &own]].concat(), "");
        assert_ne!(refused.status.code(), Some(0));
        let said = err(&refused);
        assert!(
            said.contains(&text(folder.path())) && said.contains("it is a folder"),
            "{command:?}: {said}"
        );
    }
}
