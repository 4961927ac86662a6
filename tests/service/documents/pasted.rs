//! Pastes and runs the blocks that the documents tell readers to paste.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::documents::{blocks, document};
use crate::harness::{Service, assam, comes, out, python, sqlite};

/// Runs the block of a document with these words in a new folder, and returns its output.
fn paste(page: &str, words: &str, service: &Service) -> String {
    paste_in(&tempfile::tempdir().unwrap(), page, words, service)
}

/// Runs the block of a document with these words, and returns its output.
fn paste_in(folder: &tempfile::TempDir, page: &str, words: &str, service: &Service) -> String {
    let (_, script) = blocks(&document(page)).into_iter().find(|(_, text)| text.contains(words)).unwrap();
    run_in(folder, page, &script, service)
}

/// Runs these lines of a document, and returns their output.
fn run_in(folder: &tempfile::TempDir, page: &str, script: &str, service: &Service) -> String {
    let script = script.replace("http://127.0.0.1:8080", service.base());
    let program = Path::new(env!("CARGO_BIN_EXE_assam")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap());
    let mut bash = Command::new("bash");
    let output = bash
        .args(["-euo", "pipefail", "-c", &script])
        .env("PATH", path)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{page}: {output:?}");
    let told = String::from_utf8(output.stdout).unwrap();
    assert!(!told.contains("/v1/problems/"), "no line of it is refused: {told}");
    told
}

/// Runs a block on every store, and passes the newest game and the output to `check`.
fn paste_everywhere(page: &str, words: &str, check: impl Fn(&Value, &str)) {
    let backend = sqlite();
    let service = Service::start(&backend);
    let told = paste(page, words, &service);
    check(&service.stranger().get("/v1/games").json()["games"][0], &told);
}

#[test]
fn the_lines_of_the_readme_make_a_secret_create_a_game_and_move() {
    paste_everywhere("README.md", "openssl rand", |game, told| {
        assert_eq!((&game["status"], &game["seat_on_turn"]), (&json!("running"), &json!(1)), "{told}");
        assert_eq!(game["head"]["ply"], 4, "a turn of each: {told}");
        assert!(told.contains("MKN/1 marrakech/1 seats=2\n"), "{told}");
    });
}

#[test]
fn the_guide_to_verification_checks_a_game_from_its_receipt_to_its_end_and_the_whole_archive() {
    let page = "docs/guides/verify-the-dice.md";
    let folder = tempfile::tempdir().unwrap();
    let backend = sqlite();
    let service = Service::start(&backend);
    let scripts: Vec<String> = blocks(&document(page))
        .into_iter()
        .filter_map(|(language, text)| (language == "sh").then_some(text))
        .filter(|text| !text.contains("python3"))
        .collect();
    let [game, seats, seat, running, inclusion, key, witness, audit] = &scripts[..] else {
        panic!("other blocks than this test knows: {scripts:?}")
    };
    let keep = &"printf '%s\\n' ID=$ID KEY=$KEY ME=$ME ENTROPY=$ENTROPY > kept\n".to_owned();
    let told = run_in(
        &folder,
        page,
        &[game, seats, seat, running, keep].map(|part| part.as_str()).concat(),
        &service,
    );
    for verified in ["the receipt of seat 1 has", "seat 1 has the entropy that you sent"] {
        assert!(told.contains(&format!("verified: {verified}")), "{told}");
    }
    let id = &service.stranger().get("/v1/games").json()["games"][0]["id"];
    let path = format!("/v1/games/{}/inclusion", id.as_str().unwrap());
    let is_in_the_log = || service.stranger().get(&path).json()["entries"][0]["position"].is_u64();
    assert!(comes(60, is_in_the_log));
    let before = format!("ASSAM={}\n. ./kept\n", service.base());
    let told = run_in(&folder, page, &[&before, inclusion, key].map(|part| part.as_str()).concat(), &service);
    let witnesses = told.lines().last().unwrap().to_owned();
    assert!(witnesses.starts_with("witness.example.org/assam+"), "{told}");
    // The operator names the witness.
    drop(service);
    let service = Service::start_with(&backend, &["--witness", &witnesses]);
    let before = format!("ASSAM={}\n. ./kept\n", service.base());
    let rest = [&before, witness, running, audit].map(|part| part.as_str()).concat();
    let told = run_in(&folder, page, &rest, &service);
    assert!(told.contains("\u{2014} witness.example.org/assam "), "its cosignature: {told}");
}

