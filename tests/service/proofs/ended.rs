//! Proofs of finished games, from which everything can be recomputed, with either verifier and with neither.

use serde_json::{Value, json};

use super::tools::hashing;
use super::tools::verifiers::{independent, verify};
use super::{Scene, parts, text};
use crate::harness::{Service, sqlite};

/// Checks that everything is open to everyone, with the same result. Returns the proof.
fn check_ended(scene: &Scene<'_>) -> Value {
    let answer = scene.proof(&scene.service.stranger());
    for player in scene.players.values() {
        assert_eq!(scene.proof(player).text, answer.text);
    }
    let proof = answer.json();
    assert!(parts(&proof).all(|(_, part)| !text(&part["token"]).contains('?')));
    assert_eq!(hashing::check(&proof), text(&scene.game()["head"]["hash"]));
    assert!(proof["seed"] == scene.game()["seed"] && proof["seed"].is_string());
    let record = scene.service.stranger().get(&scene.path("/log")).text;
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("game.mkn");
    std::fs::write(&file, record).unwrap();
    let told = verify(&answer.text, &["--against", file.to_str().unwrap()]).unwrap();
    let count = |wanted: &dyn Fn(&Value) -> bool| parts(&proof).filter(|(_, part)| wanted(part)).count();
    // In Marrakesh only the dice, which have a slash.
    let is_marrakech = text(&proof["setup"]).contains("marrakech");
    let is_open = |part: &Value| part["part"] != 0 && (is_marrakech || text(&part["token"]).contains('/'));
    for sentence in [
        "verified: every word follows the rules.\n".to_owned(),
        "verified: the commitment covers anchor and seed_hash.\n".to_owned(),
        format!(
            "verified: keys of plies that lead to the anchor: {}.\n",
            proof["words"].as_array().unwrap().len()
        ),
        format!(
            "verified: outcomes of chance that follow from the keys of their plies: {}.\n",
            count(&is_open)
        ),
        "verified: the seed matches its commitment: its SHA-256 is seed_hash.\n".to_owned(),
        format!("verified: salts that follow from the seed: {}.\n", count(&|part| !part["salt"].is_null())),
        format!(
            "verified: outcomes of chance that follow from the seed: {}.\n",
            count(&|part| part["part"] != 0 && !is_open(part))
        ),
        format!("verified: the record has the same words, up to ply {}.\n", proof["head"]["ply"]),
    ] {
        // Missing parts are not mentioned.
        assert_eq!(told.contains(&sentence), !sentence.ends_with("the seed: 0.\n"), "{sentence}: {told}");
    }
    for seat in proof["seats"].as_array().unwrap().iter().filter(|seat| seat["kind"] != "human") {
        let sentence = format!("decisions of seat {}, {}, that follow", seat["seat"], text(&seat["kind"]));
        assert!(told.contains(&sentence), "{sentence}: {told}");
    }
    let seats = proof["seats"].as_array().unwrap();
    let (people, added): (Vec<&Value>, Vec<&Value>) = (
        seats.iter().filter(|seat| seat["kind"] == "human").collect(),
        seats.iter().filter(|seat| seat["entropy"].is_string()).collect(),
    );
    let with_all =
        |sentence: &str, is_there: bool| assert_eq!(told.contains(sentence), is_there, "{sentence}: {told}");
    with_all("not verified: what people decided: ", !people.is_empty());
    with_all("not verified: that the chance was not chosen: no seat added entropy.\n", added.is_empty());
    let last = people.iter().max_by_key(|seat| seat["revision"].as_u64().unwrap());
    for (how, has_entropy) in [("with", true), ("without", false)] {
        let seat = last.map_or(&Value::Null, |last| &last["seat"]);
        let is_last = last.is_some_and(|last| last["entropy"].is_string() == has_entropy);
        let sentence =
            format!("not verified: that no one chose the chance: seat {seat} came last, {how} entropy, ");
        with_all(&sentence, is_last && !added.is_empty());
    }
    with_all("not verified: that the service committed before any entropy came (", true);
    assert_eq!(told.matches("not verified").count(), 3 + usize::from(!people.is_empty()), "{told}");
    proof
}

