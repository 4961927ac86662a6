//! Proofs, receipts and inclusions from before players pinned the seats, which must still verify.

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::harness::{assam, out};
use crate::proofs::text;

#[test]
fn proofs_and_receipts_of_games_that_began_before_seats_were_pinned_verify_as_ever() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/service/proofs/earlier");
    let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let keys: Value = serde_json::from_slice(&fs::read(file("keys.json")).unwrap()).unwrap();
    let key = text(&keys["keys"][0]["key"]);
    for game in ["marrakech", "marrakesh"] {
        let [proof, running, first, last, ply, inclusion] =
            [".json", "-running.json", "-seat1.json", "-seat2.json", "-ply4.note", "-inclusion.json"]
                .map(|end| file(&format!("{game}{end}")));
        let kept = ["--key", key, "--receipt", &first, "--receipt", &last, "--receipt", &ply];
        let ended = assam(&[&["verify", &proof, "--inclusion", &inclusion][..], &kept].concat(), "");
        assert_eq!(ended.status.code(), Some(0), "{ended:?}");
        for seat in 1..=2 {
            let told = format!("  verified: the receipt of seat {seat} is signed by {key}.\n");
            assert!(out(&ended).contains(&told), "{}", out(&ended));
        }
        assert!(
            !out(&ended).contains("saw before sending entropy"),
            "nobody pinned anything: {}",
            out(&ended)
        );
        let going_on = assam(&[&["verify", &running][..], &kept[2..]].concat(), "");
        assert_eq!(going_on.status.code(), Some(0), "{going_on:?}");
    }
}
