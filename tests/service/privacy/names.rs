//! Changed and erased names: they vanish from every answer and from the tables, and proofs stay valid.

use std::fs;

use serde_json::{Value, json};

use crate::events::LINES;
use crate::harness::{Backend, Client, Service, assam, backends, comes, out, secret};

/// Names that appear nowhere else.
const NAMES: [&str; 3] = ["Zubaida-of-Fez", "Ömer Naïm 🧶", "Ghislaine \"the rug\""];
const LATER: &str = "Somebody-else-by-now";

/// Returns whether a name is in a text, plain or as escaped by JSON and SQL.
fn has(text: &str, name: &str) -> bool {
    let (quoted, hex) = (json!(name).to_string(), hex::encode(name));
    let escaped: String = name.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let quoted = quoted.trim_matches('"').to_owned();
    let forms = [name.to_owned(), quoted.replace('\\', "\\\\"), quoted, hex, escaped];
    forms.iter().any(|form| text.contains(form.as_str()))
}

/// Returns the contents of all tables of a database, as a text for each.
fn tables(backend: &Backend) -> Vec<(String, String)> {
    match backend {
        Backend::Sqlite(_) => {
            let connection =
                rusqlite::Connection::open(backend.url().strip_prefix("sqlite:").unwrap()).unwrap();
            let names = "SELECT name FROM sqlite_master WHERE type = 'table'";
            let mut names = connection.prepare(names).unwrap();
            let names: Vec<String> =
                names.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            let table = |name: String| {
                let mut rows = connection.prepare(&format!("SELECT * FROM {name}")).unwrap();
                let width = rows.column_count();
                let cells = rows.query_map([], |row| {
                    let cell = |n| format!("{:?} {}", row.get_ref(n).unwrap(), text(row.get_ref(n).unwrap()));
                    Ok((0..width).map(cell).collect::<Vec<_>>().join("\n"))
                });
                let cells: Vec<String> = cells.unwrap().map(Result::unwrap).collect();
                (name, cells.join("\n"))
            };
            names.into_iter().map(table).collect()
        }
        Backend::Postgres(_) => {
            let mut client = postgres::Client::connect(&backend.url(), postgres::NoTls).unwrap();
            let names = "SELECT tablename::text FROM pg_tables WHERE schemaname = current_schema()";
            let names: Vec<String> = client.query(names, &[]).unwrap().iter().map(|row| row.get(0)).collect();
            let mut table = |name: String| {
                let rows = client.query(&format!("SELECT t::text FROM {name} AS t"), &[]).unwrap();
                let rows: Vec<String> = rows.iter().map(|row| row.get(0)).collect();
                // A row as text doubles quotes and backslashes.
                (name, rows.join("\n").replace("\"\"", "\"").replace("\\\\", "\\"))
            };
            names.into_iter().map(&mut table).collect()
        }
    }
}

fn text(cell: rusqlite::types::ValueRef<'_>) -> String {
    use rusqlite::types::ValueRef::{Blob, Integer, Null, Real, Text};
    match cell {
        Null | Integer(_) | Real(_) => String::new(),
        Text(bytes) => String::from_utf8_lossy(bytes).into_owned(),
        Blob(bytes) => hex::encode(bytes),
    }
}

/// Returns a client's answers: each route, for each game, and every list that can have one.
fn answers(client: &Client<'_>, games: &[String], players: &[String]) -> Vec<(String, String)> {
    let mut paths: Vec<String> = games.iter().flat_map(|game| client.service().readable(game)).collect();
    for game in games {
        paths.push(format!("/v1/games/{game}/events?follow=false&since=0"));
    }
    for player in players {
        paths.push(format!("/v1/games?player={player}"));
        paths.push(format!("/v1/players/{player}"));
        paths.push(format!("/v1/players/{player}/dice"));
    }
    paths.extend(
        ["/v1/export?states=true", "/v1/export?proofs=true", "/v1/games?status=running,finished,open"]
            .map(str::to_owned),
    );
    paths.sort();
    paths.dedup();
    let mut answers = Vec::new();
    for path in paths {
        for accept in ["application/json", "text/plain", LINES] {
            let answer = client.send("GET", &path, &[("Accept", accept)], "");
            let headers = format!("{:?}", answer.all_headers());
            // No cache may keep answers for long that could have a name.
            let is_kept = answer.header("cache-control").is_some_and(|kept| kept.contains("immutable"));
            let kept = if is_kept { "kept: " } else { "" };
            answers.push((format!("{kept}{accept} {path}"), format!("{headers}\n{}", answer.text)));
        }
    }
    answers
}

/// Returns the places of a name.
fn places(answers: &[(String, String)], name: &str) -> Vec<String> {
    answers.iter().filter(|(_, text)| has(text, name)).map(|(place, _)| place.clone()).collect()
}

/// Returns the hash of the head of a game, and its proof.
fn proved(client: &Client<'_>, id: &str) -> (Value, Value) {
    let proof = client.get(&format!("/v1/games/{id}/proof"));
    let verified = assam(&["verify", "-"], &proof.text);
    assert_eq!(verified.status.code(), Some(0), "{}", out(&verified));
    (client.get(&format!("/v1/games/{id}")).json()["head"].clone(), proof.json())
}

