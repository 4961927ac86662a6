//! `assam import` and `assam export`: many records into and out of a database or a service.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::harness::{Backend, Service, assam, backends, err, out, secret, sqlite};

const OVER: &str = "MKN/1 marrakech/1 seats=3\nseat1: Lea\n\n!resign1 !resign2 = 0 0 30\n";
const OPEN: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";
const ILLEGAL: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 a1a2 *\n";

/// Returns the places for games: a database, and the service on it.
fn places(backend: &Backend, service: &Service) -> [Vec<String>; 2] {
    [vec!["--database".to_owned(), backend.url()], vec!["--url".to_owned(), service.base().to_owned()]]
}

fn run(command: &[&str], place: &[String], input: &str) -> Output {
    let place: Vec<&str> = place.iter().map(String::as_str).collect();
    assam(&[command, &place[..]].concat(), input)
}

/// Returns canonical records, sorted.
fn sorted(records: &str) -> Vec<String> {
    let canonical = out(&assam(&["convert", "--to", "canonical", "-"], records));
    let mut records: Vec<String> =
        canonical.split("\n\nMKN/").map(|it| it.trim_start_matches("MKN/").trim().to_owned()).collect();
    records.sort();
    records
}

/// Returns the last line printed by an import, with the number of records.
fn counts(import: &Output) -> String {
    out(import).lines().last().map(|line| format!("{line}\n")).unwrap_or_default()
}

fn games(count: &str) -> String {
    let played = |ruleset| out(&assam(&["random", count, "--ruleset", ruleset, "--vary", "--seed", "7"], ""));
    played("marrakech/1") + "\n" + &played("marrakesh/1")
}

#[test]
fn what_is_imported_is_exported_and_importing_it_again_changes_nothing_in_a_database_and_over_http() {
    let records = games("20");
    for nth in 0..2 {
        for backend in backends() {
            let service = Service::start(&backend);
            let place = &places(&backend, &service)[nth];
            let first = run(&["import", "-"], place, &records);
            assert_eq!(
                (first.status.code(), counts(&first).as_str()),
                (Some(0), "40 records: 40 new, 0 known, 0 refused\n"),
                "{}",
                err(&first)
            );
            // Also in the other direction.
            for place in places(&backend, &service) {
                let again = run(&["import", "-"], &place, &records);
                assert_eq!(counts(&again), "40 records: 0 new, 40 known, 0 refused\n", "{}", err(&again));
                let export = run(&["export"], &place, "");
                assert_eq!((export.status.code(), err(&export).as_str()), (Some(0), "40 games\n"));
                assert_eq!(sorted(&out(&export)), sorted(&records), "{} {place:?}", backend.name());
                let known = run(&["import", "-"], &place, &out(&export));
                assert_eq!(counts(&known), "40 records: 0 new, 40 known, 0 refused\n");
            }
        }
    }
}

#[test]
fn an_import_shows_what_is_refused_and_tells_machines_of_every_record_the_same_both_ways() {
    let records = [OVER, OPEN, ILLEGAL, OVER].join("\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.mkn");
    std::fs::write(&file, &records).unwrap();
    let file = file.to_str().unwrap();
    let backend = sqlite();
    let service = Service::start(&backend);
    let [database, url] = places(&backend, &service);
    run(&["import", "-"], &database, OVER);
    let [one, two] = [&database, &url].map(|place| run(&["import", file, "/nowhere.mkn"], place, ""));
    assert_eq!((counts(&one), err(&one), one.status.code()), (counts(&two), err(&two), Some(2)));
    let id = service.stranger().post_text("/v1/imports", OVER).json()["id"].as_str().unwrap().to_owned();
    let printed = |game: &str| {
        format!("{game} known {file}:1\n{game} known {file}:14\n4 records: 0 new, 2 known, 2 refused\n")
    };
    assert_eq!(out(&one), printed(&id));
    assert_eq!(out(&two), printed(&format!("{}/games/{id}", service.base())));
    assert!(
        err(&one).contains(&format!(
            "error[not_finished]: the record ends with `*`, so the game is not over\n --> {file}:6"
        )),
        "{}",
        err(&one)
    );
    assert!(err(&one).contains("error[illegal_move]") && err(&one).contains("^^^^"), "{}", err(&one));
    let [one, two] = [&database, &url].map(|place| run(&["import", file, "--json"], place, ""));
    assert_eq!((out(&one), one.status.code()), (out(&two), Some(1)));
    let lines: Vec<Value> = out(&one).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[4], json!({"kind": "summary", "records": 4, "new": 0, "known": 2, "refused": 2}));
    let row = &lines[2];
    assert_eq!((&row["number"], &row["line"], &row["outcome"]), (&json!(3), &json!(10), &json!("refused")));
    assert_eq!((&row["error"]["line"], &row["source"]), (&json!(12), &json!(file)));
    for place in [&database, &url] {
        let nothing = run(&["import", "-"], place, "");
        assert_eq!(
            (nothing.status.code(), out(&nothing).as_str()),
            (Some(1), "1 record: 0 new, 0 known, 1 refused\n")
        );
    }
}

