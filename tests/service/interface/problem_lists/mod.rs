//! Operations answer only the problems that the OpenAPI document lists for them, as the harness checks. The
//! tests here cause each of them, except `internal`, which all list, and the `bad_request` of operations that
//! refuse unknown parameters.

use std::collections::{BTreeMap, BTreeSet};
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Answer, Backend, Client, Drand, Examples, LISTED, Proxy, Service};
use crate::harness::{ignores_query, operation, postgres};

mod beacons;
mod trouble;

use trouble::{
    slow_bodies, taken_down, too_many_requests, while_nothing_can_be_written, while_the_queue_is_full,
    without_a_database, without_its_key,
};

/// The id of no game.
const NOBODY: &str = "00000000000000000000000000000000";
const RECORD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";
const POSITION: &str =
    "marrakech/1 seats=2 two_player=one-colour position=7/7/7/7/7/7/7;-;d4N;1;orient;30,30;r15b15;r;-";

/// The readable parts of a game.
const PARTS: [&str; 14] = [
    "",
    "/events?follow=false",
    "/legal-moves",
    "/log",
    "/score",
    "/proof",
    "/moves/1",
    "/states/1",
    "/states/1.svg",
    "/states",
    "/receipt",
    "/seats/1/receipt",
    "/inclusion",
    "/analysis",
];

/// The problems caused so far: the codes of each operation, with an example of each.
#[derive(Default)]
struct Caused {
    codes: BTreeMap<String, BTreeSet<String>>,
    examples: Examples,
}

impl Caused {
    /// Sends a request that is refused, and returns the code.
    fn ask(&mut self, client: &Client<'_>, method: &str, path: &str, body: &Body<'_>) -> String {
        let (media, bytes) = match body {
            Body::None => (None, Vec::new()),
            Body::Json(json) => (Some("application/json"), json.to_string().into_bytes()),
            Body::Raw(media, bytes) => (Some(*media), bytes.to_vec()),
        };
        let media: Vec<(&str, &str)> = media.into_iter().map(|media| ("Content-Type", media)).collect();
        self.take(method, path, &client.send(method, path, &media, bytes))
    }

    fn take(&mut self, method: &str, path: &str, answer: &Answer) -> String {
        let operation = operation(method, path).unwrap_or_else(|| panic!("{method} {path}"));
        let code = answer.problem();
        self.examples.take(method, path, &code, answer);
        self.codes.entry(operation).or_default().insert(code.clone());
        code
    }
}

enum Body<'a> {
    None,
    Json(Value),
    Raw(&'a str, &'a [u8]),
}

/// Returns a game of two that waits for its first move, and its players.
fn running(service: &Service) -> (String, Vec<Client<'_>>) {
    service.game(2, json!({"two_player": "one-colour"}))
}

fn json_with(fields: &Value) -> Body<'static> {
    let mut wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    wanted.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    Body::Json(wanted)
}

#[test]
fn every_problem_that_an_operation_lists_is_one_that_it_answers() {
    // Problems without a database need one that can be disconnected.
    let Some(backend) = postgres() else { return };
    let wire = Proxy::to(&backend.url());
    let service = Service::start_on(&wire.url(&backend.url()));
    let mut caused = Caused::default();
    bodies(&service, &mut caused);
    slow_bodies(&backend, &mut caused);
    missing_games_and_plies(&service, &mut caused);
    malformed_secrets(&service, &mut caused);
    unread_queries(&service, &mut caused);
    creation(&service, &mut caused);
    seats(&service, &mut caused);
    beacons::beacons(&service, &mut caused);
    moves(&service, &mut caused);
    imports(&service, &mut caused);
    taken_down(&backend, &service, &mut caused);
    without_its_key(&mut caused);
    too_many_requests(&backend, &mut caused);
    let (id, players) = running(&service);
    while_the_queue_is_full(&backend, &mut caused);
    while_nothing_can_be_written(&backend, &service, &mut caused);
    let cosigned = service.cosigned();
    wire.cut();
    without_a_database(&players[0], &id, &cosigned, &mut caused);
    for (operation, listed) in LISTED.iter() {
        let mut caused = caused.codes.remove(operation).unwrap_or_default();
        caused.remove("bad_request");
        assert_eq!(&caused, listed, "{operation}: caused, and listed");
    }
    assert!(caused.codes.is_empty());
    caused.examples.check();
}

