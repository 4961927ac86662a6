//! PUT /v1/games/{id}/seats/{seat}.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;

use serde_json::{Value, json};

use super::{Fault, combinations, fault, headers, names, wrong};
use crate::harness::{Answer, Client, Service, sqlite};

/// The client whose secret is sent.
#[derive(Clone, Copy, PartialEq)]
enum Who {
    Nobody,
    Newcomer,
    /// The holder of seat 1.
    Seated,
}

/// A request, in which a newcomer takes the open seat 2 by default.
struct Attempt {
    is_private: bool,
    join_code: Option<&'static str>,
    who: Who,
    seat: &'static str,
    fields: &'static [(&'static str, &'static str)],
    is_cut_off: bool,
    padding: usize,
    media_type: &'static str,
}

const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

const GOOD: Attempt = Attempt {
    is_private: false,
    join_code: None,
    who: Who::Newcomer,
    seat: "2",
    fields: &[],
    is_cut_off: false,
    padding: 0,
    media_type: "application/json",
};

const FAULTS: &[Fault<Attempt>] = &[
    fault(0, "game_not_found", "no join code", |a| (a.is_private, a.join_code) = (true, None)),
    fault(0, "game_not_found", "wrong join code", |a| (a.is_private, a.join_code) = (true, Some("Sesame"))),
    fault(1, "unauthenticated", "no secret", |a| a.who = Who::Nobody),
    fault(2, "too_large", "too large", |a| a.padding = 16 * 1024),
    fault(3, "unsupported_media_type", "media type", |a| a.media_type = "text/plain"),
    fault(4, "bad_json", "cut off", |a| a.is_cut_off = true),
    fault(4, "seat_not_found", "no such seat", |a| a.seat = "9"),
    fault(4, "bad_request", "no number", |a| a.seat = "two"),
    fault(4, "bad_request", "name", |a| a.fields = &[("name", " ")]),
    fault(4, "bad_request", "entropy", |a| a.fields = &[("entropy", "00")]),
    fault(4, "unknown_field", "unknown field", |a| a.fields = &[("nane", "Aisha")]),
    fault(5, "commitment_mismatch", "no commitment", |a| a.fields = &[("entropy", ZEROS)]),
    fault(5, "commitment_mismatch", "another commitment", |a| a.fields = &[("commitment", ZEROS)]),
    fault(6, "seat_taken", "seated elsewhere", |a| a.who = Who::Seated),
    fault(7, "seats_changed", "other seats", |a| a.fields = &[("seats_digest", ZEROS)]),
    fault(8, "seat_taken", "taken", |a| a.seat = "1"),
];

const NEVER_TOGETHER: &[(&str, &str, &str)] = &[
    ("no join code", "seated elsewhere", "whoever is seated may see the game"),
    ("wrong join code", "seated elsewhere", "whoever is seated may see the game"),
    ("no secret", "seated elsewhere", "the same request as without a seat"),
    ("no such seat", "taken", "one request, one seat"),
    ("no number", "taken", "one request, one seat"),
    ("seated elsewhere", "taken", "that seat is their own"),
];

/// A game with an open seat, and the holder of the other.
struct Table<'a> {
    id: String,
    seated: Client<'a>,
}

impl<'a> Table<'a> {
    fn new(service: &'a Service, is_private: bool) -> Self {
        let mut wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        if is_private {
            wanted["visibility"] = json!("private");
            wanted["join_code"] = json!("sesame");
        }
        let seated = service.player();
        let id = seated.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        assert_eq!(seated.put(&format!("/v1/games/{id}/seats/1"), json!({})).status, 201);
        Self { id, seated }
    }

    fn try_out(&self, attempt: &Attempt, newcomer: &Client<'_>, nobody: &Client<'_>) -> Answer {
        let mut body: Value = attempt.fields.iter().map(|(name, value)| (*name, json!(value))).collect();
        if let Some(code) = attempt.join_code {
            body["join_code"] = json!(code);
        }
        let mut body = body.to_string();
        if attempt.is_cut_off {
            body.pop();
        }
        let who = match attempt.who {
            Who::Nobody => nobody,
            Who::Newcomer => newcomer,
            Who::Seated => &self.seated,
        };
        let path = format!("/v1/games/{}/seats/{}", self.id, attempt.seat);
        let headers = [("Content-Type", attempt.media_type)];
        who.send("PUT", &path, &headers, " ".repeat(attempt.padding) + &body)
    }
}