#[test]
fn the_worked_example_on_chance_is_the_committed_proof_and_its_first_roll() {
    let page = document("docs/reference/proof-format.md");
    let (_, program) = blocks(&page).into_iter().find(|(_, text)| text.contains("import hashlib")).unwrap();
    let proof: Value = serde_json::from_str(&document("examples/proof.json")).unwrap();
    for known in ["commitment", "anchor", "seed_hash", "start"] {
        let line = format!("{known} = ");
        let line = program.lines().find(|given| given.starts_with(&line)).unwrap();
        assert!(line.contains(proof[known].as_str().unwrap()), "{line}");
    }
    let word = &proof["words"][0];
    assert!(program.contains(word["key"].as_str().unwrap()) && word["ply"] == 1);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("roll.py");
    std::fs::write(&file, &program).unwrap();
    if let Some(run) = python(file.to_str().unwrap(), &[]) {
        assert_eq!(out(&run).trim(), word["parts"][1]["token"], "{run:?}");
    }
    // The receipt on the page is the one in the proof, and its key is the one named.
    for line in proof["receipt"].as_str().unwrap().lines().filter(|line| !line.is_empty()) {
        assert!(page.contains(&format!("\n    {line}\n")), "{line}");
    }
    let key = page
        .split("--key ")
        .find_map(|rest| rest.starts_with("assam-").then(|| rest.split('`').next().unwrap()));
    let run = assam(&["verify", "-", "--key", key.unwrap()], &proof.to_string());
    let told = out(&run);
    assert!(run.status.success() && told.contains("outcomes of chance that follow from the keys"), "{run:?}");
    assert!(told.contains("verified: the end of the game is signed by assam-"), "{told}");
}

#[test]
fn the_lines_on_first_games_play_the_first_turns_of_a_three_player_game() {
    paste_everywhere("docs/start/first-games.md", "seats/3", |game, told| {
        assert_eq!(game["status"], "running", "{told}");
        assert_eq!(game["head"]["ply"], 3, "{told}");
        assert_eq!(game["seats"][2]["name"], "Lea");
        assert!(told.contains("MKN/1 marrakech/1 seats=3\nseat1: Aisha\n"), "{told}");
        assert!(told.contains(r#"{"valid":true"#), "{told}");
    });
}

#[test]
fn the_lines_on_first_games_play_a_turn_against_a_merchant() {
    paste_everywhere("docs/start/first-games.md", "merchant-4", |game, told| {
        assert_eq!(game["seats"][1]["kind"], "merchant-4/1", "{told}");
        assert_eq!((&game["seat_on_turn"], &game["head"]["ply"]), (&json!(1), &json!(4)), "{told}");
    });
}

#[test]
fn the_lines_on_first_games_play_marrakesh_against_the_service() {
    paste_everywhere("docs/start/first-games.md", "solitaire-ai", |game, told| {
        assert_eq!((&game["status"], &game["ruleset"]), (&json!("running"), &json!("marrakesh/1")), "{told}");
        assert!(game["head"]["ply"].as_u64().unwrap() >= 2, "{told}");
        assert!(told.contains("+b:????????????+r:????????????"), "as everybody reads it: {told}");
        assert_eq!(told.matches("+r:????????????").count(), 2, "{told}");
        for verified in
            ["sealed tokens that match their hashes: ", "the receipt of seat 1 has the same commitment"]
        {
            assert!(told.contains(&format!("verified: {verified}")), "{told}");
        }
    });
}

#[test]
fn the_bot_of_the_documents_plays_a_match_to_its_end() {
    paste_everywhere("docs/guides/write-a-bot.md", "your_turn=true", |game, told| {
        assert_eq!(game["status"], "finished", "{told}");
        let scores: Value = serde_json::from_str(told.lines().last().unwrap()).unwrap();
        assert_eq!(scores.as_array().unwrap().len(), 2, "{told}");
    });
}

#[test]
fn the_lines_on_data_count_random_games() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let told = paste("docs/guides/analyse-games.md", "assam random", &service);
    let counts: Value = serde_json::from_str(told.lines().nth(1).unwrap()).unwrap();
    let games: u64 = counts.as_array().unwrap().iter().map(|seat| seat["games"].as_u64().unwrap()).sum();
    assert_eq!(games, 200, "{told}");
}

#[test]
fn the_lines_on_data_validate_import_and_export_many_records() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let folder = tempfile::tempdir().unwrap();
    let records = out(&assam(&["random", "40", "--seats", "3", "--seed", "1"], ""));
    std::fs::write(folder.path().join("games.mkn"), &records).unwrap();
    let told = paste_in(&folder, "docs/guides/analyse-games.md", "/v1/imports/bulk", &service);
    let lines: Vec<Value> = told.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&lines[0]["good"], &lines[1]["new"]), (&json!(40), &json!(40)));
    let told = paste_in(&folder, "docs/guides/analyse-games.md", "/v1/export/count", &service);
    assert_eq!(told, "{\"games\":40}\n", "{}", backend.name());
    let [mkn, jsonl] =
        ["all.mkn", "all.jsonl"].map(|name| std::fs::read_to_string(folder.path().join(name)).unwrap());
    assert_eq!((mkn.matches("MKN/1").count(), jsonl.lines().count()), (40, 40));
}

#[test]
fn the_program_of_the_page_on_the_crates_is_the_one_that_is_run_with_them() {
    let page = document("docs/guides/use-the-crates.md");
    let (_, program) = blocks(&page).into_iter().find(|(language, _)| language == "rust").unwrap();
    assert!(document("referee/README.md").contains(&program));
}
