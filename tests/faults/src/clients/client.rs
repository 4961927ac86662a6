//! A client of the service that repeats unanswered requests as the interface documents, and records
//! everything it did.

use std::io::{Error, ErrorKind};
use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::clients::http::{Connection, Request, Response};
use crate::history::{Answer, Asked, Attempt, Journal, Line};

/// How long a client waits for a response.
const PATIENCE: Duration = Duration::from_secs(5);
/// The pause before a client reconnects.
const AGAIN: Duration = Duration::from_millis(20);
/// The pause before a client follows a `Retry-After`.
const RETRY_AFTER: Duration = Duration::from_secs(1);
/// How long a client keeps trying to get an answer.
const TRIES: Duration = Duration::from_secs(90);

/// Sleeps for the given time.
#[expect(clippy::disallowed_methods, reason = "clients and faults have their times")]
pub(crate) fn pause(long: Duration) {
    thread::sleep(long);
}

/// State that all clients of a run share.
pub struct World {
    begun: Instant,
    /// The address of each process.
    pub addresses: Vec<SocketAddr>,
    /// Receives the history.
    pub journal: Journal,
    /// Whether clients must begin nothing more.
    pub is_over: AtomicBool,
    /// How many words were acknowledged.
    pub words: AtomicU64,
    /// How many plies were tried by several clients.
    pub contested: AtomicU64,
    operations: AtomicU64,
    clients: AtomicU32,
}

impl World {
    /// Returns a world in which nothing has happened yet.
    pub fn new(addresses: Vec<SocketAddr>, journal: Journal) -> Self {
        Self {
            begun: Instant::now(),
            addresses,
            journal,
            is_over: AtomicBool::new(false),
            words: AtomicU64::new(0),
            contested: AtomicU64::new(0),
            operations: AtomicU64::new(0),
            clients: AtomicU32::new(0),
        }
    }

    /// Returns the microseconds since the run began.
    pub fn now(&self) -> u64 {
        self.begun.elapsed().as_micros() as u64
    }

    /// Returns whether clients must begin nothing more.
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }

    /// Returns an unused client number.
    pub(crate) fn client(&self) -> u32 {
        self.clients.fetch_add(1, Ordering::Relaxed)
    }
}

/// The holder of a seat.
#[derive(Clone, Copy, Debug)]
pub struct SeatHolder<'a> {
    /// The seat, from 1 on.
    pub seat: usize,
    /// The secret that proves it.
    pub secret: &'a str,
}

/// A client.
pub struct Client<'a> {
    world: &'a World,
    number: u32,
    /// The process that it sends requests to.
    process: usize,
    /// Whether it tries another process if one does not answer, as behind a balancer.
    wanders: bool,
    connection: Option<Connection>,
    /// When its last request ended.
    ended: u64,
    /// Everything it did.
    pub lines: Vec<Line>,
}

impl<'a> Client<'a> {
    /// Returns a client of one process, or of any process, beginning with that one.
    pub fn new(world: &'a World, process: usize, wanders: bool) -> Self {
        let process = process % world.addresses.len();
        Self {
            world,
            number: world.client(),
            process,
            wanders,
            connection: None,
            ended: 0,
            lines: Vec::new(),
        }
    }

    /// Repeats a request until it is answered. Returns `None` if the client gave up.
    pub fn insist(&mut self, game: &str, by: Option<SeatHolder<'_>>, asked: &Asked) -> Option<Answer> {
        let begun = Instant::now();
        let op = self.world.operations.fetch_add(1, Ordering::Relaxed);
        while begun.elapsed() < TRIES {
            let answer = self.attempt(op, game, by, asked);
            match answer {
                Answer::Cut => pause(AGAIN),
                Answer::Busy { .. } => pause(RETRY_AFTER),
                Answer::Done { .. } | Answer::Refused { .. } | Answer::Broken { .. } => return Some(answer),
            }
        }
        None
    }

    /// Sends a request once.
    pub fn ask(&mut self, game: &str, by: Option<SeatHolder<'_>>, asked: &Asked) -> Answer {
        let op = self.world.operations.fetch_add(1, Ordering::Relaxed);
        let answer = self.attempt(op, game, by, asked);
        match answer {
            Answer::Cut => pause(AGAIN),
            Answer::Busy { .. } => pause(RETRY_AFTER),
            Answer::Done { .. } | Answer::Refused { .. } | Answer::Broken { .. } => {}
        }
        answer
    }

