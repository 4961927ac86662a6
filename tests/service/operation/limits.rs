//! Limits per client, which leave others unaffected.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::events::LINES;
use crate::harness::{Answer, Client, Service, assam, err, sqlite};

const OPEN: &str = "/v1/games?limit=1";

/// Checks an answer about an exceeded rate.
fn is_too_many(answer: &Answer, bucket: &str, whose: &str) {
    assert_eq!((answer.status, answer.problem().as_str()), (429, "too_many_requests"), "{}", answer.text);
    let seconds: u64 = answer.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=3600).contains(&seconds), "{seconds}");
    assert_eq!(answer.header("ratelimit"), Some(format!("\"{bucket}\";r=0;t={seconds}").as_str()));
    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
    assert!(detail.starts_with(&format!("{whose} is limited to ")), "{detail}");
}

/// Sends a request of a client at an address named by a proxy.
fn from(client: &Client<'_>, address: &str, method: &str, path: &str, body: &Value) -> Answer {
    let headers = [("X-Forwarded-For", address), ("Content-Type", "application/json")];
    let body = if body.is_null() { String::new() } else { body.to_string() };
    client.send(method, path, &headers, body)
}

#[test]
fn who_exceeds_a_rate_is_told_when_to_come_back_and_others_go_on() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--rate", "reads=1/h:2", "--rate", "creation=2/h"]);
    let (eager, calm) = (service.player(), service.player());
    for _ in 0..2 {
        assert_eq!(eager.get(OPEN).status, 200);
    }
    let refused = eager.get(OPEN);
    is_too_many(&refused, "reads", "your secret");
    assert_eq!(refused.header("ratelimit-policy"), Some("\"reads\";q=1;w=3600"));
    // Others, other buckets, and unlimited paths.
    assert_eq!(calm.get(OPEN).status, 200);
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    for _ in 0..2 {
        assert_eq!(eager.post("/v1/games", wanted.clone()).status, 201);
    }
    is_too_many(&eager.post("/v1/games", wanted.clone()), "creation", "your secret");
    for path in ["/livez", "/readyz"] {
        assert_eq!(eager.get(path).status, 200);
    }
    // One address gets four times as much, for any number of secrets. Requests refused for their secret do
    // not count against it.
    for _ in 0..5 {
        assert_eq!(service.player().get(OPEN).status, 200);
    }
    for client in [service.player(), service.stranger(), calm] {
        is_too_many(&client.get(OPEN), "reads", "your address");
    }
    assert_eq!(eager.get("/livez").status, 200);
}

#[test]
fn a_path_with_percent_signs_counts_as_the_path_that_it_means() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--rate", "validation=1/h"]);
    let client = service.player();
    let status = |path: &str| {
        let address = service.base().strip_prefix("http://").unwrap();
        let mut stream = TcpStream::connect(address).unwrap();
        let secret = client.secret.as_ref().unwrap();
        let head = format!("POST {path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer {secret}\r\n");
        let body = "Content-Type: text/plain\r\nContent-Length: 1\r\nConnection: close\r\n\r\n*";
        stream.write_all((head + body).as_bytes()).unwrap();
        let mut line = String::new();
        BufReader::new(stream).read_line(&mut line).unwrap();
        line.split(' ').nth(1).unwrap().to_owned()
    };
    assert_eq!(status("/v1/validate"), "200");
    for path in ["/v1/validate", "/v1/%76alidate", "/%76%31/%76alidate"] {
        assert_eq!(status(path), "429", "{path}");
    }
}

#[test]
fn behind_a_trusted_proxy_clients_are_told_apart_by_the_address_that_it_names() {
    let backend = sqlite();
    let proxied =
        Service::start_with(&backend, &["--rate", "reads=1/h", "--trusted-proxies", "10.0.0.0/8,127.0.0.1"]);
    let direct = Service::start_counting(&backend, &["--rate", "reads=1/h"]);
    let get = |service: &Service, address: &str| {
        from(&service.stranger(), address, "GET", OPEN, &Value::Null).status
    };
    let four = |service: &Service, addresses: [&str; 4]| addresses.map(|address| get(service, address));
    assert_eq!(
        four(&proxied, ["192.0.2.1", "1.1.1.1, 192.0.2.1", "192.0.2.1, 10.9.9.9", "192.0.2.1"]),
        [200; 4]
    );
    assert_eq!(get(&proxied, "192.0.2.1"), 429);
    assert_eq!(get(&proxied, "192.0.2.2"), 200);
    // One subscriber has many IPv6 addresses.
    let subscriber = ["2001:db8::1", "2001:db8::2", "2001:db8::ffff:3", "2001:db8::1:0:0:4"];
    assert_eq!(four(&proxied, subscriber), [200; 4]);
    assert_eq!(get(&proxied, "2001:db8::5"), 429);
    assert_eq!(get(&proxied, "2001:db8:0:1::5"), 200);
    // Only proxies are believed.
    assert_eq!(four(&direct, ["192.0.2.1", "192.0.2.2", "192.0.2.3", "192.0.2.4"]), [200; 4]);
    assert_eq!(get(&direct, "192.0.2.5"), 429);
}