#[test]
fn when_a_game_is_over_everyone_recomputes_its_start_its_salts_its_heads_its_chance_and_its_built_in_players()
{
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut proofs = Vec::new();
    for (ruleset, seats, options) in [
        ("marrakesh/1", vec!["open", "open"], json!({})),
        ("marrakesh/1", vec!["open", "solitaire-ai"], json!({"rounds": 6, "value_order": "high-first"})),
        ("marrakesh/1", vec!["random", "open"], json!({"rounds": 6, "sn_bonus": 1})),
        ("marrakesh/1", vec!["solitaire-ai", "random"], json!({"full_ovals": "null-only"})),
        ("marrakech/1", vec!["open", "random"], json!({})),
        ("marrakech/1", vec!["open", "merchant-5/1"], json!({"rugs_per_player": 8})),
        ("marrakech/1", vec!["hand", "merchant-8/1", "random"], json!({"rugs_per_player": 6})),
        ("marrakesh/1", vec!["merchant-8/1", "open"], json!({"rounds": 6})),
        ("marrakesh/1", vec!["merchant-7/1", "merchant-6/1"], json!({"rounds": 6})),
        ("marrakech/1", vec!["random", "random"], json!({"rugs_per_player": 30, "orientation": "end"})),
        ("marrakech/1", vec!["random", "open", "random"], json!({"start_dirhams": 8})),
        ("marrakech/1", vec!["random"; 4], json!({"last_standing": "no", "start_dirhams": 4})),
    ] {
        let scene = Scene::new(&service, ruleset, &seats, options);
        scene.play_to_the_end();
        proofs.push(check_ended(&scene));
    }
    for (seats, leaves) in [(["open", "open"], 1), (["open", "solitaire-ai"], 1)] {
        let scene = Scene::marrakesh(&service, seats);
        (0..9).for_each(|_| drop(scene.play()));
        scene.resign(leaves);
        proofs.push(check_ended(&scene));
    }
    for told in independent(&proofs).concat() {
        let told = told.unwrap();
        for said in [": keys: ", ": chance: ", ": seed: "] {
            assert!(told.contains(said), "{told}");
        }
    }
}

#[test]
fn a_game_that_begins_in_a_position_is_recomputed_as_any_other() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut proofs = Vec::new();
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        // Any position of another game that hides nothing.
        let given = Scene::new(&service, ruleset, &["random", "random"], json!({}));
        let record = service.stranger().get(&given.path("/log")).text;
        let (first_line, body) = record.split_once("\n\n").unwrap();
        let setup = first_line.lines().next().unwrap();
        let words: Vec<&str> = body.split_whitespace().collect();
        let mut begun = (20..words.len()).filter_map(|count| {
            let cut = format!("{setup}\n\n{} *", words[..count].join(" "));
            let line = service.stranger().post_text("/v1/validate", &cut).json()["position"].clone();
            let wanted = json!({"ruleset": ruleset, "seats": ["random", "random"], "position": line});
            let created = service.stranger().post("/v1/games", wanted);
            (created.status == 201).then(|| created.json())
        });
        let game = begun.next().unwrap();
        assert!(text(&game["setup"]).contains(" position="));
        let path = format!("/v1/games/{}/proof", text(&game["id"]));
        let proof = service.stranger().get(&path);
        hashing::check(&proof.json());
        let told = verify(&proof.text, &[]).unwrap();
        assert!(told.contains("outcomes of chance that follow from the keys of their plies"), "{told}");
        proofs.push(proof.json());
    }
    for told in independent(&proofs).concat() {
        assert!(told.unwrap().contains(": chance: "));
    }
}

#[test]
fn of_an_imported_game_the_heads_are_recomputed_and_its_chance_is_said_to_be_unproved() {
    let backend = sqlite();
    let other = sqlite();
    let (origin, service) = (Service::start(&backend), Service::start(&other));
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        let given = Scene::new(&origin, ruleset, &["random", "random"], json!({}));
        let record = origin.stranger().get(&given.path("/log")).text;
        let imported = service.stranger().post_text("/v1/imports", &record);
        assert_eq!(imported.status, 201, "{}", imported.text);
        let path = format!("/v1/games/{}/proof", text(&imported.json()["id"]));
        let proof = service.stranger().get(&path);
        assert_eq!(hashing::check(&proof.json()), text(&imported.json()["head"]["hash"]));
        let told = verify(&proof.text, &[]).unwrap();
        let said = "start is the hash of `assam/1`, `import` and the setup line.";
        assert!(told.contains(said), "{told}");
        let unproved = "not verified: chance. The game was imported and has no commitment.\n";
        assert!(told.ends_with(unproved) && told.matches("not verified").count() == 2, "{told}");
        for told in independent(&[proof.json()]).concat() {
            assert!(told.unwrap().contains("not verified: chance, as the game was imported"));
        }
    }
}
