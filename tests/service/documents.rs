//! The documents: every example in them is run, every list in them is compared with the program.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assam_notation::{Explain, Opening, SetupLine, read_record};
use assam_rules::{marrakech, marrakesh};
use serde_json::{Value, json};

use crate::harness::{Service, assam, backends, out};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The fenced blocks of a document: what stands behind the opening fence, and the text.
fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let inside: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((info.to_owned(), inside.join("\n") + "\n"));
        }
    }
    blocks
}

/// Reads the record in a block and compares it with what stands behind the opening fence: valid, or refused?
fn is_valid_as_said<G: Explain>(name: &str, info: &str, text: &str) -> bool {
    let record = read_record::<G>(text);
    match info.split_once(' ') {
        Some(("mkn-refused", said)) => {
            let error = record.verdict.unwrap_err();
            let place = format!("{}:{}", error.place.line, error.place.column);
            let told = format!("{} {} {place}", error.kind.as_str(), error.rule);
            assert_eq!(told, said, "{name}:\n{text}");
            false
        }
        _ => {
            assert_eq!(record.verdict, Ok(()), "{name}:\n{text}");
            assert_eq!(record.file_form(), text, "{name}: examples are in file form");
            assert_eq!(info, if record.is_masked() { "mkn masked" } else { "mkn" }, "{name}:\n{text}");
            true
        }
    }
}

#[test]
fn every_record_in_the_documents_is_valid_or_refused_exactly_as_they_say() {
    let mut counts = [[0; 2]; 2];
    for name in ["README.md", "notation/GRAMMAR.md"] {
        for (info, text) in blocks(&document(name)) {
            if !info.starts_with("mkn") {
                continue;
            }
            let is_marrakesh = text.starts_with("MKN/1 marrakesh/");
            let is_valid = if is_marrakesh {
                is_valid_as_said::<marrakesh::Position>(name, &info, &text)
            } else {
                is_valid_as_said::<marrakech::Position>(name, &info, &text)
            };
            counts[usize::from(is_marrakesh)][usize::from(is_valid)] += 1;
        }
    }
    assert!(counts[0].iter().all(|&count| count >= 6), "{counts:?}");
    assert!(counts[1].iter().all(|&count| count >= 4), "{counts:?}");
}

/// Every position line in the grammar, each on a line of its own.
#[test]
fn every_position_line_in_the_grammar_is_possible() {
    let grammar = document("notation/GRAMMAR.md");
    let lines =
        grammar.lines().filter_map(|line| line.strip_prefix("    marra").map(|rest| format!("marra{rest}")));
    let mut read = 0;
    for line in lines {
        let split = SetupLine::read_position_line(&line).unwrap();
        let written = if line.starts_with("marrakesh/") {
            Opening::<marrakesh::Position>::read(&split).unwrap().line()
        } else {
            Opening::<marrakech::Position>::read(&split).unwrap().line()
        };
        assert_eq!(written, format!("MKN/1 {line}"));
        read += 1;
    }
    assert_eq!(read, 2);
}

