//! Damaged and malformed proofs, each refused in one line.

use std::fs;

use assam_referee::Ruleset;
use serde_json::{Value, json};

use super::tools::forging::{changed, forged, part_mut};
use super::tools::verifiers::{independent, verify};
use super::{Scene, text};
use crate::dice::Dice;
use crate::harness::{Backend, KEY, Service, assam, err, out, sqlite};

/// Returns proofs of a match that ended early, and of a running one as a seat gets it.
fn short_proofs(backend: &Backend) -> Vec<String> {
    let service = Service::start(backend);
    let mut proofs = Vec::new();
    for ends in [true, false] {
        let scene = Scene::marrakesh(&service, ["open", "solitaire-ai"]);
        (0..3).for_each(|_| drop(scene.play()));
        if ends {
            scene.resign(1);
        }
        proofs.push(scene.proof(&scene.players[&1]).text);
    }
    proofs
}

#[test]
fn no_byte_of_a_proof_can_be_another() {
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let mut dice = Dice::new(1);
    let mut files = Vec::new();
    let mut changes = Vec::new();
    for proof in short_proofs(&backend) {
        for _ in 0..300 {
            let mut bytes = proof.clone().into_bytes();
            let at = dice.below(bytes.len() as u64) as usize;
            let instead = dice.pick(b"0123456789abcdefghAQs?+@/x\"{}[],:");
            if bytes[at] != instead {
                bytes[at] = instead;
                let file = folder.path().join(format!("{}.json", files.len()));
                fs::write(&file, bytes).unwrap();
                files.push(file.to_str().unwrap().to_owned());
                changes.push(format!("{:?} at byte {at} of\n{proof}", char::from(instead)));
            }
        }
    }
    assert!(files.len() > 500);
    // Only the key vouches for what is signed.
    let key = KEY.parse::<assam_proofs::signed::SigningKey>().unwrap().verifying_key().to_string();
    let arguments: Vec<&str> =
        ["verify", "--key", &key].into_iter().chain(files.iter().map(String::as_str)).collect();
    let run = assam(&arguments, "");
    let told = err(&run);
    let mut lines = told.lines();
    for (file, change) in files.iter().zip(&changes) {
        let line = lines.next().unwrap_or_default();
        assert!(line.starts_with(&format!("assam: {file}: ")), "{line}: {change}");
    }
    assert_eq!((run.status.code(), out(&run).as_str(), lines.next()), (Some(1), "", None));
}

#[test]
fn what_is_no_proof_is_refused_in_one_line_and_what_cannot_be_read_ends_with_2() {
    let backend = sqlite();
    let proofs = short_proofs(&backend);
    let proof: Value = serde_json::from_str(&proofs[0]).unwrap();
    let with = |field: &str, value: Value| changed(&proof, |proof| proof[field] = value).to_string();
    let without = changed(&proof, |proof| drop(proof.as_object_mut().unwrap().remove("seed"))).to_string();
    let upper = text(&proof["start"]).to_uppercase();
    let known: Vec<&str> = Ruleset::ALL.iter().map(|ruleset| ruleset.name()).collect();
    let known = known.join(", ");
    let seat =
        |field: &str, value: Value| changed(&proof, |proof| proof["seats"][0][field] = value).to_string();
    for (text, said) in [
        (String::new(), "not a proof: EOF while parsing a value at line 1 column 0"),
        (
            "MKN/1 marrakesh/1 seats=2\n\n*\n".to_owned(),
            "this is a record, not a proof: fetch the proof from ",
        ),
        ("[".repeat(100_000), "not a proof: invalid type: sequence"),
        ("{}".to_owned(), "not a proof: missing field `game` at line 1 column 2"),
        (proofs[0][..proofs[0].len() / 2].to_owned(), "not a proof: EOF while parsing "),
        (format!("{} {}", proofs[0], proofs[1]), "not a proof: trailing characters at line 2 column 2"),
        (without, "not a proof: missing field `seed` at line 1 column "),
        (with("start", json!(upper)), "not a proof: expected 64 lower-case hex digits at line 1 column "),
        (with("game", json!("x")), "not a proof: expected 32 lower-case hex digits at line 1 column "),
        (seat("player", json!("é")), "not a proof: expected 20 lower-case hex digits at line 1 column "),
        (seat("kind", json!("\u{1b}[2J")), "not a proof: unknown variant `\\u{1b}[2J`, expected one of "),
        (
            with("words", json!(null)),
            "not a proof: invalid type: null, expected a sequence at line 1 column ",
        ),
        (with("setup", json!("MKN/1 chess/1 seats=2")), &format!("setup: expected one of {known}, found ")),
        (with("setup", json!("")), "setup: expected a setup line (notation.setup.no-format: "),
        (
            with("setup", json!("MKN/1 marrakesh/1 seats=3")),
            "setup: expected a setup line (notation.setup.option-value: ",
        ),
        (with("setup", json!("MKN/1 marrakech/1 seats=3")), "seats: expected 3, found 2"),
        (seat("seat", json!(2)), "seat 1: seats: expected 1, found 2"),
        (
            with("commitment", json!(null)),
            "commitment: expected one, as the game was not imported, found none",
        ),
        (with("imported", json!(true)), "commitment: expected none, as the game was imported, found "),
        (" ".repeat(16 * 1024 * 1024 + 1), "too long for a proof, which has at most 16777216 bytes"),
    ] {
        let told = verify(&text, &[]).unwrap_err();
        assert!(told.starts_with(&format!("assam: <stdin>: {said}")), "{said}: {told}");
        assert_eq!(told.lines().count(), 1, "{told}");
    }
    let nowhere = assam(&["verify", "-", "/nowhere/proof.json"], &proofs[0]);
    assert_eq!(nowhere.status.code(), Some(2));
    assert!(out(&nowhere).starts_with("<stdin>: game "), "what can be read is verified");
    assert!(err(&nowhere).starts_with("assam: /nowhere/proof.json: "));
    for usage in [vec!["verify"], vec!["verify", "-", "--head", "x"], vec!["verify", "-", "--head", &upper]] {
        assert_eq!(assam(&usage, &proofs[0]).status.code(), Some(2), "{usage:?}");
    }
}

#[test]
fn verify_py_and_the_client_in_typescript_refuse_what_would_crash_them_and_go_on_with_the_next() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let scene = Scene::new(&service, "marrakech/1", &["random", "random"], json!({}));
    let proof = scene.proof(&service.stranger()).json();
    let ply = proof["head"]["ply"].as_u64().unwrap();
    let mut deep = json!([]);
    for _ in 0..100 {
        deep = json!([deep]);
    }
    let damaged = [
        // A rug from an empty pile.
        forged(&proof, |proof| {
            proof["setup"] = json!("MKN/1 marrakech/1 seats=2 rugs_per_player=0");
        }),
        forged(&proof, |proof| {
            proof["setup"] = json!("MKN/1 marrakech/1 seats=2 rugs_per_player=99999999999999999999");
        }),
        changed(&proof, |proof| proof["words"][0]["parts"] = deep.clone()),
        changed(&proof, |proof| proof["imported"] = json!(0)),
        forged(&proof, |proof| part_mut(proof, ply, 0)["token"] = json!("??")),
    ];
    for told in independent(&damaged).concat() {
        assert_eq!(told.unwrap_err().lines().count(), 1);
    }
}
