//! The public log in archives: its required contents, and the findings if something is wrong.

use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Archive, audit, check, report, text};
use crate::harness::{Service, assam, err, out, sqlite};

/// A copy of a backup, changed behind the back of the guard.
fn changed(archive: &Archive, sql: &str) -> std::path::PathBuf {
    let file = archive.path("changed.backup");
    drop(std::fs::remove_file(&file));
    archive.backup("changed.backup");
    let connection = Connection::open(&file).unwrap();
    let triggers = "SELECT name FROM sqlite_schema WHERE type = 'trigger'";
    let names: Vec<String> = {
        let mut names = connection.prepare(triggers).unwrap();
        names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect()
    };
    for name in names {
        connection.execute_batch(&format!("DROP TRIGGER {name}")).unwrap();
    }
    connection.execute_batch(sql).unwrap();
    // An ordinary database, not a backup whose seal is broken.
    connection.execute_batch("DROP TABLE backup; PRAGMA application_id = 0").unwrap();
    file
}

#[test]
fn whatever_is_changed_in_the_public_log_of_a_database_is_found() {
    let backend = sqlite();
    let archive = Archive::new(backend);
    let id = format!("x'{}'", archive.marrakech);
    let of_game = format!("game_id = {id} AND part = 1");
    for (sql, name, what) in [
        (
            "UPDATE log_nodes SET bytes = zeroblob(32) WHERE level = 0 AND position = 0".to_owned(),
            "log",
            "do not lead to its stored head",
        ),
        ("UPDATE log_head SET size = size - 1".to_owned(), "log", "do not lead to its stored head"),
        ("DELETE FROM log_nodes WHERE level = 0 AND position = 1".to_owned(), "log", "come after a gap"),
        (
            "INSERT INTO log_nodes VALUES (1, 0, zeroblob(32))".to_owned(),
            "log",
            "hashes of the public log's tree",
        ),
        (
            format!("UPDATE log_entries SET position = 0 WHERE {of_game}"),
            "logged",
            "its end does not match entry 0 of the public log",
        ),
        (
            format!("DELETE FROM log_entries WHERE {of_game}"),
            "logged",
            "its end is neither in the public log nor waiting for it",
        ),
        (format!("DELETE FROM log_entries WHERE {of_game}"), "log", " of the public log belongs to no game"),
        (
            // Undone, as if the game were still running.
            format!("UPDATE games SET status = 1, finished_at = NULL WHERE id = {id}"),
            "stored",
            "do not lead to the stored status",
        ),
        (
            format!("UPDATE log_entries SET position = 1000000 WHERE {of_game}"),
            "logged",
            "its end does not match entry 1000000 of the public log",
        ),
        (
            // A game is gone, and its entries belong to another game without a commitment.
            format!(
                "DELETE FROM games WHERE id = {id}; \
                 UPDATE log_entries SET game_id = (SELECT id FROM games WHERE imported) WHERE game_id = {id}"
            ),
            "logged",
            "the public log has its end, but the database does not",
        ),
        (
            format!(
                "DELETE FROM games WHERE id = {id}; \
                 UPDATE log_entries SET game_id = (SELECT id FROM games WHERE ply IS NULL) WHERE game_id = {id}"
            ),
            "logged",
            "the public log has its start, but the database does not",
        ),
        (
            format!("DELETE FROM games WHERE id = {id}"),
            "log",
            "the game is in the public log, but not in the database",
        ),
    ] {
        let file = changed(&archive, &sql);
        let told = report(&[text(&file)]);
        assert_eq!(told["verdict"], "unsound", "{sql}: {told}");
        let faults = told["faults"].as_array().unwrap();
        let is_it = |fault: &&Value| fault["check"] == name && fault["what"].as_str().unwrap().contains(what);
        let fault = faults.iter().find(is_it).unwrap_or_else(|| panic!("{sql}: {told}"));
        if name == "logged" && !sql.contains("SELECT") {
            assert_eq!(fault["game"], archive.marrakech.as_str(), "{sql}");
        }
    }
}

#[test]
fn a_game_that_comes_twice_and_an_entry_of_two_games_are_found_in_an_export() {
    let archive = Archive::new(sqlite());
    let (proofs, key) = (archive.proofs("proofs.ndjson"), archive.key());
    let lines = std::fs::read_to_string(&proofs).unwrap();
    let own = lines.lines().find(|line| line.contains(&archive.marrakech)).unwrap();
    let file = archive.path("twice.ndjson");
    std::fs::write(&file, format!("{lines}{own}\n")).unwrap();
    let told = report(&[text(&file), "--key", &key]);
    assert_eq!(
        (&told["verdict"], &told["faults"][0]["what"]),
        (&json!("unsound"), &json!("the game appears twice"))
    );
    assert_eq!(told["faults"][0]["game"], archive.marrakech.as_str());
    let other = lines.lines().find(|line| line.contains(&archive.marrakesh)).unwrap();
    let mut other: Value = serde_json::from_str(other).unwrap();
    let own: Value = serde_json::from_str(own).unwrap();
    other["log"][1]["position"] = own["log"][1]["position"].clone();
    std::fs::write(&file, format!("{own}\n{other}\n")).unwrap();
    let told = report(&[text(&file), "--key", &key]);
    let what = told["faults"][0]["what"].as_str().unwrap();
    assert!(what.contains(" of the public log belongs to it and to game "), "{told}");
}

