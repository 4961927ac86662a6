//! Bodies that are malformed, of another type, or too large.

use std::io::{Read, Write};
use std::net::TcpStream;

use serde_json::json;

use super::scene;
use crate::harness::{Answer, Service, sqlite};

const FIELDS_LIMIT: usize = 16 * 1024;
const RECORD_LIMIT: usize = 6 * 65_536 + 1024;

/// Returns method, path, body, code, and what the detail names.
fn bodies(id: &str) -> Vec<(&'static str, String, &'static str, &'static str, &'static str)> {
    let (games, moves) = ("/v1/games".to_owned(), format!("/v1/games/{id}/moves/2"));
    let (seat, other) = (format!("/v1/games/{id}/seats/1"), format!("/v1/games/{id}/seats/2"));
    let game = |rest: &'static str| ("POST", games.clone(), rest);
    let mv = |body: &'static str| ("PUT", moves.clone(), body);
    let take = |body: &'static str| ("PUT", other.clone(), body);
    let name = |body: &'static str| ("PATCH", seat.clone(), body);
    let import = |body: &'static str| ("POST", "/v1/imports".to_owned(), body);
    let validate = |body: &'static str| ("POST", "/v1/validate".to_owned(), body);
    [
        (game(""), "bad_json", "`ruleset`"),
        (game("[\"marrakech/1\", [\"open\", \"open\"]]"), "bad_json", "JSON object"),
        (game("null"), "bad_json", "JSON object"),
        (game("{\"ruleset\":\"marrakech/1\"}"), "bad_json", "`seats`"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":3}"), "bad_json", "array"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"ai\",\"open\"]}"), "bad_json", "`solitaire-ai`"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[]}"), "bad_request", "2 to 4 items"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"]} {}"), "bad_json", "not JSON: line 1"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"visibility\":\"secret\"}"), "bad_json", "`private`"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"patience_hours\":0}"), "bad_request", "patience_hours"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"patience_hours\":8761}"), "bad_request", "8760"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"patience_hours\":-1}"), "bad_request", "-1"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"join_code\":\"x\"}"), "bad_request", "join_code"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"visibility\":\"private\"}"), "bad_request", "join_code"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"options\":{\"cover\":[\"any\"]}}"), "bad_json", "must be a string or a whole number"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"options\":{\"start_dirhams\":-1}}"), "bad_request", "0 to 4294967295"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"options\":{\"start_dirhams\":4000000000}}"), "unknown_option", "start_dirhams"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"options\":{\"cover\":\"all\"}}"), "unknown_option", "opponents, any"),
        (game("{\"ruleset\":\"marrakech/1\",\"seats\":[\"open\",\"open\"],\"extra\":{\"deep\":[1,{}]}}"), "unknown_field", "`extra`"),
        (mv(""), "bad_json", "is empty"),
        (mv("{}"), "bad_json", "`move`"),
        (mv("\"N\""), "bad_json", "JSON object"),
        (mv("{\"move\":1}"), "bad_json", "must be a string"),
        (mv("{\"moves\":\"N\"}"), "bad_json", "array"),
        (mv("{\"moves\":[null]}"), "bad_json", "null"),
        (mv("{\"moves\":[]}"), "bad_request", "no move"),
        (mv("{\"moves\":[\"!abort\",\"N\"]}"), "bad_request", "alone"),
        (mv("{\"move\":\"N\",\"move\":\"E\"}"), "bad_json", "twice"),
        (mv("{\"ply\":2}"), "unknown_field", "`ply`"),
        (mv("{\"move\":\"\"}"), "notation_syntax", "compass"),
        (mv("{\"move\":\" N\"}"), "notation_syntax", "compass"),
        (mv("{\"move\":\"N \"}"), "notation_syntax", "more follows"),
        (mv("{\"move\":\"d6\\u0000e6\"}"), "notation_syntax", "rug"),
        (mv("{\"move\":\"+3\"}"), "chance_not_yours", "decision"),
        (take("[]"), "bad_json", "JSON object"),
        (take("{\"name\":7}"), "bad_json", "must be a string"),
        (take("{\"name\":\"\"}"), "bad_request", "1 to 64"),
        (take("{\"name\":\" x\"}"), "bad_request", "blanks"),
        (take("{\"name\":\"a\\nb\"}"), "bad_request", "control"),
        (take("{\"entropy\":\"ABC\"}"), "bad_request", "64 lower-case hex"),
        (take("{\"seat\":{\"name\":\"x\"}}"), "unknown_field", "`seat`"),
        (name("{}"), "bad_json", "`name`"),
        (name(""), "bad_json", "`name`"),
        (name("{\"name\":\"x\",\"entropy\":null}"), "unknown_field", "`entropy`"),
        (import(""), "bad_json", "is empty"),
        (import("{\"record\":[]}"), "bad_json", "array"),
        (import("{\"record\":\"\",\"tags\":{\"a\":1}}"), "unknown_field", "`tags`"),
        (validate("{}"), "bad_json", "`record`"),
        (validate("{\"record\":\"\",\"x\":1}"), "unknown_field", "`x`"),
    ]
    .into_iter()
    .map(|((method, path, body), code, named)| (method, path, body, code, named))
    .collect()
}

