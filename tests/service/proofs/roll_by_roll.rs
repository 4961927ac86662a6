//! Open rolls are verified with the key of their ply while the game is running.

use serde_json::{Value, json};

use super::forgeries::refused;
use super::tools::hashing::{hmac, sha256};
use super::tools::verifiers::{independent, verify};
use super::{Scene, bytes, part, text};
use crate::harness::{Service, sqlite};

/// Returns a draw of a ply out of six, from 0, computed as in docs/reference/proof-format.md.
fn out_of_six(key: &[u8], start: &str, ply: u64, k: u64) -> usize {
    let mut counters = (0..).map(|counter| hmac(key, &format!("chance\n{start}\n{ply} {k} {counter}")));
    let top = u64::MAX / 6 * 6;
    let x = counters.find_map(|mac| {
        let x = u64::from_be_bytes(mac[..8].try_into().unwrap());
        (x < top).then_some(x)
    });
    (x.unwrap() % 6) as usize
}

/// Returns Blue's six dice and Red's, each sorted, and thrown again while they are equal.
fn dice(key: &[u8], start: &str, ply: u64) -> String {
    let mut thrown = (0..).map(|k| out_of_six(key, start, ply, k) + 1);
    loop {
        let [blue, red] = [0, 1].map(|_| {
            let mut dice: Vec<usize> = thrown.by_ref().take(6).collect();
            dice.sort_unstable();
            dice.iter().map(usize::to_string).collect::<String>()
        });
        if blue != red {
            return format!("{blue}/{red}");
        }
    }
}

#[test]
fn each_open_roll_is_verified_with_the_key_of_its_ply_while_the_game_goes_on() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (mut proofs, mut rolls) = (Vec::new(), 0);
    for (ruleset, seats, options) in [
        ("marrakech/1", vec!["open", "open", "random"], json!({"rugs_per_player": 6})),
        ("marrakech/1", vec!["open", "open"], json!({"rugs_per_player": 6, "orientation": "end"})),
        ("marrakesh/1", vec!["open", "solitaire-ai"], json!({"rounds": 6})),
    ] {
        let scene = Scene::new(&service, ruleset, &seats, options);
        let stranger = service.stranger();
        let start = text(&scene.proof(&stranger).json()["start"]).to_owned();
        let (mut seen, mut before) = (0, None);
        while scene.game()["status"] == "running" && seen < 60 {
            let head = scene.game()["head"]["ply"].as_u64().unwrap();
            for ply in seen..=head {
                let written = stranger.get(&scene.path(&format!("/moves/{ply}")));
                if ply == 0 && written.status == 404 {
                    continue;
                }
                let written = written.json();
                let key = bytes(&written["key"]);
                if let Some(before) = before.replace(key.clone()) {
                    assert_eq!(sha256(&[&key]).to_vec(), before, "ply {ply}");
                }
                let word = text(&written["word"]);
                if ruleset == "marrakech/1"
                    && word.ends_with(|end: char| end.is_ascii_digit())
                    && word.contains('+')
                {
                    // The die is drawn last, after a rug if one is drawn.
                    if word.matches('+').count() == 1 {
                        let die = ["1", "2", "2", "3", "3", "4"][out_of_six(&key, &start, ply, 0)];
                        assert!(word.ends_with(die), "ply {ply}: {word}");
                        rolls += 1;
                    }
                } else if let Some(found) = word.split('+').find(|token| token.contains('/')) {
                    // A bonus card before them is drawn with the seed, so they begin at 0.
                    assert_eq!(found, dice(&key, &start, ply), "ply {ply}");
                    rolls += 1;
                }
            }
            seen = head + 1;
            let proof = scene.proof(&stranger).json();
            assert_eq!(proof["seed"].is_null(), scene.game()["status"] == "running");
            proofs.push(proof);
            if scene.play().is_none() {
                break;
            }
        }
        // A changed roll is refused within the ply.
        let last = proofs.last().unwrap();
        let roll = last["words"].as_array().unwrap().iter().rev().find_map(|word| {
            let ply = word["ply"].as_u64().unwrap();
            let parts = word["parts"].as_array().unwrap();
            let is_open = |part: &&Value| {
                // Not a rug, as there may be no other in the pile.
                let token = text(&part["token"]);
                part["part"] != 0 && (token.contains('/') || "1234".contains(token))
            };
            parts.iter().find(is_open).map(|part| (ply, part["part"].as_u64().unwrap()))
        });
        let (ply, number) = roll.unwrap();
        let token = text(&part(last, ply, number)["token"]).to_owned();
        let instead = match token.as_str() {
            "1" | "2" | "3" | "4" => ["2", "1"][usize::from(token == "2")],
            _ => ["111111/222222", "111111/333333"][usize::from(token == "111111/222222")],
        };
        let forged = super::tools::forging::forged(last, |proof| {
            super::tools::forging::part_mut(proof, ply, number)["token"] = json!(instead);
        });
        let told = verify(&forged.to_string(), &[]).unwrap_err();
        let said = format!("ply {ply}, part {number}: chance: expected `{token}`, found `{instead}`");
        assert!(told.contains(&said), "{said}: {told}");
        for told in independent(&[forged]).concat() {
            assert!(told.unwrap_err().contains(&format!("ply {ply}, part {number}: chance")));
        }
    }
    assert!(rolls > 12, "{rolls}");
    let folder = tempfile::tempdir().unwrap();
    for verdicts in refused(folder.path(), &proofs) {
        assert!(verdicts.iter().all(Option::is_none), "{verdicts:?}");
    }
}