#[test]
fn an_import_that_is_killed_and_repeated_has_each_game_once() {
    for backend in backends() {
        let records = games("150");
        let mut child = Command::new(env!("CARGO_BIN_EXE_assam"))
            .args(["import", "-", "--json", "--database", &backend.url()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        // Half of it, ending within a record. The rest is never sent.
        let mut input = child.stdin.take().unwrap();
        input.write_all(&records.as_bytes()[..records.len() / 2]).unwrap();
        let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
        let first: Value = serde_json::from_str(&told.next().unwrap().unwrap()).unwrap();
        assert_eq!(first["outcome"], "new");
        child.kill().unwrap();
        child.wait().unwrap();
        let place = ["--database".to_owned(), backend.url()];
        let again = run(&["import", "-", "--json"], &place, &records);
        let last: Value = serde_json::from_str(out(&again).lines().last().unwrap()).unwrap();
        assert!(last["known"].as_u64().unwrap() > 0, "{}: {last}", backend.name());
        assert_eq!(last["known"].as_u64().unwrap() + last["new"].as_u64().unwrap(), 300, "{last}");
        let export = run(&["export", "--export-delay", "0"], &place, "");
        assert_eq!(sorted(&out(&export)), sorted(&records));
    }
}

#[test]
fn an_export_takes_the_filters_and_the_forms_of_the_service_and_says_what_it_refuses_in_its_words() {
    for backend in backends() {
        let service = Service::start(&backend);
        let client = service.stranger();
        let (running, players) = service.game(3, json!({}));
        players[0].play(&running, 1, "N");
        run(&["import", "-"], &places(&backend, &service)[0], &games("3"));
        let all = out(&run(&["export", "--form", "ndjson"], &places(&backend, &service)[1], ""));
        let third: Value = serde_json::from_str(all.lines().nth(2).unwrap()).unwrap();
        let third = third["id"].as_str().unwrap();
        for (arguments, query, form) in [
            (
                &["--ruleset", "marrakesh/1", "--form", "ndjson"][..],
                "?ruleset=marrakesh/1".to_owned(),
                "application/x-ndjson",
            ),
            (
                &["--status", "running,finished", "--imported", "false", "--form", "ndjson", "--states"],
                "?status=running,finished&imported=false&states=true".to_owned(),
                "application/x-ndjson",
            ),
            (
                &["--sort", "finished", "--limit", "2", "--since", "2020-01-01T00:00:00+01:00"],
                "?sort=finished&limit=2".to_owned(),
                "text/plain",
            ),
            (&["--until", "2020-01-01T00:00:00Z"], "?until=2020-01-01T00:00:00Z".to_owned(), "text/plain"),
            (
                &["--after", third, "--player", "0123456789abcdef0123"],
                format!("?after={third}&player=0123456789abcdef0123"),
                "text/plain",
            ),
            (&["--after", third], format!("?after={third}"), "text/plain"),
        ] {
            let expected = client.send("GET", &format!("/v1/export{query}"), &[("Accept", form)], "").text;
            for place in places(&backend, &service) {
                let export = run(&[&["export"], arguments].concat(), &place, "");
                assert_eq!(
                    (out(&export), export.status.code()),
                    (expected.clone(), Some(0)),
                    "{arguments:?} {place:?} {}",
                    err(&export)
                );
            }
        }
        for (wrong, told) in [
            (["--ruleset", "chess/1"], "unknown rule set"),
            (["--status", "open"], "must be `running` or"),
            (["--after", "00000000000000000000000000000000"], "there is no public game with this id"),
            (["--since", "yesterday"], "since must"),
        ] {
            let told_of = places(&backend, &service).map(|place| {
                let refused = run(&[&["export"], &wrong[..]].concat(), &place, "");
                assert_eq!(
                    (refused.status.code(), out(&refused).as_str()),
                    (Some(1), ""),
                    "{wrong:?} {place:?}"
                );
                err(&refused)
            });
            assert!(told_of[0] == told_of[1] && told_of[0].contains(told), "{told_of:?}");
        }
    }
}

#[test]
fn the_holder_of_the_secret_in_the_environment_owns_what_is_imported() {
    let (backend, own) = (sqlite(), secret());
    let service = Service::start(&backend);
    for (place, seed) in places(&backend, &service).iter().zip(["1", "2"]) {
        let record = out(&assam(&["random", "1", "--seed", seed], ""));
        let import = |secret: &str| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_assam"));
            command.args(["import", "-", "--json"]).args(place).env_clear().env("ASSAM_SECRET", secret);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().unwrap();
            // A program that refuses its secret does not read its input.
            let _ = child.stdin.take().unwrap().write_all(record.as_bytes());
            child.wait_with_output().unwrap()
        };
        let told: Value = serde_json::from_str(out(&import(&own)).lines().next().unwrap()).unwrap();
        // Only its owner may remove the names of an imported game.
        let path = format!("/v1/games/{}/seats/1", told["game"].as_str().unwrap());
        let strange = service.player().patch(&path, json!({"name": null}));
        let renamed = service.with_secret(&own).patch(&path, json!({"name": null}));
        assert_eq!((strange.problem().as_str(), renamed.status), ("not_your_seat", 200));
        let wrong = import("no-secret");
        assert_eq!((wrong.status.code(), out(&wrong).as_str()), (Some(1), ""));
        assert!(!err(&wrong).contains("no-secret"), "{}", err(&wrong));
    }
}

#[test]
fn what_cannot_be_reached_or_written_ends_an_import_or_an_export_with_2_and_a_word() {
    let nowhere = "http://127.0.0.1:9";
    for command in [
        &["import", "-", "--url", nowhere][..],
        &["export", "--url", nowhere],
        &["export", "--database", "sqlite:/nowhere/a.db"],
    ] {
        let failed = assam(command, OVER);
        assert_eq!((failed.status.code(), out(&failed).as_str()), (Some(2), ""), "{command:?}");
        assert!(err(&failed).starts_with("assam: "), "{}", err(&failed));
    }
    let wrong = assam(&["export", "--url", "ftp://localhost"], "");
    assert!(wrong.status.code() == Some(2) && err(&wrong).contains("--url must be http://"), "{wrong:?}");
}