#[test]
fn a_body_that_is_malformed_or_empty_or_has_a_field_too_many_is_refused_by_the_name_of_what_is_wrong() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    for (method, path, body, code, named) in bodies(&id) {
        let answer = players[0].send(method, &path, &[("Content-Type", "application/json")], body);
        assert_eq!(answer.problem(), code, "{method} {path} {body}: {}", answer.text);
        let detail = answer.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.contains(named), "{body}: {detail}");
        assert!(!detail.contains("enum") && !detail.contains("struct"), "in words, not in Rust: {detail}");
    }
    assert_eq!(players[0].get(&format!("/v1/games/{id}")).json()["head"]["ply"], 1, "nothing was written");
}

#[test]
fn a_body_is_json_or_text_in_utf_8_and_every_other_media_type_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    let moves = format!("/v1/games/{id}/moves/2");
    let seat = format!("/v1/games/{id}/seats/1");
    let both = [("POST", "/v1/validate"), ("POST", "/v1/imports"), ("PUT", moves.as_str())];
    let json_only = [("POST", "/v1/games"), ("PUT", seat.as_str()), ("PATCH", seat.as_str())];
    let send = |(method, path): (&str, &str), media_type: &str, body: &[u8]| {
        players[0].send(method, path, &[("Content-Type", media_type)], body)
    };
    for place in both.into_iter().chain(json_only) {
        for wrong in [
            "text/html",
            "application/jsonp",
            "application/json+x",
            "application/x-www-form-urlencoded",
            "*/*",
            "json",
            "application/json; charset=latin1",
            "text/plain;charset=\"utf-16\"",
        ] {
            let refused = send(place, wrong, b"{}");
            assert_eq!(refused.problem(), "unsupported_media_type", "{place:?} {wrong}");
            let taken =
                if both.contains(&place) { "application/json, text/plain" } else { "application/json" };
            assert_eq!(refused.header("accept"), Some(taken));
        }
        for json in ["application/json; charset=utf-8", "Application/JSON ;x=y"] {
            assert_eq!(send(place, json, b"{").problem(), "bad_json", "{place:?}");
        }
        assert_eq!(send(place, "application/json", b"{\"\xff\":1}").problem(), "bad_json", "{place:?}");
    }
    let answer = send(both[2], "text/plain", b"MKN/1 \xff");
    assert_eq!(
        (answer.problem().as_str(), &answer.json()["detail"]),
        ("bad_request", &json!("the body is not UTF-8"))
    );
    // Errors of records include the place of invalid UTF-8.
    let (judged, imported) =
        (send(both[0], "text/plain", b"MKN/1 \xff"), send(both[1], "text/plain", b"MKN/1 \xff"));
    for error in [&judged.json()["error"], &imported.json()] {
        assert_eq!((&error["rule"], &error["column"]), (&json!("notation.text.utf8"), &json!(7)));
    }
    for place in json_only {
        assert_eq!(send(place, "text/plain", b"{}").problem(), "unsupported_media_type", "{place:?}");
    }
}

#[test]
fn null_stands_for_what_is_not_given_in_a_new_game() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "options": null, "position": null,
        "visibility": null, "join_code": null, "patience_hours": null,
        "take": {"seat": 1, "name": null, "forced": null}});
    let game = player.post("/v1/games", wanted);
    assert_eq!(game.status, 201, "{}", game.text);
    assert_eq!(game.json()["visibility"], "public");
    let seat = format!("/v1/games/{}/seats/2", game.json()["id"].as_str().unwrap());
    let taken = service
        .player()
        .put(&seat, json!({"name": null, "entropy": null, "forced": null, "join_code": null}));
    assert_eq!((taken.status, &taken.json()["seats"][1]["forced"]), (201, &json!("ask")), "{}", taken.text);
}

