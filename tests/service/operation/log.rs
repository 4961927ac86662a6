//! The contents of the service's log, and what it must not contain.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::harness::{Proxy, Service, assam, backends, comes, err, postgres};

/// Returns the JSON lines of a log.
fn lines(log: &str) -> Vec<Value> {
    log.lines().map(|line| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"))).collect()
}

/// Returns the lines of a log that contain a text.
fn with(log: &Path, text: &str) -> Vec<Value> {
    let mut lines = lines(&fs::read_to_string(log).unwrap());
    lines.retain(|line| line["fields"]["message"].as_str().is_some_and(|message| message.contains(text)));
    lines
}

#[test]
fn a_log_in_json_has_nothing_else_from_its_first_line_to_the_reason_why_the_program_ends() {
    for wrong in [
        ["--database", "sqlite:/nowhere/at/all.db"],
        ["--database", "postgres://someone:hunter2@127.0.0.1:1/none"],
        ["--database", "mysql://someone:hunter2@localhost/none"],
        ["--listen", "192.0.2.1:1"],
        ["--metrics-listen", "192.0.2.1:1"],
        ["--log", "assam=loud"],
    ] {
        for log in [&[][..], &["--log", "off"]] {
            if wrong[0] == "--log" && !log.is_empty() {
                continue;
            }
            let folder = tempfile::tempdir().unwrap();
            let database = format!("sqlite:{}", folder.path().join("games.db").display());
            let mut arguments = vec!["serve", "--log-json", "--listen", "127.0.0.1:0"];
            arguments
                .retain(|argument| wrong[0] != "--listen" || !["--listen", "127.0.0.1:0"].contains(argument));
            if wrong[0] != "--database" {
                arguments.extend(["--database", &database]);
            }
            let failed = assam(&[&arguments, &wrong[..], log].concat(), "");
            let told = lines(&err(&failed));
            assert!(matches!(failed.status.code(), Some(1 | 2)), "{wrong:?} {failed:?}");
            let last = told.last().unwrap_or_else(|| panic!("{wrong:?}"));
            assert_eq!((&last["level"], last["timestamp"].is_string()), (&json!("ERROR"), true), "{wrong:?}");
            assert!(!last.to_string().contains("hunter2"), "{last}");
        }
    }
}

#[test]
fn a_database_that_does_not_answer_is_told_once_and_once_that_it_answers_again_with_how_many_were_refused() {
    let Some(backend) = postgres() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let wire = Proxy::to(&backend.url());
    let database = wire.url(&backend.url());
    let service = Service::start_logging_on(&database, "warn,assam=info", &log, &["--log-json"]);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    for round in 1..=2 {
        wire.cut();
        for _ in 0..5 {
            assert_eq!(service.stranger().get("/v1/games").problem(), "unavailable");
            assert_eq!(players[0].play(&id, 1, "N").problem(), "unavailable");
        }
        assert_eq!(with(&log, "the database does not respond").len(), round);
        wire.mend();
        // It polls by itself, without any request that needs the database.
        assert!(comes(10, || {
            assert_eq!(service.stranger().get("/livez").status, 200);
            with(&log, "the database responds again").len() >= round
        }));
        let told = with(&log, "the database responds again").pop().unwrap();
        assert_eq!(told["fields"]["refused"], 10, "{told}");
        assert!(told["fields"]["lasted_ms"].is_u64(), "{told}");
        assert_eq!(service.stranger().get("/v1/games").status, 200);
    }
    let all = lines(&fs::read_to_string(&log).unwrap());
    assert!(all.iter().all(|line| !line.to_string().contains("unavailable: ")), "{all:#?}");
}

#[test]
fn a_server_of_several_that_is_away_is_told_once_whatever_goes_well_on_the_others() {
    let Some(backend) = postgres() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let service = Service::start_logging_on(&backend.url(), "warn,assam=info", &log, &["--log-json"]);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    // Like Citus if it cannot reach a node.
    backend.script(
        "CREATE FUNCTION be_away() RETURNS trigger LANGUAGE plpgsql AS \
         'BEGIN RAISE EXCEPTION ''connection to the remote node failed'' USING ERRCODE = ''08006''; END'; \
         CREATE TRIGGER be_away BEFORE UPDATE ON games FOR EACH ROW EXECUTE FUNCTION be_away()",
    );
    for _ in 0..5 {
        assert_eq!(players[0].play(&id, 1, "N").problem(), "unavailable");
        assert_eq!(service.stranger().get("/v1/games").status, 200);
    }
    let told = with(&log, "a database server does not respond");
    assert_eq!(told.len(), 1, "{told:?}");
    assert!(with(&log, "the database does not respond").is_empty());
}

#[test]
fn at_level_debug_each_request_that_is_refused_for_the_database_has_a_line_with_its_id() {
    let Some(backend) = postgres() else { return };
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let wire = Proxy::to(&backend.url());
    let service = Service::start_logging_on(&wire.url(&backend.url()), "assam=debug", &log, &["--log-json"]);
    wire.cut();
    let refused = service.stranger().send("GET", "/v1/games", &[("X-Request-Id", "told-apart.1")], "");
    assert_eq!(
        (refused.problem().as_str(), refused.header("x-request-id")),
        ("unavailable", Some("told-apart.1"))
    );
    let line = with(&log, "unavailable: ").pop().unwrap();
    assert_eq!(
        (&line["level"], &line["fields"]["request_id"]),
        (&json!("DEBUG"), &json!("told-apart.1")),
        "{line}"
    );
}

#[test]
fn details_of_requests_are_in_a_log_that_is_to_have_them() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let (log, secret) = (folder.path().join("log"), "5".repeat(64));
        let service = Service::start_logging_on(&backend.url(), "info,assam=debug", &log, &["--log-json"]);
        let headers = [("X-Request-Id", "mine"), ("User-Agent", "a test"), ("X-Forwarded-For", "192.0.2.7")];
        assert_eq!(service.with_secret(&secret).send("GET", "/v1/games?limit=3", &headers, "").status, 200);
        let line = with(&log, "answered").pop().unwrap();
        let span = &line["span"];
        for (field, expected) in [
            ("request_id", "mine"),
            ("method", "GET"),
            ("target", "/v1/games?limit=3"),
            ("route", "/v1/games"),
            ("agent", "a test"),
            ("client", "192.0.2.7"),
            ("host", "assam.example"),
        ] {
            assert_eq!(span[field], expected, "{line}");
        }
        assert!(!fs::read_to_string(&log).unwrap().contains(&secret));
    }
}

#[test]
fn a_new_database_with_an_older_key_file_is_a_warning_as_a_lost_database_looks_like_that() {
    let folder = tempfile::tempdir().unwrap();
    let (games, log) = (folder.path().join("games.db"), folder.path().join("log"));
    let database = format!("sqlite:{}", games.display());
    let keys = folder.path().join("keys");
    let warnings = || {
        let arguments = ["--log-json", "--key-file", keys.to_str().unwrap()];
        drop(Service::start_logging_on(&database, "info", &log, &arguments));
        with(&log, "the database is new, but the key file is not").len()
    };
    assert_eq!(warnings(), 0, "a first start makes both");
    assert_eq!(warnings(), 0, "both are there");
    fs::remove_file(&games).unwrap();
    assert_eq!(warnings(), 1);
}
