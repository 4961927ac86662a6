//! Proofs that somebody changed: each change is refused, with the place and what should stand there.

use std::fs;

use serde_json::{Value, json};

use super::hashing::{open, rechain, salt, sealed, sha256};
use super::verifiers::{python, verify};
use super::{Scene, bytes, is_card, part, parts, text};
use crate::harness::{Service, backends};

const ZEROS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// A proof with something changed in it.
pub(super) fn changed(proof: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut proof = proof.clone();
    change(&mut proof);
    proof
}

/// The same, with all hashes and heads made to fit.
pub(super) fn forged(proof: &Value, change: impl FnOnce(&mut Value)) -> Value {
    let mut proof = changed(proof, change);
    rechain(&mut proof);
    proof
}

/// The index of a ply's word, and of a part in it.
fn place(proof: &Value, ply: u64, number: u64) -> (usize, usize) {
    let words = proof["words"].as_array().unwrap();
    let word = words.iter().position(|word| word["ply"] == ply).unwrap();
    let parts = words[word]["parts"].as_array().unwrap();
    (word, parts.iter().position(|part| part["part"] == number).unwrap())
}

/// A part of a proof, to be changed.
pub(super) fn part_mut(proof: &mut Value, ply: u64, number: u64) -> &mut Value {
    let (word, part) = place(proof, ply, number);
    &mut proof["words"][word]["parts"][part]
}

/// A whole match against the solitaire player, by a person on seat 2 who added entropy.
fn finished(service: &Service) -> (Scene<'_>, Value) {
    let scene = Scene::marrakesh(service, ["solitaire-ai", "open"]);
    scene.play_to_the_end();
    let proof = scene.proof(&service.stranger()).json();
    (scene, proof)
}

/// Each of these is refused by `assam verify` with exactly this line; by verify.py too, if it says so.
fn all_are_refused(cases: Vec<(Value, String, bool)>) {
    let proofs: Vec<Value> = cases.iter().map(|(proof, _, _)| proof.clone()).collect();
    for (proof, message, _) in &cases {
        assert_eq!(verify(&proof.to_string(), &[]), Err(format!("assam: <stdin>: {message}\n")));
    }
    for (told, (_, message, is_refused)) in python(&proofs).unwrap_or_default().iter().zip(&cases) {
        assert_eq!(told.is_err(), *is_refused, "{message}: {told:?}");
    }
}

#[test]
fn whatever_is_changed_in_a_proof_is_refused_with_its_place_and_what_should_stand_there() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (_, proof) = finished(&service);
        let hand = part(&proof, 0, 2);
        let (dice, last) = (part(&proof, 0, 1), proof["head"]["ply"].as_u64().unwrap());
        let head = |ply: u64| text(&proof["words"][place(&proof, ply, 0).0]["head"]).to_owned();
        let other_hand = text(&part(&proof, 0, 3)["token"]).replace("r:", "b:");
        let words = proof["words"].as_array().unwrap();
        // Two words in a row without anything sealed, which are not the same.
        let is_open =
            |word: &Value| word["parts"].as_array().unwrap().iter().all(|part| part["salt"].is_null());
        let pair = (1..words.len() - 1)
            .find(|&n| {
                is_open(&words[n]) && is_open(&words[n + 1]) && words[n]["parts"] != words[n + 1]["parts"]
            })
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
                    "commitment: expected SHA-256 of the seed, {}, found {}",
                    hex::encode(sha256(&[&[0; 32]])),
                    text(&proof["commitment"])
                ),
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
}

