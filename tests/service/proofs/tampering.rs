//! Changed proofs: each change is refused with its place and the expected value.

use serde_json::{Value, json};

use super::tools::forging::{ZEROS, all_are_refused, changed, finished, forged, part_mut, place};
use super::tools::hashing::{commitment, open, rechain, salt, sealed, sha256};
use super::tools::verifiers::{independent, verify};
use super::{bytes, is_card, part, parts, text};
use crate::harness::{Service, sqlite};

#[test]
fn whatever_is_changed_in_a_proof_is_refused_with_its_place_and_what_should_stand_there() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (_, proof) = finished(&service);
    let hand = part(&proof, 0, 2);
    let (dice, last) = (part(&proof, 0, 1), proof["head"]["ply"].as_u64().unwrap());
    let head = |ply: u64| text(&proof["words"][place(&proof, ply, 0).0]["head"]).to_owned();
    let other_hand = text(&part(&proof, 0, 3)["token"]).replace("r:", "b:");
    let words = proof["words"].as_array().unwrap();
    // Two adjacent words without sealed parts that differ.
    let is_open = |word: &Value| word["parts"].as_array().unwrap().iter().all(|part| part["salt"].is_null());
    let pair = (1..words.len() - 1)
        .find(|&n| is_open(&words[n]) && is_open(&words[n + 1]) && words[n]["parts"] != words[n + 1]["parts"])
        .unwrap();
    let cases = vec![
        (
            changed(&proof, |proof| part_mut(proof, 0, 2)["token"] = json!(other_hand)),
            format!(
                "ply 0, part 2: hash: expected {}, found {}",
                hex::encode(sealed(&bytes(&hand["salt"]), &other_hand)),
                text(&hand["hash"])
            ),
            true,
        ),
        (
            changed(&proof, |proof| part_mut(proof, 0, 1)["token"] = json!("111111/222222")),
            format!(
                "ply 0, part 1: hash: expected {}, found {}",
                hex::encode(open("111111/222222")),
                text(&dice["hash"])
            ),
            true,
        ),
        (
            changed(&proof, |proof| part_mut(proof, 0, 2)["salt"] = json!(ZEROS)),
            format!("ply 0, part 2: salt: expected {}, found {ZEROS}", text(&hand["salt"])),
            true,
        ),
        (
            changed(&proof, |proof| part_mut(proof, 0, 2)["hash"] = json!(ZEROS)),
            format!("ply 0, part 2: hash: expected {}, found {ZEROS}", text(&hand["hash"])),
            true,
        ),
        (
            changed(&proof, |proof| proof["words"][4]["head"] = json!(ZEROS)),
            format!("ply 4: head: expected {}, found {ZEROS}", head(4)),
            true,
        ),
        (
            changed(&proof, |proof| proof["head"]["hash"] = json!(ZEROS)),
            format!("head: expected ply {last} with `{}`, found ply {last} with `{ZEROS}`", head(last)),
            true,
        ),
        (
            changed(&proof, |proof| proof["head"]["ply"] = json!(7)),
            format!("head: expected ply {last} with `{0}`, found ply 7 with `{0}`", head(last)),
            true,
        ),
        (
            changed(&proof, |proof| proof["seed"] = json!(ZEROS)),
            format!(
                "seed: expected one with the SHA-256 {}, found one with {}",
                text(&proof["seed_hash"]),
                hex::encode(sha256(&[&[0; 32]]))
            ),
            true,
        ),
        (
            changed(&proof, |proof| proof["anchor"] = json!(ZEROS)),
            format!(
                "commitment: expected that of anchor and seed_hash, {}, found {}",
                commitment(&changed(&proof, |proof| proof["anchor"] = json!(ZEROS))),
                text(&proof["commitment"])
            ),
            true,
        ),
        (
            changed(&proof, |proof| proof["words"][3]["key"] = json!(ZEROS)),
            format!("ply 3: key: expected one that SHA-256 takes to {}, found {ZEROS}", text(&words[2]["key"])),
            true,
        ),
        (
            changed(&proof, |proof| proof["words"][3]["key"] = json!(null)),
            format!("ply 3: key: expected one that SHA-256 takes to {}, found none", text(&words[2]["key"])),
            true,
        ),
        (
            forged(&proof, |proof| proof["seats"][1]["kind"] = json!("open")),
            "seat 2: seats: expected a person with an id, or a player of the service, found open".to_owned(),
            true,
        ),
        (
            changed(&proof, |proof| proof["seats"][1]["revision"] = json!(null)),
            "seat 2: revision: expected a distinct one for each person, from 1 with entropy, and none for other seats, found none"
                .to_owned(),
            true,
        ),
        (
            changed(&proof, |proof| proof["seats"][1]["entropy"] = json!(ZEROS)),
            format!(
                "start: expected {}, found {}",
                text(&forged(&proof, |proof| proof["seats"][1]["entropy"] = json!(ZEROS))["start"]),
                text(&proof["start"])
            ),
            true,
        ),
        (
            forged(&proof, |proof| {
                let (kind, player) = (json!("human"), proof["seats"][1]["player"].clone());
                proof["seats"][0] = json!({"seat": 1, "kind": kind, "player": player, "entropy": null, "revision": 9});
            }),
            format!("seat 2: seats: expected another player than in seat 1, found {}", text(&proof["seats"][1]["player"])),
            true,
        ),
        (
            forged(&proof, |proof| proof["setup"] = json!(format!("{} value_order=free", text(&proof["setup"])))),
            format!("setup: expected {0}, found `{0} value_order=free`", text(&proof["setup"])),
            false,
        ),
        (
            changed(&proof, |proof| proof["words"].as_array_mut().unwrap().swap(3, 4)),
            "ply 3: number of the ply: expected 3, found 4".to_owned(),
            true,
        ),
        (
            changed(&proof, |proof| {
                let parts = [&words[pair + 1]["parts"], &words[pair]["parts"]];
                proof["words"][pair]["parts"] = parts[0].clone();
                proof["words"][pair + 1]["parts"] = parts[1].clone();
            }),
            {
                let before = bytes(&words[pair - 1]["head"]);
                let hashes = words[pair + 1]["parts"].as_array().unwrap().iter();
                let hashes: Vec<u8> = hashes.flat_map(|part| bytes(&part["hash"])).collect();
                let swapped = sha256(&[&[3], &before, &sha256(&[&[2], &hashes])]);
                let found = text(&words[pair]["head"]);
                format!("ply {pair}: head: expected {}, found {found}", hex::encode(swapped))
            },
            true,
        ),
        (
            changed(&proof, |proof| proof["words"][2]["parts"] = json!([])),
            "ply 2: number of the part: expected 0, found none".to_owned(),
            true,
        ),
        (
            changed(&proof, |proof| part_mut(proof, 0, 2)["part"] = json!(3)),
            "ply 0, part 2: number of the part: expected 2, found 3".to_owned(),
            true,
        ),
        (
            forged(&proof, |proof| part_mut(proof, 1, 0)["token"] = json!("\u{1b}[2J")),
            "ply 1, part 0: token: expected 1 to 64 visible ASCII characters, none of them `+`, \
             found `\\u{1b}[2J`"
                .to_owned(),
            true,
        ),
    ];
    all_are_refused(cases);
}

