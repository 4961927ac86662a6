//! Archives with changed data.

use std::fs;

use regex::Regex;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::{Archive, audit, check, report, text};
use crate::harness::{assam, err, out, sqlite};

/// A changed field of a proof, the change, the check that finds it, and the ply.
type Change<'a> = (&'a str, &'a dyn Fn(&mut Value), &'a str, Value);

/// Replaces the first hex digit with another one.
fn flipped(value: &Value) -> Value {
    let text = value.as_str().unwrap();
    let first = if text.starts_with('0') { '1' } else { '0' };
    json!(format!("{first}{}", &text[1..]))
}

#[test]
fn every_fault_in_an_export_is_reported_with_its_game_and_ply() {
    let archive = Archive::new(sqlite());
    let (file, key) = (archive.proofs("proofs.ndjson"), archive.key());
    let lines: Vec<Value> =
        fs::read_to_string(&file).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let at = lines.iter().position(|line| line["proof"]["game"] == archive.marrakech.as_str()).unwrap();
    let word = |proof: &mut Value, name: &str| proof["words"][0][name] = flipped(&proof["words"][0][name]);
    let sign = |proof: &mut Value, from: &str, to: &str| {
        let receipt = proof["receipt"].as_str().unwrap();
        assert!(receipt.contains(from), "{receipt}");
        proof["receipt"] = json!(receipt.replace(from, to));
    };
    let last = lines[at]["proof"]["head"]["ply"].clone();
    let changes: [Change<'_>; 12] = [
        // With matching hash and head, as a forger of a die would change them.
        ("a die", &|proof| another_die(proof), "chance", json!(1)),
        ("a token alone", &|proof| proof["words"][0]["parts"][1]["token"] = json!("4x"), "chain", json!(1)),
        ("a word", &|proof| proof["words"][0]["parts"][0]["token"] = json!("S"), "chain", json!(1)),
        ("a head", &|proof| word(proof, "head"), "chain", json!(1)),
        ("a key", &|proof| word(proof, "key"), "commitment", json!(1)),
        ("a seed", &|proof| proof["seed"] = flipped(&proof["seed"]), "commitment", Value::Null),
        ("a commitment", &|proof| proof["commitment"] = flipped(&proof["anchor"]), "commitment", Value::Null),
        ("an id", &|proof| proof["game"] = json!("0".repeat(32)), "chain", Value::Null),
        ("a seat", &|proof| proof["seats"][0]["entropy"] = json!("0".repeat(64)), "chain", Value::Null),
        ("the end", &|proof| drop(proof["words"].as_array_mut().unwrap().pop()), "chain", Value::Null),
        ("a status", &|proof| sign(proof, "status finished", "status aborted"), "ends", Value::Null),
        ("a signature", &|proof| sign(proof, "\ntime 20", "\ntime 19"), "ends", last),
    ];
    for (what, change, name, ply) in changes {
        let mut changed = lines.clone();
        change(&mut changed[at]["proof"]);
        let id = changed[at]["proof"]["game"].clone();
        let damaged = archive.path("damaged.ndjson");
        let text_of: String = changed.iter().map(|line| format!("{line}\n")).collect();
        fs::write(&damaged, text_of).unwrap();
        let told = report(&[text(&damaged), "--key", &key]);
        assert_eq!(
            (&told["verdict"], &told["fault_count"]),
            (&json!("unsound"), &json!(1)),
            "{what}: {told}"
        );
        let fault = &told["faults"][0];
        assert_eq!(
            (&fault["game"], &fault["check"], &fault["ply"]),
            (&id, &json!(name), &ply),
            "{what}: {fault}"
        );
        assert_eq!(fault["place"], format!("line {}", at + 1));
        assert_eq!(check(&told, name)["faults"], 1);
        let plain = audit(&[text(&damaged), "--key", &key]);
        assert_eq!(plain.status.code(), Some(1));
        let said = out(&plain);
        let line = said.lines().find(|line| line.starts_with("fault: ")).unwrap();
        assert!(line.contains(id.as_str().unwrap()) && line.contains(": expected "), "{what}: {line}");
        assert!(said.contains("\nNOT verified: ") && said.contains("NOT SOUND: 1 fault in 1 game, of 12."));
        assert_eq!(told["games"], 12);
    }
}

/// Writes another die at ply 1, with a matching hash.
fn another_die(proof: &mut Value) {
    use sha2::{Digest as _, Sha256};
    let sha = |parts: &[&[u8]]| Sha256::digest(parts.concat());
    let bytes = |value: &Value| hex::decode(value.as_str().unwrap()).unwrap();
    let before = bytes(&proof["start"]);
    let word = &mut proof["words"][0];
    let die = if word["parts"][1]["token"] == "2" { "3" } else { "2" };
    let hash = sha(&[&[0], die.as_bytes()]);
    word["parts"][1]["token"] = json!(die);
    word["parts"][1]["hash"] = json!(hex::encode(hash));
    let leaf = sha(&[&[2], &bytes(&word["parts"][0]["hash"]), &hash]);
    word["head"] = json!(hex::encode(sha(&[&[3], &before, &leaf])));
}

