//! Traces: what a collector receives about a request, and what it does not.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpListener;
use std::process::Command;
use std::sync::mpsc::{Receiver, channel};
use std::thread;

use serde_json::json;

use crate::harness::{Service, backends, sqlite};

/// Starts a collector of traces. Returns its address and the bodies that it receives.
fn collector() -> (String, Receiver<Vec<u8>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (told, bodies) = channel();
    // Ends with the test process, while waiting for connections.
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let told = told.clone();
            thread::spawn(move || {
                loop {
                    let (mut line, mut length) = (String::new(), 0);
                    if stream.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    assert_eq!(line, "POST /v1/traces HTTP/1.1\r\n");
                    while line != "\r\n" {
                        line.clear();
                        stream.read_line(&mut line).unwrap();
                        if let Some(bytes) = line.to_lowercase().strip_prefix("content-length: ") {
                            length = bytes.trim().parse().unwrap();
                        }
                    }
                    let mut body = vec![0; length];
                    stream.read_exact(&mut body).unwrap();
                    told.send(body).unwrap();
                    stream.get_mut().write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n").unwrap();
                }
            });
        }
    });
    (address, bodies)
}

/// Returns the fields of a protobuf message. Numbers are omitted, or eight bytes.
fn fields(mut message: &[u8]) -> Vec<(u64, &[u8])> {
    let varint = |bytes: &mut &[u8]| {
        let (mut value, mut shift) = (0, 0);
        loop {
            let (byte, rest) = bytes.split_first().unwrap();
            *bytes = rest;
            value |= u64::from(byte & 127) << shift;
            shift += 7;
            if byte & 128 == 0 {
                return value;
            }
        }
    };
    let mut found = Vec::new();
    while !message.is_empty() {
        let tag = varint(&mut message);
        let length = match tag & 7 {
            0 => {
                varint(&mut message);
                continue;
            }
            1 => 8,
            2 => usize::try_from(varint(&mut message)).unwrap(),
            5 => 4,
            other => panic!("wire type {other}"),
        };
        let (value, rest) = message.split_at(length);
        found.push((tag >> 3, value));
        message = rest;
    }
    found
}

fn parts(message: &[u8], number: u64) -> Vec<&[u8]> {
    fields(message).into_iter().filter(|(field, _)| *field == number).map(|(_, value)| value).collect()
}

#[derive(Debug)]
struct SpanSent {
    trace: String,
    id: String,
    parent: String,
    attributes: BTreeMap<String, String>,
}

/// Returns the spans in the bodies of a collector, by name.
fn spans(bodies: &[Vec<u8>]) -> Vec<(String, SpanSent)> {
    let of_resources = bodies.iter().flat_map(|body| parts(body, 1));
    let sent = of_resources.flat_map(|resource| parts(resource, 2)).flat_map(|scope| parts(scope, 2));
    sent.map(|span| {
        let hex = |number| parts(span, number).first().map(hex::encode).unwrap_or_default();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let attribute = |pair: &[u8]| {
            let value = parts(pair, 2).first().map(|value| parts(value, 1).first().map(|it| text(it)));
            (text(parts(pair, 1)[0]), value.flatten().unwrap_or_default())
        };
        let attributes = parts(span, 9).into_iter().map(attribute).collect();
        (text(parts(span, 5)[0]), SpanSent { trace: hex(1), id: hex(2), parent: hex(4), attributes })
    })
    .collect()
}

/// Ends a service gracefully, and returns the bodies sent by then.
fn ended(mut service: Service, bodies: &Receiver<Vec<u8>>) -> Vec<Vec<u8>> {
    let process = service.process();
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
    assert_eq!(process.wait().unwrap().code(), Some(0));
    bodies.try_iter().collect()
}

#[test]
fn a_move_is_followed_from_the_span_that_its_client_names_through_its_request_to_the_batch_that_is_written() {
    for backend in backends() {
        let (collector, bodies) = collector();
        let service = Service::start_with(&backend, &["--traces", &collector, "--traces-sample", "0"]);
        let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
        let secrets: Vec<String> = players.iter().map(|player| player.secret.clone().unwrap()).collect();
        let (trace, parent) = ("4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7");
        let traced = format!("00-{trace}-{parent}-01");
        let headers = [
            ("Traceparent", traced.as_str()),
            ("X-Request-Id", "followed"),
            ("Content-Type", "application/json"),
            ("User-Agent", "nosy"),
        ];
        let path = format!("/v1/games/{id}/moves/1");
        let played = players[0].send("PUT", &path, &headers, r#"{"move":"N"}"#);
        assert_eq!((played.status, played.header("x-request-id")), (201, Some("followed")));
        // Not sampled, as its client requests. Malformed headers count as missing.
        let unsampled = format!("00-{}-{parent}-00", "c".repeat(32));
        for header in [unsampled.as_str(), "00-nonsense-01"] {
            assert_eq!(players[0].send("GET", &path, &[("Traceparent", header)], "").status, 200);
        }
        let missing = service.stranger().send("GET", "/v1/games?limit=0", &[("Traceparent", &traced)], "");
        assert_eq!(missing.status, 400);
        drop((played, missing));
        drop(players);
        let bodies = ended(service, &bodies);
        let found = spans(&bodies);
        let one = |name: &str| {
            let mut named = found.iter().filter(|(known, _)| known == name).map(|(_, span)| span);
            let span = named.next().unwrap_or_else(|| panic!("no {name} in {found:#?}"));
            assert!(named.next().is_none(), "{name} twice: {found:#?}");
            span
        };
        let request = one("PUT /v1/games/{id}/moves/{ply}");
        assert_eq!(request.parent, parent);
        assert_eq!(request.attributes["request.id"], "followed");
        assert_eq!(request.attributes["http.route"], "/v1/games/{id}/moves/{ply}");
        let append = one("append");
        assert_eq!((&one("plan").parent, &append.parent), (&request.id, &request.id));
        assert_eq!((&one("queue").parent, &one("write").parent), (&append.id, &append.id));
        assert!(one("write").attributes.contains_key("changes"));
        assert_eq!(one("GET /v1/games").parent, parent);
        assert!(found.iter().all(|(_, span)| span.trace == trace), "nothing else is traced: {found:#?}");
        assert_eq!(found.len(), 6, "{found:#?}");
        let all: Vec<u8> = bodies.concat();
        let has = |text: &str| all.windows(text.len()).any(|window| window == text.as_bytes());
        for secret in secrets.iter().map(String::as_str).chain([id.as_str(), "limit=0", "nosy"]) {
            assert!(!has(secret), "{secret} was sent");
        }
    }
}

#[test]
fn requests_that_name_no_trace_are_traced_as_often_as_wanted_and_where_no_collector_listens_nothing_suffers()
{
    let backend = sqlite();
    let (collector, bodies) = collector();
    let service = Service::start_with(&backend, &["--traces", &collector, "--traces-sample", "1"]);
    for _ in 0..3 {
        assert_eq!(service.stranger().get("/livez").status, 200);
    }
    let found = spans(&ended(service, &bodies));
    let names: Vec<&str> = found.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["GET /livez"; 3]);
    assert!(found.iter().all(|(_, span)| span.parent.is_empty()), "{found:#?}");

    let nobody = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let service =
        Service::start_with(&backend, &["--traces", &format!("http://{nobody}"), "--traces-sample", "1"]);
    assert_eq!(service.stranger().get("/readyz").status, 200);
    drop(bodies);
}