#[test]
fn of_any_two_faults_of_taking_a_seat_the_one_that_is_checked_first_is_answered() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (newcomer, nobody) = (service.player(), service.stranger());
    let (public, private) = (Table::new(&service, false), Table::new(&service, true));
    let sets = combinations(FAULTS, NEVER_TOGETHER);
    assert_eq!(sets.iter().filter(|(_, faults)| faults.len() == 2).count(), 97, "pairs");
    for (code, faults) in sets {
        let attempt = wrong(GOOD, &faults);
        let table = if attempt.is_private { &private } else { &public };
        let answer = table.try_out(&attempt, &newcomer, &nobody);
        assert_eq!(answer.problem(), code, "{:?}: {}", names(&faults), answer.text);
    }
    assert_eq!(public.try_out(&GOOD, &newcomer, &nobody).status, 201);
    assert_eq!(public.try_out(&GOOD, &newcomer, &nobody).status, 200);
}

#[test]
fn without_the_join_code_a_private_game_answers_byte_for_byte_as_no_game_whatever_else_is_wrong() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (newcomer, nobody) = (service.player(), service.stranger());
    let hidden = Table::new(&service, true);
    let none = Table { id: "0".repeat(32), seated: service.player() };
    let (outside, others) = FAULTS.split_at(2);
    for (_, mut faults) in combinations(others, NEVER_TOGETHER) {
        for outside in outside {
            faults.insert(0, outside);
            let mut attempt = wrong(GOOD, &faults);
            if attempt.who == Who::Seated {
                attempt.who = Who::Newcomer;
            }
            let secret = hidden.try_out(&attempt, &newcomer, &nobody);
            let unknown = none.try_out(&attempt, &newcomer, &nobody);
            assert_eq!(secret.status, 404);
            assert_eq!(secret.text.replace(&hidden.id, &none.id), unknown.text, "{:?}", names(&faults));
            assert_eq!(headers(&secret), headers(&unknown), "{:?}", names(&faults));
            faults.remove(0);
        }
    }
}

#[test]
fn with_the_join_code_whatever_can_be_read_beside_it_is_answered_as_in_a_public_game() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (newcomer, nobody) = (service.player(), service.stranger());
    let table = Table::new(&service, true);
    for fault in &FAULTS[2..] {
        let attempt = Attempt { is_private: true, join_code: Some("sesame"), ..wrong(GOOD, &[fault]) };
        // If the body cannot be read, neither can the code.
        let is_unread = ["too large", "media type", "cut off"].contains(&fault.name);
        let expected = if is_unread { "game_not_found" } else { fault.code };
        let answer = table.try_out(&attempt, &newcomer, &nobody);
        assert_eq!(answer.problem(), expected, "{}", fault.name);
    }
    let good = Attempt { is_private: true, join_code: Some("sesame"), ..GOOD };
    assert_eq!(table.try_out(&good, &newcomer, &nobody).status, 201);
    // A seat holder no longer needs a code.
    assert_eq!(table.try_out(&GOOD, &newcomer, &nobody).status, 200);
}

/// Announces a body, sends other requests, and only then the body.
fn send_late(service: &Service, method: &str, path: &str) -> String {
    let mut stream = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
    write!(stream, "{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n")
        .unwrap();
    for _ in 0..20 {
        assert_eq!(service.stranger().get("/readyz").status, 200);
    }
    stream.set_nonblocking(true).unwrap();
    let early = stream.read(&mut [0; 1]);
    assert_eq!(early.unwrap_err().kind(), ErrorKind::WouldBlock, "{method} {path}");
    stream.set_nonblocking(false).unwrap();
    stream.write_all(b"{}").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer.split_once("\r\n\r\n").unwrap().1.to_owned()
}

#[test]
fn a_private_game_and_none_wait_alike_for_the_body_before_they_are_not_found() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let hidden = Table::new(&service, true);
    let none = "0".repeat(32);
    for (method, rest) in [("PUT", "seats/1"), ("PATCH", "seats/1"), ("PUT", "moves/1")] {
        let [secret, unknown] =
            [&hidden.id, &none].map(|id| send_late(&service, method, &format!("/v1/games/{id}/{rest}")));
        assert!(secret.contains("game_not_found"), "{secret}");
        assert_eq!(secret.replace(&hidden.id, &none), unknown);
    }
}
