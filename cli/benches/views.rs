//! Measures the cost of reading a running match of Marrakesh, for each viewer, early and late, compared with
//! a trivial response.
//!
//! Run it with `cargo bench -p assam --bench views`. docs/performance.md explains the figures.

#[path = "../../notation/benches/speed/side_by_side.rs"]
mod side_by_side;

use std::net::TcpListener;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use assam_api::app::{App, Limits};
use assam_api::http::{self, LimitSettings, Listeners, ServerSettings};
use assam_proofs::signed::Keyring;
use assam_store::{Database, SqliteStore};
use serde_json::{Value, json};

use side_by_side::{Task, compare};

/// Requests of one task in one round: three for each of its hundred shares.
const REQUESTS: usize = 300;

const PLIES: [u64; 3] = [10, 100, 290];

const SECRETS: [&str; 2] = [
    "00000000000000000000000000000000000000000000000000000000000000b1",
    "00000000000000000000000000000000000000000000000000000000000000d2",
];

fn main() {
    let folder = tempfile::tempdir().expect("there is room for a database");
    let client =
        Client { base: start(&folder.path().join("views.db")), agent: ureq::Agent::new_with_defaults() };
    for ply in PLIES {
        let game = format!("/v1/games/{}", client.match_at(ply));
        let state = format!("{game}/states/{ply}");
        let bytes = client.get(&state, None).len() * REQUESTS;
        println!("\nA running match of Marrakesh at ply {ply}, one client, SQLite\n");
        let times = vec![(); REQUESTS];
        let task = |name, path: String, secret: Option<&'static str>| {
            let client = &client;
            Task::each(name, &times, move |()| client.get(&path, secret))
        };
        compare(
            ("requests", REQUESTS, bytes),
            &[
                task("GET /livez", "/livez".to_owned(), None),
                task("GET the state, spectator", state.clone(), None),
                task("GET the state, seat 1", state.clone(), Some(SECRETS[0])),
                task("GET the state, seat 2", state, Some(SECRETS[1])),
                task("GET the game, seat 1", game.clone(), Some(SECRETS[0])),
                task("GET the log, seat 1", format!("{game}/log"), Some(SECRETS[0])),
                task("GET the legal moves, seat 1", format!("{game}/legal-moves"), Some(SECRETS[0])),
                task("GET the proof, seat 1", format!("{game}/proof"), Some(SECRETS[0])),
            ],
        );
    }
}

/// Serves a new database with one worker until the program ends, and returns its base URL.
fn start(file: &std::path::Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = listener.local_addr().expect("it is bound");
    let store = Database::from(SqliteStore::open(file).expect("the folder is there"));
    thread::spawn(move || {
        actix_web::rt::System::new().block_on(async {
            store.admin.migrate().await.expect("the database is empty");
            http::server(
                Listeners { clients: vec![listener], ..Listeners::default() },
                Arc::new(
                    App::new(store, Limits { queue: 1, kept_bytes: 0 }, Keyring::empty())
                        .expect("a thread starts"),
                ),
                ServerSettings {
                    limits: LimitSettings::NONE,
                    connections: 1024,
                    workers: 1,
                    finished_bytes: 0,
                    body_patience: Duration::from_secs(20),
                    export_delay: Duration::ZERO,
                    has_pages: false,
                    shutdown_seconds: 0,
                    adopt: None,
                },
            )
            .expect("the port is bound")
            .await
            .expect("it serves");
        });
    });
    format!("http://{address}")
}

/// A client that keeps its connection open.
struct Client {
    base: String,
    agent: ureq::Agent,
}

impl Client {
    fn get(&self, path: &str, secret: Option<&str>) -> String {
        let mut request = self.agent.get(format!("{}{path}", self.base));
        if let Some(secret) = secret {
            request = request.header("Authorization", format!("Bearer {secret}"));
        }
        let mut response = request.call().expect("the path exists");
        response.body_mut().read_to_string().expect("a body is text")
    }

    fn send(&self, method: &str, path: &str, secret: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.base);
        let request = if method == "PUT" { self.agent.put(url) } else { self.agent.post(url) };
        let request = request.header("Authorization", format!("Bearer {secret}"));
        let mut response = request.send_json(body).expect("the request is right");
        response.body_mut().read_json().expect("a response is JSON")
    }

    /// Plays a match that is still running at this ply, always taking the first legal decision, and returns
    /// its id.
    fn match_at(&self, ply: u64) -> String {
        loop {
            let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]});
            let game = self.send("POST", "/v1/games", SECRETS[0], &wanted);
            let id = game["id"].as_str().expect("a game has an id").to_owned();
            for (seat, secret) in (1..).zip(SECRETS) {
                self.send("PUT", &format!("/v1/games/{id}/seats/{seat}"), secret, &json!({}));
            }
            let mut last = 0;
            while last < ply {
                let legal = format!("/v1/games/{id}/legal-moves");
                let told = SECRETS.map(|secret| {
                    serde_json::from_str::<Value>(&self.get(&legal, Some(secret))).expect("it is JSON")
                });
                let Some(seat) = told[0]["seat"].as_u64().map(|seat| seat as usize - 1) else { break };
                let path = format!("/v1/games/{id}/moves/{}", last + 1);
                let written =
                    self.send("PUT", &path, SECRETS[seat], &json!({"move": told[seat]["moves"][0]}));
                last = written["head"]["ply"].as_u64().expect("a response has its head");
            }
            let game: Value =
                serde_json::from_str(&self.get(&format!("/v1/games/{id}"), None)).expect("it is JSON");
            if last == ply && game["status"] == "running" {
                return id;
            }
        }
    }
}