#[test]
fn what_is_asked_on_the_machine_of_the_service_itself_is_not_counted() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--rate", "reads=1/h", "--connections", "1"]);
    let client = service.player();
    let _held = TcpStream::connect(service.base().strip_prefix("http://").unwrap()).unwrap();
    for _ in 0..10 {
        assert_eq!(client.get(OPEN).status, 200);
    }
    // A proxy on the same address that names its client counts for that client.
    let asked = [200, 429].map(|_| from(&client, "192.0.2.1", "GET", OPEN, &Value::Null).status);
    assert_eq!(asked, [200, 429]);
}

#[test]
fn join_codes_cannot_be_tried_one_after_another_from_one_address_or_from_many() {
    let backend = sqlite();
    let service = Service::start_with(
        &backend,
        &["--rate", "join_codes=1/h", "--rate", "joining=off", "--trusted-proxies", "127.0.0.1"],
    );
    let owner = service.player();
    let wanted = json!({
        "ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": "private", "join_code": "0042"
    });
    let game = |owner: &Client<'_>| {
        owner.post("/v1/games", wanted.clone()).json()["id"].as_str().unwrap().to_owned()
    };
    let (id, other) = (game(&owner), game(&owner));
    let attempt = |client: &Client<'_>, address: &str, id: &str, code: &str| {
        from(client, address, "PUT", &format!("/v1/games/{id}/seats/1"), &json!({"join_code": code}))
    };
    let guesser = service.player();
    assert_eq!(attempt(&guesser, "192.0.2.1", &id, "0000").problem(), "game_not_found");
    // Whether the next one is right stays hidden.
    for code in ["0001", "0042"] {
        is_too_many(&attempt(&guesser, "192.0.2.1", &id, code), "join_codes", "your secret");
    }
    for _ in 0..3 {
        assert_eq!(attempt(&service.player(), "192.0.2.1", &id, "0002").problem(), "game_not_found");
    }
    is_too_many(&attempt(&service.player(), "192.0.2.1", &id, "0042"), "join_codes", "your address");
    // From many addresses, the game allows ten attempts in all.
    for address in 2..8 {
        let refused = attempt(&service.player(), &format!("192.0.2.{address}"), &id, "0003");
        assert_eq!(refused.problem(), "game_not_found");
    }
    is_too_many(&attempt(&service.player(), "192.0.2.9", &id, "0042"), "join_codes", "this game");
    // Another game has a separate limit.
    assert_eq!(attempt(&service.player(), "192.0.2.10", &other, "0042").status, 201);
}

#[test]
fn records_of_one_body_wait_for_their_turn_and_are_all_imported() {
    let records = "MKN/1 marrakech/1 seats=3\n\n!abort\n= -\n".repeat(8);
    let backend = sqlite();
    // An address may import four a second, and four at once.
    let service = Service::start_counting(&backend, &["--rate", "imports=1/s:1"]);
    let began = Instant::now();
    let told = service.stranger().post_text("/v1/imports/bulk", &records).text;
    let last: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
    assert_eq!((&last["new"], &last["known"]), (&json!(1), &json!(7)), "{told}");
    // Four of them waited for a quarter of a second, one after another.
    assert!(began.elapsed() > Duration::from_millis(900), "{:?}", began.elapsed());
}

#[test]
fn one_address_has_so_many_bodies_of_many_records_under_way_and_no_more() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--bulk-at-once", "1"]);
    let address = service.base().strip_prefix("http://").unwrap();
    let mut held = TcpStream::connect(address).unwrap();
    let head = "POST /v1/validate/bulk HTTP/1.1\r\nHost: a\r\nContent-Type: text/plain\r\nContent-Length: 30\r\n\r\n";
    held.write_all(head.as_bytes()).unwrap();
    let mut answer = BufReader::new(held.try_clone().unwrap());
    let mut line = String::new();
    // The response begins before the body has come.
    answer.read_line(&mut line).unwrap();
    assert!(line.contains("200"), "{line}");
    let other = service.stranger().post_text("/v1/validate/bulk", "");
    assert_eq!((other.status, other.header("retry-after")), (429, Some("1")));
    let told = "your address is limited to 1 bulk requests at once. `GET /v1/limits` has all limits";
    assert_eq!(other.json()["detail"], told);
    held.write_all(&[b'\n'; 30]).unwrap();
    while !line.contains("summary") {
        line.clear();
        assert!(answer.read_line(&mut line).unwrap() > 0);
    }
    drop((held, answer));
    // Once the service has seen the end of that one.
    while service.stranger().post_text("/v1/validate/bulk", "").status != 200 {}
}

