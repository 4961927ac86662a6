//! The published Python client: a wheel installed into a folder that an environment variable names.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::{env, fs, thread};

use serde_json::{Value, json};

use crate::harness::{Service, err, out, python, restarting, sqlite};

/// The folder with the installed wheel, as a `PYTHONPATH`.
const CLIENT: &str = "ASSAM_TEST_PYTHON_CLIENT";

/// A file of the client's sources.
pub(crate) fn source(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../clients/python").join(name)
}

/// Returns a command that runs a script on the installed client, or `None` without one, which CI does not
/// allow.
pub(crate) fn client(script: &Path) -> Option<Command> {
    let Ok(folder) = env::var(CLIENT) else {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "run scripts/test, or set {CLIENT}");
        // Straight to the stream, as libtest does not hold this back.
        let test = thread::current();
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED, no {CLIENT}: {}", test.name().unwrap_or("a test")).unwrap();
        return None;
    };
    assert!(Path::new(&folder).join("assam_client/py.typed").exists(), "{folder}: run scripts/python-client");
    let mut python = Command::new("python3");
    python.arg("-B").arg(script).env("PYTHONPATH", folder).current_dir(env::temp_dir());
    Some(python)
}

/// Returns the output of a script.
fn run(script: &Path, arguments: &[&str]) -> Option<Output> {
    Some(client(script)?.args(arguments).output().unwrap())
}

#[test]
fn the_python_client_plays_both_games_to_their_end() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let Some(run) = run(&source("examples/play.py"), &[service.base()]) else { return };
    let told = out(&run);
    assert!(run.status.success(), "{}: {told}{}", backend.name(), err(&run));
    assert_eq!(err(&run), "");

    // The client reports each game as the service does.
    let page = service.stranger().get("/v1/games?status=finished").json();
    let finished = page["games"].as_array().unwrap();
    let by_age = finished.iter().rev();
    let expected: Vec<String> = by_age
        .map(|game| {
            let id = game["id"].as_str().unwrap();
            let view = service.stranger().get(&format!("/v1/games/{id}")).json();
            let scores = view["result"]["scores"].as_array().unwrap().iter();
            let scores: Vec<String> = scores.map(Value::to_string).collect();
            format!("{id}: {}, scores {}", game["ruleset"].as_str().unwrap(), scores.join(" "))
        })
        .collect();
    let games: Vec<&str> = told.lines().filter(|line| !line.starts_with(' ')).collect();
    assert_eq!(games, expected);

    // It played both games, first against built-in players and then between two people. No player resigned.
    let people = |game: &Value| {
        let seats = game["seats"].as_array().unwrap();
        seats.iter().filter(|seat| seat["kind"] == "human").count()
    };
    let played: Vec<_> = finished.iter().rev().map(|game| (game["ruleset"].clone(), people(game))).collect();
    let [marrakech, marrakesh] = ["marrakech/1", "marrakesh/1"].map(|name| json!(name));
    assert_eq!(played, [(marrakech.clone(), 1), (marrakech, 2), (marrakesh.clone(), 1), (marrakesh, 2)]);
    for verified in ["heads that were kept: ", "seed: it matches its commitment", "chance: "] {
        let lines = told.lines().filter(|line| line.trim_start().starts_with(verified));
        assert_eq!(lines.count(), 4, "{verified}: {told}");
    }
    assert!(!told.contains("hidden"), "{told}");
}

#[test]
fn bots_and_followers_with_the_python_client_live_through_a_restart_of_the_service() {
    let backend = sqlite();
    let Some(mut script) = client(&source("tests/restarted.py")) else { return };
    assert_eq!(restarting(&backend, &mut script), "everything holds");
}

#[test]
fn every_function_of_the_python_client_waits_for_a_service_that_is_away_while_the_client_is_in_a_stream() {
    let backend = sqlite();
    let Some(mut script) = client(&source("tests/every_function.py")) else { return };
    assert_eq!(restarting(&backend, &mut script), "everything holds");
}

#[test]
fn the_first_game_in_the_readme_of_the_python_client_is_played_when_pasted() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let readme = fs::read_to_string(source("README.md")).unwrap();
    let script = readme.split("```python\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("first.py");
    fs::write(&file, script.replace("http://127.0.0.1:8080", service.base())).unwrap();
    let Some(run) = run(&file, &[]) else { return };
    let told = out(&run);
    assert!(run.status.success(), "{told}{}", err(&run));
    assert!(told.starts_with("MKN/1 marrakech/1 seats=3\nseat1: Aisha\n"), "{told}");
    assert!(told.contains("'seed: it matches its commitment"), "{told}");
}

#[test]
fn the_types_of_the_python_client_are_those_of_the_document() {
    let Some(run) = python("clients/python/scripts/types_from_document.py", &["--check"]) else { return };
    assert!(run.status.success(), "{}", err(&run));
}
