//! The `assam` program serving a backend on a free port, and an HTTP client for it.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use assam_proofs::signed::CosigningKey;
use serde_json::{Value, json};
use ureq::http::{HeaderName, HeaderValue, Request};

use super::Backend;
use super::answer::{Answer, HOST};
use super::document::operations::{check_headers, check_is_listed};
use super::logged::WITNESS;
use super::network::CHAIN;
use super::patience::next_millisecond;

/// Paths without an entity tag: the service's state, and streamed responses.
const UNTAGGED: [&str; 4] = ["/livez", "/readyz", "/v1/export", "/events?follow=false"];

/// Returns whether a path has no entity tag.
pub(crate) fn is_untagged(path: &str) -> bool {
    UNTAGGED.iter().any(|untagged| path.ends_with(untagged))
}

/// The key that services of the tests sign with, from Go's documentation.
pub(crate) const KEY: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";

/// A running `assam serve` that is killed when dropped.
pub(crate) struct Service {
    pub(super) child: Child,
    base: String,
    metrics: Option<String>,
    agent: ureq::Agent,
}

impl Service {
    /// Starts the program on a backend and waits until it listens.
    pub(crate) fn start(backend: &Backend) -> Self {
        Self::run(&backend.url(), "error", Stdio::inherit(), &[])
    }

    /// As [`Self::start`], with more arguments.
    pub(crate) fn start_with(backend: &Backend, arguments: &[&str]) -> Self {
        Self::run(&backend.url(), "error", Stdio::inherit(), arguments)
    }

    /// As [`Self::start_with`], with an absent proxy, so requests from this machine count like all others.
    pub(crate) fn start_counting(backend: &Backend, arguments: &[&str]) -> Self {
        Self::start_with(backend, &[arguments, &["--trusted-proxies", "192.0.2.0/24"]].concat())
    }

    /// As [`Self::start`], on the database that a URL names.
    pub(crate) fn start_on(database: &str) -> Self {
        Self::start_on_with(database, &[])
    }

    /// As [`Self::start_on`], with more arguments.
    pub(crate) fn start_on_with(database: &str, arguments: &[&str]) -> Self {
        Self::run(database, "off", Stdio::inherit(), arguments)
    }

    /// As [`Self::start`], logging at this level to a file.
    pub(crate) fn start_logging(backend: &Backend, level: &str, log: &Path) -> Self {
        Self::start_logging_on(&backend.url(), level, log, &[])
    }

    /// As [`Self::start_logging`], on the database that a URL names, with more arguments.
    pub(crate) fn start_logging_on(database: &str, level: &str, log: &Path, arguments: &[&str]) -> Self {
        Self::run(database, level, File::create(log).unwrap().into(), arguments)
    }

    fn run(database: &str, log: &str, stderr: Stdio, arguments: &[&str]) -> Self {
        Self::listen("127.0.0.1:0", database, log, stderr, arguments)
    }

    pub(super) fn listen(
        address: &str,
        database: &str,
        log: &str,
        stderr: Stdio,
        arguments: &[&str],
    ) -> Self {
        let mut program = Command::new(env!("CARGO_BIN_EXE_assam"));
        program.env_clear();
        if !arguments.contains(&"--key-file") {
            program.env("ASSAM_KEYS", KEY);
        }
        if !arguments.contains(&"--witness") {
            let witness: CosigningKey = WITNESS.parse().unwrap();
            program.env("ASSAM_WITNESS", witness.witness_key().to_string());
        }
        let mut child = program
            .args(["serve", "--listen", address, "--log", log, "--database", database])
            .env("ASSAM_BEACON", CHAIN)
            // Tests read their writes at once.
            .env("ASSAM_EXPORT_DELAY", "0")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(stderr)
            .spawn()
            .unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut address = || {
            let line = lines.next().unwrap().unwrap();
            line.split_whitespace().find(|word| word.starts_with("http://")).unwrap().to_owned()
        };
        let base = address();
        let metrics = arguments.contains(&"--metrics-listen").then(address);
        let config = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .allow_non_standard_methods(true)
            // The service closes connections that were idle for five seconds.
            .max_idle_age(Duration::from_secs(2))
            .build();
        Self { child, base, metrics, agent: config.into() }
    }

    /// Returns `http://127.0.0.1:PORT`.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// Returns the metrics of a service started with `--metrics-listen`.
    pub(crate) fn metrics(&self) -> String {
        self.metrics_with("")
    }

    /// The same, with a query.
    pub(crate) fn metrics_with(&self, query: &str) -> String {
        let page = format!("{}{query}", self.metrics.as_ref().unwrap());
        let mut page = self.agent.get(page).call().unwrap();
        assert_eq!(page.status(), 200);
        let media = page.headers()["content-type"].to_str().unwrap();
        assert_eq!(media, "application/openmetrics-text; version=1.0.0; charset=utf-8");
        page.body_mut().read_to_string().unwrap()
    }

