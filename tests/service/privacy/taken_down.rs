//! Games that the operator takes down, names that importers remove, and records that lead to their original
//! game.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{Client, Service, assam, backends, err, out};

const RECORD: &str = "MKN/1 marrakech/1 seats=3\nseat1: Aïsha\nseat2: Omar\nevent: Fez\n\nN+3 d6e6\n!resign2\n!resign3\n= 32 0 0\n";

fn id_of(game: &Value) -> String {
    game["id"].as_str().unwrap().to_owned()
}

/// Sends every read and change of a game, and returns the codes of the answers.
fn asked(client: &Client<'_>, id: &str) -> Vec<(String, String)> {
    let mut codes = Vec::new();
    for (path, methods) in client.service().routes(id) {
        for method in methods.iter().filter(|_| path.contains(id)) {
            let body = match (method.as_str(), path.contains("/seats/")) {
                ("GET", _) => "",
                (_, true) if path.ends_with("/secret") => r#"{"secret": "00"}"#,
                (_, true) => "{}",
                (_, false) => r#"{"move": "N"}"#,
            };
            let answer = client.send(method, &path, &[("Content-Type", "application/json")], body);
            codes.push((format!("{method} {path}"), answer.problem()));
        }
    }
    assert!(codes.len() > 12);
    codes
}

#[test]
fn a_game_that_is_taken_down_is_gone_everywhere_within_a_second_and_its_log_stays() {
    for backend in backends() {
        let (service, other) = (Service::start(&backend), Service::start(&backend));
        let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
        assert_eq!(players[0].patch(&format!("/v1/games/{id}/seats/1"), json!({"name": "Zoë"})).status, 200);
        assert_eq!(players[0].play(&id, 1, "N").status, 201);
        let state = format!("/v1/games/{id}/states/1");
        let elsewhere = other.with_secret(players[0].secret.as_ref().unwrap());
        // Both processes have cached it.
        assert_eq!((players[0].get(&state).status, elsewhere.get(&state).status), (200, 200));
        let told = out(&backend.take_down(&id, "the name of a real person"));
        assert!(told.contains("hidden"), "{told}");
        let begun = Instant::now();
        while [&players[0], &elsewhere].iter().any(|client| client.get(&state).status == 200) {}
        assert!(begun.elapsed() < Duration::from_secs(1), "{}", backend.name());
        for client in [&players[0], &elsewhere, &service.stranger(), &other.player()] {
            for (request, code) in asked(client, &id) {
                assert_eq!(code, "game_removed", "{request}");
            }
            let refused = client.get(&format!("/v1/games/{id}"));
            assert_eq!(refused.status, 410);
            assert_eq!(
                refused.json()["detail"],
                "the operator has removed this game: the name of a real person"
            );
            for list in ["/v1/games", "/v1/games?status=running", "/v1/export?status=running"] {
                assert!(!client.get(list).text.contains(&id), "{list}");
            }
        }
        assert_eq!(players[0].get("/v1/me/games").json()["games"], json!([]));
        assert_eq!(elsewhere.play(&id, 2, "d6e6").problem(), "game_removed");
        // Only names are lost.
        let (seats, log) = (backend.cell(&id, "seats"), backend.cell(&id, "log"));
        assert!(!seats.contains("Zoë") && log.starts_with("N+"), "{seats} {log}");
        assert!(out(&backend.take_down(&id, "again")).contains("already hidden"));
        assert_eq!(
            service.stranger().get(&state).json()["detail"],
            "the operator has removed this game: the name of a real person"
        );
    }
}

#[test]
fn a_private_game_that_is_taken_down_is_still_nobody_elses_business() {
    for backend in backends() {
        let service = Service::start(&backend);
        let owner = service.player();
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": "x", "take": {"seat": 1}});
        let id = id_of(&owner.post("/v1/games", wanted).json());
        out(&backend.take_down(&id, "spam"));
        let path = format!("/v1/games/{id}");
        assert_eq!(owner.get(&path).problem(), "game_removed");
        assert_eq!(service.stranger().get(&path).problem(), "game_not_found");
        assert_eq!(service.player().put(&format!("{path}/seats/2"), json!({})).problem(), "game_not_found");
        let refused = backend.take_down(&"0".repeat(32), "spam");
        assert!(err(&refused).contains("there is no game"), "{refused:?}");
        assert!(err(&backend.take_down("x", "spam")).contains("32 hex digits"));
        assert!(err(&backend.take_down(&id, " ")).contains("a reason is one line"));
    }
}

