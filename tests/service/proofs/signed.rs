//! Signed receipts are the same on every request, and convict a service that contradicts itself.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use super::tools::verifiers::verify;
use super::{Scene, text};
use crate::harness::{Client, KEY, Service, assam, out, secret, sqlite, with_entropy};

/// Reads a path as text, with or without a secret.
fn note(client: &Client<'_>, path: &str) -> String {
    let read = client.get(path);
    assert_eq!(
        (read.status, read.header("content-type")),
        (200, Some("text/plain; charset=utf-8")),
        "{path}"
    );
    read.text
}

/// Returns the value of a line of a receipt.
fn stated<'a>(receipt: &'a str, name: &str) -> &'a str {
    receipt
        .lines()
        .find_map(|line| line.strip_prefix(&format!("{name} ")))
        .unwrap_or_else(|| panic!("{name}: {receipt}"))
}

#[test]
fn receipts_state_plies_and_seats_and_are_the_same_byte_for_byte_whenever_they_are_asked_for() {
    let backend = sqlite();
    let (path, receipts, secrets) = {
        let service = Service::start(&backend);
        let players = [service.player(), service.player()];
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
        let game = players[0].post("/v1/games", wanted).json();
        let path = format!("/v1/games/{}", text(&game["id"]));
        let commitment = text(&game["commitment"]);
        assert_eq!(players[0].get(&format!("{path}/receipt?ply=0")).problem(), "not_started");
        let mut receipts: Vec<(String, String)> = Vec::new();
        for (player, seat) in [(1, 2), (0, 1)] {
            let body = with_entropy(&players[player], &path, &secret());
            let taken = players[player].put(&format!("{path}/seats/{seat}?include=receipt"), body.clone());
            assert_eq!(taken.status, 201, "{}", taken.text);
            assert_eq!(taken.header("content-location"), None);
            let taken = taken.json();
            let receipt = text(&taken["receipt"]).to_owned();
            let holder = &taken["seats"][seat - 1];
            assert_eq!(stated(&receipt, "game"), text(&game["id"]));
            assert_eq!(stated(&receipt, "created"), text(&game["created_at"]));
            assert_eq!(stated(&receipt, "commitment"), commitment);
            assert_eq!(stated(&receipt, "seat"), seat.to_string());
            assert_eq!(stated(&receipt, "player"), text(&holder["player"]));
            assert_eq!(stated(&receipt, "entropy"), text(&body["entropy"]));
            assert_eq!(stated(&receipt, "revision"), holder["revision"].to_string());
            assert_eq!(stated(&receipt, "after"), if seat == 2 { "-" } else { "2" });
            let again = players[player].put(&format!("{path}/seats/{seat}?include=receipt"), body);
            assert_eq!((again.status, text(&again.json()["receipt"])), (200, receipt.as_str()));
            receipts.push((format!("{path}/seats/{seat}/receipt"), receipt));
        }
        let start = note(&service.stranger(), &format!("{path}/receipt"));
        receipts.push((format!("{path}/receipt?ply={}", stated(&start, "ply")), start));
        for ply in 1..=6 {
            let turn = service.stranger().get(&format!("{path}/legal-moves")).json();
            let player = &players[turn["seat"].as_u64().unwrap() as usize - 1];
            let body = json!({"move": turn["moves"][0]});
            let url = format!("{path}/moves/{ply}?include=receipt,state");
            let played = player.put(&url, body.clone()).json();
            let receipt = text(&played["receipt"]).to_owned();
            assert_eq!(stated(&receipt, "ply"), played["head"]["ply"].to_string());
            assert_eq!(stated(&receipt, "head"), text(&played["head"]["hash"]));
            assert_eq!(stated(&receipt, "status"), "running");
            let word = service.stranger().get(&format!("{path}/moves/{ply}")).json();
            assert_eq!(stated(&receipt, "time"), text(&word["at"]));
            assert_eq!(text(&player.put(&url, body).json()["receipt"]), receipt);
            receipts.push((format!("{path}/receipt?ply={ply}"), receipt));
        }
        let last = players[0].put(&format!("{path}/moves/7?include=receipt"), json!({"move": "!resign"}));
        let receipt = text(&last.json()["receipt"]).to_owned();
        assert_eq!(stated(&receipt, "status"), "finished");
        receipts.push((format!("{path}/receipt"), receipt));
        (path, receipts, players.map(|player| player.secret.unwrap()))
    };
    let service = Service::start(&backend);
    for (url, receipt) in &receipts {
        assert_eq!(note(&service.stranger(), url), *receipt);
        assert_eq!(note(&service.with_secret(&secrets[0]), url), *receipt);
    }
    let proof = service.stranger().get(&format!("{path}/proof")).json();
    assert_eq!(text(&proof["receipt"]), receipts.last().unwrap().1);
    // Every receipt agrees, and is signed by the key that the service publishes.
    let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].clone();
    let folder = tempfile::tempdir().unwrap();
    let mut arguments = vec!["--key".to_owned(), text(&key).to_owned()];
    for (number, (_, receipt)) in receipts.iter().enumerate() {
        let file = folder.path().join(number.to_string());
        fs::write(&file, receipt).unwrap();
        arguments.extend(["--receipt".to_owned(), file.to_str().unwrap().to_owned()]);
    }
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let told = verify(&proof.to_string(), &arguments).unwrap();
    for sentence in [
        "the end of the game is signed by ",
        "the receipt of ply 3 is signed by ",
        "the receipt of seat 2 is signed by ",
    ] {
        assert!(told.contains(&format!("verified: {sentence}{}.", text(&key))), "{sentence}: {told}");
    }
}