#[test]
fn a_proof_that_is_forged_whole_with_all_hashes_and_heads_made_to_fit_is_refused_for_what_the_seed_gives() {
    for backend in backends() {
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
        // What was drawn: dice, a hand, a bonus card. Everything else fits.
        let [hand, red] = [2, 3].map(|number| text(&part(&proof, 0, number)["token"]).to_owned());
        let (bonus_ply, bonus_part, bonus) =
            find(&|_, part| part["part"] != 0 && is_card(text(&part["token"])));
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
        // What the solitaire player decided: the first card that it plays, another one of its hand; a use.
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
            proof["commitment"] = json!(hex::encode(sha256(&[&[0; 32]])));
            rechain(proof);
            for word in 0..proof["words"].as_array().unwrap().len() {
                let ply = proof["words"][word]["ply"].as_u64().unwrap();
                for part in 0..proof["words"][word]["parts"].as_array().unwrap().len() {
                    let part = &proof["words"][word]["parts"][part];
                    if !part["salt"].is_null() {
                        let (number, salt) =
                            (part["part"].as_u64().unwrap(), salt(proof, ply, &part["part"]));
                        part_mut(proof, ply, number)["salt"] = json!(hex::encode(salt));
                    }
                }
            }
        });
        let told = verify(&reseeded.to_string(), &[]).unwrap_err();
        assert!(told.contains("ply 0, part 1: chance: expected `"), "{told}");
        cases.push((reseeded, told.trim_end().replace("assam: <stdin>: ", ""), true));
        // What was sealed is said to have been open, and the other way round; a secret that is kept; a match cut off.
        let (salt_of_dice, salt_of_hand) =
            (salt(&proof, 0, &json!(1)), text(&part(&proof, 0, 2)["salt"]).to_owned());
        let with_salt =
            |salt: Value, number| forged(&proof, |proof| part_mut(proof, 0, number)["salt"] = salt);
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
}

#[test]
fn in_marrakech_a_changed_die_a_changed_rug_and_a_changed_choice_of_the_random_player_are_refused() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::new(&service, "marrakech/1", &["random", "random"], json!({}));
        let proof = scene.proof(&service.stranger()).json();
        let drawn = |wanted: &str| {
            let (ply, found) = parts(&proof)
                .find(|(ply, part)| *ply > 9 && part["part"] != 0 && wanted.contains(text(&part["token"])))
                .unwrap();
            (ply, found["part"].as_u64().unwrap(), text(&found["token"]).to_owned())
        };
        let mut cases = Vec::new();
        for (found, instead) in [("34", "1"), ("r", "y"), ("b", "g")] {
            let (ply, number, token) = drawn(found);
            cases.push((
                forged(&proof, |proof| part_mut(proof, ply, number)["token"] = json!(instead)),
                format!("ply {ply}, part {number}: chance: expected `{token}`, found `{instead}`"),
                true,
            ));
        }
        let chosen = text(&part(&proof, 1, 0)["token"]).to_owned();
        let instead = if chosen == "N" { "E" } else { "N" };
        cases.push((
            forged(&proof, |proof| part_mut(proof, 1, 0)["token"] = json!(instead)),
            format!("ply 1, part 0: choice: expected `{chosen}` of random, found `{instead}`"),
            false,
        ));
        all_are_refused(cases);
    }
}

#[test]
fn built_in_players_do_not_leave_and_do_not_wait_and_nobody_aborts_behind_the_first_ply() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::marrakesh(&service, ["solitaire-ai", "open"]);
        (0..4).for_each(|_| drop(scene.play()));
        scene.resign(2);
        let proof = scene.proof(&service.stranger()).json();
        let last = proof["head"]["ply"].as_u64().unwrap();
        let mut cases: Vec<(Value, String, bool)> = Vec::new();
        for (leave, said) in [
            ("!resign1", "choice: expected solitaire-ai to stay at seat 1"),
            ("!timeout1", "choice: expected solitaire-ai to stay at seat 1"),
            ("!abort", "word: expected an abort at ply 1, or none"),
        ] {
            let forgery = forged(&proof, |proof| part_mut(proof, last, 0)["token"] = json!(leave));
            cases.push((forgery, format!("ply {last}, part 0: {said}, found `{leave}`"), false));
        }
        // Cut off where the service has to play, as if it went on.
        let seat =
            |ply: &u64| service.stranger().get(&scene.path(&format!("/moves/{ply}"))).json()["seat"].clone();
        let waiting = (1..last).find(|ply| seat(ply) == 1).unwrap();
        let cut = forged(&proof, |proof| {
            proof["words"].as_array_mut().unwrap().retain(|word| word["ply"].as_u64().unwrap() < waiting);
            proof["head"]["ply"] = json!(waiting - 1);
            proof["seed"] = Value::Null;
        });
        let said =
            format!("ply {waiting}: choice: expected what solitaire-ai decides at seat 1, found no word");
        cases.push((cut, said, false));
        all_are_refused(cases);
    }
}