#[test]
fn a_body_of_exactly_the_limit_is_taken_and_one_byte_more_is_too_large() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = scene(&service);
    let seat = format!("/v1/games/{id}/seats/1");
    let padded = |body: &str, length: usize| " ".repeat(length - body.len()) + body;
    for (method, path, limit, body) in [
        ("POST", "/v1/games", FIELDS_LIMIT, r#"{"ruleset":"marrakech/1","seats":["open","open"]}"#),
        ("PUT", &seat, FIELDS_LIMIT, "{}"),
        ("PATCH", &seat, FIELDS_LIMIT, r#"{"name":null}"#),
        ("PUT", &format!("/v1/games/{id}/moves/1"), FIELDS_LIMIT, r#"{"move":"N"}"#),
        ("POST", "/v1/imports", RECORD_LIMIT, r#"{"record":"MKN/1 marrakech/1 seats=3\n\n!abort = -"}"#),
        ("POST", "/v1/validate", RECORD_LIMIT, r#"{"record":"MKN/1 marrakech/1 seats=3\n\n!abort = -"}"#),
    ] {
        let taken = players[0].send(method, path, &[], padded(body, limit));
        assert!(matches!(taken.status, 200 | 201), "{method} {path}: {}", taken.text);
        let refused = players[0].send(method, path, &[], padded(body, limit + 1));
        assert_eq!((refused.problem().as_str(), refused.status), ("too_large", 413));
        assert_eq!(refused.json()["detail"], format!("the body has more than {limit} bytes"));
    }
}

/// Sends a body of 10 MB over a plain socket, and only then reads the answer.
fn send_much(service: &Service, method: &str, path: &str, is_chunked: bool) -> String {
    let mut stream = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
    let megabyte = vec![b' '; 1 << 20];
    let framing = if is_chunked { "Transfer-Encoding: chunked" } else { "Content-Length: 10485760" };
    let secret = "0a".repeat(32);
    let head =
        format!("{method} {path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {secret}\r\n{framing}\r\n\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    for _ in 0..10 {
        if is_chunked {
            stream.write_all(b"100000\r\n").unwrap();
        }
        stream.write_all(&megabyte).unwrap();
        if is_chunked {
            stream.write_all(b"\r\n").unwrap();
        }
    }
    if is_chunked {
        stream.write_all(b"0\r\n\r\n").unwrap();
    }
    let mut answer = Vec::new();
    let mut buffer = [0; 4096];
    while !answer.ends_with(b"}") {
        match stream.read(&mut buffer).unwrap() {
            0 => break,
            read => answer.extend_from_slice(&buffer[..read]),
        }
    }
    String::from_utf8(answer).unwrap()
}

#[test]
fn who_sends_ten_megabytes_before_reading_still_gets_to_read_why_they_are_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, _) = scene(&service);
    let moves = format!("/v1/games/{id}/moves/2");
    let unknown = format!("/v1/games/{}", "0".repeat(32));
    let (seat, rename) = (format!("{unknown}/seats/1"), format!("/v1/games/{id}/seats/1"));
    for (method, path, code) in [
        ("POST", "/v1/games", "too_large"),
        ("POST", "/v1/validate", "too_large"),
        ("POST", "/v1/imports", "too_large"),
        ("PUT", &moves, "too_large"),
        ("PATCH", &rename, "too_large"),
        ("PUT", &seat, "game_not_found"),
        ("POST", "/nowhere", "route_not_found"),
        ("DELETE", "/v1/games", "method_not_allowed"),
    ] {
        for is_chunked in [false, true] {
            let answer = send_much(&service, method, path, is_chunked);
            assert!(
                answer.contains(&format!("\"code\":\"{code}\"")),
                "{method} {path} {is_chunked}: {answer}"
            );
        }
    }
    let alive: Answer = service.stranger().get("/readyz");
    assert_eq!(alive.status, 200);
}

#[test]
fn what_a_rule_set_or_the_table_refuses_is_named_by_its_pointer_or_its_parameter() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let two = json!(["open", "open"]);
    for (wanted, pointer) in [
        (json!({"ruleset": "marrakech/9", "seats": two}), "/ruleset"),
        (json!({"ruleset": "marrakesh/1", "seats": ["open", "open", "open"]}), "/seats"),
        (json!({"ruleset": "marrakech/1", "seats": ["open", "solitaire-ai"]}), "/seats/1"),
        (json!({"ruleset": "marrakech/1", "seats": two, "options": {"cover": "none"}}), "/options/cover"),
        (json!({"ruleset": "marrakech/1", "seats": two, "options": {"a/b~c": "x"}}), "/options/a~1b~0c"),
        (json!({"ruleset": "marrakech/1", "seats": two, "take": {"seat": 3}}), "/take"),
        (json!({"ruleset": "marrakech/1", "seats": two, "position": "x"}), "/position"),
    ] {
        let told = player.post("/v1/games", wanted).json();
        assert_eq!(told["errors"], json!([{"pointer": pointer, "detail": told["detail"]}]), "{told}");
    }
    for (query, parameter) in [
        ("ruleset=marrakech", "ruleset"),
        ("cursor=abc", "cursor"),
        ("status=x", "status"),
        ("a/b~1=x", "a/b~1"),
    ] {
        let told = player.get(&format!("/v1/games?{query}")).json();
        assert_eq!(told["errors"][0]["parameter"], parameter, "{told}");
    }
}
