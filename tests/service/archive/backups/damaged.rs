//! Damaged backups.

use std::fs;

use rusqlite::Connection;

use super::{backed_up, restore, scene};
use crate::harness::{Service, assam, err, out, sqlite};

#[test]
fn a_backup_with_a_changed_word_head_status_or_seed_is_refused_by_name_and_tells_no_secret() {
    let source = sqlite();
    let service = Service::start(&source);
    let games = scene(&service, &source);
    let (folder, file) = backed_up(&source);
    let id = &games[0].0;
    for (change, fault) in [
        ("log = replace(log, 'N+', 'W+')", "breaks at ply 1"),
        ("log = replace(log, 'N+1~', 'N+2~')", "do not lead to its head"),
        ("head = zeroblob(32)", "do not lead to its head"),
        ("ply = ply + 1", "do not lead to its head"),
        ("status = 2", "do not lead to its status"),
        ("seed = zeroblob(32)", "does not match its commitment"),
        ("commitment = zeroblob(32)", "does not match its commitment"),
        ("seats = '[]'", "cannot be read: column seats of a stored game cannot be read"),
    ] {
        let damaged = folder.path().join("damaged");
        fs::copy(&file, &damaged).unwrap();
        let mut change = change.to_owned();
        let connection = Connection::open(&damaged).unwrap();
        if change.contains("N+1~") {
            // Any other number of steps.
            let log: String = connection
                .query_row(&format!("SELECT log FROM games WHERE id = x'{id}'"), [], |row| row.get(0))
                .unwrap();
            let old = log.rsplit(' ').next().unwrap().split('~').next().unwrap().to_owned();
            let steps = if old == "N+2" { 3 } else { 2 };
            change = format!("log = replace(log, '{old}~', 'N+{steps}~')");
        }
        let update = format!(
            "DROP TRIGGER games_guard_fixed; DROP TRIGGER games_guard_commitment; DROP TRIGGER games_guard_update; UPDATE games SET {change} WHERE id = x'{id}'; \
             DROP TABLE backup; PRAGMA application_id = 0"
        );
        connection.execute_batch(&update).unwrap();
        drop(connection);
        let target = sqlite();
        for (arguments, code) in [(&["--check"][..], 1), (&[], 1), (&["--keep-damaged"], 0)] {
            let restored = restore(&damaged, arguments, &target);
            let said = out(&restored) + &err(&restored);
            assert_eq!(restored.status.code(), Some(code), "{change}: {said}");
            assert!(
                said.contains(id.as_str()) && said.contains("1 of 7 games are not sound"),
                "{change}: {said}"
            );
            assert!(
                said.contains(fault) || fault == "breaks at ply 1" && said.contains("not lead"),
                "{change}: {said}"
            );
            let is_secret =
                |word: &str| word.len() >= 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
            assert!(!said.split(|c: char| !c.is_ascii_alphanumeric()).any(is_secret), "{said}");
        }
    }
}

#[test]
fn a_backup_of_which_any_row_has_changed_is_damaged_and_not_restored() {
    let source = sqlite();
    let service = Service::start(&source);
    scene(&service, &source);
    let (folder, file) = backed_up(&source);
    for change in [
        "UPDATE games SET revision = revision + 1",
        "UPDATE games SET join_code = zeroblob(32) WHERE join_code IS NOT NULL",
        "DELETE FROM records",
        "UPDATE player_games SET finished_at = 1",
        "UPDATE refinery_schema_history SET name = name || 'x'",
        "PRAGMA application_id = 0; UPDATE games SET revision = revision + 1",
        "DROP TABLE backup",
    ] {
        let damaged = folder.path().join("damaged");
        fs::copy(&file, &damaged).unwrap();
        Connection::open(&damaged).unwrap().execute_batch(change).unwrap();
        let checked = assam(&["restore", damaged.to_str().unwrap(), "--check"], "");
        assert_eq!(checked.status.code(), Some(2), "{change}");
        assert!(err(&checked).contains("the file is damaged: "), "{change}: {}", err(&checked));
    }
    // Any changed bit in the middle of a row is noticed.
    let mut bytes = fs::read(&file).unwrap();
    let name = bytes.windows(4).position(|four| four == "Zoë".as_bytes()).unwrap();
    bytes[name] ^= 1;
    fs::write(folder.path().join("flipped"), &bytes).unwrap();
    let checked = restore(&folder.path().join("flipped"), &["--check"], &source);
    assert!(err(&checked).contains("it has changed since it was written"), "{}", err(&checked));
}
