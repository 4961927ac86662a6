//! Verdicts of verify.js on signatures and the public log, without a service.

use std::fs;
use std::path::Path;

use assam_proofs::signed::{CosigningKey, SigningKey};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::text;
use crate::harness::{KEY, err, out, verified_by_javascript};

/// Returns proofs, receipts and inclusions of two games, and the key that signed them.
fn file(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/service/proofs/earlier");
    fs::read_to_string(folder.join(name)).unwrap()
}

fn read(name: &str) -> Value {
    serde_json::from_str(&file(name)).unwrap()
}

fn key() -> String {
    text(&read("keys.json")["keys"][0]["key"]).to_owned()
}

/// Returns a game of each kind, with all evidence kept.
fn kept(game: &str) -> (Value, Value) {
    let [first, last] = [1, 2].map(|seat| read(&format!("{game}-seat{seat}.json")));
    let receipts = json!([first, last, file(&format!("{game}-ply4.note"))]);
    let inclusion = read(&format!("{game}-inclusion.json"));
    (read(&format!("{game}.json")), json!({"keys": [key()], "receipt": receipts, "inclusion": inclusion}))
}

fn verdict(proof: &Value, kept: &Value) -> Option<Result<Value, String>> {
    let run = verified_by_javascript(proof, kept)?;
    Some(match run.status.success() {
        true => Ok(serde_json::from_str(&out(&run)).unwrap()),
        false => Err(err(&run)),
    })
}

fn has(told: &Value, list: &str, sentence: &str) -> bool {
    told[list].as_array().unwrap().iter().any(|line| text(line).contains(sentence))
}

#[test]
fn signed_receipts_the_end_and_the_public_log_are_verified_with_its_witness() {
    let witness = CosigningKey::named("witness.example/w").unwrap();
    for game in ["marrakech", "marrakesh"] {
        let (proof, mut kept) = kept(game);
        let checkpoint = text(&kept["inclusion"]["checkpoint"]).to_owned();
        let (body, _) = checkpoint.split_once("\n\n").unwrap();
        let line = witness.cosign(&format!("{body}\n"), Timestamp::from_second(1_795_000_000).unwrap());
        kept["inclusion"]["checkpoint"] = json!(format!("{checkpoint}{line}"));
        kept["witnesses"] = json!([witness.witness_key().to_string()]);
        kept["entropy"] = proof["seats"][1]["entropy"].clone();
        let Some(told) = verdict(&proof, &kept) else { return };
        let told = told.unwrap();
        for sentence in [
            format!("the end of the game is signed by {}", key()),
            format!("the receipt of seat 2 is signed by {}", key()),
            format!("the receipt of ply 4 is signed by {}", key()),
            format!("the checkpoint of the public log is signed by {}", key()),
            "receipt 2: seat 2 and those taken before are unchanged".to_owned(),
            "the start of the game is in the public log of assam-f72742e46527, at position ".to_owned(),
            "the end of the game is in the public log of assam-f72742e46527, at position ".to_owned(),
            "witness.example/w saw the public log with this checkpoint at 2026-11-18T".to_owned(),
            "entropy: seat 2 has what was sent".to_owned(),
        ] {
            assert!(has(&told, "verified", &sentence), "{sentence}: {told}");
        }
        assert!(!has(&told, "notVerified", "sign") && !has(&told, "notVerified", "log"), "{told}");
        assert_eq!(told["rolls"].as_array().unwrap().len() as u64, told["outcomes"].as_u64().unwrap());

        // Without keys, it does not state who signed. Without Ed25519, it states that it did not check.
        kept["keys"] = json!([]);
        kept["witnesses"] = json!([]);
        let told = verdict(&proof, &kept).unwrap().unwrap();
        for sentence in [
            "who signed the end of the game",
            "who signed the receipt of seat 1",
            "who signed the checkpoint",
            "that everyone is shown the same log",
        ] {
            assert!(has(&told, "notVerified", sentence), "{sentence}: {told}");
        }
        assert!(!has(&told, "verified", "signed by"), "{told}");
        kept["keys"] = json!([key()]);
        kept["blind"] = json!(true);
        let told = verdict(&proof, &kept).unwrap().unwrap();
        assert!(has(&told, "notVerified", "signature: not checked"), "{told}");
        assert!(!has(&told, "verified", "signed by"), "{told}");
        assert!(has(&told, "verified", "is in the public log"), "{told}");
        // Without kept evidence, it vouches for nothing.
        let told = verdict(&proof, &json!({})).unwrap().unwrap();
        for sentence in [
            "that the service committed before",
            "who signed the end",
            "follow the rules",
            "what people decided",
        ] {
            assert!(has(&told, "notVerified", sentence), "{sentence}: {told}");
        }
    }
}

