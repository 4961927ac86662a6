//! Standards for bodies: gzip, and JSON with unique names.

use std::collections::BTreeSet;
use std::io::Write;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use super::APPLICATION_JSON;
use crate::harness::{Answer, Client, DOCUMENT, Service, operation, sqlite};

const FIELDS_LIMIT: usize = 16 * 1024;
const RECORD_LIMIT: usize = 6 * 65_536 + 1024;

const RECORD: &str = "MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n";
const TEXT: &str = "text/plain";

fn gzip(body: impl AsRef<[u8]>) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(body.as_ref()).unwrap();
    encoder.finish().unwrap()
}

/// A request: method, path, media type, body.
type Sent = (&'static str, String, &'static str, String);

/// Returns a repeatable request for every way of taking a body, and the player who sends them.
fn taken(service: &Service) -> (Client<'_>, Vec<Sent>) {
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let open = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let open_id = players[0].post("/v1/games", open.clone()).json()["id"].as_str().unwrap().to_owned();
    let seat = |id: &str| format!("/v1/games/{id}/seats/1");
    let (moves, record) = (format!("/v1/games/{id}/moves/1"), json!({"record": RECORD}).to_string());
    let [imports, validate, picture, analysis] =
        ["/v1/imports", "/v1/validate", "/v1/validate/picture", "/v1/analysis"].map(str::to_owned);
    let (waiting, _, round) = service.waiting_for_beacon();
    let sent = vec![
        ("POST", "/v1/games".to_owned(), APPLICATION_JSON, open.to_string()),
        ("PUT", seat(&open_id), APPLICATION_JSON, json!({"name": "Aïsha"}).to_string()),
        ("PATCH", seat(&id), APPLICATION_JSON, json!({"name": "Zoë"}).to_string()),
        // The seat's own secret, so nothing changes.
        ("PUT", seat(&id) + "/secret", APPLICATION_JSON, json!({"secret": players[0].secret}).to_string()),
        ("PUT", moves.clone(), APPLICATION_JSON, json!({"move": "N"}).to_string()),
        ("PUT", moves, TEXT, "N".to_owned()),
        ("POST", imports.clone(), APPLICATION_JSON, record.clone()),
        ("POST", imports, TEXT, RECORD.to_owned()),
        ("POST", validate.clone(), APPLICATION_JSON, record.clone()),
        ("POST", analysis.clone(), APPLICATION_JSON, record.clone()),
        ("POST", analysis, TEXT, RECORD.to_owned()),
        ("POST", picture.clone(), APPLICATION_JSON, record),
        ("POST", picture, TEXT, RECORD.to_owned()),
        ("POST", validate, TEXT, RECORD.to_owned()),
        (
            "POST",
            "/v1/outcomes".to_owned(),
            APPLICATION_JSON,
            json!({"positions": [{"position": "MKN/1 marrakech/1 seats=2"}]}).to_string(),
        ),
        ("POST", "/log/cosignatures".to_owned(), TEXT, service.cosigned()),
        ("PUT", waiting + "/beacon", APPLICATION_JSON, round.to_string()),
    ];
    (players[0].clone(), sent)
}

/// Sends a body that declares its encoding.
fn send_packed(
    client: &Client<'_>,
    (method, path, media_type, _): &Sent,
    encodings: &[&str],
    body: &[u8],
) -> Answer {
    let mut headers = vec![("Content-Type", *media_type)];
    headers.extend(encodings.iter().map(|encoding| ("Content-Encoding", *encoding)));
    client.send(method, path, &headers, body)
}