#[test]
fn a_line_that_is_no_proof_is_a_fault_and_what_is_no_archive_is_not_read() {
    let archive = Archive::new(sqlite());
    let proofs = fs::read_to_string(archive.proofs("proofs.ndjson")).unwrap();
    let cut = &proofs[..proofs.len() - 100];
    let torn = assam(&["audit", "-"], cut);
    assert_eq!(torn.status.code(), Some(1));
    assert!(out(&torn).contains("fault: line 12: it is not an exported proof: "), "{}", out(&torn));
    let states = archive.service.stranger().send("GET", "/v1/export?limit=1", &super::NDJSON, "").text;
    let other = assam(&["audit", "-"], &states);
    assert!(out(&other).contains("missing field `proof`"), "{}", out(&other));
    for (input, said) in [("nonsense", "<stdin> is not a backup"), ("SQLite format 3\0 is what", "<stdin>: ")]
    {
        let refused = assam(&["audit", "-"], input);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""), "{input}");
        assert!(err(&refused).contains(said), "{}", err(&refused));
    }
    assert_eq!(audit(&["/nowhere"]).status.code(), Some(2));
    assert_eq!(audit(&["--url", "http://127.0.0.1:9"]).status.code(), Some(2));
    let missing = audit(&["--database", "sqlite:/nowhere/a.db"]);
    assert!(missing.status.code() == Some(2) && err(&missing).contains("there is no database"));
    let empty = assam(&["audit", "-"], "");
    assert_eq!((empty.status.code(), out(&empty).contains("There are no games.")), (Some(0), true));
    let record = assam(&["audit", "-"], "MKN/1 marrakech/1 seats=3\n\nN+3 a1a2 *\n");
    assert_eq!(record.status.code(), Some(1));
    assert!(out(&record).contains("fault: record 1 (line 1), ply 2: the record is refused: "), "{record:?}");
}

#[test]
fn every_fault_in_a_database_is_reported_with_its_game_and_no_secret_is_told() {
    let archive = Archive::new(sqlite());
    let backup = archive.backup("assam.backup");
    let (id, sealed) = (&archive.marrakech, &archive.marrakesh);
    let hidden = {
        let select = "SELECT hex(id) FROM games WHERE visibility = 2";
        let id: String = Connection::open(&backup).unwrap().query_row(select, [], |row| row.get(0)).unwrap();
        id.to_lowercase()
    };
    // A card of the match becomes another one.
    let other_card = {
        let select = format!("SELECT log FROM games WHERE id = x'{sealed}'");
        let log: String =
            Connection::open(&backup).unwrap().query_row(&select, [], |row| row.get(0)).unwrap();
        let card = Regex::new("[2-6TJQKA][shdc]").unwrap().find(&log).unwrap().as_str().to_owned();
        let other = if card.ends_with('s') { card.replace('s', "h") } else { format!("{}s", &card[..1]) };
        format!("log = replace(log, '{card}', '{other}')")
    };
    let other_die = "log = replace(replace(replace(log, '+2~', '+9~'), '+3~', '+2~'), '+9~', '+3~')";
    // The players have each other's hands, which is legal but follows from no seed.
    let other_hand = "log = substr(log, 1, instr(log, 'b:') + 1) || substr(log, instr(log, 'b:') + 17, 12) \
                      || substr(log, instr(log, 'b:') + 14, 3) || substr(log, instr(log, 'b:') + 2, 12) \
                      || substr(log, instr(log, 'b:') + 29)";
    for (game, change, checks, has_ply) in [
        (id, "head = zeroblob(32)", &["stored"][..], false),
        (id, "status = 3", &["stored"], false),
        (id, "seed = zeroblob(32)", &["commitment"], false),
        (id, "commitment = zeroblob(32)", &["commitment"], false),
        (id, "log = replace(log, 'N+', 'W+')", &["rules", "chance", "choices", "stored"], true),
        (id, other_die, &["rules", "chance", "choices", "stored"], true),
        (sealed, other_card.as_str(), &["rules", "chance", "choices", "stored"], true),
        (&hidden, other_hand, &["chance", "stored"], true),
        (&hidden, "head = zeroblob(32)", &["stored"], false),
        (id, "seats = '[]'", &["form"], false),
    ] {
        let damaged = archive.path("damaged");
        fs::copy(&backup, &damaged).unwrap();
        let connection = Connection::open(&damaged).unwrap();
        let update = format!(
            "DROP TRIGGER games_guard_fixed; DROP TRIGGER games_guard_commitment; DROP TRIGGER games_guard_update; UPDATE games SET {change} WHERE id = x'{game}'; \
             DROP TABLE backup; PRAGMA application_id = 0"
        );
        connection.execute_batch(&update).unwrap();
        drop(connection);
        let told = report(&[text(&damaged)]);
        assert_eq!(told["verdict"], "unsound", "{change}: {told}");
        assert_eq!((&told["games"], &told["faulty_games"]), (&json!(16), &json!(1)), "{change}: {told}");
        let faults = told["faults"].as_array().unwrap();
        assert_eq!(faults.iter().any(|fault| fault["ply"].is_u64()), has_ply, "{change}: {told}");
        let is_of_hands = |fault: &Value| fault["check"] == "chance";
        assert!(change != other_hand || faults.iter().any(is_of_hands), "{told}");
        for fault in faults {
            assert_eq!(fault["game"], game.as_str(), "{change}: {fault}");
            assert!(checks.contains(&fault["check"].as_str().unwrap()), "{change}: {fault}");
            let is_told = !fault["expected"].is_null();
            assert!(!is_told || *game != hidden, "{change}: {fault}");
        }
        let plain = audit(&[text(&damaged)]);
        assert_eq!(plain.status.code(), Some(1), "{change}");
        assert!(out(&plain).contains(&format!("fault: game {game}")), "{}", out(&plain));
    }
}