#[test]
fn the_curl_lines_of_the_readme_play_the_first_turns_of_a_three_player_game_when_pasted() {
    let readme = document("README.md");
    let (_, script) = blocks(&readme).into_iter().find(|(_, text)| text.contains("openssl rand")).unwrap();
    for backend in backends() {
        let service = Service::start(&backend);
        let script = script.replace("http://127.0.0.1:8080", service.base());
        assert!(script.contains(service.base()));
        let output = Command::new("bash").args(["-euo", "pipefail", "-c", &script]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let games = service.stranger().get("/v1/games").json();
        let game = &games["games"][0];
        assert_eq!(game["status"], "running", "{told}");
        assert_eq!(game["head"]["ply"], 3, "{told}");
        assert_eq!(game["seats"][2]["name"], "Lea");
        assert!(told.contains("MKN/1 marrakech/1 seats=3\nseat1: Aisha\n"), "{told}");
        assert!(told.contains(r#"{"valid":true"#), "{told}");
        assert!(!told.contains("/v1/problems/"), "no line of it is refused: {told}");
    }
}

#[test]
fn the_curl_lines_of_the_readme_play_marrakesh_against_the_service_when_pasted() {
    let readme = document("README.md");
    let (_, script) = blocks(&readme).into_iter().find(|(_, text)| text.contains("solitaire-ai")).unwrap();
    for backend in backends() {
        let service = Service::start(&backend);
        let script = script.replace("http://127.0.0.1:8080", service.base());
        let output = Command::new("bash").args(["-euo", "pipefail", "-c", &script]).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let told = String::from_utf8(output.stdout).unwrap();
        let game = &service.stranger().get("/v1/games").json()["games"][0];
        assert_eq!((&game["status"], &game["ruleset"]), (&json!("running"), &json!("marrakesh/1")), "{told}");
        assert!(game["head"]["ply"].as_u64().unwrap() >= 2, "{told}");
        assert!(told.contains("+b:????????????+r:????????????"), "as everybody reads it: {told}");
        assert_eq!(told.matches("+r:????????????").count(), 2, "{told}");
        assert!(told.contains(r#""salt":""#) && !told.contains("/v1/problems/"), "{told}");
    }
}

#[test]
fn every_example_of_the_openapi_document_is_what_the_service_takes_and_gives() {
    let openapi: Value = serde_json::from_str(&document("openapi/openapi.json")).unwrap();
    let examples = |place: &Value, media: &str| -> Vec<(String, Value)> {
        let examples = place["content"][media]["examples"].as_object().unwrap();
        assert!(examples.keys().any(|name| name.contains("Marrakech")) || examples.len() > 1);
        examples.iter().map(|(name, example)| (name.clone(), example["value"].clone())).collect()
    };
    let request = |path: &str, method: &str| openapi["paths"][path][method]["requestBody"].clone();
    let backend = backends().remove(0);
    let service = Service::start(&backend);
    let client = service.player();
    for (name, body) in examples(&request("/v1/games", "post"), "application/json") {
        assert_eq!(client.post("/v1/games", body).status, 201, "{name}");
    }
    for (name, record) in examples(&request("/v1/validate", "post"), "text/plain") {
        let verdict = client.post_text("/v1/validate", record.as_str().unwrap()).json();
        assert_eq!(verdict["valid"], true, "{name}: {verdict}");
        assert_eq!(verdict["masked"], name.contains("masked"), "{name}");
    }
    for (name, record) in examples(&request("/v1/imports", "post"), "text/plain") {
        assert_eq!(client.post_text("/v1/imports", record.as_str().unwrap()).status, 201, "{name}");
    }
    let log = &openapi["paths"]["/v1/games/{id}/log"]["get"]["responses"]["200"];
    for (name, record) in examples(log, "text/plain") {
        assert_eq!(
            client.post_text("/v1/validate", record.as_str().unwrap()).json()["valid"],
            true,
            "{name}"
        );
    }
    // A move depends on the position; it is understood, whether or not it is legal just there.
    let moves = request("/v1/games/{id}/moves/{ply}", "put");
    for (name, body) in examples(&moves, "application/json") {
        let ruleset = if name.contains("Marrakesh") { "marrakesh/1" } else { "marrakech/1" };
        let options =
            if name.contains("orientation=end") { json!({"orientation": "end"}) } else { json!({}) };
        let (id, seats) = service.table(ruleset, &["open", "open"], options);
        let on_turn = client.get(&format!("/v1/games/{id}/legal-moves")).json()["seat"].as_u64().unwrap();
        let answer = seats[on_turn as usize - 1].put(&format!("/v1/games/{id}/moves/1"), body);
        assert!([201, 422].contains(&answer.status), "{name}: {}", answer.text);
    }
}

#[test]
fn the_readme_lists_every_endpoint_and_no_other() {
    let openapi: Value = serde_json::from_str(&document("openapi/openapi.json")).unwrap();
    let mut documented = BTreeSet::new();
    for (path, item) in openapi["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys() {
            documented.insert(format!("{} {path}", method.to_uppercase()));
        }
    }
    let listed: BTreeSet<String> = document("README.md")
        .lines()
        .filter_map(|line| line.strip_prefix("| `")?.split_once('`'))
        .map(|(endpoint, _)| endpoint.to_owned())
        .filter(|endpoint| endpoint.contains(" /"))
        .collect();
    assert_eq!(listed, documented);
}

#[test]
fn the_readme_lists_every_flag_with_its_variable_and_default() {
    let help =
        Command::new(env!("CARGO_BIN_EXE_assam")).args(["serve", "--help"]).env_clear().output().unwrap();
    let help = String::from_utf8(help.stdout).unwrap();
    let flags: BTreeSet<&str> = help
        .split_whitespace()
        .filter(|word| word.starts_with("--") && word.len() > 2)
        .filter(|flag| !["--help", "--version"].contains(flag))
        .collect();
    let readme = document("README.md");
    let rows: Vec<Vec<&str>> = readme
        .lines()
        .filter(|line| line.starts_with("| `--"))
        .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    assert_eq!(rows.iter().map(|row| row[1]).collect::<BTreeSet<_>>(), flags);
    for row in rows {
        assert!(help.contains(row[2]), "{}", row[2]);
        let default = format!("[default: {}]", row[3]);
        assert!(row[3] == "false" || help.contains(&default), "{default}");
    }
}

#[test]
fn every_relative_link_of_the_documents_leads_somewhere() {
    let mut links = 0;
    for name in [
        "README.md",
        "ARCHITECTURE.md",
        "CHANGELOG.md",
        "CONTRIBUTING.md",
        "docs/chance.md",
        "docs/fuzzing.md",
        "docs/performance.md",
        "docs/perft.md",
        "docs/rules.md",
        "examples/python/README.md",
        "notation/GRAMMAR.md",
        "notation/vectors/README.md",
        "notation/vectors/marrakesh/README.md",
    ] {
        let folder = root().join(name).parent().unwrap().to_owned();
        for target in
            document(name).split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned())
        {
            if !target.contains("://") && !target.starts_with('#') {
                assert!(folder.join(&target).exists(), "{name}: {target}");
                links += 1;
            }
        }
    }
    assert!(links > 5);
}

#[test]
fn the_committed_openapi_document_is_the_one_that_the_program_serves() {
    let printed = Command::new(env!("CARGO_BIN_EXE_assam")).arg("openapi").output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(
        printed == document("openapi/openapi.json"),
        "run `cargo run -- openapi > openapi/openapi.json` and commit the change"
    );
    for backend in backends() {
        let service = Service::start(&backend);
        assert_eq!(service.stranger().get("/openapi.json").text, printed);
    }
}

/// Every Rust file of the program that is not in one of these places has none of these words.
fn is_only_in(words: &[&str], places: &[&str]) {
    let crates = ["rules", "notation", "players", "referee", "api", "cli"];
    let mut folders = crates.map(|name| root().join(name).join("src")).to_vec();
    let mut looked = 0;
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let name = path.strip_prefix(root()).unwrap().to_str().unwrap().to_owned();
            let text = fs::read_to_string(&path).unwrap();
            looked += 1;
            for word in words {
                let allowed = places.iter().any(|place| name.starts_with(place));
                assert!(allowed || !text.contains(word), "{word} in {name}");
            }
        }
    }
    assert!(looked > 130, "{looked}");
}

#[test]
fn randomness_comes_from_one_place() {
    is_only_in(&["SysRng", "getrandom", "thread_rng"], &["api/src/entropy.rs"]);
    // Games at random come from a seed that is given.
    is_only_in(&["rand::"], &["api/src/entropy.rs", "cli/src/random.rs"]);
    is_only_in(&["Hmac"], &["api/src/chance.rs"]);
}

#[test]
fn sql_stays_in_the_stores() {
    is_only_in(
        &["SELECT ", "INSERT ", "UPDATE games", "DELETE ", "rusqlite", "tokio_postgres"],
        &["api/src/store/"],
    );
}

#[test]
fn the_clock_is_read_in_one_place() {
    is_only_in(&["Timestamp::now", "SystemTime"], &["api/src/clock.rs"]);
}

#[test]
fn the_readme_shows_a_refused_record_exactly_as_the_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mkn");
    fs::write(&file, "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+1 d6e6\n*\n").unwrap();
    let file = file.to_str().unwrap();
    let told = out(&assam(&["validate", file], "")).replace(file, "game.mkn");
    let (diagnosis, _) = told.split_once("\n\n").unwrap();
    let shown = blocks(&document("README.md"));
    assert!(shown.iter().any(|(_, text)| text.trim_end() == diagnosis), "{diagnosis}");
}