/// Signs a receipt with another key, which the service never did.
fn signed(receipt: &str) -> String {
    let key: SigningKey = KEY.parse().unwrap();
    key.sign(receipt)
}

#[test]
fn forged_receipts_keys_and_places_in_the_log_are_refused_with_the_place_of_the_fault() {
    let (proof, honest) = kept("marrakech");
    let (other_proof, other) = kept("marrakesh");
    let note = file("marrakech-ply4.note");
    let stated = note.split_once("\n\n").unwrap().0.to_owned() + "\n";
    let other_key: SigningKey = KEY.parse().unwrap();
    let other_key = other_key.verifying_key().to_string();
    type Change<'a> = Box<dyn Fn(&mut Value, &mut Value) + 'a>;
    let zeros = "0".repeat(64);
    let swapped = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}: {text}");
        text.replacen(from, to, 1)
    };
    let cases: Vec<(&str, Change<'_>)> = vec![
        ("receipt of the end: signature", Box::new(|_, kept| kept["keys"] = json!([other_key]))),
        ("key: id", Box::new(|_, kept| kept["keys"] = json!([swapped(&key(), "+c98d2568+", "+c98d2569+")]))),
        ("key: expected", Box::new(|_, kept| kept["keys"] = json!(["nonsense"]))),
        (
            "receipt 3: signature",
            Box::new(|_, kept| {
                kept["receipt"][2] = json!(swapped(&note, "status running", "status aborted"))
            }),
        ),
        ("receipt 3: signature", Box::new(|_, kept| kept["receipt"][2] = json!(signed(&stated)))),
        (
            "receipt 3: expected what contradicts no other statement",
            Box::new(|_, kept| {
                kept["keys"] = json!([]);
                kept["receipt"][2] = json!(signed(&swapped(&stated, "ply 4\n", "ply 9\n")));
            }),
        ),
        (
            "receipt 3: expected what contradicts no other statement",
            Box::new(|_, kept| {
                kept["keys"] = json!([]);
                kept["receipt"][2] = json!(signed(&swapped(&stated, "created 2026", "created 2025")));
            }),
        ),
        (
            "receipt: head of ply 4",
            Box::new(|_, kept| {
                kept["keys"] = json!([]);
                kept["receipt"] = json!(signed(&swapped(&stated, "head b98", "head b99")));
            }),
        ),
        (
            "receipt: last ply",
            Box::new(|proof, kept| {
                proof["receipt"] = Value::Null;
                kept["keys"] = json!([]);
                kept["receipt"] = json!(signed(&swapped(&stated, "status running", "status finished")));
            }),
        ),
        (
            "receipt: expected the text of a receipt",
            Box::new(|_, kept| kept["receipt"] = json!(signed("assam receipt 1\n"))),
        ),
        ("receipt: expected a text, a blank line", Box::new(|_, kept| kept["receipt"] = json!(stated))),
        (
            "receipt: expected the response to taking a seat",
            Box::new(|_, kept| {
                kept["receipt"] = json!({"id": 1, "your_seat": null, "seats": []});
            }),
        ),
        ("receipt: game", Box::new(|_, kept| kept["receipt"] = other["receipt"][0].clone())),
        ("receipt of the end", Box::new(|proof, _| proof["receipt"] = Value::Null)),
        (
            "receipt of the end: status",
            Box::new(|proof, kept| {
                let receipt = swapped(text(&proof["receipt"]), "status finished", "status aborted");
                proof["receipt"] = json!(receipt);
                *kept = json!({});
            }),
        ),
        (
            "receipt of the end: ply",
            Box::new(|proof, kept| {
                proof["receipt"] = json!(note);
                *kept = json!({});
            }),
        ),
        (
            "receipt 2: seat 2: entropy",
            Box::new(|_, kept| {
                let entropy = text(&kept["receipt"][1]["seats"][1]["entropy"]).to_owned();
                let receipt = text(&kept["receipt"][1]["receipt"]).to_owned();
                kept["receipt"][1]["receipt"] = json!(swapped(&receipt, &entropy, &zeros));
                kept["keys"] = json!([]);
            }),
        ),
        ("receipt 2: seat 2", Box::new(|_, kept| kept["receipt"][1]["seats"][1]["entropy"] = json!(zeros))),
        (
            "receipt 1: seat 2",
            Box::new(|_, kept| {
                // A later receipt of the seat does not replace one that has entropy.
                let mut earlier = kept["receipt"][1].clone();
                earlier["seats"][1]["revision"] = json!(0);
                earlier["receipt"] = Value::Null;
                kept["receipt"][0] = earlier;
            }),
        ),
        ("entropy that was sent", Box::new(|_, kept| kept["entropy"] = json!(zeros))),
        (
            "inclusion: end: position",
            Box::new(|_, kept| kept["inclusion"]["entries"][1]["position"] = Value::Null),
        ),
        (
            "inclusion: end: position",
            Box::new(|_, kept| drop(kept["inclusion"]["entries"].as_array_mut().unwrap().pop())),
        ),
        (
            "inclusion: start: root",
            Box::new(|_, kept| kept["inclusion"]["entries"][0]["position"] = json!(1)),
        ),
        (
            "inclusion: start: root",
            Box::new(|_, kept| kept["inclusion"]["entries"][0]["position"] = json!(2)),
        ),
        (
            "inclusion: start: root",
            Box::new(|_, kept| kept["inclusion"]["entries"][0]["proof"][0] = json!(zeros)),
        ),
        ("inclusion: start: root", Box::new(|_, kept| kept["inclusion"]["entries"][0]["proof"] = json!([]))),
        (
            "inclusion: start: entry",
            Box::new(|_, kept| kept["inclusion"]["entries"][0]["salt"] = json!(zeros)),
        ),
        (
            "inclusion: checkpoint: signature",
            Box::new(|_, kept| {
                let checkpoint = text(&kept["inclusion"]["checkpoint"]).to_owned();
                kept["inclusion"]["checkpoint"] = json!(swapped(&checkpoint, "\n2\n", "\n3\n"));
            }),
        ),
        ("inclusion: start: game", Box::new(|_, kept| kept["inclusion"] = other["inclusion"].clone())),
        (
            "inclusion: witness witness.example/w",
            Box::new(|_, kept| {
                let witness = CosigningKey::named("witness.example/w").unwrap();
                kept["witnesses"] = json!([witness.witness_key().to_string()]);
            }),
        ),
        ("key: expected one of kind 4", Box::new(|_, kept| kept["witnesses"] = json!([key()]))),
    ];
    for (place, change) in cases {
        let (mut proof, mut kept) = (proof.clone(), honest.clone());
        change(&mut proof, &mut kept);
        let Some(told) = verdict(&proof, &kept) else { return };
        let told = told.expect_err(place);
        assert!(told.contains(&format!("ProofError: {place}")), "{place}: {told}");
    }
    assert!(verdict(&other_proof, &other).unwrap().is_ok());
}
