//! The TypeScript client, installed from the published package and tested against the service.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use sha2::{Digest, Sha256};

use crate::harness::{Service, err, installed, out, restarting, sqlite, typescript};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// Runs a script against a service, and returns its output.
fn told_by(script: &Path) -> String {
    let backend = sqlite();
    let service = Service::start(&backend);
    let run = typescript(script, &[service.base()]);
    assert!(run.status.success(), "{}{}", out(&run), err(&run));
    out(&run)
}

#[test]
fn the_typescript_client_plays_both_games_to_their_end() {
    let Some(package) = installed() else { return };
    let told = told_by(&package.join("examples/play.mjs"));
    for (ruleset, who) in [
        ("marrakech/1", "against random and random"),
        ("marrakech/1", "between two people"),
        ("marrakesh/1", "against solitaire-ai"),
        ("marrakesh/1", "between two people"),
    ] {
        assert_eq!(told.matches(&format!("{ruleset}, {who}: ")).count(), 1, "{told}");
    }
    assert_eq!(told.matches(" heads verified, ").count(), 6, "{told}");
}

/// Puts a script next to the package, so that it finds the package by name.
pub(crate) fn beside(package: &Path, name: &str) -> PathBuf {
    let script = package.join(name);
    fs::copy(root().join("clients/typescript/test").join(name), &script).unwrap();
    script
}

#[test]
fn the_typescript_client_does_what_its_comments_say_also_where_answers_are_lost() {
    let Some(package) = installed() else { return };
    let told = told_by(&beside(&package, "interface.mjs"));
    assert_eq!(told, "everything holds\n");
}

#[test]
fn streams_of_the_typescript_client_go_on_where_they_were_wherever_they_are_cut() {
    let Some(package) = installed() else { return };
    let run = typescript(&beside(&package, "streams.mjs"), &[]);
    assert!(run.status.success(), "{}{}", out(&run), err(&run));
    assert_eq!(out(&run), "everything holds\n");
}

#[test]
fn bots_and_followers_with_the_typescript_client_live_through_a_restart_of_the_service() {
    let Some(package) = installed() else { return };
    let script = beside(&package, "restarted.mjs");
    let backend = sqlite();
    let told = restarting(&backend, Command::new("node").arg(&script));
    assert_eq!(told, "everything holds");
}

#[test]
fn every_function_of_the_typescript_client_waits_for_a_service_that_is_away_while_the_client_is_in_a_stream()
{
    let Some(package) = installed() else { return };
    let script = beside(&package, "every_function.mjs");
    let backend = sqlite();
    let told = restarting(&backend, Command::new("node").arg(&script));
    assert_eq!(told, "everything holds");
}

#[test]
fn the_typescript_client_is_made_of_the_committed_document_and_its_example_is_the_committed_one() {
    let Some(package) = installed() else { return };
    let document = fs::read(root().join("openapi/openapi.json")).unwrap();
    let hash = hex::encode(Sha256::digest(document));
    let schema = fs::read_to_string(package.join("dist/schema.js")).unwrap();
    assert!(schema.contains(&hash), "run scripts/clients: the types are of another openapi/openapi.json");
    for example in ["play.mjs", "verify.mjs"] {
        let published = fs::read(package.join("examples").join(example)).unwrap();
        let committed = fs::read(root().join("clients/typescript/examples").join(example)).unwrap();
        assert!(published == committed, "run scripts/clients: {example} is another one");
    }
}

/// The README's first game, pasted into a file.
#[test]
fn the_first_game_of_the_readme_of_the_typescript_client_is_played_to_its_end() {
    let Some(package) = installed() else { return };
    let readme = fs::read_to_string(root().join("clients/typescript/README.md")).unwrap();
    let (_, script) = readme.split_once("```ts\n").unwrap();
    let (script, _) = script.split_once("```").unwrap();
    assert!(script.lines().count() <= 10);
    let backend = sqlite();
    let service = Service::start(&backend);
    let script = script.replace("http://127.0.0.1:8080", service.base());
    assert!(script.contains(service.base()));
    let file = package.join("first.mjs");
    fs::write(&file, script).unwrap();
    let run = typescript(&file, &[]);
    assert!(run.status.success() && out(&run).contains(" to "), "{}{}", out(&run), err(&run));
}