#[test]
fn a_body_packed_with_gzip_is_taken_wherever_a_body_is_taken() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let with_body: BTreeSet<String> = DOCUMENT["paths"]
        .as_object()
        .unwrap()
        .iter()
        .flat_map(|(path, item)| item.as_object().unwrap().iter().map(move |(m, it)| (path, m, it)))
        .filter(|(.., operation)| operation.get("requestBody").is_some())
        .map(|(path, method, _)| format!("{method} {path}"))
        // Their bodies are many records, with separate tests.
        .filter(|operation| !operation.ends_with("/bulk"))
        .collect();
    let mut seen = BTreeSet::new();
    let (player, requests) = taken(&service);
    for sent @ (method, path, media_type, body) in &requests {
        seen.extend(operation(method, path));
        let (one, other) = body.split_at(1);
        let in_two = [gzip(one), gzip(other)].concat();
        let packed = gzip(body);
        let key = format!("{:032x}", rand::random::<u128>());
        for (encoding, bytes) in [
            ("gzip", &packed),
            ("GZip", &packed),
            ("x-gzip", &packed),
            ("gzip", &in_two),
            ("identity", &body.clone().into_bytes()),
        ] {
            let headers = |encoding| {
                [
                    ("Content-Type", *media_type),
                    ("Content-Encoding", encoding),
                    ("Idempotency-Key", key.as_str()),
                ]
            };
            let answer = player.send(method, path, &headers(encoding), bytes);
            assert!(matches!(answer.status, 200 | 201 | 204), "{sent:?} {encoding}: {}", answer.text);
            let repeated = if answer.status == 204 { 204 } else { 200 };
            let plain = player.send(method, path, &headers("identity")[..], body);
            assert_eq!((plain.status, plain.text), (repeated, answer.text), "{sent:?} {encoding}");
        }
    }
    assert_eq!(seen, with_body, "{}", backend.name());
}

#[test]
fn a_packed_body_may_unpack_to_exactly_the_limit_and_is_unpacked_no_further() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (player, requests) = taken(&service);
    for sent @ (_, path, media_type, body) in requests.iter().filter(|sent| sent.2 == APPLICATION_JSON) {
        let is_record =
            ["/v1/imports", "/v1/analysis"].contains(&path.as_str()) || path.starts_with("/v1/validate");
        let limit = if is_record { RECORD_LIMIT } else { FIELDS_LIMIT };
        let limit = if path == "/v1/outcomes" { 256 * 1024 } else { limit };
        let padded = |length: usize| gzip(" ".repeat(length - body.len()) + body);
        let taken = send_packed(&player, sent, &["gzip"], &padded(limit));
        assert!(matches!(taken.status, 200 | 201 | 204), "{path} {media_type}: {}", taken.text);
        // Nothing is read past the limit, so the broken end goes unnoticed.
        let mut broken = padded(8 << 20);
        let end = broken.len() - 8;
        broken[end..].fill(0xff);
        assert!(broken.len() < FIELDS_LIMIT, "{}", broken.len());
        for bytes in [padded(limit + 1), padded(8 << 20), broken] {
            let refused = send_packed(&player, sent, &["gzip"], &bytes);
            assert_eq!((refused.problem().as_str(), refused.status), ("too_large", 413), "{path}");
            assert_eq!(refused.json()["detail"], format!("the body has more than {limit} bytes"));
        }
    }
}

#[test]
fn a_body_that_says_gzip_and_is_not_or_breaks_off_is_refused_and_changes_nothing() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (player, requests) = taken(&service);
    let games = player.get("/v1/games").text;
    for sent @ (_, path, _, body) in &requests {
        let packed = gzip(body);
        let mut other_sum = packed.clone();
        let sum = packed.len() - 8;
        other_sum[sum] ^= 1;
        for wrong in [
            body.as_bytes(),
            &packed[..packed.len() - 1],
            &packed[..9],
            &packed[1..],
            &other_sum,
            &[&packed[..], b"and more"].concat(),
            b"\x1f",
        ] {
            let refused = send_packed(&player, sent, &["gzip"], wrong);
            assert_eq!((refused.problem().as_str(), refused.status), ("bad_request", 400), "{sent:?}");
            assert_eq!(refused.json()["detail"], "the body is not gzip", "{path}");
        }
    }
    assert_eq!(player.get("/v1/games").text, games, "{}", backend.name());
}

#[test]
fn a_body_that_is_packed_otherwise_is_told_that_gzip_would_be_taken() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (player, requests) = taken(&service);
    for sent @ (_, _, _, body) in &requests {
        let (once, twice) = (gzip(body), gzip(gzip(body)));
        let cases: [(&[&str], &[u8]); 9] = [
            (&["br"], &once),
            (&["compress"], &once),
            (&["deflate"], &once),
            (&["zstd"], &once),
            (&["gzip, gzip"], &twice),
            (&["gzip,br"], &once),
            // Two fields are one list (RFC 9110, section 5.3).
            (&["gzip", "gzip"], &twice),
            (&["gzip", "br"], &once),
            (&["identity", "br"], body.as_bytes()),
        ];
        for (encodings, bytes) in cases {
            let refused = send_packed(&player, sent, encodings, bytes);
            let code = refused.problem();
            assert_eq!((code.as_str(), refused.status), ("unsupported_media_type", 415), "{encodings:?}");
            assert_eq!((refused.header("accept-encoding"), refused.header("accept")), (Some("gzip"), None));
            assert!(refused.json()["detail"].as_str().unwrap().contains("gzip"), "{}", refused.text);
        }
    }
}

