//! Proofs with changed decisions: of a built-in player, of a person, in an imported game.

use std::fs;

use serde_json::{Value, json};

use super::tools::forging::{ZEROS, all_are_refused, changed, forged, part_mut};
use super::tools::verifiers::{independent, verify};
use super::{Scene, part, parts, text};
use crate::harness::{Service, sqlite};

#[test]
fn in_marrakech_a_changed_die_a_changed_rug_and_a_changed_choice_of_the_random_player_are_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    // One game need not have all kinds of chance.
    let games = (0..50).map(|_| Scene::new(&service, "marrakech/1", &["random", "random"], json!({})));
    let mut proofs = games.map(|scene| scene.proof(&service.stranger()).json());
    let drawn = |proof: &Value, wanted: &str| {
        let (ply, found) = parts(proof)
            .find(|(ply, part)| *ply > 9 && part["part"] != 0 && wanted.contains(text(&part["token"])))?;
        Some((ply, found["part"].as_u64().unwrap(), text(&found["token"]).to_owned()))
    };
    let (proof, tokens) = proofs
        .find_map(|proof| {
            let tokens: Option<Vec<_>> =
                ["34", "r", "b"].map(|wanted| drawn(&proof, wanted)).into_iter().collect();
            Some((proof, tokens?))
        })
        .expect("one of fifty games has a 3 or 4 and both colours");
    let mut cases = Vec::new();
    for ((ply, number, token), instead) in tokens.into_iter().zip(["1", "y", "g"]) {
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

#[test]
fn built_in_players_do_not_leave_and_do_not_wait() {
    let backend = sqlite();
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
    ] {
        let forgery = forged(&proof, |proof| part_mut(proof, last, 0)["token"] = json!(leave));
        cases.push((forgery, format!("ply {last}, part 0: {said}, found `{leave}`"), false));
    }
    // Cut off at the service's turn, as if it were still running.
    let seat =
        |ply: &u64| service.stranger().get(&scene.path(&format!("/moves/{ply}"))).json()["seat"].clone();
    let waiting = (1..last).find(|ply| seat(ply) == 1).unwrap();
    let cut = forged(&proof, |proof| {
        proof["words"].as_array_mut().unwrap().retain(|word| word["ply"].as_u64().unwrap() < waiting);
        proof["head"]["ply"] = json!(waiting - 1);
        proof["seed"] = Value::Null;
    });
    let said = format!("ply {waiting}: choice: expected what solitaire-ai decides at seat 1, found no word");
    cases.push((cut, said, false));
    all_are_refused(cases);
}

#[test]
fn decisions_of_a_player_that_a_verifier_does_not_know_are_counted_and_not_recomputed() {
    // clients/python/tests/test_verify.py wrote it.
    let proof: Value = serde_json::from_str(include_str!("unknown_player.json")).unwrap();
    let refused = verify(&proof.to_string(), &[]).unwrap_err();
    assert!(refused.contains("unknown variant `tea-seller/12`"), "{refused}");
    for told in independent(std::slice::from_ref(&proof)).concat() {
        let told = told.unwrap();
        for said in [
            "seat 2, merchant-5/1: 6 of 6 decisions were not",
            "seat 3, tea-seller/12: 3 of 3 decisions were not",
        ] {
            assert!(told.contains(said), "{said}: {told}");
        }
    }
    // The rest is still checked.
    let forgery = forged(&proof, |proof| part_mut(proof, 1, 1)["token"] = json!("4"));
    assert!(independent(&[forgery]).concat().iter().all(Result::is_err));
}

#[test]
fn the_id_and_the_seats_of_an_imported_game_follow_from_its_record() {
    let backend = sqlite();
    let other = sqlite();
    let (origin, service) = (Service::start(&backend), Service::start(&other));
    let given = Scene::new(&origin, "marrakech/1", &["random", "random"], json!({}));
    let record = origin.stranger().get(&given.path("/log")).text;
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

#[test]
fn what_a_person_decided_is_vouched_for_by_nothing_but_the_heads_and_the_record_that_somebody_kept() {
    let backend = sqlite();
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

/// Returns the seat that wrote ply 1.
fn led_by(scene: &Scene<'_>) -> u64 {
    scene.service.stranger().get(&scene.path("/moves/1")).json()["seat"].as_u64().unwrap()
}

/// Returns the leading word, put together from its parts.
fn word(proof: &Value, ply: u64) -> String {
    let tokens = parts(proof).filter(|(at, _)| *at == ply).map(|(_, part)| text(&part["token"]).to_owned());
    format!("+{}", tokens.collect::<Vec<_>>().join("+"))
}
