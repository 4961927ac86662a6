//! Problems caused by other trouble: bodies that never arrive, full queues, a missing database.

use std::sync::atomic::{AtomicBool, Ordering};

use super::*;
use crate::operation::keys::{with_another_key_made_known, with_its_key_lost};

/// Announces bodies that never arrive.
pub(super) fn slow_bodies(backend: &Backend, caused: &mut Caused) {
    let service = Service::start_with(backend, &["--body-timeout", "1"]);
    let (id, players) = running(&service);
    let wanted = taking_bodies(&id);
    let slow = thread::scope(|scope| {
        let player = &players[0];
        let ask = |(method, path): &(&'static str, String)| {
            let (method, path) = (*method, path.clone());
            scope.spawn(move || player.send_without_a_body(method, &path))
        };
        let asked: Vec<_> = wanted.iter().map(ask).collect();
        asked.into_iter().map(|asked| asked.join().unwrap()).collect::<Vec<_>>()
    });
    for ((method, path), answer) in wanted.iter().zip(&slow) {
        assert_eq!(caused.take(method, path, answer), "request_timeout");
    }
}

const POSITIONS: &str = r#"{"positions": [{"position": "MKN/1 marrakech/1 seats=3", "moves": ["N"]}]}"#;

/// Calls every operation as a client that has used up all its limits.
pub(super) fn too_many_requests(backend: &Backend, caused: &mut Caused) {
    let rates = ["moves", "reads", "creation", "joining", "validation", "outcomes", "analysis", "imports"];
    let rates = rates.map(|bucket| format!("{bucket}=1/h")).join(",");
    let service = Service::start_counting(backend, &["--rate", &rates]);
    let client = service.stranger();
    let routes = service.routes(NOBODY);
    let wanted: Vec<_> = routes
        .iter()
        .filter(|(path, _)| !matches!(path.as_str(), "/livez" | "/readyz"))
        .flat_map(|(path, methods)| methods.iter().map(move |method| (method.as_str(), path.as_str())))
        .collect();
    // An address may have four of each. Bulk imports wait for their turn instead.
    let waits = |path: &str| path == "/v1/imports/bulk";
    let spent =
        wanted.iter().filter(|(method, path)| *method != "GET" && !waits(path) || *path == "/v1/limits");
    for (method, path) in spent {
        for _ in 0..4 {
            client.send(method, path, &[], "");
        }
    }
    for (method, path) in wanted {
        assert_eq!(caused.ask(&client, method, path, &Body::None), "too_many_requests", "{method} {path}");
    }
}

/// Sends every request about a game that the operator took down.
pub(super) fn taken_down(backend: &Backend, service: &Service, caused: &mut Caused) {
    let (id, players) = running(service);
    backend.take_down(&id, "spam");
    for (path, methods) in service.routes(&id).into_iter().filter(|(path, _)| path.contains(&id)) {
        for method in methods {
            let body = match (method.as_str(), path.ends_with("/secret")) {
                ("GET" | "DELETE", _) => Body::None,
                (_, true) => Body::Json(json!({"secret": "ab".repeat(32)})),
                ("PUT", _) if path.contains("/moves/") => Body::Json(json!({"move": "N"})),
                _ => Body::Json(json!({"name": "Zoë"})),
            };
            assert_eq!(caused.ask(&players[0], &method, &path, &body), "game_removed", "{method} {path}");
        }
    }
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign3 = 0 30 0\n";
    let imported = players[0].post_text("/v1/imports", over).json()["id"].as_str().unwrap().to_owned();
    backend.take_down(&imported, "spam");
    let again = Body::Raw("text/plain", over.as_bytes());
    assert_eq!(caused.ask(&players[0], "POST", "/v1/imports", &again), "game_removed");
}

