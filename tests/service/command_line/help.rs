//! The examples in the help of each command work unchanged.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::json;

use crate::harness::{Service, assam, err, out, sqlite};

/// Every command, as the help lists it.
fn commands() -> Vec<String> {
    let help = out(&assam(&["--help"], ""));
    let listed = help.split_once("Commands:\n").unwrap().1.split_once("\n\n").unwrap().0;
    let names = listed.lines().filter_map(|line| line.strip_prefix("  ")?.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

/// Returns the examples of a command: their captions and lines.
fn examples(command: &str) -> Vec<(String, Vec<String>)> {
    let help = out(&assam(&["help", command], ""));
    let (_, examples) = help.split_once("\nExamples:\n").unwrap_or_else(|| panic!("{command} has none"));
    let read = examples.split("\n\n").map(|example| {
        let (about, lines) = example.trim_end().split_once(":\n").unwrap();
        let lines = lines.lines().map(|line| line.strip_prefix("    ").expect(line).to_owned());
        (about.trim_start().to_owned(), lines.collect())
    });
    read.collect()
}

/// Runs a line like a shell that finds the program, with this folder as current directory and home.
fn shell(line: &str, folder: &Path) -> Output {
    let program = Path::new(env!("CARGO_BIN_EXE_assam")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut bash = Command::new("bash");
    bash.args(["-euo", "pipefail", "-c", line]).env_clear().env("PATH", path).env("HOME", folder);
    // New imports are exported without a delay.
    bash.env("ASSAM_EXPORT_DELAY", "0").current_dir(folder).output().unwrap()
}

/// Creates the files that examples name.
fn prepare(folder: &Path) {
    let games = out(&assam(&["random", "3", "--seed", "5"], ""));
    fs::create_dir(folder.join("games")).unwrap();
    fs::write(folder.join("games.mkn"), &games).unwrap();
    fs::write(folder.join("games/a.mkn"), &games).unwrap();
    fs::write(folder.join("game.mkn"), out(&assam(&["random"], ""))).unwrap();
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["random", "random"], json!({}));
    for (path, file) in [("proof", "proof.json"), ("log", "kept.mkn")] {
        let given = players[0].get(&format!("/v1/games/{id}/{path}"));
        assert_eq!(given.status, 200);
        fs::write(folder.join(file), given.text).unwrap();
    }
}

#[test]
fn every_command_has_examples_and_all_that_need_no_service_do_what_they_say() {
    let folder = tempfile::tempdir().unwrap();
    prepare(folder.path());
    let import = "assam import games --json --database sqlite:assam.db";
    let imported = shell(import, folder.path());
    assert!(imported.status.success(), "{}", err(&imported));
    let first: serde_json::Value = serde_json::from_str(out(&imported).lines().next().unwrap()).unwrap();
    let game = first["game"].as_str().unwrap();
    let mut run = 0;
    // Removed games cannot be imported again, so that comes last.
    let mut commands = commands();
    commands.sort_by_key(|command| command == "remove");
    for command in commands {
        for (about, lines) in examples(&command) {
            assert!(about.starts_with(char::is_uppercase), "{about}");
            for line in lines {
                assert!(line.contains("assam") || line.starts_with("mkdir"), "{command}: {line}");
                if line.starts_with("assam serve") || line.contains("http://") || line.contains("postgres://")
                {
                    continue;
                }
                let line = line.replace("0f8fad5bd9cb469fa165708f67d64b2a", game);
                let ended = shell(&line, folder.path());
                assert!(ended.status.success(), "{line}: {}{}", out(&ended), err(&ended));
                run += 1;
            }
        }
    }
    assert!(run > 20, "{run}");
    // The commands created each of these.
    for file in
        ["games.csv", "position.svg", "board.png", "plots", "matches.mkn", "openapi.json", "positions"]
    {
        assert!(folder.path().join(file).exists(), "{file}");
    }
}

#[test]
fn every_example_stands_on_one_line_in_a_terminal_of_a_hundred_columns() {
    let begins = ["assam ", "mkdir ", "eval ", "ASSAM_SECRET="];
    for command in commands() {
        let lines: Vec<String> = examples(&command).into_iter().flat_map(|(_, lines)| lines).collect();
        let broken = lines.iter().find(|line| !begins.iter().any(|begin| line.starts_with(begin)));
        assert_eq!(broken, None, "{command}");
    }
}