/// Returns every operation for a game whose body is at most one record.
fn taking_bodies(id: &str) -> [(&'static str, String); 12] {
    let (seat, ply) = (format!("/v1/games/{id}/seats/1"), format!("/v1/games/{id}/moves/1"));
    [
        ("POST", "/v1/games".to_owned()),
        ("PUT", seat.clone()),
        ("PATCH", seat.clone()),
        ("PUT", seat + "/secret"),
        ("PUT", ply),
        ("PUT", format!("/v1/games/{id}/beacon")),
        ("POST", "/v1/validate".to_owned()),
        ("POST", "/v1/validate/picture".to_owned()),
        ("POST", "/v1/outcomes".to_owned()),
        ("POST", "/v1/analysis".to_owned()),
        ("POST", "/v1/imports".to_owned()),
        ("POST", "/log/cosignatures".to_owned()),
    ]
}

/// Sends bodies that no operation accepts.
fn bodies(service: &Service, caused: &mut Caused) {
    let (id, players) = running(service);
    let player = &players[0];
    let (seat, ply) = (format!("/v1/games/{id}/seats/1"), format!("/v1/games/{id}/moves/1"));
    let secret = format!("{seat}/secret");
    for (method, path) in &taking_bodies(&id) {
        // Any text gets a verdict there.
        let text = if path == "/v1/validate" { "text/html" } else { "text/plain" };
        for (media, body) in [
            ("application/json", &b"{"[..]),
            ("application/json", &[b' '; 1024 * 1024]),
            ("text/html", b"x"),
            (text, b"\xff"),
        ] {
            caused.ask(player, method, path, &Body::Raw(media, body));
        }
    }
    for path in ["/v1/validate/bulk", "/v1/analysis/bulk", "/v1/imports/bulk"] {
        caused.ask(player, "POST", path, &Body::Raw("text/html", b"x"));
    }
    let nothing = json!({"nothing": 1});
    caused.ask(player, "POST", "/v1/games", &json_with(&nothing));
    caused.ask(player, "PUT", &seat, &Body::Json(nothing));
    caused.ask(player, "PATCH", &seat, &Body::Json(json!({"name": "Zoë", "nothing": 1})));
    caused.ask(player, "PUT", &secret, &Body::Json(json!({"secret": "ab".repeat(32), "nothing": 1})));
    caused.ask(player, "PUT", &ply, &Body::Json(json!({"move": "N", "nothing": 1})));
    let mut round = Drand::of_tests().round(1);
    round["nothing"] = json!(1);
    caused.ask(player, "PUT", &format!("/v1/games/{id}/beacon"), &Body::Json(round));
    for path in ["/v1/validate", "/v1/validate/picture", "/v1/analysis", "/v1/imports", "/v1/outcomes"] {
        let fields = json!({"record": RECORD, "positions": [{"position": POSITION}], "nothing": 1});
        caused.ask(player, "POST", path, &Body::Json(fields));
    }
}

fn missing_games_and_plies(service: &Service, caused: &mut Caused) {
    let stranger = service.stranger();
    let (id, _) = running(service);
    let open = stranger.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let open = open.json()["id"].as_str().unwrap().to_owned();
    for part in PARTS {
        caused.ask(&stranger, "GET", &format!("/v1/games/{NOBODY}{part}"), &Body::None);
    }
    for part in PARTS[2..].iter().filter(|part| **part != "/receipt").chain(&["/receipt?ply=0"]) {
        caused.ask(&stranger, "GET", &format!("/v1/games/{open}{part}"), &Body::None);
    }
    for ply in ["7", "one"] {
        for part in [format!("/moves/{ply}"), format!("/states/{ply}"), format!("/states/{ply}.svg")] {
            caused.ask(&stranger, "GET", &format!("/v1/games/{id}{part}"), &Body::None);
        }
        for part in ["score", "receipt"] {
            caused.ask(&stranger, "GET", &format!("/v1/games/{id}/{part}?ply={ply}"), &Body::None);
        }
    }
    caused.ask(&stranger, "GET", &format!("/v1/games/{id}/seats/7/receipt"), &Body::None);
    let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    let imported = service.player().post_text("/v1/imports", record).json();
    let imported = imported["id"].as_str().unwrap();
    for part in ["receipt", "inclusion"] {
        caused.ask(&stranger, "GET", &format!("/v1/games/{imported}/{part}"), &Body::None);
    }
    for tile in ["0/999", "entries/999"] {
        caused.ask(&stranger, "GET", &format!("/log/tile/{tile}"), &Body::None);
    }
    caused.ask(&stranger, "POST", "/log/cosignatures", &Body::Raw("text/plain", b"x"));
    let export = ["?", "/count?"].map(|path| format!("/v1/export{path}"));
    let export =
        export.iter().flat_map(|path| [format!("{path}ruleset=chess/1"), format!("{path}after={NOBODY}")]);
    let others = [
        "/v1/games?limit=0",
        "/v1/games?ruleset=chess/1",
        "/v1/events?ruleset=chess/1",
        "/v1/scores?ruleset=chess/1",
        "/v1/scores?limit=0",
        "/v1/players/nobody",
        "/v1/players/unknown/dice",
        "/v1/dice?limit=0",
        "/v1/problems/nothing",
        "/v1/rulesets/chess/1",
        "/grammar/chess",
    ];
    for path in export.chain(others.map(str::to_owned)) {
        caused.ask(&stranger, "GET", &path, &Body::None);
    }
}

/// Sends malformed secrets wherever one may be sent.
fn malformed_secrets(service: &Service, caused: &mut Caused) {
    let (id, _) = running(service);
    let malformed = service.with_secret("0");
    for part in PARTS {
        let path = format!("/v1/games/{id}{part}");
        assert_eq!(caused.ask(&malformed, "GET", &path, &Body::None), "unauthenticated");
    }
    assert_eq!(caused.ask(&malformed, "GET", "/v1/games/events", &Body::None), "unauthenticated");
    for path in ["/v1/me", "/v1/me/games", "/v1/me/events"] {
        assert_eq!(caused.ask(&service.stranger(), "GET", path, &Body::None), "unauthenticated");
    }
    assert_eq!(
        caused.ask(&service.player(), "GET", "/v1/me/games?ruleset=chess/1", &Body::None),
        "unknown_ruleset"
    );
    for path in ["/v1/games", "/v1/imports", "/v1/imports/bulk"] {
        assert_eq!(caused.ask(&malformed, "POST", path, &Body::None), "unauthenticated");
    }
}

/// Sends queries that the operation does not read.
fn unread_queries(service: &Service, caused: &mut Caused) {
    let (id, players) = running(service);
    for (path, methods) in service.routes(&id).into_iter().filter(|(path, _)| !ignores_query(path)) {
        for method in methods {
            let path = format!("{path}?{}", if path.ends_with(".svg") { "theme=none" } else { "nothing=1" });
            assert_eq!(caused.ask(&players[0], &method, &path, &Body::None), "bad_request", "{path}");
        }
    }
    let of_game = ["log", "events", "states", "inclusion"].map(|part| format!("/v1/games/{id}/{part}"));
    let streams = ["/v1/events", "/v1/me/events", "/v1/games/events", "/v1/export"];
    let others = ["/v1/problems/internal", "/grammar", "/grammar/marrakesh"];
    for path in of_game.into_iter().chain(streams.into_iter().chain(others).map(str::to_owned)) {
        let refused = players[0].send("GET", &path, &[("Accept", "image/png")], "");
        assert_eq!(caused.take("GET", &path, &refused), "not_acceptable");
    }
}

fn creation(service: &Service, caused: &mut Caused) {
    let stranger = service.stranger();
    let mut create = |fields: Value| caused.ask(&stranger, "POST", "/v1/games", &json_with(&fields));
    create(json!({"visibility": "private", "join_code": "x"}));
    create(json!({"join_code": "x"}));
    create(json!({"ruleset": "chess/1"}));
    create(json!({"options": {"kover": "any"}}));
    create(json!({"position": POSITION.replace("d4N", "d4X")}));
    create(json!({"position": POSITION.replace("30,30", "30,31")}));
    let key = format!("{:032x}", rand::random::<u128>());
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
    let twice = [json!(["open", "open"]), json!(["open", "open", "open"])].map(|seats| {
        let body = json!({"ruleset": "marrakech/1", "seats": seats}).to_string();
        stranger.send("POST", "/v1/games", &headers, body)
    });
    caused.take("POST", "/v1/games", &twice[1]);
}

fn seats(service: &Service, caused: &mut Caused) {
    let (id, players) = running(service);
    let seat = |number: &str| format!("/v1/games/{id}/seats/{number}");
    let nowhere = format!("/v1/games/{NOBODY}/seats/1");
    for method in ["PUT", "PATCH"] {
        let name = || Body::Json(json!({"name": "Zoë"}));
        caused.ask(&service.stranger(), method, &seat("1"), &name());
        caused.ask(&players[0], method, &nowhere, &name());
        caused.ask(&players[0], method, &seat("9"), &name());
        caused.ask(&players[0], method, &seat("2"), &name());
    }
    let shown = Body::Json(json!({"commitment": "00".repeat(32)}));
    assert_eq!(caused.ask(&service.player(), "PUT", &seat("1"), &shown), "commitment_mismatch");
    let open =
        service.player().post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let open = format!("/v1/games/{}/seats/1", open.json()["id"].as_str().unwrap());
    let shown = Body::Json(json!({"seats_digest": "00".repeat(32)}));
    assert_eq!(caused.ask(&service.player(), "PUT", &open, &shown), "seats_changed");
    for (method, part, body) in [
        ("DELETE", "", (|| Body::None) as fn() -> Body<'static>),
        ("PUT", "/secret", || Body::Json(json!({"secret": "ab".repeat(32)}))),
    ] {
        let at = |number: &str| format!("{}{part}", seat(number));
        caused.ask(&service.stranger(), method, &at("1"), &body());
        caused.ask(&players[0], method, &format!("{nowhere}{part}"), &body());
        caused.ask(&players[0], method, &at("9"), &body());
        caused.ask(&players[0], method, &at("2"), &body());
    }
    assert_eq!(caused.ask(&players[0], "DELETE", &seat("1"), &Body::None), "already_started");
    let held = players[1].secret.clone();
    let taken = Body::Json(json!({"secret": held}));
    assert_eq!(caused.ask(&players[0], "PUT", &format!("{}/secret", seat("1")), &taken), "seat_taken");
    let owner = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["random", "open"], "take": {"seat": 2}});
    let started = owner.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    let started = format!("/v1/games/{started}");
    for (method, part, late) in [("DELETE", "", "already_started"), ("POST", "/rematch", "not_finished")] {
        for (client, path, code) in [
            (&service.stranger(), &started[..], "unauthenticated"),
            (&owner, &format!("/v1/games/{NOBODY}"), "game_not_found"),
            (&players[0], &started, "not_your_seat"),
            (&owner, &started, late),
        ] {
            assert_eq!(caused.ask(client, method, &format!("{path}{part}"), &Body::None), code);
        }
    }
    let headers = [("If-Match", "\"0\""), ("Content-Type", "application/json")];
    let stale = players[0].send("PATCH", &seat("1"), &headers, r#"{"name": "Zoë"}"#);
    assert_eq!(caused.take("PATCH", &seat("1"), &stale), "stale_head");
}

fn moves(service: &Service, caused: &mut Caused) {
    let (id, players) = running(service);
    let ply = |ply: &str| format!("/v1/games/{id}/moves/{ply}");
    let decision = |text: &str| Body::Json(json!({"move": text}));
    caused.ask(&service.stranger(), "PUT", &ply("1"), &decision("N"));
    caused.ask(&service.player(), "PUT", &ply("1"), &decision("N"));
    caused.ask(&players[0], "PUT", &format!("/v1/games/{NOBODY}/moves/1"), &decision("N"));
    for (player, number, text) in
        [(0, "0", "N"), (0, "1", "x"), (0, "1", "N+3"), (0, "2", "N"), (1, "1", "N"), (0, "1", "S")]
    {
        caused.ask(&players[player], "PUT", &ply(number), &decision(text));
    }
    for part in ["analysis", "legal-moves?include=hints"] {
        let refused = caused.ask(&players[0], "GET", &format!("/v1/games/{id}/{part}"), &Body::None);
        assert_eq!(refused, "analysis_while_running");
    }
    caused.ask(&players[0], "PUT", &ply("1"), &Body::Json(json!({"moves": ["N", "d6e6"]})));
    let stale = [("If-Match", "\"0\""), ("Content-Type", "text/plain")];
    caused.take("PUT", &ply("1"), &players[0].send("PUT", &ply("1"), &stale, "N"));
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    caused.ask(&players[0], "PUT", &ply("1"), &decision("E"));
    assert_eq!(players[1].play(&id, 2, "!resign").status, 201);
    caused.ask(&players[0], "PUT", &ply("3"), &decision("N"));
    let owner = service.player();
    let open = owner.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let open = open.json()["id"].as_str().unwrap().to_owned();
    caused.ask(&owner, "PUT", &format!("/v1/games/{open}/moves/1"), &decision("!abort"));
}

fn imports(service: &Service, caused: &mut Caused) {
    let over = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    let position = format!("MKN/1 {}\n\n*\n", POSITION.replace("30,30", "30,31"));
    let masked =
        "MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:????????????+r:???????????? !resign1\n= 0 0\n";
    for record in [
        "nonsense",
        "MKN/2 marrakech/1 seats=3\n\n*\n",
        "MKN/1 chess/1 seats=3\n\n*\n",
        "MKN/1 marrakech/1 seats=3 kover=any\n\n*\n",
        &position,
        "MKN/1 marrakech/1 seats=3\n\nS+3 *\n",
        &over.replace("0 0 30", "0 0 31"),
        "MKN/1 marrakech/1 seats=3\n\nN+3 = 1 2 3\n",
        "MKN/1 marrakech/1 seats=3\n\nN+3\n",
        RECORD,
        masked,
    ] {
        for path in ["/v1/imports", "/v1/validate/picture?ply=9"] {
            caused.ask(&service.stranger(), "POST", path, &Body::Raw("text/plain", record.as_bytes()));
        }
        // A game that is not over is analysed.
        if record != RECORD {
            caused.ask(
                &service.stranger(),
                "POST",
                "/v1/analysis",
                &Body::Raw("text/plain", record.as_bytes()),
            );
        }
    }
}
