//! Requests that cause problems.

use super::*;

impl Scene<'_> {
    pub(super) fn get(&self, path: &str) -> Answer {
        self.service.stranger().get(path)
    }

    pub(super) fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.service.stranger().send(method, path, headers, "")
    }

    pub(super) fn import(&self, record: &str) -> Answer {
        self.service.stranger().post_text("/v1/imports", record)
    }

    /// Requests a valid game with these fields.
    pub(super) fn create(&self, fields: Value) -> Answer {
        let mut wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        wanted.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
        self.service.stranger().post("/v1/games", wanted)
    }

    pub(super) fn create_raw(&self, body: &str) -> Answer {
        self.service.stranger().send("POST", "/v1/games", &[], body)
    }

    /// Returns a game that waits for its players.
    pub(super) fn open(&self) -> String {
        self.create(json!({})).json()["id"].as_str().unwrap().to_owned()
    }

    /// Returns a game of two that waits for its first move.
    pub(super) fn running(&self) -> (String, Vec<Client<'_>>) {
        self.service.game(2, json!({"two_player": "one-colour"}))
    }

    pub(super) fn head(&self, id: &str) -> Value {
        self.get(&format!("/v1/games/{id}")).json()["head"].clone()
    }

    /// Sends a request after the database has refused a change, while it can still be read.
    pub(super) fn while_unwritable(&self, ask: impl FnOnce() -> Answer) -> Answer {
        let refused = || {
            assert_eq!(self.create(json!({})).problem(), "unavailable");
            ask()
        };
        match self.backend {
            Backend::Sqlite(_) => self.while_locked(refused),
            Backend::Postgres(_) => self.backend.while_full(refused),
        }
    }

    /// Sends a request while another connection locks the database.
    pub(super) fn while_locked(&self, ask: impl FnOnce() -> Answer) -> Answer {
        match self.backend {
            Backend::Sqlite(directory) => {
                let other = rusqlite::Connection::open(directory.path().join("assam.db")).unwrap();
                other.execute_batch("BEGIN EXCLUSIVE").unwrap();
                ask()
            }
            Backend::Postgres(_) => {
                let mut other = postgres::Client::connect(&self.backend.url(), postgres::NoTls).unwrap();
                other.batch_execute("BEGIN; LOCK TABLE games IN ACCESS EXCLUSIVE MODE").unwrap();
                ask()
            }
        }
    }

    /// Reads a game that the operator took down.
    pub(super) fn taken_down(&self) -> Answer {
        let (id, players) = self.running();
        self.backend.take_down(&id, "spam");
        players[0].get(&format!("/v1/games/{id}/legal-moves"))
    }

    /// Announces a game whose body never arrives.
    pub(super) fn without_a_body(&self) -> Answer {
        let service = Service::start_with(self.backend, &["--body-timeout", "1"]);
        service.stranger().send_without_a_body("POST", "/v1/games")
    }

    /// Exceeds a rate limit.
    pub(super) fn once_too_often(&self) -> Answer {
        let service = Service::start_counting(self.backend, &["--rate", "reads=60/m:1"]);
        let answers = std::iter::repeat_with(|| service.player().get("/v1/rulesets"));
        answers.into_iter().find(|answer| answer.status == 429).unwrap()
    }

    /// Requests a game while the write queue is full.
    pub(super) fn while_queue_is_full(&self) -> Answer {
        let service = Service::start_with(self.backend, &["--queue", "1"]);
        service.while_queue_is_full(self.backend, |busy| busy)
    }

    /// Reads a game whose log was changed behind the guard's back.
    pub(super) fn damaged_game(&self) -> Answer {
        let (id, players) = self.running();
        assert_eq!(players[0].play(&id, 1, "N").status, 201);
        let drop_guard = match self.backend {
            Backend::Sqlite(_) => "DROP TRIGGER IF EXISTS games_guard_update",
            Backend::Postgres(_) => "DROP TRIGGER IF EXISTS games_guard_update ON games",
        };
        let damage = format!(
            "UPDATE games SET log = 'W+z~0', revision = revision + 1 WHERE id = {}",
            self.backend.id(&id)
        );
        self.backend.sabotage(drop_guard).unwrap();
        assert_eq!(self.backend.sabotage(&damage), Ok(1));
        let refused = self.get(&format!("/v1/games/{id}"));
        for cause in ["W+z", "log", "ply", "notation", "chance", id.as_str()] {
            let detail = refused.json()["detail"].as_str().unwrap().to_owned();
            assert!(!detail.contains(cause), "{detail}");
        }
        refused
    }
}