    fn attempt(&mut self, op: u64, game: &str, by: Option<SeatHolder<'_>>, asked: &Asked) -> Answer {
        let request = request(game, by.map(|by| by.secret), asked);
        // Requests of a client never overlap, even within a microsecond.
        let start = self.world.now().max(self.ended + 1);
        let address = self.world.addresses[self.process];
        let sent = match self.connection.take() {
            Some(kept) => Ok(kept),
            None => Connection::open(address, PATIENCE),
        };
        let sent = sent.and_then(|mut connection| {
            let response = connection.send(&request)?;
            self.connection = Some(connection);
            Ok(response)
        });
        let answer = match sent {
            Ok(response) => answer(asked, &response),
            // Malformed HTTP did not come from a cut.
            Err(error) if is_cut(&error) => Answer::Cut,
            Err(error) => Answer::Broken { status: 0, body: error.to_string() },
        };
        let (client, process, end) = (self.number, self.process, self.world.now().max(start));
        self.ended = end;
        let (game, asked) = (game.to_owned(), asked.clone());
        let is_cut = answer == Answer::Cut;
        self.lines.push(Line::Attempt(Attempt {
            game,
            client,
            process,
            viewer: by.map(|by| by.seat),
            op,
            asked,
            start,
            end,
            answer: answer.clone(),
        }));
        if is_cut && self.wanders {
            self.process = (self.process + 1) % self.world.addresses.len();
        }
        answer
    }
}

fn is_cut(error: &Error) -> bool {
    error.kind() != ErrorKind::Other
}

fn request(game: &str, secret: Option<&str>, asked: &Asked) -> Request {
    let secret = secret.map(str::to_owned);
    let (method, path) = match asked {
        Asked::Create { .. } => ("POST", "/v1/games".to_owned()),
        Asked::Sit { seat } => ("PUT", format!("/v1/games/{game}/seats/{seat}")),
        Asked::Append { ply, .. } => ("PUT", format!("/v1/games/{game}/moves/{ply}")),
        Asked::Game => ("GET", format!("/v1/games/{game}")),
        Asked::Log => ("GET", format!("/v1/games/{game}/log")),
        Asked::State { ply } => ("GET", format!("/v1/games/{game}/states/{ply}")),
    };
    let (mut headers, mut body) = (Vec::new(), String::new());
    match asked {
        Asked::Create { key, ruleset, seats } => {
            headers.push(("Idempotency-Key", key.clone()));
            body = serde_json::json!({"ruleset": ruleset, "seats": seats}).to_string();
        }
        Asked::Sit { .. } => "{}".clone_into(&mut body),
        Asked::Append { decision, .. } => body = serde_json::json!({"move": decision}).to_string(),
        Asked::Log => headers.push(("Accept", "application/json".to_owned())),
        Asked::Game | Asked::State { .. } => {}
    }
    Request { method, path, secret, headers, body }
}

fn answer(asked: &Asked, response: &Response) -> Answer {
    let Response { status, has_retry_after, body } = response;
    let text = || String::from_utf8_lossy(body).into_owned();
    let Ok(json) = serde_json::from_slice::<Value>(body) else {
        return Answer::Broken { status: *status, body: text() };
    };
    let code = || json["code"].as_str().unwrap_or_default().to_owned();
    match status {
        200..300 => {
            let (ply, hash) = head(&json["head"]);
            let (drawn, words) = match asked {
                Asked::Create { .. } => (None, vec![text_of(&json["id"])]),
                Asked::Append { .. } => (None, items(&json["words"]).map(text_of).collect()),
                Asked::Log => listed(&json["words"]),
                Asked::Sit { .. } | Asked::Game | Asked::State { .. } => (None, Vec::new()),
            };
            Answer::Done { status: *status, ply, hash, words, drawn }
        }
        400..500 => Answer::Refused { status: *status, code: code() },
        503 => Answer::Busy { has_retry_after: *has_retry_after, code: code() },
        _ => Answer::Broken { status: *status, body: text() },
    }
}

fn text_of(json: &Value) -> String {
    json.as_str().unwrap_or_default().to_owned()
}

/// Returns ply and hash of a head.
pub(crate) fn head(json: &Value) -> (u32, Option<String>) {
    (json["ply"].as_u64().unwrap_or(0) as u32, json["hash"].as_str().map(str::to_owned))
}

fn items(json: &Value) -> impl Iterator<Item = &Value> {
    json.as_array().into_iter().flatten()
}

/// Returns the words of a list: the one of ply 0, and those after it.
pub(crate) fn listed(json: &Value) -> (Option<String>, Vec<String>) {
    let is_drawn = |item: &&Value| item["ply"] == 0;
    let words = |item: &Value| text_of(&item["word"]);
    (items(json).find(is_drawn).map(words), items(json).filter(|item| !is_drawn(item)).map(words).collect())
}
