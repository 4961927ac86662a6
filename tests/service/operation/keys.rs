//! The keys that the service signs with: created, changed, lost and refused.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::harness::{Backend, Service, assam, backends, comes, err, out, postgres, sqlite};

/// Returns the keys published by a service.
fn named(service: &Service) -> Vec<String> {
    let keys = service.stranger().get("/v1/keys").json()["keys"].clone();
    keys.as_array().unwrap().iter().map(|key| key["key"].as_str().unwrap().to_owned()).collect()
}

/// Returns a running game, and the receipt of its start.
fn game(service: &Service) -> (String, String) {
    let (id, _) = service.game(2, json!({}));
    let path = format!("/v1/games/{id}/receipt?ply=0");
    let receipt = service.stranger().get(&path).text;
    (path, receipt)
}

/// Returns the error of a service that refuses to start.
fn refused(backend: &Backend, keys: &[&str]) -> String {
    let url = backend.url();
    let serve = [&["serve", "--listen", "127.0.0.1:0", "--database", &url], keys].concat();
    let run = assam(&serve, "");
    assert_eq!(run.status.code(), Some(1), "{run:?}");
    // Output never repeats the contents of the file.
    let file = keys.get(1).and_then(|file| fs::read_to_string(file).ok()).unwrap_or_default();
    for line in file.lines().filter(|line| !line.is_empty()) {
        let secret = line.splitn(5, '+').last().unwrap();
        assert!(!err(&run).contains(secret), "{line}");
    }
    err(&run)
}

fn rotate(backend: &Backend, file: &Path) -> String {
    let (url, file) = (backend.url(), file.to_str().unwrap());
    let run = assam(&["key", "rotate", "--after", "0", "--database", &url, "--key-file", file], "");
    assert_eq!(run.status.code(), Some(0), "{run:?}");
    out(&run).split_whitespace().next().unwrap().to_owned()
}

#[test]
fn a_rotated_key_signs_what_comes_and_those_before_it_what_was() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        let arguments = ["--key-file", file.to_str().unwrap()];
        let (first, path, receipt) = {
            let service = Service::start_with(&backend, &arguments);
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
            let first = named(&service);
            assert_eq!(first.len(), 1);
            let (path, receipt) = game(&service);
            (first[0].clone(), path, receipt)
        };
        let second = rotate(&backend, &file);
        assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        let id = |key: &str| key.split('+').nth(1).unwrap().to_owned();
        assert!(first.split('+').next() == second.split('+').next() && id(&first) != id(&second));
        let service = Service::start_with(&backend, &arguments);
        assert_eq!(named(&service), [first.clone(), second.clone()]);
        assert_eq!(service.stranger().get(&path).text, receipt, "signed by the key of then");
        let (_, newer) = game(&service);
        for (receipt, own, other) in [(&receipt, &first, &second), (&newer, &second, &first)] {
            let signed = |key: &str| {
                let key: assam_proofs::signed::VerifyingKey = key.parse().unwrap();
                key.verify(&assam_proofs::signed::Note::read(receipt).unwrap()).is_ok()
            };
            assert!(signed(own) && !signed(other));
        }
        let listed = out(&assam(&["key", "list", "--database", &backend.url()], ""));
        let listed: Vec<&str> = listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
        assert_eq!(listed, [&first, &second]);
    }
}

#[test]
fn a_service_whose_key_is_not_the_one_that_the_database_knows_refuses_to_start() {
    for backend in backends() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("keys");
        let arguments = ["--key-file", file.to_str().unwrap()];
        drop(Service::start_with(&backend, &arguments));
        let first = fs::read_to_string(&file).unwrap();
        let second = rotate(&backend, &file);
        let both = fs::read_to_string(&file).unwrap();
        // An older file.
        fs::write(&file, &first).unwrap();
        let told = refused(&backend, &arguments);
        assert!(
            told.contains(&format!("knows the key {second}")) && told.contains("not among the keys"),
            "{told}"
        );
        fs::remove_file(&file).unwrap();
        let told = refused(&backend, &arguments);
        assert!(told.contains("is missing, with the key ") && !file.exists(), "{told}");
        // An unpublished one, which then is published.
        let another = out(&assam(&["key", "new", "--name", second.split('+').next().unwrap()], ""));
        fs::write(&file, format!("{both}\n{another}")).unwrap();
        let told = refused(&backend, &arguments);
        assert!(told.contains("does not know the newest of the keys"), "{told}");
        let third = rotate(&backend, &file);
        assert_eq!(named(&Service::start_with(&backend, &arguments)).last(), Some(&third));
        // If it is lost, another one with the same name takes its place.
        fs::remove_file(&file).unwrap();
        let fourth = rotate(&backend, &file);
        let service = Service::start_with(&backend, &arguments);
        assert_eq!(named(&service).last(), Some(&fourth));
        assert_eq!(named(&service).len(), 4);
        fs::write(&file, "nonsense\n").unwrap();
        let told = refused(&backend, &arguments);
        assert!(told.contains("line 1: a key that verifies is"), "{told}");
    }
}

/// Does something with a service whose former key is lost, and a game finished before.
pub(crate) fn with_its_key_lost<T>(work: impl FnOnce(&Service, &str) -> T) -> T {
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("keys");
    let arguments = ["--key-file", file.to_str().unwrap()];
    let id = {
        let service = Service::start_with(&backend, &arguments);
        let (id, players) = service.game(2, json!({}));
        assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
        id
    };
    fs::remove_file(&file).unwrap();
    rotate(&backend, &file);
    work(&Service::start_with(&backend, &arguments), &id)
}

/// Does something with a service that knows of a newer published key than it has, and a running game.
pub(crate) fn with_another_key_made_known<T>(work: impl FnOnce(&Service, &str) -> T) -> T {
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let (file, other) = (folder.path().join("keys"), folder.path().join("other"));
    let service = Service::start_with(&backend, &["--key-file", file.to_str().unwrap()]);
    let (id, _) = service.game(2, json!({}));
    fs::copy(&file, &other).unwrap();
    rotate(&backend, &other);
    // It looks every 15 seconds.
    let is_known = || service.stranger().get("/log/checkpoint").status != 200;
    assert!(comes(40, is_known), "it signs with a key that is no longer the newest");
    work(&service, &id)
}

#[test]
fn a_receipt_whose_key_is_lost_is_refused_and_everything_else_goes_on() {
    with_its_key_lost(|service, id| {
        let proof = service.stranger().get(&format!("/v1/games/{id}/proof"));
        assert_eq!((proof.status, &proof.json()["receipt"]), (200, &Value::Null));
        assert_eq!(service.stranger().get(&format!("/v1/games/{id}/receipt")).problem(), "key_missing");
        let (path, receipt) = game(service);
        assert_eq!(service.stranger().get(&path).text, receipt);
    });
}

#[test]
fn beside_postgresql_somebody_says_where_the_key_is() {
    let Some(backend) = postgres() else { return };
    let told = refused(&backend, &[]);
    assert!(told.contains("--key-file FILE") && told.contains("ASSAM_KEYS"), "{told}");
}

#[test]
fn beside_an_sqlite_file_a_key_is_made_without_a_word() {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &database];
    for _ in 0..2 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_assam"))
            .args(serve)
            .env_clear()
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(line.starts_with("Assam listens on "), "{line}");
    }
    let keys = fs::read_to_string(folder.path().join("games.db.keys")).unwrap();
    assert_eq!(keys.lines().count(), 1);
    assert!(keys.starts_with("PRIVATE+KEY+assam-"));
}
