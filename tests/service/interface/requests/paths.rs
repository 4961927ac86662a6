//! Requests to wrong places or wrong names.

use serde_json::json;

use super::scene;
use crate::harness::{Service, sqlite};

const METHODS: [&str; 5] = ["GET", "POST", "PUT", "PATCH", "DELETE"];

#[test]
fn a_method_that_a_path_has_not_is_refused_and_allow_lists_those_that_it_has() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    let mut refused = 0;
    for (path, methods) in service.routes(&id) {
        let allowed: Vec<&str> =
            METHODS.into_iter().filter(|method| methods.iter().any(|m| m == method)).collect();
        let allow = allowed.join(", ").replace("GET", "GET, HEAD") + ", OPTIONS";
        for method in METHODS.into_iter().chain(["TRACE", "BREW"]).filter(|m| !allowed.contains(m)) {
            let answer = players[0].send(method, &path, &[], "");
            assert_eq!(
                (answer.problem().as_str(), answer.status),
                ("method_not_allowed", 405),
                "{method} {path}"
            );
            assert_eq!(answer.header("allow"), Some(allow.as_str()), "{method} {path}");
            assert_eq!(answer.json()["instance"], path.split('?').next().unwrap());
            refused += 1;
        }
        if !allowed.contains(&"GET") {
            let head = players[0].send("HEAD", &path, &[], "");
            assert_eq!((head.status, head.header("allow")), (405, Some(allow.as_str())));
        }
    }
    assert!(refused > 100, "{refused}");
}

#[test]
fn head_is_answered_with_the_headers_of_get_and_without_its_body() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    let mut paths = service.readable(&id);
    paths.extend(["/docs".to_owned(), "/nowhere".to_owned(), format!("/v1/games/{id}/states/99")]);
    for path in paths {
        let get = players[1].get(&path);
        let head = players[1].send("HEAD", &path, &[], "");
        assert_eq!((head.status, head.all_headers()), (get.status, get.all_headers()), "{path}");
        assert!(head.bytes.is_empty());
        if !get.bytes.is_empty() {
            assert_eq!(head.header("content-length"), Some(get.bytes.len().to_string().as_str()));
        }
    }
}

#[test]
fn what_is_at_no_path_is_a_problem_too() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for path in [
        "/v1",
        "/v1/",
        "/v2/games",
        "/v1/games/",
        "/v1/GAMES",
        "//v1/games",
        "/v1/games/x/y",
        "/v1//games",
        "/v1/rulesets/marrakech",
        "/docs/no.js",
        "/v1/games%2F1",
        "/%FF",
        "/openapi.yaml",
        "/metrics",
    ] {
        for method in ["GET", "POST", "DELETE"] {
            let answer = service.stranger().send(method, path, &[], "");
            assert_eq!(
                (answer.problem().as_str(), answer.status),
                ("route_not_found", 404),
                "{method} {path}"
            );
        }
    }
    let detail = |path: &str| service.stranger().get(path).json()["detail"].clone();
    assert_eq!(detail("/v1/games/"), "there is nothing at this path. Leave out the slash at its end");
    assert_eq!(detail("/v1/"), "there is nothing at this path");
}