    /// Returns the value of a metric by name and labels.
    pub(crate) fn metric(&self, sample: &str) -> f64 {
        let page = self.metrics();
        let line = page.lines().find_map(|line| line.strip_prefix(sample)?.strip_prefix(' '));
        line.unwrap_or_else(|| panic!("{sample}\n{page}")).parse().unwrap()
    }

    /// Does something while the write queue is full. The service was started with `--queue 1`, which allows
    /// one change.
    pub(crate) fn while_queue_is_full<T>(&self, backend: &Backend, work: impl FnOnce(Answer) -> T) -> T {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        backend.while_slow(|| {
            let (told, answers) = mpsc::channel();
            let is_over = AtomicBool::new(false);
            thread::scope(|scope| {
                // One is being written, one waits, and the others are refused again and again.
                for _ in 0..4 {
                    scope.spawn(|| {
                        while !is_over.load(Ordering::Relaxed) {
                            let answer = self.stranger().post("/v1/games", wanted.clone());
                            // Only the first ones count.
                            let _ = told.send(answer);
                        }
                    });
                }
                let refused =
                    answers.iter().find(|answer| answer.status == 503 && answer.problem() == "busy").unwrap();
                let done = work(refused);
                is_over.store(true, Ordering::Relaxed);
                done
            })
        })
    }

    /// Sends a request many times at once until one is refused for overload, and returns that answer.
    pub(crate) fn while_wanted_often(&self, method: &str, path: &str, body: &str) -> Answer {
        let (told, refused) = mpsc::channel();
        let is_over = AtomicBool::new(false);
        thread::scope(|scope| {
            // Identical concurrent lists are read once.
            let paths = (93..=100).map(|limit| path.replace("limit=100", &format!("limit={limit}")));
            for path in paths {
                let (told, is_over) = (told.clone(), &is_over);
                scope.spawn(move || {
                    while !is_over.load(Ordering::Relaxed) {
                        let media = if body.starts_with('{') { "application/json" } else { "text/plain" };
                        let media = [("Content-Type", media)];
                        let headers = if body.is_empty() { &[][..] } else { &media };
                        let answer = self.player().send(method, &path, headers, body);
                        if answer.status == 503 && answer.problem() == "busy" {
                            let _ = told.send(answer);
                        }
                    }
                });
            }
            let answer = refused.recv().unwrap();
            is_over.store(true, Ordering::Relaxed);
            answer
        })
    }

    /// The process.
    pub(crate) fn process(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Returns a client without a secret.
    pub(crate) fn stranger(&self) -> Client<'_> {
        Client { service: self, secret: None }
    }

    /// Returns a client with a new secret.
    pub(crate) fn player(&self) -> Client<'_> {
        Client { service: self, secret: Some(secret()) }
    }

    /// Returns a client with this secret.
    pub(crate) fn with_secret(&self, secret: &str) -> Client<'_> {
        Client { service: self, secret: Some(secret.to_owned()) }
    }

    /// Returns a game of Marrakech with all seats taken by players, ready to play.
    pub(crate) fn game(&self, seats: usize, options: Value) -> (String, Vec<Client<'_>>) {
        self.table("marrakech/1", &vec!["open"; seats], options)
    }

    /// Returns a game with its open seats taken, ready to play. Clients on built-in players' seats have no
    /// secret.
    pub(crate) fn table(&self, ruleset: &str, seats: &[&str], options: Value) -> (String, Vec<Client<'_>>) {
        self.seated(json!({"ruleset": ruleset, "seats": seats, "options": options}))
    }

    /// Returns the game with this body and its open seats taken, ready to play. The first seat's player
    /// creates it. Clients on built-in players' seats have no secret.
    pub(crate) fn seated(&self, wanted: Value) -> (String, Vec<Client<'_>>) {
        let seats = wanted["seats"].as_array().unwrap();
        let sitter = |seat: &Value| if seat == "open" { self.player() } else { self.stranger() };
        let players: Vec<Client<'_>> = seats.iter().map(sitter).collect();
        let created = players[0].post("/v1/games", wanted);
        assert_eq!(created.status, 201, "{}", created.text);
        let id = created.json()["id"].as_str().unwrap().to_owned();
        sit(&id, &players, |_| json!({}));
        (id, players)
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

/// Returns a fresh secret.
pub(crate) fn secret() -> String {
    hex::encode(rand::random::<[u8; 32]>())
}

/// A client that sends requests.
#[derive(Clone)]
pub(crate) struct Client<'a> {
    service: &'a Service,
    pub(crate) secret: Option<String>,
}