#[test]
fn nothing_is_stated_of_what_the_service_cannot_know() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let record = "MKN/1 marrakech/1 seats=3\n\n!resign1 !resign2 = 0 0 30\n";
    let imported = service.player().post_text("/v1/imports", record).json();
    let path = format!("/v1/games/{}", text(&imported["id"]));
    assert_eq!(service.stranger().get(&format!("{path}/receipt")).problem(), "receipt_not_found");
    assert_eq!(service.stranger().get(&format!("{path}/seats/1/receipt")).problem(), "receipt_not_found");
    assert_eq!(service.stranger().get(&format!("{path}/proof")).json()["receipt"], Value::Null);
    let scene = Scene::marrakesh(&service, ["open", "solitaire-ai"]);
    for (place, code) in [
        ("/seats/2/receipt", "receipt_not_found"),
        ("/seats/3/receipt", "seat_not_found"),
        ("/receipt?ply=999", "ply_not_found"),
        ("/receipt?ply=x", "bad_request"),
        ("/receipt?seat=1", "bad_request"),
    ] {
        assert_eq!(service.stranger().get(&scene.path(place)).problem(), code, "{place}");
    }
    assert_eq!(scene.proof(&service.stranger()).json()["receipt"], Value::Null);
}

/// Signs a contradicting statement about the same game with the service's key.
fn sign(folder: &Path, text: &str) -> String {
    let key: assam_proofs::signed::SigningKey = KEY.parse().unwrap();
    let file = folder.join(hex::encode(text).chars().rev().take(40).collect::<String>());
    fs::write(&file, key.sign(text)).unwrap();
    file.to_str().unwrap().to_owned()
}

