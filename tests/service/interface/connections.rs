//! Connections of clients under HTTP/1.1 (RFC 9112, sections 9.3 to 9.6) and HTTP/1.0: no response is lost.

use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::events::SSE;
use crate::harness::{Service, comes, sqlite};

/// A response on the wire.
#[derive(Debug)]
struct Response {
    head: String,
    body: String,
}

impl Response {
    fn status(&self) -> u16 {
        self.head.split(' ').nth(1).unwrap().parse().unwrap()
    }

    fn header(&self, name: &str) -> Option<&str> {
        let mut fields = self.head.lines().filter_map(|line| line.split_once(": "));
        fields.find(|(known, _)| known.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// A connection.
fn connect(service: &Service) -> TcpStream {
    let wire = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
    wire.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    wire
}

/// Reads to the end of a connection.
fn rest(mut wire: TcpStream) -> Vec<Response> {
    let mut all = Vec::new();
    wire.read_to_end(&mut all).unwrap();
    responses(&String::from_utf8(all).unwrap())
}

/// Splits responses. One without a length ends with the connection.
fn responses(mut text: &str) -> Vec<Response> {
    let mut responses = Vec::new();
    while let Some((head, after)) = text.split_once("\r\n\r\n") {
        let mut response = Response { head: head.to_owned(), body: String::new() };
        if response.header("transfer-encoding") == Some("chunked") {
            text = after;
            loop {
                let (size, after) = text.split_once("\r\n").expect("the last chunk");
                let size = usize::from_str_radix(size, 16).unwrap();
                response.body += &after[..size];
                text = after[size..].strip_prefix("\r\n").expect("a whole chunk");
                if size == 0 {
                    break;
                }
            }
        } else {
            let length = response.header("content-length").map(|length| length.parse().unwrap());
            let (body, after) = after.split_at(length.unwrap_or(after.len()));
            response.body = body.to_owned();
            text = after;
        }
        responses.push(response);
    }
    assert_eq!(text, "");
    responses
}

fn request(method: &str, path: &str, secret: &str, body: &str) -> String {
    let media_type = if body.starts_with('{') { "application/json" } else { "text/plain" };
    let body = match body {
        "" => "\r\n".to_owned(),
        body => format!("Content-Type: {media_type}\r\nContent-Length: {}\r\n\r\n{body}", body.len()),
    };
    format!("{method} {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n{body}")
}

/// Returns many records, more bytes than a connection buffers.
fn many() -> String {
    "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n\n".repeat(10_000)
}

#[test]
fn a_client_that_closes_its_side_after_a_request_reads_the_whole_response() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let secret = players[0].secret.clone().unwrap();
    let ask = |requests: &str| {
        let mut wire = connect(&service);
        wire.write_all(requests.as_bytes()).unwrap();
        wire.shutdown(Shutdown::Write).unwrap();
        rest(wire)
    };
    let game = format!("/v1/games/{id}");
    for (method, path, body, status) in [
        ("GET", "/v1/games".to_owned(), String::new(), 200),
        ("GET", "/readyz".to_owned(), String::new(), 200),
        ("GET", game.clone(), String::new(), 200),
        ("PUT", format!("{game}/moves/1"), r#"{"move": "N"}"#.to_owned(), 201),
        (
            "POST",
            "/v1/games".to_owned(),
            r#"{"ruleset": "marrakech/1", "seats": ["open", "open"]}"#.to_owned(),
            201,
        ),
        ("POST", "/v1/validate".to_owned(), "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n".to_owned(), 200),
        ("POST", "/v1/validate/bulk".to_owned(), many(), 200),
        ("GET", "/v1/export?status=running,finished".to_owned(), String::new(), 200),
    ] {
        let sent = ask(&request(method, &path, &secret, &body));
        assert_eq!(
            sent.iter().map(Response::status).collect::<Vec<_>>(),
            [status],
            "{method} {path} {}",
            backend.name()
        );
        assert!(!sent[0].body.is_empty(), "{method} {path}");
        if path.ends_with("bulk") {
            assert!(sent[0].body.contains(r#""records":10000"#), "{:?}", sent[0].body.lines().last());
        }
    }
    // Many at once, even more than are processed at a time.
    let sent = ask(&request("GET", "/readyz", &secret, "").repeat(40));
    assert_eq!(sent.iter().map(Response::status).collect::<Vec<_>>(), [200; 40]);
}

#[test]
fn a_client_that_closes_its_side_is_told_of_what_it_waits_for() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let head = players[0].get(&format!("/v1/games/{id}")).json()["head"].clone();
    let since = format!("{}.{}", head["ply"], head["hash"].as_str().unwrap());
    let secret = players[0].secret.clone().unwrap();
    let open = |path: &str| {
        let mut wire = connect(&service);
        wire.write_all(request("GET", path, &secret, "").as_bytes()).unwrap();
        wire.shutdown(Shutdown::Write).unwrap();
        wire
    };
    let waits = open(&format!("/v1/games/{id}?wait=60&since={since}"));
    let mut follows = open(&format!("/v1/games/{id}/events"));
    let mut told = String::new();
    let mut read_until = |wanted: &str| {
        while !told.contains(wanted) {
            let mut part = [0; 4096];
            let count = follows.read(&mut part).unwrap();
            assert!(count > 0, "the stream ends: {told}");
            told += std::str::from_utf8(&part[..count]).unwrap();
        }
    };
    // The check finds it still connected.
    read_until(r#""type":"heartbeat""#);
    assert_eq!(players[0].play(&id, 1, "N").status, 201);
    read_until(r#""type":"word""#);
    let waited = rest(waits);
    let game: Value = serde_json::from_str(&waited[0].body).unwrap();
    assert_eq!((waited[0].status(), &game["head"]["ply"]), (200, &json!(1)), "{}", backend.name());
    // One that closes both sides is soon gone, even without events in the game.
    let streams = || service.metric("assam_streams");
    let others = streams();
    let mut stream = players[1].follow(&id, "", SSE);
    stream.next_of("caught-up");
    assert_eq!(streams(), others + 1.0);
    drop(stream);
    assert!(comes(10, || streams() == others));
}

#[test]
fn an_idle_connection_is_announced_a_little_shorter_than_it_stays_open() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut wire = connect(&service);
    let ask = |wire: &mut TcpStream| {
        wire.write_all(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n").unwrap();
        let mut text = String::new();
        while !text.ends_with(r#"{"status":"ok"}"#) {
            let mut part = [0; 4096];
            let count = wire.read(&mut part).unwrap();
            assert!(count > 0, "{text}");
            text += std::str::from_utf8(&part[..count]).unwrap();
        }
        responses(&text).remove(0)
    };
    let first = ask(&mut wire);
    let announced = first.header("keep-alive").and_then(|it| it.strip_prefix("timeout=")).unwrap();
    let announced = Duration::from_secs(announced.parse().unwrap());
    // It stays open for longer, and then ends.
    let begun = Instant::now();
    assert_eq!(rest(wire).len(), 0);
    assert!(begun.elapsed() > announced, "{:?}", begun.elapsed());
    // A response that ends the connection does not announce keep-alive.
    for (request, kept) in [
        ("GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", None),
        ("GET /livez HTTP/1.0\r\n\r\n", None),
        ("GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", Some("timeout=4")),
        ("GET /nowhere HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", Some("timeout=4")),
        ("POST /nowhere HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", None),
        ("GET /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", None),
        (
            "POST /v1/validate HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 1\r\n\r\n?",
            Some("timeout=4"),
        ),
    ] {
        let mut wire = connect(&service);
        wire.write_all(request.as_bytes()).unwrap();
        wire.shutdown(Shutdown::Write).unwrap();
        assert_eq!(rest(wire)[0].header("keep-alive"), kept, "{request}");
    }
}

#[test]
fn clients_of_http_1_0_get_bodies_without_chunks_to_the_end_of_the_connection() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
    let (body, verdicts) = (many(), "/v1/validate/bulk");
    for keep in ["", "Connection: keep-alive\r\n"] {
        for (method, path, body) in [("GET", "/v1/export", ""), ("POST", verdicts, &body)] {
            let of = |version: &str, connection: &str| {
                let mut wire = connect(&service);
                let length = if body.is_empty() {
                    String::new()
                } else {
                    format!("Content-Type: text/plain\r\nContent-Length: {}\r\n", body.len())
                };
                let head = format!("{method} {path} HTTP/{version}\r\nHost: a\r\n{connection}{length}\r\n");
                wire.write_all((head + body).as_bytes()).unwrap();
                rest(wire).remove(0)
            };
            let (old, new) = (of("1.0", keep), of("1.1", "Connection: close\r\n"));
            assert_eq!(old.header("transfer-encoding"), None, "{path}");
            assert_eq!((old.status(), &old.body), (new.status(), &new.body), "{path}");
        }
    }
    // Follows until the end of the finished game.
    let mut wire = connect(&service);
    wire.write_all(format!("GET /v1/games/{id}/events HTTP/1.0\r\n\r\n").as_bytes()).unwrap();
    let told = rest(wire).remove(0);
    assert!(told.header("transfer-encoding").is_none() && told.body.contains(r#""type":"over""#));
    assert!(told.body.starts_with("id: ") || told.body.starts_with("data: "), "{}", told.body);
    // One connection for several, if requested.
    let mut wire = connect(&service);
    let kept = "GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n".repeat(3);
    wire.write_all(format!("{kept}GET /livez HTTP/1.0\r\n\r\n").as_bytes()).unwrap();
    let sent = rest(wire);
    assert_eq!(sent.iter().map(Response::status).collect::<Vec<_>>(), [200; 4]);
    assert_eq!(sent[0].header("connection"), Some("keep-alive"));
}

#[test]
fn requests_that_are_sent_before_the_responses_came_are_answered_in_their_order() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let secret = players[0].secret.clone().unwrap();
    let game = format!("/v1/games/{id}");
    let mut all = String::new();
    let mut expected = Vec::new();
    for _ in 0..10 {
        all += &request("GET", "/v1/rulesets", &secret, "");
        all += &request("PUT", &format!("{game}/moves/1"), &secret, r#"{"move": "N"}"#);
        all += &request("GET", &format!("{game}/log"), &secret, "");
        all += &request("GET", "/nowhere", &secret, "");
        expected.extend([200, 200, 200, 404]);
    }
    expected[1] = 201;
    all += "GET /livez HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    expected.push(200);
    // Nothing more is done (RFC 9112, section 9.6).
    all += &request("GET", "/v1/rulesets", &secret, "");
    expected.push(400);
    let mut wire = connect(&service);
    // In pieces, as a network may deliver them.
    for piece in all.as_bytes().chunks(97) {
        wire.write_all(piece).unwrap();
    }
    let sent = rest(wire);
    assert_eq!(sent.iter().map(Response::status).collect::<Vec<_>>(), expected, "{}", backend.name());
    assert!(sent[2].body.contains("MKN/1 marrakech/1"), "{}", sent[2].body);
    assert_eq!(sent[40].header("connection"), Some("close"));
    assert!(sent[41].body.contains("Connection: close"), "{}", sent[41].body);
}

#[test]
fn a_client_that_still_sends_a_body_gets_to_read_that_it_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let length = 5_000_000;
    for (path, status) in
        [("/v1/games", 401), ("/v1/imports/bulk", 401), ("/v1/validate", 413), ("/nowhere", 404)]
    {
        let mut wire = connect(&service);
        let head = format!(
            "POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer x\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n"
        );
        wire.write_all(head.as_bytes()).unwrap();
        let mut sends = wire.try_clone().unwrap();
        let sender =
            thread::spawn(move || (0..length / 65536).all(|_| sends.write_all(&[b'x'; 65536]).is_ok()));
        assert!(sender.join().unwrap(), "{path}: the connection was reset");
        let sent = rest(wire);
        assert_eq!(sent.iter().map(Response::status).collect::<Vec<_>>(), [status], "{path}");
    }
}
