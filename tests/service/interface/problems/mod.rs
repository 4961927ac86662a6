//! Every problem of the service, reached by a request, with its status and its extra members.

use std::collections::{BTreeMap, BTreeSet};

use assam_players::Player;
use assam_referee::Ruleset;
use serde_json::{Value, json};

use crate::harness::{Answer, Backend, Client, Drand, Examples, Service, sqlite};
use crate::operation::keys::with_its_key_lost;

mod parameters;
mod scene;

/// The members of every problem.
const ALWAYS: [&str; 6] = ["type", "title", "status", "code", "detail", "instance"];
const NOBODY: &str = "/v1/games/00000000000000000000000000000000";
/// A valid record of two plies.
const RECORD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";

/// A service under test.
struct Scene<'a> {
    backend: &'a Backend,
    service: &'a Service,
}

/// A refused request, and the extra members of its problem. `null` matches any value.
type Ask = fn(&Scene<'_>) -> (Answer, Value);

/// One refusal.
struct Case {
    code: &'static str,
    status: u16,
    ask: Ask,
}

/// Returns the kinds that a seat can have in a request.
fn seat_kinds() -> String {
    let players = || Player::ALL.iter().map(|player| player.name());
    let newest = players().filter_map(|name| Some(name.split_once('/')?.0));
    let kinds = ["open"].into_iter().chain(players()).chain(newest);
    kinds.map(|kind| format!("`{kind}`")).collect::<Vec<_>>().join(" or ")
}

const fn case(code: &'static str, status: u16, ask: Ask) -> Case {
    Case { code, status, ask }
}

/// Returns the cases, with every code at least once.
fn cases() -> Vec<Case> {
    vec![
        case("bad_json", 400, |s| {
            (s.create_raw("{\"ruleset\": marrakech}"), json!({"line": 1, "column": null}))
        }),
        case("bad_json", 400, |s| (s.create_raw("{\n \"ruleset\": 1,,}"), json!({"line": 2, "column": 15}))),
        case("bad_json", 400, |s| (s.create_raw("\n"), json!({"line": 2, "column": 1}))),
        case("bad_json", 400, |s| {
            let (id, players) = s.running();
            let both = json!({"move": "N", "moves": ["N"]});
            let errors = json!([{"pointer": "", "detail": "must have exactly one of `move`, `moves`"}]);
            (players[0].put(&format!("/v1/games/{id}/moves/1"), both), json!({"errors": errors}))
        }),
        case("bad_json", 400, |s| {
            let body =
                r#"{"ruleset": 1, "seats": ["open", "opne"], "visible": "public", "patience_hours": 0}"#;
            let errors = json!([
                {"pointer": "/patience_hours", "detail": "must be 1 to 8760, not 0"},
                {"pointer": "/ruleset", "detail": "must be a string, not 1"},
                {"pointer": "/seats/1", "detail": format!("must be {}, not \"opne\"; did you mean `open`?", seat_kinds())},
                {"pointer": "/visible", "detail": "is unknown here; did you mean `visibility`?"},
            ]);
            (s.create_raw(body), json!({"errors": errors}))
        }),
        case("bad_request", 400, |s| {
            let errors = json!([
                {"parameter": "limit", "detail": "must be 1 to 100, not 101"},
                {"parameter": "sort", "detail": "must be `created` or `finished`, not \"up\""},
            ]);
            (s.get("/v1/games?limit=101&sort=up"), json!({"errors": errors}))
        }),
        case("bad_request", 400, |s| {
            let (id, _) = s.running();
            let errors = json!([{"parameter": "ply", "detail": "ply must be a whole number, not \"one\""}]);
            (s.get(&format!("/v1/games/{id}/states/one")), json!({"errors": errors}))
        }),
        case("unknown_field", 422, |s| {
            let errors = json!([{"pointer": "/seat", "detail": "is unknown here; did you mean `seats`?"}]);
            (s.create(json!({"seat": 3})), json!({"errors": errors}))
        }),
        case("notation_syntax", 400, |s| {
            let (id, players) = s.running();
            let refused = players[0].put(&format!("/v1/games/{id}/moves/1"), json!({"moves": ["N", "d6x6"]}));
            let told = json!({"rule": "notation.decision.unknown", "word": 2, "column": 3, "expected": null});
            (refused, told)
        }),
        case("notation_syntax", 400, |s| {
            let told = json!({"rule": "notation.decision.unknown", "line": 3, "column": 5, "word": 2, "ply": 2, "expected": null});
            (s.import("MKN/1 marrakech/1 seats=3\n\nN+3 D6e6 *\n"), told)
        }),
        case("unauthenticated", 401, |s| {
            let (id, _) = s.running();
            (s.service.stranger().play(&id, 1, "N"), json!({}))
        }),
        case("unauthenticated", 401, |s| {
            (s.create(json!({"visibility": "private", "join_code": "x"})), json!({}))
        }),
        case("not_your_seat", 403, |s| {
            let (id, _) = s.running();
            (s.service.player().play(&id, 1, "N"), json!({}))
        }),
        case("not_your_seat", 403, |s| {
            let (id, players) = s.running();
            (
                players[0].patch(&format!("/v1/games/{id}/seats/2"), json!({"name": "Mine"})),
                json!({"seat": 2}),
            )
        }),
        case("not_your_seat", 403, |s| {
            let (id, players) = s.running();
            (players[1].play(&id, 1, "!abort"), json!({}))
        }),
        case("game_not_found", 404, |s| (s.get(NOBODY), json!({}))),
        case("ply_not_found", 404, |s| {
            let (id, _) = s.running();
            (s.get(&format!("/v1/games/{id}/moves/7")), json!({"ply": 7, "head": s.head(&id)}))
        }),
        case("ply_not_found", 404, |s| {
            let (id, _) = s.running();
            (s.get(&format!("/v1/games/{id}/moves/0")), json!({"ply": 0, "head": s.head(&id)}))
        }),
        case("receipt_not_found", 404, |s| {
            let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
            let imported = s.service.player().post_text("/v1/imports", record).json();
            (s.get(&format!("/v1/games/{}/receipt", imported["id"].as_str().unwrap())), json!({}))
        }),
        case("receipt_not_found", 404, |s| {
            let open = s.create(json!({})).json();
            let path = format!("/v1/games/{}/seats/2/receipt", open["id"].as_str().unwrap());
            (s.get(&path), json!({"seat": 2}))
        }),
        case("tile_not_found", 404, |s| (s.get("/log/tile/0/999"), json!({}))),
        case("cosignature_refused", 422, |s| {
            (s.service.player().post_text("/log/cosignatures", "x"), json!({}))
        }),
        case("key_missing", 410, |_| {
            let ask =
                |service: &Service, id: &str| service.stranger().get(&format!("/v1/games/{id}/receipt"));
            (with_its_key_lost(ask), json!({}))
        }),
        case("route_not_found", 404, |s| (s.get("/v1/nowhere"), json!({}))),
        case("method_not_allowed", 405, |s| (s.send("PATCH", "/v1/me", &[]), json!({}))),
        case("not_acceptable", 406, |s| {
            let (id, _) = s.running();
            (s.send("GET", &format!("/v1/games/{id}/log"), &[("Accept", "image/png")]), json!({}))
        }),
        case("seat_taken", 409, |s| {
            let (id, _) = s.running();
            (s.service.player().put(&format!("/v1/games/{id}/seats/2"), json!({})), json!({"seat": 2}))
        }),
        case("commitment_mismatch", 409, |s| {
            let (id, _) = s.running();
            let commitment = s.get(&format!("/v1/games/{id}")).json()["commitment"].clone();
            let shown = json!({"commitment": "00".repeat(32)});
            let refused = s.service.player().put(&format!("/v1/games/{id}/seats/2"), shown);
            (refused, json!({"expected": commitment}))
        }),
        case("seats_changed", 409, |s| {
            let game = format!("/v1/games/{}", s.open());
            let digest = s.get(&game).json()["seats_digest"].clone();
            let receipt = s.get(&format!("{game}/receipt")).text;
            let shown = json!({"seats_digest": "00".repeat(32)});
            let refused = s.service.player().put(&format!("{game}/seats/2"), shown);
            (refused, json!({"expected": digest, "receipt": receipt}))
        }),
        case("seat_not_found", 404, |s| {
            let (id, _) = s.running();
            (s.service.player().put(&format!("/v1/games/{id}/seats/3"), json!({})), json!({}))
        }),
        case("not_started", 409, |s| (s.get(&format!("/v1/games/{}/legal-moves", s.open())), json!({}))),
        case("already_started", 409, |s| {
            let (id, players) = s.running();
            (players[0].send("DELETE", &format!("/v1/games/{id}/seats/1"), &[], ""), json!({}))
        }),
        case("not_started", 409, |s| {
            let (game, [owner, _], _) = s.service.waiting_for_beacon();
            (owner.play(game.rsplit('/').next().unwrap(), 1, "N"), json!({}))
        }),
        case("waiting_for_beacon", 409, |s| {
            let (game, [owner, _], _) = s.service.waiting_for_beacon();
            (owner.send("DELETE", &game, &[], ""), json!({}))
        }),
        case("beacon_not_found", 404, |s| {
            let (id, players) = s.running();
            (players[0].put(&format!("/v1/games/{id}/beacon"), Drand::of_tests().round(1)), json!({}))
        }),
        case("beacon_refused", 422, |s| {
            let (game, [owner, _], _) = s.service.waiting_for_beacon();
            (owner.put(&format!("{game}/beacon"), Drand::of_tests().round(1)), json!({"expected": null}))
        }),
        case("unknown_option", 422, |s| {
            let told = json!({"rule": "table.beacon.unknown-chain", "expected": null, "errors": null});
            (s.create(json!({"beacon": Drand::with_key(8).name()})), told)
        }),
        case("not_your_turn", 409, |s| {
            let (id, players) = s.running();
            (players[1].play(&id, 1, "N"), json!({"seat": 1}))
        }),
        case("ply_taken", 409, |s| {
            let (id, players) = s.running();
            assert_eq!(players[0].play(&id, 1, "N").status, 201);
            (players[0].play(&id, 1, "E"), json!({"ply": 1, "head": s.head(&id)}))
        }),
        case("ply_gap", 409, |s| {
            let (id, players) = s.running();
            (players[0].play(&id, 2, "N"), json!({"head": s.head(&id)}))
        }),
        case("analysis_while_running", 409, |s| {
            let (id, players) = s.running();
            (players[0].get(&format!("/v1/games/{id}/analysis")), json!({}))
        }),
        case("game_over", 409, |s| {
            let (id, players) = s.running();
            assert_eq!(players[0].play(&id, 1, "!abort").status, 201);
            let result = s.get(&format!("/v1/games/{id}")).json()["result"].clone();
            (players[0].play(&id, 2, "N"), json!({"result": result}))
        }),
        case("stale_head", 412, |s| {
            let (id, players) = s.running();
            let path = format!("/v1/games/{id}/moves/1");
            let headers = [("If-Match", "\"0\""), ("Content-Type", "text/plain")];
            (players[0].send("PUT", &path, &headers, "N"), json!({"head": s.head(&id)}))
        }),
        case("too_large", 413, |s| (s.create_raw(&" ".repeat(16 * 1024 + 1)), json!({}))),
        case("unsupported_media_type", 415, |s| {
            (s.service.stranger().send("POST", "/v1/games", &[("Content-Type", "text/csv")], "x"), json!({}))
        }),
        case("unsupported_notation", 415, |s| {
            let told = json!({"rule": "notation.version", "line": 1, "column": 1, "expected": "MKN/1"});
            (s.import(&RECORD.replace("MKN/1", "MKN/2")), told)
        }),
        case("illegal_move", 422, |s| {
            let (id, players) = s.running();
            let told =
                json!({"rule": "marrakech.orient.about-turn", "ply": 1, "seat": 1, "expected": "N, E, W"});
            (players[0].play(&id, 1, "S"), told)
        }),
        case("illegal_move", 422, |s| {
            let told = json!({"rule": "marrakech.rug.under-assam", "line": 3, "column": 5, "word": 2, "ply": 2, "why": "Assam is on d7", "expected": null});
            (s.import("MKN/1 marrakech/1 seats=3\n\nN+3 d7e7 *\n"), told)
        }),
        case("score_mismatch", 422, |s| {
            let told = json!({"rule": "notation.marker.scores", "line": 5, "column": 1, "word": 3, "expected": "`= 0 0 30`"});
            (s.import("MKN/1 marrakech/1 seats=3\n\n!resign1\n!resign2\n= 0 0 31\n"), told)
        }),
        case("wrong_marker", 422, |s| {
            let told = json!({"rule": "notation.marker.kind", "line": 3, "column": 10, "word": 2, "why": "seat 2 must turn Assam", "expected": "`*`"});
            (s.import("MKN/1 marrakech/1 seats=3\n\n!resign1 = 0 30 30\n"), told)
        }),
        case("missing_marker", 400, |s| {
            let told = json!({"rule": "notation.marker.missing", "line": 4, "column": 1, "why": null, "expected": null});
            (s.import(&RECORD.replace(" *", "")), told)
        }),
        case("chance_not_yours", 422, |s| {
            let (id, players) = s.running();
            (players[0].play(&id, 1, "N+3"), json!({"word": 1}))
        }),
        case("chance_pending", 422, |s| {
            let (id, players) = s.running();
            let list = json!({"moves": ["N", "d6e6"]});
            (players[0].put(&format!("/v1/games/{id}/moves/1"), list), json!({"word": 1}))
        }),
        case("unauthenticated", 401, |s| {
            let headers = [("Authorization", "Bearer abc"), ("Content-Type", "application/json")];
            let body = r#"{"ruleset": "marrakech/1", "seats": ["open", "open"]}"#;
            (s.service.stranger().send("POST", "/v1/games", &headers, body), json!({}))
        }),
        case("unknown_ruleset", 422, |s| {
            (s.create(json!({"ruleset": "chess/1"})), json!({"expected": Ruleset::names(), "errors": null}))
        }),
        case("unknown_ruleset", 422, |s| {
            let told = json!({"rule": "notation.setup.unknown-ruleset", "line": 1, "column": 7, "expected": Ruleset::names()});
            (s.import(&RECORD.replace("marrakech/1", "marrakech/2")), told)
        }),
        case("unknown_option", 422, |s| {
            let told = json!({"rule": "notation.setup.unknown-option", "errors": null});
            (s.create(json!({"options": {"kover": "any"}})), told)
        }),
        case("unknown_option", 422, |s| {
            let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open", "open"]});
            (s.create(wanted), json!({"rule": "notation.setup.option-value", "errors": null}))
        }),
        case("impossible_position", 422, |s| {
            let position = "marrakech/1 seats=2 two_player=one-colour position=7/7/7/7/7/7/7;-;d4N;1;orient;31,30;r15b15;r;-";
            let told = json!({"rule": "marrakech.position.dirhams", "line": 1, "column": 52, "errors": null});
            (s.create(json!({"position": position})), told)
        }),
        case("not_finished", 422, |s| (s.import(RECORD), json!({}))),
        case("masked_record", 422, |s| {
            let hidden =
                "MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:????????????+r:???????????? !resign1\n= 0 0\n";
            (s.import(hidden), json!({}))
        }),
        case("idempotency_mismatch", 422, |s| {
            let key = format!("{:032x}", rand::random::<u128>());
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
            let create = |seats: Value| {
                let body = json!({"ruleset": "marrakech/1", "seats": seats}).to_string();
                s.service.stranger().send("POST", "/v1/games", &headers, body)
            };
            assert_eq!(create(json!(["open", "open"])).status, 201);
            (create(json!(["open", "open", "open"])), json!({}))
        }),
        case("game_removed", 410, |s| (s.taken_down(), json!({}))),
        case("request_timeout", 408, |s| (s.without_a_body(), json!({}))),
        case("too_many_requests", 429, |s| (s.once_too_often(), json!({}))),
        case("busy", 503, |s| (s.while_queue_is_full(), json!({}))),
        case("unavailable", 503, |s| (s.while_locked(|| s.create(json!({}))), json!({}))),
        case("cannot_write", 503, |s| {
            (s.while_unwritable(|| s.service.stranger().get("/readyz")), json!({}))
        }),
        case("internal", 500, |s| (s.damaged_game(), json!({}))),
    ]
}

/// Compares an answer with its case.
fn check(case: &Case, answer: &Answer, told: &Value) {
    assert_eq!(answer.problem(), case.code, "{}", answer.text);
    assert_eq!(answer.status, case.status, "{}", answer.text);
    let problem: BTreeMap<String, Value> = serde_json::from_str(&answer.text).unwrap();
    let told: BTreeMap<String, Value> = serde_json::from_value(told.clone()).unwrap();
    let members: BTreeSet<&str> = problem.keys().map(String::as_str).collect();
    let expected: BTreeSet<&str> = told.keys().map(String::as_str).chain(ALWAYS).collect();
    assert_eq!(members, expected, "{}", answer.text);
    for (member, value) in told.iter().filter(|(_, value)| !value.is_null()) {
        assert_eq!(problem[member], *value, "{member} of {}", answer.text);
    }
    assert!(problem.values().all(|value| !value.is_null()), "{}", answer.text);
    assert_eq!(answer.header("www-authenticate"), (case.status == 401).then_some("Bearer"));
    assert_eq!(answer.header("retry-after"), matches!(case.status, 429 | 503).then_some("1"));
    assert_eq!(answer.header("allow"), (case.status == 405).then_some("GET, HEAD, OPTIONS"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
}

#[test]
fn every_problem_is_answered_with_its_status_its_headers_and_exactly_its_members() {
    let backend = sqlite();
    let service = Service::start_on(&backend.url());
    let scene = Scene { backend: &backend, service: &service };
    for case in cases() {
        let (answer, told) = (case.ask)(&scene);
        check(&case, &answer, &told);
    }
}

#[test]
fn every_code_that_the_service_lists_is_reached_by_a_case_above_with_the_status_that_it_lists() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let list = service.stranger().get("/v1/problems").json();
    let listed: BTreeSet<(String, u64)> = list["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|page| (page["code"].as_str().unwrap().to_owned(), page["status"].as_u64().unwrap()))
        .collect();
    let reached: BTreeSet<(String, u64)> =
        cases().iter().map(|case| (case.code.to_owned(), case.status.into())).collect();
    assert_eq!(listed, reached);
}

#[test]
fn a_failure_of_ours_is_told_by_the_id_of_its_request_alone_and_the_log_says_the_cause_of_that_request() {
    let backend = sqlite();
    let directory = tempfile::tempdir().unwrap();
    let log = directory.path().join("log");
    let service = Service::start_logging(&backend, "error", &log);
    let scene = Scene { backend: &backend, service: &service };
    let mut ids = BTreeSet::new();
    for _ in 0..2 {
        let refused = scene.damaged_game();
        let path = refused.json()["instance"].as_str().unwrap().to_owned();
        Examples::check_one("GET", &path, "internal", &refused);
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        let id = detail.strip_prefix("an unexpected failure. The request id is ").unwrap();
        assert_eq!(refused.header("x-request-id"), Some(id));
        assert!(ids.insert(id.to_owned()), "every request has its own");
    }
    let log = std::fs::read_to_string(&log).unwrap();
    for (id, line) in ids.iter().zip(log.lines()) {
        assert!(log.lines().any(|line| line.contains(id)), "{log}");
        assert!(line.contains("internal: the stored log of game"), "{log}");
    }
    assert_eq!(log.lines().count(), 2, "{log}");
}