#[test]
fn two_signed_statements_that_contradict_each_other_are_shown_both() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::new(&service, "marrakech/1", &["open", "open"], json!({}));
    for _ in 0..4 {
        scene.play();
    }
    let early = note(&service.stranger(), &scene.path("/receipt"));
    let seat = note(&service.stranger(), &scene.path("/seats/2/receipt"));
    scene.resign(1);
    let proof = scene.proof(&service.stranger()).json();
    let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].clone();
    let folder = tempfile::tempdir().unwrap();
    let (early, _) = early.split_once("\n\n").unwrap();
    let (seat, _) = seat.split_once("\n\n").unwrap();
    let (end, _) = text(&proof["receipt"]).split_once("\n\n").unwrap();
    let zeros = "00".repeat(32);
    let other = |receipt: &str, name: &str, value: &str| {
        receipt.replace(&format!("{name} {}", stated(receipt, name)), &format!("{name} {value}")) + "\n"
    };
    for (receipt, what, is_contradicted) in [
        (other(end, "commitment", &zeros), "commitment", true),
        (other(early, "commitment", &zeros), "commitment", true),
        (other(seat, "commitment", &zeros), "commitment", true),
        (other(seat, "created", "2020-01-01T00:00:00.000Z"), "created", true),
        (other(end, "head", &zeros), "head", true),
        (other(end, "status", "aborted"), "status", true),
        (other(end, "time", "2020-01-01T00:00:00.000Z"), "time", true),
        (other(early, "status", "finished"), "status", true),
        // The proof has no signed statement about these, but they follow from its head.
        (other(early, "head", &zeros), "head of ply 4", false),
        (other(seat, "player", &"00".repeat(10)), "seat 2: player", false),
        (other(seat, "entropy", &zeros), "seat 2: entropy", false),
        (other(seat, "revision", "9"), "seat 2: revision", false),
        (other(seat, "after", "-"), "seat 2: the service stated that seat 1 came later", false),
    ] {
        let file = sign(folder.path(), &receipt);
        let told = verify(&proof.to_string(), &["--receipt", &file, "--key", text(&key)]).unwrap_err();
        assert!(told.starts_with(&format!("assam: <stdin>: {file}: {what}")), "{what}: {told}");
        let both =
            format!("Both of these are signed by {}, and they contradict each other: {what}.", text(&key));
        assert_eq!(told.contains(&both), is_contradicted, "{told}");
        if is_contradicted {
            for line in receipt.lines().chain(end.lines()) {
                assert!(told.contains(&format!("\n  {line}\n")), "{line}: {told}");
            }
        }
        // Without the key it is refused too, but convicts no one.
        let told = verify(&proof.to_string(), &["--receipt", &file]).unwrap_err();
        assert!(told.contains(what) && !told.contains("are signed by"), "{told}");
    }
    // Two receipts contradict each other for any proof.
    let files = [early, &other(early, "time", "2020-01-01T00:00:00.000Z")]
        .map(|text| sign(folder.path(), &format!("{}\n", text.trim_end())));
    let told =
        verify(&proof.to_string(), &["--receipt", &files[0], "--receipt", &files[1], "--key", text(&key)])
            .unwrap_err();
    assert!(told.contains("contradict each other: time."), "{told}");
}

#[test]
fn a_receipt_that_another_key_signed_or_nobody_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::new(&service, "marrakech/1", &["open", "open"], json!({}));
    scene.resign(1);
    let receipt = note(&service.stranger(), &scene.path("/receipt"));
    let proof = scene.proof(&service.stranger()).text;
    let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].clone();
    let other: assam_proofs::signed::SigningKey =
        out(&assam(&["key", "new", "--name", "assam.test"], "")).trim().parse().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("receipt");
    let check = |receipt: &str, key: &str| {
        fs::write(&file, receipt).unwrap();
        verify(&proof, &["--receipt", file.to_str().unwrap(), "--key", key])
    };
    assert!(check(&receipt, text(&key)).is_ok());
    let (stated, signature) = receipt.split_once("\n\n").unwrap();
    for (receipt, key, why) in [
        (receipt.clone(), other.verifying_key().to_string(), "the key has not signed it"),
        (other.sign(&format!("{stated}\n")), text(&key).to_owned(), "the key has not signed it"),
        (
            format!("{}\n\n{signature}", stated.replace("status finished", "status  finished")),
            text(&key).to_owned(),
            "line 7: expected `status`",
        ),
        (
            format!("{}\n\n{signature}", stated.replacen('1', "2", 1)),
            text(&key).to_owned(),
            "a receipt begins with",
        ),
        (format!("{stated}\n"), text(&key).to_owned(), "a signed note is a text"),
    ] {
        let told = check(&receipt, &key).unwrap_err();
        assert!(told.contains(why), "{why}: {told}");
    }
    let forged = format!("{}\n\n{signature}", stated.replace("time 20", "time 19"));
    let told = check(&forged, text(&key)).unwrap_err();
    assert!(told.contains("signature"), "{told}");
}