#[test]
fn a_proof_that_is_forged_whole_with_all_hashes_and_heads_made_to_fit_is_refused_for_what_the_seed_gives() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (scene, proof) = finished(&service);
    let stranger = service.stranger();
    let by_solitaire =
        |ply: u64| ply > 0 && stranger.get(&scene.path(&format!("/moves/{ply}"))).json()["seat"] == 1;
    let find = |wanted: &dyn Fn(u64, &Value) -> bool| {
        let (ply, found) = parts(&proof).find(|(ply, part)| wanted(*ply, part)).unwrap();
        (ply, found["part"].as_u64().unwrap(), text(&found["token"]).to_owned())
    };
    let mut cases = Vec::new();
    // Draws: dice, a hand, a bonus card. Everything else fits.
    let [hand, red] = [2, 3].map(|number| text(&part(&proof, 0, number)["token"]).to_owned());
    let (bonus_ply, bonus_part, bonus) = find(&|_, part| part["part"] != 0 && is_card(text(&part["token"])));
    let dice = text(&part(&proof, 0, 1)["token"]).to_owned();
    let other = |token: &str, ways: [&str; 2]| ways[usize::from(ways[0] == token)].to_owned();
    for (ply, number, drawn, instead) in [
        (0, 1, dice.clone(), other(&dice, ["111111/222222", "123456/111111"])),
        (0, 2, hand.clone(), red.replace("r:", "b:")),
        (bonus_ply, bonus_part, bonus.clone(), other(&bonus, ["6s", "Qc"])),
    ] {
        cases.push((
            forged(&proof, |proof| part_mut(proof, ply, number)["token"] = json!(instead)),
            format!("ply {ply}, part {number}: chance: expected `{drawn}`, found `{instead}`"),
            true,
        ));
    }
    // Decisions of the solitaire player: the first card that it plays, changed to another one of its hand,
    // and a use.
    let (card_ply, _, card) =
        find(&|ply, part| part["part"] == 0 && is_card(text(&part["token"])) && by_solitaire(ply));
    let another = hand.as_bytes()[2..].chunks(2).map(|card| String::from_utf8(card.to_vec()).unwrap());
    let another = another.clone().find(|another| *another != card).unwrap();
    let (use_ply, _, used) =
        find(&|ply, part| part["part"] == 0 && text(&part["token"]).contains('@') && by_solitaire(ply));
    let other_use = other(&used, ["1@1", "2@2"]);
    // verify.py knows no rules, and so not what to use.
    for (ply, chosen, instead, is_known) in
        [(card_ply, card, another, true), (use_ply, used, other_use, false)]
    {
        cases.push((
            forged(&proof, |proof| part_mut(proof, ply, 0)["token"] = json!(instead)),
            format!("ply {ply}, part 0: choice: expected `{chosen}` of solitaire-ai, found `{instead}`"),
            is_known,
        ));
    }
    // Another seed, with its commitment, its start and its salts.
    let reseeded = forged(&proof, |proof| {
        proof["seed"] = json!(ZEROS);
        proof["seed_hash"] = json!(hex::encode(sha256(&[&[0; 32]])));
        proof["commitment"] = json!(commitment(proof));
        rechain(proof);
        for word in 0..proof["words"].as_array().unwrap().len() {
            let ply = proof["words"][word]["ply"].as_u64().unwrap();
            for part in 0..proof["words"][word]["parts"].as_array().unwrap().len() {
                let part = &proof["words"][word]["parts"][part];
                if !part["salt"].is_null() {
                    let (number, salt) = (part["part"].as_u64().unwrap(), salt(proof, ply, &part["part"]));
                    part_mut(proof, ply, number)["salt"] = json!(hex::encode(salt));
                }
            }
        }
    });
    let told = verify(&reseeded.to_string(), &[]).unwrap_err();
    assert!(told.contains("ply 0, part 1: chance: expected `"), "{told}");
    cases.push((reseeded, told.trim_end().replace("assam: <stdin>: ", ""), true));
    // A sealed part claimed to have been open, and the other way round, a withheld secret, and a truncated
    // match.
    let (salt_of_dice, salt_of_hand) =
        (salt(&proof, 0, &json!(1)), text(&part(&proof, 0, 2)["salt"]).to_owned());
    let with_salt = |salt: Value, number| forged(&proof, |proof| part_mut(proof, 0, number)["salt"] = salt);
    cases.extend([
        (
            with_salt(Value::Null, 2),
            format!(
                "ply 0, part 2: salt: expected that of `{hand}`, which was hidden when it was written, found none"
            ),
            true,
        ),
        (
            with_salt(json!(hex::encode(&salt_of_dice)), 1),
            format!(
                "ply 0, part 1: salt: expected none with `{dice}`, which everyone could read, found {}",
                hex::encode(&salt_of_dice)
            ),
            true,
        ),
        (
            changed(&proof, |proof| {
                *part_mut(proof, 0, 2) = json!({
                    "part": 2, "token": "b:????????????", "salt": null, "hash": part(proof, 0, 2)["hash"]
                });
            }),
            "ply 0, part 2: token: expected all to be open, as the seed is, found `b:????????????`".to_owned(),
            true,
        ),
        (
            changed(&proof, |proof| part_mut(proof, 0, 2)["token"] = json!("b:????????????")),
            format!("ply 0, part 2: salt: expected none with the hidden `b:????????????`, found {salt_of_hand}"),
            true,
        ),
        (
            changed(&proof, |proof| proof["seed"] = Value::Null),
            "seed: expected one, as the game is over, found none".to_owned(),
            false,
        ),
        (
            forged(&proof, |proof| {
                proof["words"].as_array_mut().unwrap().pop();
                proof["head"]["ply"] = json!(proof["head"]["ply"].as_u64().unwrap() - 1);
            }),
            "seed: expected none, as the game goes on, found one".to_owned(),
            false,
        ),
    ]);
    all_are_refused(cases);
}