/// Changes or erases a name.
fn rename(client: &Client<'_>, id: &str, seat: usize, name: Value) {
    let renamed = client.patch(&format!("/v1/games/{id}/seats/{seat}"), json!({"name": name}));
    assert_eq!(renamed.status, 200, "{}", renamed.text);
}

#[test]
fn a_name_that_is_erased_is_in_no_answer_and_no_table_and_everything_is_still_proved() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let log = folder.path().join("log");
        let service = Service::start_logging(&backend, "debug", &log);
        let other = Service::start(&backend);
        let players = [service.player(), service.player(), service.player()];
        let key = secret();
        let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
        let wanted = json!({
            "ruleset": "marrakech/1", "seats": ["open", "open", "open"], "take": {"seat": 1, "name": NAMES[0]},
            "clock": {"initial": 6000, "increment": 1},
        });
        let create = || players[0].send("POST", "/v1/games", &headers, wanted.to_string());
        let over = create().json()["id"].as_str().unwrap().to_owned();
        let running = players[0].post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned();
        let open = players[0].post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned();
        let take = |id: &str, seat: usize| {
            let path = format!("/v1/games/{id}/seats/{seat}");
            let taken = players[seat - 1].put(&path, json!({"name": NAMES[seat - 1]}));
            assert!(taken.status < 300, "{}", taken.text);
        };
        for id in [&over, &running] {
            take(id, 2);
            take(id, 3);
            assert_eq!(players[0].play(id, 1, "N").status, 201);
        }
        take(&open, 2);
        assert_eq!(players[1].play(&over, 2, "!resign").status, 201);
        assert_eq!(players[2].play(&over, 3, "!resign").status, 201);
        let again = players[0].send("POST", &format!("/v1/games/{over}/rematch"), &[], "").json();
        let again = again["id"].as_str().unwrap().to_owned();
        let path = format!("/v1/games/{again}/seats/1");
        assert_eq!(players[1].put(&path, json!({"name": NAMES[1]})).status, 201);
        service.wait_until_counted();
        let games = [over.clone(), running.clone(), open.clone(), again.clone()];
        let ids: Vec<String> = players
            .iter()
            .map(|player| player.get("/v1/me").json()["player"].as_str().unwrap().to_owned())
            .collect();
        let mut stream = players[2].follow(&running, "", LINES);
        stream.next_of("caught-up");

        // The names appear on every side, and answers with them may not be cached.
        let elsewhere = players.each_ref().map(|player| other.with_secret(player.secret.as_ref().unwrap()));
        let sides = || {
            let mut answered = answers(&service.stranger(), &games, &ids);
            answered.extend(answers(&players[0], &games, &ids));
            answered.extend(answers(&elsewhere[1], &games, &ids));
            answered
        };
        let before = sides();
        for name in NAMES {
            let places = places(&before, name);
            assert!(places.len() > 12, "{name}: {places:?}");
            assert!(!places.iter().any(|place| place.starts_with("kept")), "{name}: {places:?}");
            assert!(tables(&backend).iter().any(|(table, rows)| table == "games" && has(rows, name)));
        }
        let proofs: Vec<_> = [&over, &running].iter().map(|id| proved(&players[0], id)).collect();

        // One is changed, the others are erased, some by another process.
        rename(&players[0], &over, 1, json!(LATER));
        rename(&elsewhere[0], &running, 1, Value::Null);
        rename(&players[0], &open, 1, Value::Null);
        for (id, seat) in [(&over, 2), (&over, 3), (&running, 2), (&running, 3), (&open, 2)] {
            rename(&players[seat - 1], id, seat, Value::Null);
        }
        rename(&players[1], &again, 1, Value::Null);
        let told = loop {
            let seats = stream.next_of("seats").json;
            if seats["seats"].as_array().unwrap().iter().all(|seat| seat["name"].is_null()) {
                break seats.to_string();
            }
        };
        // Repeated requests bring none of them back.
        assert_eq!(create().status, 200);
        take(&running, 2);
        take(&open, 2);

        // Another process may show an earlier ply unchanged for half a second.
        let mut after = sides();
        comes(5, || {
            after = sides();
            NAMES.iter().all(|name| places(&after, name).is_empty())
        });
        after.push(("stream".to_owned(), told));
        after.push(("log of the program".to_owned(), fs::read_to_string(&log).unwrap()));
        after.extend(tables(&backend));
        for name in NAMES {
            assert_eq!(places(&after, name), [""; 0], "{name}");
        }
        let games_of = |text: &str| text.contains(LATER);
        assert!(
            after.iter().any(|(place, text)| place.ends_with(&format!("/v1/games/{over}")) && games_of(text))
        );
        let proofs_after: Vec<_> = [&over, &running].iter().map(|id| proved(&players[0], id)).collect();
        assert!(proofs == proofs_after, "heads and proofs are what they were");
        for (player, id) in players.iter().zip(&ids) {
            assert_eq!(&player.get("/v1/me").json()["player"], id);
        }
    }
}
