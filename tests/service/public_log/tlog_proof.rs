//! Places in the log as `.tlog-proof` files, which other tools verify.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde_json::json;
use sha2::{Digest as _, Sha256};
use tlog_tiles::{Hash, check_record, record_hash};

use super::foreign::checkpoint;
use super::{KEY, ended_and_running, grown, saved};
use crate::harness::{Answer, Client, Service, assam, err, out, sqlite};

/// Verifies a proof as specified, and returns the entry and its position.
fn verified(proof: &str) -> ([u8; 32], u64) {
    let (head, note) = proof.split_once("\n\n").unwrap();
    let mut lines = head.lines();
    assert_eq!(lines.next(), Some("c2sp.org/tlog-proof@v1"));
    let extra = BASE64.decode(lines.next().unwrap().strip_prefix("extra ").unwrap()).unwrap();
    let index = lines.next().unwrap().strip_prefix("index ").unwrap().parse().unwrap();
    let path = lines.map(|line| Hash::parse_hash(line).unwrap()).collect();
    let (_, checkpoint) = checkpoint(note.as_bytes()).unwrap();
    assert_eq!(checkpoint.origin(), "PeterNeumann");
    let entry: [u8; 32] = Sha256::new_with_prefix([5]).chain_update(extra).finalize().into();
    check_record(&path, checkpoint.size(), *checkpoint.hash(), index, record_hash(&entry)).unwrap();
    (entry, index)
}

fn ask(client: &Client<'_>, path: &str) -> Answer {
    client.send("GET", path, &[("Accept", "text/plain")], "")
}

#[test]
fn a_game_gives_a_tlog_proof_of_its_start_and_of_its_end_that_others_verify() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    let path = format!("/v1/games/{id}/inclusion");
    grown(&service, 1);
    let start = ask(&players[0], &path);
    assert_eq!((start.status, start.header("content-type")), (200, Some("text/plain; charset=utf-8")));
    verified(&start.text);
    let end = ask(&players[0], &format!("{path}?moment=end"));
    assert!(end.problem() == "receipt_not_found" && end.text.contains("not in the log yet"), "{}", end.text);
    assert_eq!(players[0].play(&id, 1, "!resign").status, 201);
    for _ in 0..3 {
        service.game(2, json!({}));
    }
    grown(&service, 5);
    let listed = players[0].get(&path).json();
    for (moment, entry) in ["start", "end"].into_iter().zip(listed["entries"].as_array().unwrap()) {
        let proof = ask(&players[0], &format!("{path}?moment={moment}"));
        let (hash, position) = verified(&proof.text);
        assert_eq!(
            (entry["entry"].as_str(), entry["position"].as_u64()),
            (Some(&*hex::encode(hash)), Some(position))
        );
        let one = players[0].get(&format!("{path}?moment={moment}")).json();
        assert_eq!(one["entries"], json!([entry]));
    }
    assert_eq!(ask(&players[0], &path).text, ask(&players[0], &format!("{path}?moment=end")).text);
    assert_eq!(players[0].get(&format!("{path}?moment=middle")).problem(), "bad_request");
    let refused = players[0].send("GET", &path, &[("Accept", "text/html")], "");
    assert_eq!(refused.problem(), "not_acceptable");
}

#[test]
fn assam_verify_reads_a_tlog_proof() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, other) = ended_and_running(&service);
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, text: &str| saved(&folder, name, text);
    let of = |id: &str| ask(&service.stranger(), &format!("/v1/games/{id}/inclusion")).text;
    let proof = save("proof", &service.stranger().get(&format!("/v1/games/{id}/proof")).text);
    let verify = |inclusion: &str| {
        let file = save("game.tlog-proof", inclusion);
        assam(&["verify", &proof, "--inclusion", &file, "--key", KEY], "")
    };
    let told = verify(&of(&id));
    let found = "verified: the end of the game is in the public log of PeterNeumann, at position 1 of 3.";
    assert!(out(&told).contains(found), "{}{}", out(&told), err(&told));
    let (cut, wrong) = (of(&id).replace("\n\n", "\n"), of(&id).replace("index 1\n", "index 0\n"));
    for (inclusion, why) in [
        (of(&other), "game: "),
        (wrong, "end: it is not at position 0"),
        (cut, "a .tlog-proof is `c2sp.org/tlog-proof@v1`"),
        (of(&id).replace("\n3\n", "\n4\n"), "none of the keys has signed the checkpoint"),
    ] {
        let told = verify(&inclusion);
        assert!(told.status.code() == Some(1) && err(&told).contains(why), "{why}: {}", err(&told));
    }
}
