//! Files and folders that belong to somebody else.

use std::fs;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::Path;
use std::process::{Command, Output};

use super::{OVER, database, text, url, with};
use crate::harness::{assam, err};

/// The user who has no files.
const NOBODY: u32 = 65_534;

fn set_mode(path: &Path, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// Runs the program as somebody whom rights bind: root does all that it wants.
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

/// Checks that an error names a file or folder with its mode, its owner and who we are.
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
        fs::remove_file(with(&file, left)).unwrap();
    }
    let game = folder.path().join("game.mkn");
    fs::write(&game, OVER).unwrap();
    let [game, backup, out] =
        ["game.mkn", "inner/a.backup", "inner/out.mkn"].map(|name| text(&folder.path().join(name)));
    let own = url(&file);
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
    // It can be read, and not be written.
    set_mode(&file, 0o444);
    set_mode(&inner, 0o555);
    for command in [all[2], all[3], all[4]] {
        check_names(&bound(folder.path(), command), &file, "444", command[0]);
    }
    let doctor = bound(folder.path(), &["doctor", "--json", "--database", &own]);
    let told = String::from_utf8(doctor.stdout.clone()).unwrap();
    assert!(
        told.contains(&format!("{} belongs to ", fs::canonicalize(&file).unwrap().display())),
        "{told} {}",
        err(&doctor)
    );
    // Nothing can be made in the folder.
    let new = url(&inner.join("new.db"));
    for command in [
        &["import", &game, "--database", &new][..],
        &["convert", &game, "--to", "file", "-o", &out],
        &["backup", &backup, "--database", &own],
    ] {
        check_names(&bound(folder.path(), command), &inner, "555", command[0]);
    }
    // What lies in the folder cannot even be seen.
    set_mode(&inner, 0o700);
    if fs::metadata(folder.path()).unwrap().uid() == 0 {
        for command in all {
            check_names(&bound(folder.path(), command), &inner, "700", command[0]);
        }
    }
    // The log of writes of somebody else.
    set_mode(&inner, 0o777);
    set_mode(&file, 0o666);
    let log = with(&file, "-wal");
    fs::write(&log, "").unwrap();
    set_mode(&log, 0o000);
    check_names(&bound(folder.path(), all[2]), &log, "0", "the log of writes");
    // Records.
    set_mode(Path::new(&game), 0o000);
    check_names(&bound(folder.path(), &["validate", &game]), Path::new(&game), "0", "validate");
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