#[test]
fn seats_that_are_not_written_as_the_start_of_a_game_writes_them_are_refused_by_each_verifier() {
    let backend = &sqlite();
    let service = Service::start(backend);
    let (_, proof) = finished(&service);
    let human = &proof["seats"][1];
    let with =
        |seat: usize, name: &str, value: Value| forged(&proof, |proof| proof["seats"][seat][name] = value);
    let two_lines = format!("open - - -\nseat 2 human {}", text(&human["player"]));
    let cases = [
        ("seat 1: ", with(0, "seat", json!(2))),
        ("seat 2: ", with(1, "seat", json!(1))),
        ("seat 1: ", with(0, "kind", json!("Merchant"))),
        ("seat 1: ", with(0, "kind", json!(two_lines))),
        ("seat 1: ", with(0, "entropy", json!(ZEROS))),
        ("seat 2: ", with(1, "kind", json!("open"))),
        ("seat 2: ", with(1, "player", json!("0 - 3 human"))),
        ("seat 2: ", with(1, "revision", json!(-1))),
        ("seat 2: ", with(1, "entropy", json!(text(&human["entropy"]).to_uppercase()))),
    ];
    let proofs: Vec<Value> = cases.iter().map(|(_, proof)| proof.clone()).collect();
    for verdicts in independent(&proofs) {
        for (told, (place, proof)) in verdicts.iter().zip(&cases) {
            let told = told.as_ref().unwrap_err();
            assert!(told.contains(place), "{}: {told}", proof["seats"]);
        }
    }
    for proof in proofs {
        assert!(verify(&proof.to_string(), &[]).is_err(), "{}", proof["seats"]);
    }
}
