//! The bot of the documents, which plays from the stream of its games.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::documents::{blocks, document};
use crate::harness::{Client, Service, python, secret, sqlite};

/// The bot as a process that is killed when dropped.
struct Bot {
    process: Child,
    told: BufReader<ChildStdout>,
}

impl Bot {
    fn start(folder: &Path, service: &Service) -> Self {
        let mut program = Command::new("python3");
        program.args(["-B", "bot.py", service.base(), "bot.secret"]).current_dir(folder);
        let mut process = program.stdout(Stdio::piped()).spawn().unwrap();
        let told = BufReader::new(process.stdout.take().unwrap());
        Self { process, told }
    }

    /// Reads its output up to the end of a game.
    fn wait_for_end_of(&mut self, game: &str) -> Value {
        loop {
            let mut line = String::new();
            assert_ne!(self.told.read_line(&mut line).unwrap(), 0, "the bot has ended");
            if let Some(scores) = line.strip_prefix(game) {
                return serde_json::from_str(scores).unwrap();
            }
        }
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }
}

/// Waits until it is the person's turn, and returns the legal moves.
fn due(person: &Client<'_>, game: &str) -> Value {
    let path = format!("/v1/games/{game}");
    let mut known = person.get(&path).json();
    while known["seat_on_turn"] != 1 {
        let head = &known["head"]["ply"];
        known = person.get(&format!("{path}?wait=30&since={head}")).json();
    }
    person.get(&format!("{path}/legal-moves")).json()
}

/// Plays the first legal move whenever it is the person's turn, until the bot has decided too.
fn play_until_it_decides(person: &Client<'_>, game: &str) {
    let mut legal = due(person, game);
    loop {
        let (ply, decision) = (legal["ply"].as_u64().unwrap(), legal["moves"][0].as_str().unwrap());
        assert_eq!(person.play(game, ply, decision).status, 201);
        legal = due(person, game);
        if legal["ply"] != ply + 1 {
            return;
        }
    }
}

#[test]
fn the_bot_of_the_documents_plays_on_after_it_was_killed_and_after_the_service_was() {
    let Some(_) = python("-c", &["pass"]) else { return };
    let page = document("docs/guides/write-a-bot.md");
    let (_, bot) = blocks(&page).into_iter().find(|(language, _)| language == "python").unwrap();
    assert!(bot.lines().count() <= 40, "a bot is short");
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let its = secret();
    fs::write(folder.path().join("bot.py"), &bot).unwrap();
    fs::write(folder.path().join("bot.secret"), format!("{its}\n")).unwrap();
    let mine = secret();
    let mut service = Service::start(&backend);
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "take": {"seat": 1}});
    let game = service.with_secret(&mine).post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    let mut bot = Bot::start(folder.path(), &service);
    // It was running before it had a game.
    let taken = service.with_secret(&its).put(&format!("/v1/games/{game}/seats/2"), json!({}));
    assert_eq!(taken.status, 201, "{}", taken.text);
    play_until_it_decides(&service.with_secret(&mine), &game);
    drop(bot);
    bot = Bot::start(folder.path(), &service);
    play_until_it_decides(&service.with_secret(&mine), &game);
    service = service.start_again(&backend);
    let person = service.with_secret(&mine);
    play_until_it_decides(&person, &game);
    // It has decided, so it is connected.
    let ply = due(&person, &game)["ply"].as_u64().unwrap();
    let end = person.play(&game, ply, "!resign");
    assert_eq!(end.status, 201, "{}", end.text);
    let scores = bot.wait_for_end_of(&game);
    let result = person.get(&format!("/v1/games/{game}")).json()["result"]["scores"].clone();
    assert_eq!(scores, result);
}