#[test]
fn a_state_goes_on_with_the_same_checkpoints_alone() {
    let archive = Archive::new(sqlite());
    let (url, state) = (archive.backend.url(), archive.path("state"));
    let checkpoint = archive.path("checkpoint");
    std::fs::write(&checkpoint, archive.service.stranger().get("/log/checkpoint").text).unwrap();
    let kept = ["--database", &url, "--state", text(&state)];
    assert_eq!(audit(&kept).status.code(), Some(0));
    let refused = audit(&[&kept[..], &["--checkpoint", text(&checkpoint)]].concat());
    assert_eq!(refused.status.code(), Some(2));
    assert!(err(&refused).contains("is the state of another audit"), "{}", err(&refused));
}

#[test]
fn a_service_whose_entries_are_not_those_that_it_signs_or_that_its_games_open_is_found_by_anybody() {
    let archive = Archive::new(sqlite());
    let (base, key) = (archive.service.base().to_owned(), archive.key());
    archive.backend.script("DROP TRIGGER log_nodes_guard_update; DROP TRIGGER log_head_guard");
    archive.backend.script(
        "UPDATE log_nodes SET bytes = zeroblob(32) WHERE level = 0 AND position IN \
         (SELECT position FROM log_entries JOIN games ON id = game_id WHERE visibility = 0 AND finished_at IS NOT NULL LIMIT 1)",
    );
    let told = report(&["--url", &base, "--key", &key]);
    let checks: Vec<&str> =
        told["faults"].as_array().unwrap().iter().map(|fault| fault["check"].as_str().unwrap()).collect();
    assert_eq!(checks, ["logged", "log"], "{told}");
    assert!(
        told["faults"][1]["what"]
            .as_str()
            .unwrap()
            .contains("do not lead to the root that the service signed")
    );
}

#[test]
fn a_log_is_held_to_checkpoints_that_were_kept_and_one_that_was_rolled_back_is_found() {
    let archive = Archive::new(sqlite());
    let (base, url, key) = (archive.service.base().to_owned(), archive.backend.url(), archive.key());
    let early = archive.backup("early.backup");
    let checkpoint = |name: &str| {
        let file = archive.path(name);
        std::fs::write(&file, archive.service.stranger().get("/log/checkpoint").text).unwrap();
        file
    };
    let first = checkpoint("first");
    let (_, players) = archive.service.game(2, json!({}));
    drop(players);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async { crate::harness::log_what_waits(&archive.backend.open().await).await });
    let second = checkpoint("second");
    let kept = ["--checkpoint", text(&first), "--checkpoint", text(&second), "--key", &key];
    for place in [["--database", &url], ["--url", &base]] {
        let told = report(&[&place[..], &kept].concat());
        assert_eq!((&told["verdict"], &check(&told, "earlier")["verified"]), (&json!("sound"), &json!(2)));
    }
    let told = report(&[&[text(&early)], &kept[..]].concat());
    assert_eq!((&told["verdict"], &check(&told, "earlier")["faults"]), (&json!("unsound"), &json!(1)));
    assert!(told["faults"][0]["what"].as_str().unwrap().ends_with("it was rolled back"), "{told}");
    // Another game has made it grow again.
    let lossy = sqlite();
    out(&assam(&["restore", text(&early), "--database", &lossy.url()], ""));
    let service = Service::start(&lossy);
    service.game(2, json!({}));
    runtime.block_on(async { crate::harness::log_what_waits(&lossy.open().await).await });
    let told = report(&[&["--url", service.base()], &kept[..]].concat());
    let fault = &told["faults"][0];
    assert!(fault["what"].as_str().unwrap().ends_with("the log was rewritten"), "{told}");
    // A checkpoint signed by someone else, a malformed one, and one without a log.
    let other = "PeterNeumann+5c55cb59+AVp3JsE8bEZ4aKnOZo7X4E3cQqk8T5xJm3J9WZ2m8b3d";
    assert_eq!(
        audit(&["--database", &url, "--checkpoint", text(&first), "--key", other]).status.code(),
        Some(2)
    );
    let proofs = archive.proofs("proofs.ndjson");
    let refused = audit(&[text(&proofs), "--checkpoint", text(&first)]);
    assert!(
        refused.status.code() == Some(2)
            && err(&refused).contains("there is no public log to compare it with")
    );
    let refused = audit(&["--database", &url, "--checkpoint", text(&proofs)]);
    assert_eq!(refused.status.code(), Some(2), "{}", out(&refused));
}