#[test]
fn an_import_that_is_taken_down_is_not_imported_again() {
    for backend in backends() {
        let service = Service::start(&backend);
        let client = service.stranger();
        let id = id_of(&client.post_text("/v1/imports", RECORD).json());
        out(&backend.take_down(&id, "not ours"));
        for record in [RECORD.to_owned(), RECORD.replace("Fez", "Rabat")] {
            let refused = client.post_text("/v1/imports", &record);
            assert_eq!((refused.status, refused.problem().as_str()), (410, "game_removed"));
            let rows = client.post_text("/v1/imports/bulk", &record).text;
            assert!(
                rows.contains(
                    r#""outcome":"refused","game":null,"ignored_tags":[],"error":{"code":"game_removed""#
                ),
                "{rows}"
            );
            assert!(
                rows.contains(r#"{"kind":"summary","records":1,"new":0,"known":0,"refused":1}"#),
                "{rows}"
            );
        }
        // The tags went too.
        assert_eq!(backend.cell(&id, "tags"), "");
    }
}

#[test]
fn who_imported_a_record_removes_the_names_in_it_and_nobody_else_does() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (importer, stranger) = (service.player(), service.player());
        let game = importer.post_text("/v1/imports", RECORD).json();
        let path = format!("/v1/games/{}", id_of(&game));
        let (first, second) = (format!("{path}/seats/1"), format!("{path}/seats/2"));
        for client in [&stranger, &importer] {
            assert_eq!(client.patch(&first, json!({"name": "Eve"})).problem(), "not_your_seat");
        }
        assert_eq!(stranger.patch(&first, json!({"name": null})).problem(), "not_your_seat");
        let renamed = importer.patch(&first, json!({"name": null})).json();
        assert_eq!(
            (&renamed["seats"][0]["name"], &renamed["seats"][1]["name"]),
            (&json!(null), &json!("Omar"))
        );
        let log = stranger.get(&format!("{path}/log")).text;
        assert_eq!(log, RECORD.replace("seat1: Aïsha\n", ""), "{}", backend.name());
        assert_eq!(importer.patch(&second, json!({"name": null})).status, 200);
        assert_eq!(stranger.get(&format!("{path}/log")).text, log.replace("seat2: Omar\n", ""));
        // Importing it again restores no name, and changes no owner.
        assert_eq!(stranger.post_text("/v1/imports", RECORD).status, 200);
        assert_eq!(stranger.get(&format!("{path}/log")).text, log.replace("seat2: Omar\n", ""));
        // A game without an owner keeps its names.
        let other = RECORD.replace("!resign2\n!resign3", "!resign3\n!resign2");
        let game = service.stranger().post_text("/v1/imports", &other).json();
        let seat = format!("/v1/games/{}/seats/1", id_of(&game));
        assert_eq!(importer.patch(&seat, json!({"name": null})).problem(), "not_your_seat");
    }
}

#[test]
fn an_exported_record_that_is_imported_is_the_public_game_that_it_came_from() {
    for backend in backends() {
        let service = Service::start(&backend);
        let player = service.player();
        let built_in = json!({"ruleset": "marrakesh/1", "seats": ["solitaire-ai", "random"]});
        let at_once = id_of(&player.post("/v1/games", built_in.clone()).json());
        let (played, players) = service.game(3, json!({}));
        for (ply, word) in [(1, "N"), (2, "!resign1"), (3, "!resign2")] {
            let number = if word == "!resign2" { 1 } else { 0 };
            assert_eq!(
                players[number].play(&played, ply, if ply == 1 { "N" } else { "!resign" }).status,
                201,
                "{word}"
            );
        }
        let mut unlisted = built_in;
        unlisted["visibility"] = json!("unlisted");
        let unlisted = id_of(&player.post("/v1/games", unlisted).json());
        for id in [&at_once, &played] {
            let record = player.get(&format!("/v1/games/{id}/log")).text;
            assert!(record.contains(&format!("game: {id}")));
            // Found by its words, not by its tags.
            for record in [record.clone(), record.replace("game:", "was:")] {
                let found = service.stranger().post_text("/v1/imports", &record);
                assert_eq!((found.status, id_of(&found.json())), (200, id.clone()), "{}", backend.name());
            }
            let rows = player.post_text("/v1/imports/bulk", &record).text;
            assert!(rows.contains(&format!(r#""outcome":"known","game":"{id}""#)), "{rows}");
        }
        // A game that is not public is not found: its record becomes a separate game, without a hint of it.
        let record = player.get(&format!("/v1/games/{unlisted}/log")).text;
        let imported = service.stranger().post_text("/v1/imports", &record);
        assert_eq!(imported.status, 201);
        assert_ne!(id_of(&imported.json()), unlisted);
        // A tag that names a game has no effect.
        let other = RECORD.replace("event: Fez", &format!("game: {at_once}"));
        assert_ne!(id_of(&service.stranger().post_text("/v1/imports", &other).json()), at_once);
        out(&backend.take_down(&at_once, "spam"));
        let record = out(&assam(&["convert", "--to", "canonical", "-"], &record));
        assert!(!record.is_empty());
        assert_eq!(player.get("/v1/export?imported=false").text.matches("game: ").count(), 1);
    }
}
