//! docs/reference/proof-format.md implemented with only SHA-256 and HMAC, without the program's code.

use hmac::{Hmac, KeyInit, Mac};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::proofs::{bytes, parts, text};

pub(in crate::proofs) fn sha256(parts: &[&[u8]]) -> [u8; 32] {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part);
    }
    hash.finalize().into()
}

pub(in crate::proofs) fn hmac(key: &[u8], text: &str) -> Vec<u8> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(text.as_bytes());
    mac.finalize().into_bytes().to_vec()
}

pub(in crate::proofs) fn open(token: &str) -> [u8; 32] {
    sha256(&[&[0], token.as_bytes()])
}

pub(in crate::proofs) fn sealed(salt: &[u8], token: &str) -> [u8; 32] {
    sha256(&[&[1], salt, token.as_bytes()])
}

/// Derives the salt of a part from the seed.
pub(in crate::proofs) fn salt(proof: &Value, ply: u64, part: &Value) -> Vec<u8> {
    hmac(&bytes(&proof["seed"]), &format!("salt\n{}\n{ply} {part}", text(&proof["start"])))
}

/// Returns the head before the first word.
pub(in crate::proofs) fn start(proof: &Value) -> [u8; 32] {
    let setup = text(&proof["setup"]);
    if proof["imported"] == true {
        return sha256(&[format!("assam/1\nimport\n{setup}\n").as_bytes()]);
    }
    let mut lines = format!(
        "assam/1\n{setup}\ngame {}\ncommitment {}\n",
        text(&proof["game"]),
        text(&proof["commitment"])
    );
    for seat in proof["seats"].as_array().unwrap() {
        let or_dash = |field: &str| seat[field].as_str().unwrap_or("-").to_owned();
        let (player, entropy) = (or_dash("player"), or_dash("entropy"));
        let since = seat["revision"].as_u64().map_or("-".to_owned(), |since| since.to_string());
        lines += &format!("seat {} {} {player} {entropy} {since}\n", seat["seat"], text(&seat["kind"]));
    }
    if let Some(signature) = proof["beacon"]["signature"].as_str() {
        let randomness = hex::encode(sha256(&[&hex::decode(signature).unwrap()]));
        lines += &format!(
            "beacon {} {} {randomness}\n",
            text(&proof["beacon"]["chain"]),
            proof["beacon"]["round"]
        );
    }
    sha256(&[lines.as_bytes()])
}

/// Recomputes every hash and head that a proof allows, and with the seed also the salts. Returns the last
/// head.
pub(crate) fn check(proof: &Value) -> String {
    let start = start(proof);
    assert_eq!(proof["start"], hex::encode(start));
    if let Some(seed) = proof["seed"].as_str() {
        let seed = hex::decode(seed).unwrap();
        assert_eq!(proof["seed_hash"], hex::encode(sha256(&[&seed])));
        for (ply, part) in parts(proof).filter(|(_, part)| !part["salt"].is_null()) {
            assert_eq!(bytes(&part["salt"]), salt(proof, ply, &part["part"]), "ply {ply}");
        }
    }
    if proof["imported"] != true {
        check_keys(proof);
    }
    for (ply, part) in parts(proof) {
        let token = text(&part["token"]);
        match part["salt"].as_str() {
            Some(salt) => {
                assert_eq!(bytes(&part["hash"]), sealed(&hex::decode(salt).unwrap(), token), "ply {ply}")
            }
            None if token.contains('?') => {}
            None => assert_eq!(bytes(&part["hash"]), open(token), "ply {ply}"),
        }
    }
    let mut head = start;
    for word in proof["words"].as_array().unwrap() {
        head = behind(&head, word);
        assert_eq!(word["head"], hex::encode(head));
    }
    assert_eq!(proof["head"]["hash"], hex::encode(head));
    hex::encode(head)
}

/// Returns the commitment of anchor and seed hash.
pub(in crate::proofs) fn commitment(proof: &Value) -> String {
    hex::encode(sha256(&[&[4], &bytes(&proof["anchor"]), &bytes(&proof["seed_hash"])]))
}

/// Checks that every key leads to the one before, and the first to the anchor.
fn check_keys(proof: &Value) {
    assert_eq!(proof["commitment"], commitment(proof));
    let (mut reached, mut last) = (bytes(&proof["anchor"]), 0);
    for word in proof["words"].as_array().unwrap() {
        let plies = word["ply"].as_u64().unwrap() + 1 - last;
        let key = bytes(&word["key"]);
        let back = (0..plies).fold(key.clone(), |key, _| sha256(&[&key]).to_vec());
        assert_eq!(back, reached, "{word}");
        (reached, last) = (key, last + plies);
    }
}

/// Returns the head after one more word.
fn behind(head: &[u8], word: &Value) -> [u8; 32] {
    let hashes: Vec<u8> =
        word["parts"].as_array().unwrap().iter().flat_map(|part| bytes(&part["hash"])).collect();
    sha256(&[&[3], head, &sha256(&[&[2], &hashes])])
}

/// Makes every hash and head of a proof fit its tokens and salts, like a forger would.
pub(crate) fn rechain(proof: &mut Value) {
    let mut head = start(proof);
    proof["start"] = hex::encode(head).into();
    for word in proof["words"].as_array_mut().unwrap() {
        for part in word["parts"].as_array_mut().unwrap() {
            let token = text(&part["token"]);
            let hash = match part["salt"].as_str() {
                Some(salt) => sealed(&hex::decode(salt).unwrap(), token),
                None if token.contains('?') => continue,
                None => open(token),
            };
            part["hash"] = hex::encode(hash).into();
        }
        head = behind(&head, word);
        word["head"] = hex::encode(head).into();
    }
    proof["head"]["hash"] = hex::encode(head).into();
    // The forger cannot sign it.
    proof["receipt"] = Value::Null;
}