impl Client<'_> {
    /// Returns its service.
    pub(crate) fn service(&self) -> &Service {
        self.service
    }

    pub(crate) fn get(&self, path: &str) -> Answer {
        self.send("GET", path, &[], "")
    }

    pub(crate) fn post(&self, path: &str, body: Value) -> Answer {
        self.send("POST", path, &[("Content-Type", "application/json")], body.to_string())
    }

    pub(crate) fn patch(&self, path: &str, body: Value) -> Answer {
        self.send("PATCH", path, &[("Content-Type", "application/json")], body.to_string())
    }

    pub(crate) fn put(&self, path: &str, body: Value) -> Answer {
        self.send("PUT", path, &[("Content-Type", "application/json")], body.to_string())
    }

    pub(crate) fn post_text(&self, path: &str, text: &str) -> Answer {
        self.send("POST", path, &[("Content-Type", "text/plain")], text)
    }

    /// Sends a body without waiting for the answer.
    pub(crate) fn put_unanswered(&self, path: &str, body: &Value) -> TcpStream {
        let mut stream = TcpStream::connect(self.service.base.strip_prefix("http://").unwrap()).unwrap();
        let (body, secret) = (body.to_string(), self.secret.as_ref().unwrap());
        let head = format!(
            "PUT {path} HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {secret}\r\n\
             Content-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        stream.write_all((head + &body).as_bytes()).unwrap();
        stream
    }

    /// Submits one move.
    pub(crate) fn play(&self, game: &str, ply: u64, decision: &str) -> Answer {
        self.put(&format!("/v1/games/{game}/moves/{ply}"), json!({"move": decision}))
    }

    /// Sends a request that announces a body of ten bytes, but never sends it.
    pub(crate) fn send_without_a_body(&self, method: &str, path: &str) -> Answer {
        let mut stream = TcpStream::connect(self.service.base.strip_prefix("http://").unwrap()).unwrap();
        let secret = self.secret.as_ref().map(|secret| format!("Authorization: Bearer {secret}\r\n"));
        let head = format!(
            "{method} {path} HTTP/1.1\r\nHost: {HOST}\r\n{}Content-Length: 10\r\nConnection: close\r\n\r\n",
            secret.unwrap_or_default()
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, text) = answer.split_once("\r\n\r\n").unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
        let headers = lines.map(|line| line.split_once(": ").unwrap());
        let headers = headers.map(|(name, value)| {
            (name.parse::<HeaderName>().unwrap(), value.parse::<HeaderValue>().unwrap())
        });
        let (headers, text) = (headers.collect(), text.to_owned());
        self.checked(method, path, Answer { status, headers, bytes: text.clone().into_bytes(), text })
    }

    /// Sends any request. It carries the secret unless the headers have an `Authorization`.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: impl AsRef<[u8]>,
    ) -> Answer {
        let body = body.as_ref();
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.service.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        // The same host for every service, as through a proxy.
        request = request.header("Host", HOST);
        let own = headers.iter().any(|(name, _)| name.eq_ignore_ascii_case("authorization"));
        if let Some(secret) = self.secret.as_ref().filter(|_| !own) {
            request = request.header("Authorization", format!("Bearer {secret}"));
        }
        let agent = &self.service.agent;
        let mut response = match body {
            [] => agent.run(request.body(()).unwrap()).unwrap(),
            _ => agent.run(request.body(body).unwrap()).unwrap(),
        };
        let bytes = response.body_mut().read_to_vec().unwrap();
        let answer = Answer {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
            bytes,
        };
        if method == "POST" && matches!(path, "/v1/games" | "/v1/imports") {
            // So that the next game is listed before this one.
            next_millisecond();
        }
        self.checked(method, path, answer)
    }

    /// Compares an answer with the document.
    fn checked(&self, method: &str, path: &str, answer: Answer) -> Answer {
        check_headers(method, path, answer.status, &answer.headers_but(&[]));
        assert!(
            answer.header("x-request-id").is_some_and(|id| (1..=64).contains(&id.len())),
            "{method} {path}"
        );
        // In every test, operations answer only problems that their documentation lists.
        if answer.header("content-type") == Some("application/problem+json")
            && let Ok(problem) = serde_json::from_str::<Value>(&answer.text)
        {
            check_is_listed(method, path, problem["code"].as_str().unwrap());
        }
        answer
    }
}

/// Takes a seat for each player by their place in the list, with the body for its number. Clients without a
/// secret take none.
pub(crate) fn sit(id: &str, players: &[Client<'_>], mut body: impl FnMut(usize) -> Value) {
    for (number, player) in (1..).zip(players).filter(|(_, player)| player.secret.is_some()) {
        let mut body = body(number);
        if body.get("entropy").is_some() {
            body = with_entropy(player, &format!("/v1/games/{id}"), body["entropy"].as_str().unwrap());
        }
        let taken = player.put(&format!("/v1/games/{id}/seats/{number}"), body);
        assert_eq!(taken.status, 201, "{}", taken.text);
    }
}

/// Returns a body that takes a seat with entropy, the commitment and the seats shown by the game at this
/// path.
pub(crate) fn with_entropy(player: &Client<'_>, path: &str, entropy: &str) -> Value {
    let game = player.get(path).json();
    json!({"entropy": entropy, "commitment": game["commitment"], "seats_digest": game["seats_digest"]})
}