/// Calls every operation that needs the store.
pub(super) fn while_the_queue_is_full(backend: &Backend, caused: &mut Caused) {
    let service = Service::start_with(backend, &["--queue", "1"]);
    let (id, players) = running(&service);
    let player = &players[0];
    let open = player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let open = open.json()["id"].as_str().unwrap().to_owned();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1}});
    let own = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    let states = format!("/v1/games/{id}/states");
    let over = player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["random", "random"]}));
    let analysis = format!("/v1/games/{}/analysis", over.json()["id"].as_str().unwrap());
    for (method, path, body) in [
        ("GET", "/v1/games?limit=100", ""),
        ("GET", "/v1/me/games?limit=100", ""),
        ("GET", "/v1/me/events?follow=false", ""),
        ("GET", &states, ""),
        ("GET", &analysis, ""),
        ("GET", "/v1/dice", ""),
        ("GET", "/v1/players/random/dice", ""),
        ("GET", "/v1/export", ""),
        ("GET", "/v1/export/count", ""),
        ("POST", "/v1/validate", RECORD),
        ("POST", "/v1/outcomes", POSITIONS),
        ("POST", "/v1/analysis", RECORD),
        ("POST", "/v1/analysis/bulk", RECORD),
        ("POST", "/v1/validate/picture", RECORD),
        ("POST", "/v1/validate/bulk", RECORD),
        ("POST", "/v1/imports/bulk", RECORD),
    ] {
        let too_many = service.while_wanted_often(method, path, body);
        caused.take(method, path.split('?').next().unwrap(), &too_many);
    }
    let wanted =
        json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}, "rated": false});
    let hinted = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    let hints = format!("/v1/games/{hinted}/legal-moves?include=hints");
    let is_over = AtomicBool::new(false);
    let refused = thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    player.get(&hints);
                }
            });
        }
        let refused = (0..).map(|_| player.get(&hints)).find(|answer| answer.status == 503);
        is_over.store(true, Ordering::Relaxed);
        refused.unwrap()
    });
    caused.take("GET", &hints, &refused);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let lost = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(player.play(&lost, 1, "!resign").status, 201);
    let (waiting, _, round) = service.waiting_for_beacon();
    service.while_queue_is_full(backend, |busy| {
        assert_eq!(busy.problem(), "busy");
        let over = "MKN/1 marrakech/1 seats=3\n\n!resign2 !resign1 = 0 0 30\n";
        for (method, path, body) in [
            ("POST", "/v1/games".to_owned(), json_with(&json!({}))),
            ("PUT", format!("/v1/games/{open}/seats/1"), Body::Json(json!({}))),
            ("PATCH", format!("/v1/games/{id}/seats/1"), Body::Json(json!({"name": "Zoë"}))),
            ("PUT", format!("/v1/games/{id}/seats/1/secret"), Body::Json(json!({"secret": "ab".repeat(32)}))),
            ("DELETE", format!("/v1/games/{own}"), Body::None),
            ("DELETE", format!("/v1/games/{own}/seats/1"), Body::None),
            ("PUT", format!("/v1/games/{id}/moves/1"), Body::Json(json!({"move": "N"}))),
            ("PUT", format!("{waiting}/beacon"), Body::Json(round.clone())),
            ("POST", format!("/v1/games/{lost}/rematch"), Body::None),
            ("POST", "/v1/imports".to_owned(), Body::Raw("text/plain", over.as_bytes())),
        ] {
            // Rarely, one is queued at that moment. It fails later, and the next one is refused.
            let is_refused = (0..10).any(|_| caused.ask(player, method, &path, &body) == "busy");
            assert!(is_refused, "{method} {path}");
        }
    });
}

/// Calls the operations that report that nothing can be written, after a failed write.
pub(super) fn while_nothing_can_be_written(backend: &Backend, service: &Service, caused: &mut Caused) {
    let player = service.player();
    backend.while_full(|| {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        assert_eq!(player.post("/v1/games", wanted).problem(), "unavailable");
        assert_eq!(caused.ask(&player, "GET", "/readyz", &Body::None), "cannot_write");
    });
}

pub(super) fn without_a_database(player: &Client<'_>, id: &str, cosigned: &str, caused: &mut Caused) {
    let game = |part: &str| format!("/v1/games/{id}{part}");
    for part in PARTS {
        caused.ask(player, "GET", &game(part), &Body::None);
    }
    let export = ["/v1/export?after", "/v1/export/count?after", "/v1/games/events?games"];
    let export = export.map(|path| format!("{path}={id}"));
    let log = ["/log/checkpoint", "/log/tile/0/000", "/log/tile/entries/000", "/log/cosignatures"];
    let others = [
        "/v1/games",
        "/v1/me/games",
        "/v1/me/events",
        "/v1/events",
        "/readyz",
        "/v1/players/random",
        "/v1/players/random/dice",
        "/v1/dice",
        "/v1/scores?ruleset=marrakech/1",
    ];
    let others = others.into_iter().chain(log);
    for path in export.iter().map(String::as_str).chain(others) {
        caused.ask(player, "GET", path, &Body::None);
    }
    caused.ask(player, "DELETE", &game(""), &Body::None);
    caused.ask(player, "DELETE", &game("/seats/1"), &Body::None);
    caused.ask(player, "POST", &game("/rematch"), &Body::None);
    let secret = Body::Json(json!({"secret": "ab".repeat(32)}));
    caused.ask(player, "PUT", &game("/seats/1/secret"), &secret);
    caused.ask(player, "POST", "/v1/games", &json_with(&json!({})));
    caused.ask(player, "PUT", &game("/seats/1"), &Body::Json(json!({})));
    caused.ask(player, "PATCH", &game("/seats/1"), &Body::Json(json!({"name": "Zoë"})));
    caused.ask(player, "PUT", &game("/moves/1"), &Body::Json(json!({"move": "N"})));
    caused.ask(player, "PUT", &game("/beacon"), &Body::Json(Drand::of_tests().round(1)));
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    caused.ask(player, "POST", "/v1/imports", &Body::Raw("text/plain", over.as_bytes()));
    caused.ask(player, "POST", "/log/cosignatures", &Body::Raw("text/plain", cosigned.as_bytes()));
}

/// Requests receipts that need a lost key.
pub(super) fn without_its_key(caused: &mut Caused) {
    with_its_key_lost(|service, id| {
        for part in ["receipt", "seats/1/receipt"] {
            caused.ask(&service.stranger(), "GET", &format!("/v1/games/{id}/{part}"), &Body::None);
        }
    });
    with_another_key_made_known(|service, id| {
        for path in ["/log/checkpoint".to_owned(), format!("/v1/games/{id}/inclusion")] {
            caused.ask(&service.stranger(), "GET", &path, &Body::None);
        }
    });
}