#[test]
fn the_id_and_the_seats_of_an_imported_game_follow_from_its_record() {
    for backend in backends() {
        let service = Service::start(&backend);
        let given = Scene::new(&service, "marrakech/1", &["random", "random"], json!({}));
        let record = service.stranger().get(&given.path("/log")).text;
        let imported = service.stranger().post_text("/v1/imports", &record).json();
        let path = format!("/v1/games/{}/proof", text(&imported["id"]));
        let proof = service.stranger().get(&path).json();
        let of_seat = |field: &str, value: Value| changed(&proof, |proof| proof["seats"][0][field] = value);
        let seat = |kind: &str| {
            format!(
                "seat 1: seats: expected human, without player and entropy, as the game was imported, found {kind}"
            )
        };
        let another = &ZEROS[..32];
        all_are_refused(vec![
            (
                changed(&proof, |proof| proof["game"] = json!(another)),
                format!("game: expected {}, found {another}", text(&imported["id"])),
                false,
            ),
            (of_seat("kind", json!("random")), seat("random"), true),
            (of_seat("entropy", json!(ZEROS)), seat("human"), true),
            (of_seat("player", json!(&ZEROS[..20])), seat("human"), true),
        ]);
    }
}

#[test]
fn what_a_person_decided_is_vouched_for_by_nothing_but_the_heads_and_the_record_that_somebody_kept() {
    for backend in backends() {
        let service = Service::start(&backend);
        let scene = Scene::marrakesh(&service, ["open", "open"]);
        let led = scene.play().unwrap().json();
        scene.resign(2);
        let proof = scene.proof(&service.stranger()).json();
        let lead = text(&part(&proof, 1, 0)["token"]).to_owned();
        let hands = [2, 3].map(|number| text(&part(&proof, 0, number)["token"])[2..].to_owned());
        let hand = hands.iter().find(|hand| *hand != &hands[usize::from(led_by(&scene) == 1)]).unwrap();
        let another = hand.as_bytes().chunks(2).map(|card| std::str::from_utf8(card).unwrap());
        let another = another.clone().find(|card| *card != lead).unwrap().to_owned();
        let forgery = forged(&proof, |proof| part_mut(proof, 1, 0)["token"] = json!(another)).to_string();
        verify(&forgery, &[]).unwrap();

        let folder = tempfile::tempdir().unwrap();
        let record = folder.path().join("game.mkn");
        fs::write(&record, service.stranger().get(&scene.path("/log")).text).unwrap();
        let against = ["--against", record.to_str().unwrap()];
        let kept = ["--head", text(&led["head"]["hash"])];
        for arguments in [against, kept] {
            verify(&proof.to_string(), &arguments).unwrap();
        }
        assert_eq!(
            verify(&forgery, &against),
            Err(format!("assam: <stdin>: ply 1: record: expected `{another}`, found `{lead}`\n"))
        );
        assert_eq!(
            verify(&forgery, &kept),
            Err(format!("assam: <stdin>: head: expected one of the 4 of this game, found {}\n", kept[1]))
        );

        // Other records: of another game, cut off, refused, none.
        let setup = text(&proof["setup"]);
        for (text, said) in [
            (
                "MKN/1 marrakesh/1 seats=2\n\n*\n".to_owned(),
                format!("{}: line 3, column 1, ply 0: ", record.display()),
            ),
            (
                "MKN/1 marrakech/1 seats=3\n\n*\n".to_owned(),
                format!("record: expected `{setup}`, found `MKN/1 marrakech/1 seats=3`\n"),
            ),
            (
                format!("{setup}\n\n{} {another} *\n", word(&proof, 0)),
                format!("ply 1: record: expected `{lead}`, found `{another}`\n"),
            ),
        ] {
            fs::write(&record, text).unwrap();
            let told = verify(&proof.to_string(), &against).unwrap_err();
            assert!(told.starts_with(&format!("assam: <stdin>: {said}")), "{told}");
        }
    }
}

/// The seat that wrote ply 1.
fn led_by(scene: &Scene<'_>) -> u64 {
    scene.service.stranger().get(&scene.path("/moves/1")).json()["seat"].as_u64().unwrap()
}

/// The leading word, from its parts.
fn word(proof: &Value, ply: u64) -> String {
    let tokens = parts(proof).filter(|(at, _)| *at == ply).map(|(_, part)| text(&part["token"]).to_owned());
    format!("+{}", tokens.collect::<Vec<_>>().join("+"))
}