#[test]
fn one_address_has_so_many_connections_and_may_open_another_when_one_ends() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--connections", "2"]);
    let address = service.base().strip_prefix("http://").unwrap();
    let ask = |stream: &mut TcpStream| {
        let sent = stream.write_all(b"GET /livez HTTP/1.1\r\nHost: a\r\n\r\n");
        let mut bytes = [0; 12];
        sent.and_then(|()| stream.read_exact(&mut bytes)).map(|()| bytes)
    };
    let mut open: Vec<_> = (0..2).map(|_| TcpStream::connect(address).unwrap()).collect();
    for stream in &mut open {
        assert_eq!(&ask(stream).unwrap(), b"HTTP/1.1 200");
    }
    assert!(ask(&mut TcpStream::connect(address).unwrap()).is_err(), "it is closed");
    open.pop();
    // Once the service has seen the end of that one.
    while ask(&mut TcpStream::connect(address).unwrap()).is_err() {}
}

#[test]
fn the_limits_are_told() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--rate", "moves=3/m:7,reads=off"]);
    let limits = service.stranger().get("/v1/limits").json();
    let rates = limits["rates"].as_array().unwrap();
    let names: Vec<_> = rates.iter().map(|rate| rate["bucket"].as_str().unwrap()).collect();
    let known =
        ["moves", "creation", "joining", "join_codes", "validation", "outcomes", "analysis", "imports"];
    assert_eq!(names, known);
    let rate = |requests, burst| json!({"requests": requests, "seconds": 60, "burst": burst});
    assert_eq!((&rates[0]["secret"], &rates[0]["address"]), (&rate(3, 7), &rate(12, 28)));
    assert_eq!((&rates[0]["game"], &rates[3]["game"]), (&Value::Null, &rate(60, 120)));
    assert_eq!((&limits["bulk_at_once"], &limits["connections"]), (&json!(4), &json!(256)));
    assert_eq!(limits["record_bytes"], 65_536);
    let none = Service::start_with(&backend, &["--no-limits"]);
    let none = none.stranger().get("/v1/limits").json();
    assert_eq!((&none["rates"], &none["connections"]), (&json!([]), &Value::Null));
}

#[test]
fn what_is_no_rate_is_refused_with_the_way_to_write_one() {
    for (rate, told) in [
        ("moves", "write BUCKET=RATE, where a bucket is one of moves, reads,"),
        ("move=1/s", "write BUCKET=RATE"),
        ("moves=1", "a rate is a number of requests, a span and the greatest burst"),
        ("moves=0/s", "a rate is"),
        ("moves=1/d", "a rate is"),
        ("moves=1/s:0", "a rate is"),
    ] {
        let output = assam(&["serve", "--rate", rate], "");
        let text = err(&output);
        assert!(output.status.code() == Some(2) && text.contains(told), "{rate}: {text}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_limit_on_open_files_is_raised_as_far_as_it_goes() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let serve = "ulimit -S -n 200 && exec \"$0\" serve --listen 127.0.0.1:0 --database \"$1\"";
    let mut child = Command::new("sh")
        .args(["-c", serve, env!("CARGO_BIN_EXE_assam"), &database])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let limits = std::fs::read_to_string(format!("/proc/{}/limits", child.id())).unwrap();
    child.kill().unwrap();
    child.wait().unwrap();
    let files = limits.lines().find(|line| line.starts_with("Max open files")).unwrap();
    let [soft, hard]: [u64; 2] =
        files.split_whitespace().filter_map(|it| it.parse().ok()).collect::<Vec<_>>().try_into().unwrap();
    assert!(soft > 200 && soft == hard.min(1 << 20), "{files}");
}

#[test]
fn an_address_has_so_many_streams_and_requests_that_wait_also_behind_a_proxy() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--connections", "2"]);
    let (game, _players) = service.game(2, json!({}));
    let stranger = service.stranger();
    let of = |address: &'static str| {
        let headers = [("Accept", LINES), ("X-Forwarded-For", address)];
        stranger.follow_with(&game, "", &headers, usize::MAX)
    };
    let mut streams = [of("198.51.100.1"), of("198.51.100.1")];
    streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
    let wait = format!("/v1/games/{game}?wait=60&since=1000000.{}", "0".repeat(64));
    for path in ["/v1/events", &format!("/v1/games/{game}/events"), &wait] {
        let refused = from(&stranger, "198.51.100.1", "GET", path, &Value::Null);
        assert_eq!((refused.status, refused.problem()), (429, "too_many_requests".to_owned()), "{path}");
        assert_eq!(refused.header("retry-after"), Some("30"));
    }
    // Others have separate limits, and everything else is answered.
    assert_eq!(of("198.51.100.2").status, 200);
    let page = format!("/v1/games/{game}");
    assert_eq!(from(&stranger, "198.51.100.1", "GET", &page, &Value::Null).status, 200);
    // A finished one makes room.
    let [_one, other] = streams;
    drop(other);
    while of("198.51.100.1").status != 200 {}
}
