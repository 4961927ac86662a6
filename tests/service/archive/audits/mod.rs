//! `assam audit` over a whole archive, from every source.

use std::path::{Path, PathBuf};
use std::process::Output;

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::archive::backups::scene;
use crate::harness::{Backend, KEY, Service, assam, err, log_what_waits, out, secret, sit};

mod faults;
mod logged;
mod resumed;
mod sound;

const NDJSON: [(&str, &str); 1] = [("Accept", "application/x-ndjson")];
/// The statuses with words.
const ALL: &str = "running,finished,aborted";
const LINE: &str =
    "marrakech/1 seats=3 cover=any position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";

/// An archive of all kinds of games.
struct Archive {
    backend: Backend,
    service: Service,
    folder: TempDir,
    /// A finished game of Marrakech with entropy.
    marrakech: String,
    /// A finished match of Marrakesh with built-in players.
    marrakesh: String,
}

impl Archive {
    fn new(backend: Backend) -> Self {
        let service = Service::start(&backend);
        scene(&service, &backend);
        let random = |wanted: Value| service.seated(wanted).0;
        let marrakesh = random(
            json!({"ruleset": "marrakesh/1", "seats": ["random", "solitaire-ai"], "options": {"rounds": 6}}),
        );
        random(json!({"ruleset": "marrakech/1", "seats": ["random", "random", "random"], "position": LINE}));
        let (aborted, players) = service.game(2, json!({}));
        assert_eq!(players[0].play(&aborted, 1, "!abort").status, 201);
        let player = service.player();
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random", "random"]});
        let id = player.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        sit(&id, std::slice::from_ref(&player), |_| json!({"entropy": secret()}));
        let mut ply = 1;
        for _ in 0..4 {
            let legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
            let played = player.play(&id, ply, legal["moves"][0].as_str().unwrap());
            assert_eq!(played.status, 201, "{}", played.text);
            ply = played.json()["head"]["ply"].as_u64().unwrap() + 1;
        }
        assert_eq!(player.play(&id, ply, "!resign").status, 201);
        // The others play on.
        let game = player.get(&format!("/v1/games/{id}")).json();
        assert_eq!(game["status"], "finished", "{game}");
        let records = out(&assam(&["random", "5", "--vary", "--seed", "7"], ""));
        let imported = service.player().post_text("/v1/imports/bulk", &records);
        assert_eq!(imported.status, 200);
        // Nothing is pending for the public log.
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async { log_what_waits(&backend.open().await).await });
        let folder = tempfile::tempdir().unwrap();
        Self { backend, service, folder, marrakech: id, marrakesh }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Returns a file with the service's export.
    fn proofs(&self, name: &str) -> PathBuf {
        let path = format!("/v1/export?proofs=true&status={ALL}");
        let export = self.service.stranger().send("GET", &path, &NDJSON, "");
        assert_eq!(export.status, 200, "{}", export.text);
        let file = self.path(name);
        std::fs::write(&file, export.text).unwrap();
        file
    }

    fn backup(&self, name: &str) -> PathBuf {
        let file = self.path(name);
        let made = assam(&["backup", file.to_str().unwrap(), "--database", &self.backend.url()], "");
        assert_eq!(made.status.code(), Some(0), "{}", err(&made));
        file
    }

    /// Returns the key of the service.
    fn key(&self) -> String {
        self.service.stranger().get("/v1/keys").json()["keys"][0]["key"].as_str().unwrap().to_owned()
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

fn audit(arguments: &[&str]) -> Output {
    assam(&[&["audit"], arguments].concat(), "")
}

/// Returns the report as JSON, for any verdict.
fn report(arguments: &[&str]) -> Value {
    let audited = audit(&[arguments, &["--json"]].concat());
    serde_json::from_slice(&audited.stdout)
        .unwrap_or_else(|error| panic!("{arguments:?}: {error}: {}", err(&audited)))
}

/// Returns the part of a report about a check.
fn check<'a>(report: &'a Value, name: &str) -> &'a Value {
    let checks = report["checks"].as_array().unwrap();
    checks.iter().find(|check| check["check"] == name).unwrap_or(&Value::Null)
}

/// Returns the signing key, which must never be exposed.
fn signing_key() -> &'static str {
    KEY
}