#[test]
fn ids_plies_and_seats_that_are_malformed_are_refused_and_never_fail() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    let upper = id.to_uppercase();
    for wrong in [
        "0",
        "null",
        "%00",
        "%FF",
        "'",
        "%27%20OR%201=1",
        "%C3%A9",
        upper.as_str(),
        &id[..31],
        &format!("{id}0"),
    ] {
        let answer = players[0].get(&format!("/v1/games/{wrong}"));
        assert_eq!(answer.problem(), "game_not_found", "{wrong}");
    }
    let number = json!({"move": "N"});
    for wrong in
        ["-1", "+1", "01", "1.0", "1e0", "0x1", "one", "%201", "4294967296", "99999999999999999999", "%00"]
    {
        for read in [
            format!("states/{wrong}"),
            format!("states/{wrong}.svg"),
            format!("moves/{wrong}"),
            format!("score?ply={}", wrong.replace('+', "%2B")),
        ] {
            let answer = players[0].get(&format!("/v1/games/{id}/{read}"));
            assert_eq!(answer.problem(), "bad_request", "{read}");
        }
        let written = players[0].put(&format!("/v1/games/{id}/moves/{wrong}"), number.clone());
        assert_eq!(written.problem(), "bad_request", "{wrong}");
        let taken = service.player().put(&format!("/v1/games/{id}/seats/{wrong}"), json!({}));
        assert_eq!(taken.problem(), "bad_request", "{wrong}");
    }
    for beyond in ["2", "4294967295"] {
        for read in ["states/", "moves/", "score?ply="] {
            assert_eq!(players[0].get(&format!("/v1/games/{id}/{read}{beyond}")).problem(), "ply_not_found");
        }
    }
    assert_eq!(players[0].play(&id, 4_294_967_295, "N").problem(), "ply_gap");
    assert_eq!(players[0].play(&id, 0, "N").problem(), "bad_request");
    for wrong in ["0", "3", "256", "257", "4294967295"] {
        let path = format!("/v1/games/{id}/seats/{wrong}");
        let told = "the seats of this game are 1 to 2";
        for answer in [service.player().put(&path, json!({})), players[0].patch(&path, json!({"name": null}))]
        {
            assert_eq!(
                (answer.problem().as_str(), &answer.json()["detail"]),
                ("seat_not_found", &json!(told))
            );
        }
    }
}

#[test]
fn a_query_that_names_a_parameter_twice_or_an_unknown_one_or_a_malformed_value_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, _) = scene(&service);
    let cursor = |text: &str| format!("cursor={}", hex::encode(text));
    for (query, code) in [
        ("limit=1&limit=2", "bad_request"),
        ("status=open&status=open,open&status=open,open", "bad_request"),
        ("status=open&status=over", "bad_request"),
        ("offset=3", "bad_request"),
        ("limit", "bad_request"),
        ("limit=", "bad_request"),
        ("limit=0", "bad_request"),
        ("limit=101", "bad_request"),
        ("limit=-1", "bad_request"),
        ("limit=1.5", "bad_request"),
        ("status=over", "bad_request"),
        ("status=Open", "bad_request"),
        ("player=%00", "bad_request"),
        ("player=me", "bad_request"),
        ("ruleset=%00", "unknown_ruleset"),
        ("ruleset=marrakech", "unknown_ruleset"),
        ("cursor=", "bad_request"),
        ("cursor=zz", "bad_request"),
        (cursor("0:\0").as_str(), "bad_request"),
        (cursor("0").as_str(), "bad_request"),
        (cursor("99999999999999999999:0").as_str(), "bad_request"),
    ] {
        let answer = service.stranger().get(&format!("/v1/games?{query}"));
        assert_eq!(answer.problem(), code, "{query}: {}", answer.text);
    }
    for query in ["ply=0&ply=0", "Ply=0", "ply=", "ply"] {
        let answer = service.stranger().get(&format!("/v1/games/{id}/score?{query}"));
        assert_eq!(answer.problem(), "bad_request", "{query}: {}", answer.text);
    }
    for query in ["theme=blue", "theme=light&theme=dark", "board_only=1", "board_only=true&_=1&theme="] {
        let answer = service.stranger().get(&format!("/v1/games/{id}/states/0.svg?{query}"));
        assert_eq!(answer.problem(), "bad_request", "{query}: {}", answer.text);
    }
}

#[test]
fn a_refusal_repeats_no_more_of_what_was_sent_than_tells_what_is_meant() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let long = "x".repeat(5000);
    let queries = [format!("{long}=1"), (0..500).map(|n| format!("p{n}=1")).collect::<Vec<_>>().join("&")];
    for query in queries {
        for path in ["/v1/games", "/v1/limits"] {
            let refused = service.stranger().get(&format!("{path}?{query}"));
            assert_eq!(refused.problem(), "bad_request");
            assert!(refused.bytes.len() < 6000, "{}", refused.text);
        }
    }
    let fields: Vec<String> = (0..900).map(|n| format!("\"f{n}\":0")).collect();
    for body in [format!("{{\"{long}\":1}}"), format!("{{{}}}", fields.join(","))] {
        let refused =
            service.stranger().send("POST", "/v1/games", &[("Content-Type", "application/json")], body);
        assert_eq!(refused.problem(), "bad_json");
        assert!(refused.bytes.len() < 9000, "{}", refused.text);
    }
}
