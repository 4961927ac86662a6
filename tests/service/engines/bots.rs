//! `assam bot`: players and programs in the games of a service.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Child, ChildStdout, Stdio};

use serde_json::{Value, json};

use super::{EXAMPLE, has_python, program, run};
use crate::harness::{Client, Service, err, out, secret, sqlite};

/// A secret in a file.
struct SecretFile {
    folder: tempfile::TempDir,
    secret: String,
}

impl SecretFile {
    fn new() -> Self {
        let (folder, secret) = (tempfile::tempdir().unwrap(), secret());
        fs::write(folder.path().join("secret"), format!("{secret}\n")).unwrap();
        Self { folder, secret }
    }

    fn path(&self) -> PathBuf {
        self.folder.path().join("secret")
    }

    /// Returns the arguments of a bot with this secret.
    fn bot<'a>(&'a self, path: &'a str, service: &'a Service, arguments: &[&'a str]) -> Vec<&'a str> {
        [&["bot", "--url", service.base(), "--secret-file", path], arguments].concat()
    }
}

/// A bot that runs while others play, and is killed when dropped.
struct RunningBot {
    process: Child,
    told: BufReader<ChildStdout>,
}

impl RunningBot {
    fn start(arguments: &[&str]) -> Self {
        let mut process = program(arguments).stdout(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(process.stdout.take().unwrap());
        Self { process, told }
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.told.read_line(&mut line).unwrap();
        line
    }

    fn wait(mut self) -> Option<i32> {
        self.process.wait().unwrap().code()
    }
}

impl Drop for RunningBot {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn scores(result: &Value) -> String {
    let scores = result["scores"].as_array().unwrap().iter().map(|score| format!(" {score}"));
    scores.collect()
}

/// Waits until the game is at another ply than `known`, or over.
fn changed(person: &Client<'_>, game: &str, known: &Value) -> Value {
    person.get(&format!("/v1/games/{game}?wait=30&since={}", known["head"]["ply"])).json()
}

#[test]
fn a_program_that_knows_no_rules_plays_a_whole_game_in_a_service() {
    if !has_python() {
        return;
    }
    let backend = sqlite();
    let service = Service::start(&backend);
    for (ruleset, other) in [("marrakech/1", "random"), ("marrakesh/1", "solitaire-ai")] {
        let file = SecretFile::new();
        let path = file.path();
        let game =
            ["--engine", EXAMPLE, "--create", "--ruleset", ruleset, "--against", other, "--name", "Example"];
        let played = run(&file.bot(path.to_str().unwrap(), &service, &game));
        assert_eq!(played.status.code(), Some(0), "{}", err(&played));
        let told = out(&played);
        let (id, _) = told.split_once(" created\n").unwrap();
        let view = service.stranger().get(&format!("/v1/games/{id}")).json();
        assert_eq!((&view["status"], &view["seats"][0]["name"]), (&json!("finished"), &json!("Example")));
        assert_eq!(told, format!("{id} created\n{id}{}\n", scores(&view["result"])));
        assert!(view["seats"][0]["entropy"].is_string(), "{view}");
        assert!(!told.contains(&file.secret) && !err(&played).contains(&file.secret));
    }
}

#[test]
fn two_bots_play_each_other_and_both_end_with_the_game() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (first, second) = (SecretFile::new(), SecretFile::new());
    let (first_path, second_path) = (first.path(), second.path());
    let arguments = ["--level", "hand", "--create", "--ruleset", "marrakech/1"];
    let mut creator = RunningBot::start(&first.bot(first_path.to_str().unwrap(), &service, &arguments));
    let created = creator.line();
    let id = created.strip_suffix(" created\n").unwrap();
    let arguments = ["--level", "random", "--game", id];
    let joined = run(&second.bot(second_path.to_str().unwrap(), &service, &arguments));
    assert_eq!(joined.status.code(), Some(0), "{}", err(&joined));
    assert_eq!(creator.line(), out(&joined));
    assert_eq!(creator.wait(), Some(0));
    // A bot that starts after the end of its game reports that end.
    let again = run(&second.bot(second_path.to_str().unwrap(), &service, &arguments));
    assert_eq!((again.status.code(), out(&again)), (Some(0), out(&joined)));
}

#[test]
fn a_bot_without_a_game_plays_all_games_of_its_secret_also_after_a_restart_and_a_resignation() {
    let backend = sqlite();
    let mut service = Service::start(&backend);
    let file = SecretFile::new();
    let path = file.path();
    let mine = secret();
    let person = service.with_secret(&mine);
    let mut games = Vec::new();
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        let wanted = json!({"ruleset": ruleset, "seats": ["open", "open"], "take": {"seat": 1}});
        let game = person.post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
        let taken = service.with_secret(&file.secret).put(&format!("/v1/games/{game}/seats/2"), json!({}));
        assert_eq!(taken.status, 201, "{}", taken.text);
        games.push(game);
    }
    let mut bot = RunningBot::start(&file.bot(path.to_str().unwrap(), &service, &["--level", "random"]));
    for (place, game) in games.iter().enumerate() {
        let person = service.with_secret(&mine);
        let mut known = person.get(&format!("/v1/games/{game}")).json();
        let mut decided = 0;
        // Until the bot has decided twice.
        while decided < 2 {
            if known["seat_on_turn"] == 1 {
                let legal = person.get(&format!("/v1/games/{game}/legal-moves")).json();
                let (ply, decision) = (legal["ply"].as_u64().unwrap(), legal["moves"][0].as_str().unwrap());
                assert_eq!(person.play(game, ply, decision).status, 201);
                known = person.get(&format!("/v1/games/{game}")).json();
            } else {
                known = changed(&person, game, &known);
                decided += 1;
            }
        }
        if place == 0 {
            service = service.start_again(&backend);
        }
    }
    for game in &games {
        let person = service.with_secret(&mine);
        loop {
            let ply = person.get(&format!("/v1/games/{game}/legal-moves")).json()["ply"].as_u64().unwrap();
            // The bot may decide at the same time.
            if person.play(game, ply, "!resign").status == 201 {
                break;
            }
        }
        let end = bot.line();
        assert!(end.starts_with(&format!("{game} ")), "{end}");
    }
}

#[test]
fn a_bot_that_cannot_play_ends_with_the_reason_and_never_shows_its_secret() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let file = SecretFile::new();
    let path = file.path();
    let (full, _) = service.game(2, json!({}));
    let wrong = file.folder.path().join("wrong");
    fs::write(&wrong, file.secret.to_uppercase()).unwrap();
    let unknown = "0f8fad5bd9cb469fa165708f67d64b2a";
    let path = path.to_str().unwrap();
    for (path, arguments, told) in [
        (path, vec!["--level", "hand", "--game", &full], "has no open seat"),
        (path, vec!["--level", "hand", "--game", unknown], ""),
        (path, vec!["--level", "hand", "--game", "../x"], "--game must be the id of a game"),
        (path, vec!["--level", "hand", "--create", "--seats", "9"], ""),
        (path, vec!["--engine", "/no/such/program", "--create", "--against", "random"], "cannot be started"),
        (
            path,
            vec!["--level", "solitaire-ai", "--create", "--against", "random"],
            "does not play marrakech/1",
        ),
        (wrong.to_str().unwrap(), vec!["--level", "hand"], "a secret has 64 lower-case hex digits"),
        ("/no/such/file", vec!["--level", "hand"], "/no/such/file"),
    ] {
        let refused = run(&file.bot(path, &service, &arguments));
        assert_eq!(refused.status.code(), Some(1), "{arguments:?}: {}", err(&refused));
        let said = format!("{}{}", out(&refused), err(&refused));
        assert!(err(&refused).starts_with("assam: ") && said.contains(told), "{arguments:?}: {said}");
        assert!(!said.to_lowercase().contains(&file.secret), "{said}");
    }
    let unreadable = run(&["bot", "--url", "http://127.0.0.1:9", "--secret-file", path, "--level", "hand"]);
    assert_eq!(unreadable.status.code(), Some(1), "{}", err(&unreadable));
}