/// Marks the second of two equal names in a body.
const HERE: char = '¦';

#[test]
fn a_name_that_stands_twice_in_a_json_object_is_refused_by_its_place_at_every_depth() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let (seat, moves) = (format!("/v1/games/{id}/seats/1"), format!("/v1/games/{id}/moves/1"));
    let games = players[0].get("/v1/games").text;
    for (method, path, body) in [
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],¦"ruleset":"marrakech/1"}"#,
        ),
        (
            "POST",
            "/v1/games",
            "{\n  \"ruleset\": \"marrakech/1\",\n  \"seats\": [\"open\", \"open\"],\n  ¦\"seats\": []\n}",
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],¦"rules\u0065t":"marrakesh/1"}"#,
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],"options":{"cover":"any",¦"cover":"any"}}"#,
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open",{"kind":"open",¦"kind":"random"}]}"#,
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],"take":{"seat":1,¦"seat":2}}"#,
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],"take":{"seat":1,"name":{"a":[{"":0,¦"":0}]}}}"#,
        ),
        (
            "POST",
            "/v1/games",
            r#"{"ruleset":"marrakech/1","seats":["open","open"],"x":[[[{"é":[],"y":{"é":1},¦"é":null}]]]}"#,
        ),
        ("PUT", &seat, r#"{"name":"a",¦"name":"a"}"#),
        ("PUT", &seat, r#"{"join_code":"a",¦"join_code":"b"}"#),
        ("PATCH", &seat, r#"{"name":null,¦"name":"a"}"#),
        ("PUT", &moves, r#"{"move":"N",¦"move":"N"}"#),
        ("PUT", &moves, r#"{"moves":[{"a at line 9":1,¦"a at line 9":1}]}"#),
        ("POST", "/v1/imports", r#"{"record":"",¦"record":""}"#),
        ("POST", "/v1/validate", r#"{"record":{"a":1,¦"a":1}}"#),
    ] {
        let (before, after) = body.split_once(HERE).unwrap();
        let headers = [("Content-Type", APPLICATION_JSON)];
        let refused = players[0].send(method, path, &headers, body.replace(HERE, ""));
        assert_eq!((refused.problem().as_str(), refused.status), ("bad_json", 400), "{body}");
        let told = refused.json();
        let name = &after[..1 + after[1..].find('"').unwrap() + 1];
        let read: String = serde_json::from_str(name).unwrap();
        let detail = told["detail"].as_str().unwrap();
        let line = before.matches('\n').count() + 1;
        // In bytes, as serde_json counts: anywhere in the second name.
        let first = before.len() - before.rfind('\n').map_or(0, |at| at + 1) + 1;
        let column = told["column"].as_u64().unwrap();
        let place = format!("the name {read:?} appears twice in one object: line {line}, column {column}");
        assert_eq!((detail, &told["line"]), (place.as_str(), &json!(line)), "{body}");
        assert!((first..=first + name.len()).contains(&(column as usize)), "{body}: {detail}");
    }
    assert_eq!(players[0].get("/v1/games").text, games, "{}", backend.name());
    // The same name in two objects is fine.
    let wanted =
        r#"{"ruleset":"marrakech/1","seats":["open","open"],"take":{"seat":1,"name":"seats"},"options":{}}"#;
    assert_eq!(
        players[0].send("POST", "/v1/games", &[("Content-Type", APPLICATION_JSON)], wanted).status,
        201
    );
}

#[test]
fn a_long_name_that_stands_twice_is_not_repeated_whole() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let name = "é".repeat(7_000 / 2);
    for path in ["/v1/games", "/v1/validate"] {
        let body = format!("{{\"{name}\":1,\"{name}\":1}}");
        let refused = service.stranger().send("POST", path, &[("Content-Type", APPLICATION_JSON)], body);
        assert_eq!(refused.problem(), "bad_json");
        let detail = refused.json()["detail"].as_str().unwrap().to_owned();
        assert!(detail.starts_with("the name \"éééé") && detail.contains("appears twice"), "{detail}");
        assert!(refused.bytes.len() < 1000, "{} bytes", refused.bytes.len());
    }
}
