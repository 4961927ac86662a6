//! Runs every example in the documents, and compares every list in them with the program.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use assam_referee::{AnyRecord, Ruleset, Setup};
use regex::Regex;
use serde_json::{Value, json};

use crate::harness::{Service, assam, out, sqlite};

mod bot;
mod docs_page;
mod pasted;
mod reference;

pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

pub(crate) fn document(name: &str) -> String {
    fs::read_to_string(root().join(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Returns the fenced blocks of a document, also those in lists: the words after the opening fence, and the
/// text.
pub(crate) fn blocks(text: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let (indent, fence) = line.split_at(line.len() - line.trim_start().len());
        if let Some(info) = fence.strip_prefix("```") {
            let inside = lines.by_ref().take_while(|line| line.trim() != "```");
            let inside: Vec<&str> = inside.map(|line| line.strip_prefix(indent).unwrap_or(line)).collect();
            blocks.push((info.to_owned(), inside.join("\n") + "\n"));
        }
    }
    blocks
}

/// Returns the names of all documents of the project.
fn documents() -> Vec<String> {
    fn collect(folder: &Path, names: &mut Vec<String>) {
        for entry in fs::read_dir(root().join(folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            let name = path.to_str().unwrap();
            let is_made = name == "target"
                || name.starts_with('.')
                || name.starts_with("fuzz")
                || name.ends_with("node_modules");
            if entry.file_type().unwrap().is_dir() && !is_made {
                collect(&path, names);
            } else if name.ends_with(".md") {
                names.push(name.to_owned());
            }
        }
    }
    let mut names = Vec::new();
    collect(Path::new(""), &mut names);
    names
}

/// Returns the documents that specify the notation.
fn grammar() -> Vec<String> {
    documents()
        .into_iter()
        .filter(|name| name.starts_with("notation/") && !name.contains("vectors"))
        .collect()
}

#[test]
fn every_record_in_the_documents_is_valid_or_refused_exactly_as_they_say() {
    let mut counts: BTreeMap<(Option<Ruleset>, bool), u32> = BTreeMap::new();
    for name in documents() {
        for (info, text) in blocks(&document(&name)) {
            if !info.starts_with("mkn") {
                continue;
            }
            let record = AnyRecord::read(&text);
            let file_form = record.file_form();
            let is_valid = match (info.split_once(' '), record.verdict) {
                (Some(("mkn-refused", said)), verdict) => {
                    let error = verdict.unwrap_err();
                    let place = format!("{}:{}", error.place.line, error.place.column);
                    let told = format!("{} {} {place}", error.kind.as_str(), error.rule);
                    assert_eq!(told, said, "{name}:\n{text}");
                    false
                }
                (_, verdict) => {
                    assert_eq!(verdict, Ok(()), "{name}:\n{text}");
                    assert_eq!(file_form, text, "{name}: examples are in file form");
                    let is_masked = record.table.is_some_and(|table| table.is_masked());
                    assert_eq!(info, if is_masked { "mkn masked" } else { "mkn" }, "{name}:\n{text}");
                    true
                }
            };
            let ruleset = text.split(' ').nth(1).and_then(Ruleset::named);
            *counts.entry((ruleset, is_valid)).or_default() += 1;
        }
    }
    assert!(counts.values().sum::<u32>() >= 20, "{counts:?}");
    for ruleset in Ruleset::ALL {
        for is_valid in [true, false] {
            assert!(counts.contains_key(&(Some(*ruleset), is_valid)), "{ruleset:?}: {counts:?}");
        }
    }
}

/// Checks every position line in the grammar, each on a separate line.
#[test]
fn every_position_line_in_the_grammar_is_possible() {
    for ruleset in Ruleset::ALL {
        let indented = format!("    {} ", ruleset.name());
        let texts: Vec<String> = grammar().iter().map(|name| document(name)).collect();
        let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| line.starts_with(&indented));
        let mut read = 0;
        for line in lines.map(str::trim_start) {
            assert_eq!(Setup::read_position_line(line).unwrap().line(), format!("MKN/1 {line}"));
            read += 1;
        }
        assert!(read > 0, "{ruleset:?}");
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
    let backend = sqlite();
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
    // A move depends on the position. It must be understood, but need not be legal there.
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
fn the_guide_to_clients_gives_problems_the_statuses_that_they_have() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let problems = service.stranger().get("/v1/problems").json();
    let statuses: BTreeMap<&str, u64> = problems["problems"]
        .as_array()
        .unwrap()
        .iter()
        .map(|problem| (problem["code"].as_str().unwrap(), problem["status"].as_u64().unwrap()))
        .collect();
    let told = Regex::new("(?:([0-9]{3}) )?`([a-z_]+)`").unwrap();
    let page = document("docs/guides/write-a-client.md");
    let cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" | ").next());
    let mut count = 0;
    for cell in cells.filter(|cell| cell.contains(|c: char| c.is_ascii_digit())) {
        let mut status = 0;
        for found in told.captures_iter(cell) {
            status = found.get(1).map_or(status, |told| told.as_str().parse().unwrap());
            assert_eq!(statuses.get(&found[2]), Some(&status), "{cell}");
            count += 1;
        }
    }
    assert!(count > 15, "{count}");
}

/// Returns the anchors of the headings of a document.
fn anchors(name: &str) -> BTreeSet<String> {
    let text = document(name);
    let headings =
        text.lines().filter(|line| line.starts_with('#')).map(|line| line.trim_start_matches('#').trim());
    let is_kept = |c: &char| c.is_alphanumeric() || " -_".contains(*c);
    headings
        .map(|heading| heading.to_lowercase().chars().filter(is_kept).collect::<String>().replace(' ', "-"))
        .collect()
}

#[test]
fn every_relative_link_of_the_documents_leads_somewhere() {
    let (mut links, mut parts) = (0, 0);
    for name in documents() {
        let folder = Path::new(&name).parent().unwrap();
        for target in document(&name).split("](").skip(1).map(|rest| rest.split(')').next().unwrap()) {
            // Paths that begin with a slash are served, and the test of the introduction requests them. The
            // CI badge is an address of the repository's host.
            if target.contains("://") || target.starts_with('/') || target.contains("/actions/") {
                continue;
            }
            let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
            let file =
                if file.is_empty() { name.clone() } else { folder.join(file).to_str().unwrap().to_owned() };
            assert!(root().join(&file).exists(), "{name}: {target}");
            links += 1;
            if !anchor.is_empty() {
                assert!(anchors(&file).contains(anchor), "{name}: {target}");
                parts += 1;
            }
        }
    }
    assert!(links > 20 && parts > 2, "{links} links, {parts} to a part of a page");
}

#[test]
fn every_alert_leads_to_its_entry_in_the_runbook() {
    let alerts = document("deploy/alerts.yml");
    let values = |key: &str| -> Vec<String> {
        let lines = alerts.lines().filter_map(|line| line.trim_start_matches([' ', '-']).strip_prefix(key));
        lines.map(|value| value.trim().trim_matches('"').to_owned()).collect()
    };
    let (names, entries) = (values("alert:"), values("runbook:"));
    let wanted: Vec<String> =
        names.iter().map(|name| format!("docs/operate/runbook.md#{}", name.to_lowercase())).collect();
    assert_eq!(entries, wanted);
    let anchors = anchors("docs/operate/runbook.md");
    let is_there = |entry: &&String| !anchors.contains(entry.split_once('#').unwrap().1);
    assert_eq!(entries.iter().find(is_there), None);
    assert!(names.len() > 5, "{names:?}");
}

#[test]
fn the_badges_of_the_readme_are_true() {
    let readme = document("README.md");
    let manifest = document("Cargo.toml");
    let rust = manifest.split("rust-version = \"").nth(1).unwrap().split('"').next().unwrap();
    assert!(
        readme.contains(&format!("[![Rust {rust} or later](https://img.shields.io/badge/rust-{rust}+-")),
        "{rust}"
    );
    let openapi: Value = serde_json::from_str(&document("openapi/openapi.json")).unwrap();
    let version = openapi["openapi"].as_str().unwrap().rsplit_once('.').unwrap().0;
    assert!(
        readme.contains(&format!("[![OpenAPI {version}](https://img.shields.io/badge/OpenAPI-{version}-")),
        "{version}"
    );
    let licences = manifest.split("license = \"").nth(1).unwrap().split('"').next().unwrap();
    assert_eq!(licences, "MIT OR Apache-2.0");
    assert!(
        readme.contains("badge/licence-MIT%20or%20Apache--2.0-")
            && root().join(".github/workflows/ci.yaml").exists()
    );
}

#[test]
fn the_page_on_performance_has_the_tables_of_the_results() {
    let checked =
        Command::new("python3").arg(root().join("scripts/performance")).arg("--check").output().unwrap();
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
}

#[test]
fn the_committed_openapi_document_is_the_one_that_the_program_serves() {
    let printed = Command::new(env!("CARGO_BIN_EXE_assam")).arg("openapi").output().unwrap();
    let printed = String::from_utf8(printed.stdout).unwrap();
    assert!(
        printed == document("openapi/openapi.json"),
        "run `cargo run -- openapi > openapi/openapi.json` and commit the change"
    );
    let backend = sqlite();
    let service = Service::start(&backend);
    assert_eq!(service.stranger().get("/openapi.json").text, printed);
}

/// Checks that only Rust files in these places have any of these words.
fn is_only_in(words: &[&str], places: &[&str]) {
    let crates = ["rules", "notation", "players", "referee", "record", "proofs", "store", "api", "cli"];
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
    is_only_in(&["SysRng", "getrandom", "thread_rng"], &["record/src/entropy.rs"]);
    // Random games and matches use a given seed, and a bot waits for random times.
    let players = ["cli/src/records/random.rs", "cli/src/engine/", "cli/src/remote/player.rs"];
    is_only_in(&["rand::"], &[&["record/src/entropy.rs"][..], &players].concat());
    is_only_in(&["Hmac"], &["record/src/chance.rs"]);
}

#[test]
fn sql_stays_in_the_stores() {
    is_only_in(
        &["SELECT ", "INSERT ", "UPDATE games", "DELETE ", "rusqlite", "tokio_postgres"],
        &["store/src/"],
    );
}

#[test]
fn the_clock_is_read_in_one_place() {
    is_only_in(&["Timestamp::now", "SystemTime"], &["record/src/clock.rs"]);
}

#[test]
fn the_guide_to_records_shows_a_refused_record_exactly_as_the_program_does() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mkn");
    fs::write(&file, "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\nE+1 d6e6\n*\n").unwrap();
    let file = file.to_str().unwrap();
    let told = out(&assam(&["validate", file], "")).replace(file, "game.mkn");
    let (diagnosis, _) = told.split_once("\n\n").unwrap();
    let shown = blocks(&document("docs/guides/record-and-check-games.md"));
    assert!(shown.iter().any(|(_, text)| text.trim_end() == diagnosis), "{diagnosis}");
}

#[test]
fn the_table_of_what_many_games_take_is_what_its_program_prints() {
    let program = root().join("scripts/capacity");
    let printed = Command::new("python3").arg(program).output().unwrap();
    assert!(printed.status.success(), "{}", String::from_utf8_lossy(&printed.stderr));
    let table = String::from_utf8(printed.stdout).unwrap();
    assert!(table.lines().count() > 10 && document("docs/operate/scaling.md").contains(&table), "{table}");
}
