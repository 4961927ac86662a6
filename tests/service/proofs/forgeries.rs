//! Proofs of many games, and forgeries of every kind. Each verifier accepts the proofs, and refuses the
//! forgeries that it claims to.
//!
//! `ASSAM_FORGERIES=10000 cargo test -p assam --test service forgeries` takes 200 games and as many
//! forgeries.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::tools::forging::{forged, part_mut, restated};
use super::tools::hashing::{commitment, rechain, sha256};
use super::{Scene, parts, text};
use crate::dice::Dice;
use crate::harness::{Service, assam, err, installed, out, python, sqlite, typescript};

/// A forgery of a proof, or `None` if the proof has nothing of the kind.
type Forge = fn(&Value, &Value, &mut Dice) -> Option<Value>;

/// The kinds of forgeries, and whether verifiers without rules claim to refuse them too.
const KINDS: &[(&str, Forge, bool)] = &[
    ("an open roll, with all hashes made to fit", open_roll, true),
    ("a card that was drawn, with all hashes made to fit", drawn_card, true),
    ("the order of two words", order, true),
    ("a key", |proof, _, dice| some_word(proof, dice, |word, hex| word["key"] = hex.into()), true),
    ("a key of another ply", key_of_another_ply, true),
    ("all keys, with anchor, commitment and all hashes made to fit", other_keys, true),
    ("a salt", |proof, _, dice| salted(proof, dice, false), true),
    ("a salt, with all hashes made to fit", |proof, _, dice| salted(proof, dice, true), true),
    ("the seed", |proof, _, dice| Some(with(proof, "/seed", hex(dice)).0), true),
    ("the seed, with commitment and all hashes made to fit", other_seed, true),
    ("entropy", |proof, _, dice| entropy(proof, dice, false), true),
    ("entropy, with all hashes made to fit", |proof, _, dice| entropy(proof, dice, true), true),
    ("a player, with all hashes made to fit", player, true),
    ("when entropy came, with all hashes made to fit", revision, true),
    ("the anchor", |proof, _, dice| Some(with(proof, "/anchor", hex(dice)).0), true),
    ("the hash of the seed", |proof, _, dice| Some(with(proof, "/seed_hash", hex(dice)).0), true),
    ("the commitment", |proof, _, dice| Some(with(proof, "/commitment", hex(dice)).0), true),
    ("the start", |proof, _, dice| Some(with(proof, "/start", hex(dice)).0), true),
    ("the last head", |proof, _, dice| Some(with(proof, "/head/hash", hex(dice)).0), true),
    ("a head", |proof, _, dice| some_word(proof, dice, |word, hex| word["head"] = hex.into()), true),
    (
        "a hash",
        |proof, _, dice| some_word(proof, dice, |word, hex| word["parts"][0]["hash"] = hex.into()),
        true,
    ),
    ("two histories, with all hashes made to fit", two_histories, true),
    ("a word that is no word, with all hashes made to fit", no_word, false),
    ("what the receipt states", |proof, _, dice| restated(proof, dice), false),
    ("cut off, as if the game went on", cut, false),
    ("cut off, with the seed", cut_with_seed, false),
    ("what a built-in player decided, with all hashes made to fit", choice, false),
];

fn hex(dice: &mut Dice) -> String {
    hex::encode(std::array::from_fn::<u8, 32, _>(|_| dice.below(256) as u8))
}

/// Returns a proof with another text in a place, and the former text.
fn with(proof: &Value, place: &str, text: String) -> (Value, Value) {
    let mut proof = proof.clone();
    let was = std::mem::replace(proof.pointer_mut(place).unwrap(), json!(text));
    (proof, was)
}

fn fit(mut proof: Value) -> Option<Value> {
    rechain(&mut proof);
    Some(proof)
}

/// The same for what all rolls depend on: one roll may come out the same by chance, but not many.
fn fit_against_rolls(proof: Value) -> Option<Value> {
    let rolls = |(_, part): (u64, &Value)| match text(&part["token"]) {
        "1" | "2" | "3" | "4" => 1,
        token if token.contains('/') => 12,
        _ => 0,
    };
    if parts(&proof).map(rolls).sum::<u32>() < 12 {
        return None;
    }
    fit(proof)
}

fn some_word(proof: &Value, dice: &mut Dice, change: impl Fn(&mut Value, String)) -> Option<Value> {
    let mut proof = proof.clone();
    let words = proof["words"].as_array_mut()?;
    let word = dice.below(words.len() as u64) as usize;
    change(&mut words[word], hex(dice));
    Some(proof)
}

/// Returns any part of this kind, with another token in it.
fn other_token(
    proof: &Value,
    dice: &mut Dice,
    is_wanted: impl Fn(u64, &Value) -> bool,
    other: impl Fn(&str, &mut Dice) -> Option<String>,
) -> Option<Value> {
    let places: Vec<(u64, u64, String)> = parts(proof)
        .filter(|(ply, part)| is_wanted(*ply, part))
        .map(|(ply, part)| (ply, part["part"].as_u64().unwrap(), text(&part["token"]).to_owned()))
        .collect();
    let (ply, number, token) = places.get(dice.below(places.len().max(1) as u64) as usize)?;
    let other = other(token, dice).filter(|other| other != token)?;
    Some(forged(proof, |proof| part_mut(proof, *ply, *number)["token"] = json!(other)))
}

fn open_roll(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let is_open = |_: u64, part: &Value| {
        let token = text(&part["token"]);
        part["part"] != 0 && (token.contains('/') || "1234rybg".contains(token))
    };
    other_token(proof, dice, is_open, |token, dice| {
        Some(match token {
            "1" | "2" | "3" | "4" => dice.pick(&["1", "2", "3", "4"]).to_owned(),
            "r" | "y" => dice.pick(&["r", "y"]).to_owned(),
            "b" | "g" => dice.pick(&["b", "g"]).to_owned(),
            _ => dice.pick(&["111111/222222", "123456/111111", "222333/444555"]).to_owned(),
        })
    })
}

fn drawn_card(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let is_hidden = |_: u64, part: &Value| {
        let token = text(&part["token"]);
        part["part"] != 0 && !token.contains(['/', '?']) && token.len() > 1
    };
    proof["seed"].as_str()?;
    other_token(proof, dice, is_hidden, |token, dice| match token.split_once(':') {
        Some((seat, hand)) => {
            let worst = dice.pick(&["6s", "5h", "Ac"]);
            Some(format!("{seat}:{worst}{}", &hand[2..]))
        }
        None => Some(dice.pick(&["6s", "3d", "Qc"]).to_owned()),
    })
}

fn order(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let mut proof = proof.clone();
    let words = proof["words"].as_array_mut()?;
    let first = 1 + dice.below((words.len() as u64).checked_sub(3)?) as usize;
    let parts = [first + 1, first].map(|word| words[word]["parts"].clone());
    if parts[0] == parts[1] {
        return None;
    }
    for (word, parts) in (first..).zip(parts) {
        words[word]["parts"] = parts;
    }
    Some(proof)
}

fn key_of_another_ply(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let words = proof["words"].as_array()?;
    let from = dice.below(words.len() as u64) as usize;
    let to = (from + 1 + dice.below(words.len() as u64 - 1) as usize) % words.len();
    let key = words[from]["key"].clone();
    let mut proof = proof.clone();
    proof["words"][to]["key"] = key;
    Some(proof)
}

fn other_keys(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let mut proof = proof.clone();
    let mut key = sha256(&[hex(dice).as_bytes()]);
    for word in proof["words"].as_array_mut()?.iter_mut().rev() {
        word["key"] = hex::encode(key).into();
        key = sha256(&[&key]);
    }
    if proof["words"][0]["ply"] == 1 {
        key = sha256(&[&key]);
    }
    proof["anchor"] = hex::encode(key).into();
    proof["commitment"] = commitment(&proof).into();
    fit_against_rolls(proof)
}

fn salted(proof: &Value, dice: &mut Dice, is_made_to_fit: bool) -> Option<Value> {
    if is_made_to_fit {
        proof["seed"].as_str()?;
    }
    let mut proof = proof.clone();
    let mut salted: Vec<&mut Value> = proof["words"]
        .as_array_mut()?
        .iter_mut()
        .flat_map(|word| word["parts"].as_array_mut().unwrap())
        .filter(|part| part["salt"].is_string())
        .collect();
    if salted.is_empty() {
        return None;
    }
    let place = dice.below(salted.len() as u64) as usize;
    salted[place]["salt"] = hex(dice).into();
    if is_made_to_fit { fit(proof) } else { Some(proof) }
}

fn other_seed(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let (mut proof, _) = with(proof, "/seed", hex(dice));
    proof["seed_hash"] = hex::encode(sha256(&[&super::bytes(&proof["seed"])])).into();
    proof["commitment"] = commitment(&proof).into();
    fit_against_rolls(proof)
}

/// Returns a seat of a person who added entropy.
fn seat(proof: &Value) -> Option<usize> {
    proof["seats"].as_array()?.iter().position(|seat| seat["entropy"].is_string())
}

fn entropy(proof: &Value, dice: &mut Dice, is_made_to_fit: bool) -> Option<Value> {
    let (proof, _) = with(proof, &format!("/seats/{}/entropy", seat(proof)?), hex(dice));
    if is_made_to_fit { fit_against_rolls(proof) } else { Some(proof) }
}

fn player(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    fit_against_rolls(with(proof, &format!("/seats/{}/player", seat(proof)?), hex(dice)[..20].to_owned()).0)
}

fn revision(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    let mut changed = proof.clone();
    changed["seats"][seat(proof)?]["revision"] = json!(7 + dice.below(100));
    fit_against_rolls(changed)
}

fn two_histories(proof: &Value, other: &Value, dice: &mut Dice) -> Option<Value> {
    let mut mixed = proof.clone();
    let (words, others) = (proof["words"].as_array()?, other["words"].as_array()?);
    let shorter = words.len().min(others.len());
    if proof["setup"] != other["setup"] || proof["game"] == other["game"] || shorter < 4 {
        return None;
    }
    let from = 1 + dice.below(shorter as u64 - 2) as usize;
    mixed["words"] = words[..from].iter().chain(&others[from..]).cloned().collect();
    mixed["head"]["ply"] = others.last()?["ply"].clone();
    fit(mixed)
}

fn no_word(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    other_token(
        proof,
        dice,
        |_, part| part["part"] == 0,
        |_, dice| Some(dice.pick(&["h9h9", "7@7", "zz", "a1g7", "!resign9"]).to_owned()),
    )
}

fn shortened(proof: &Value, dice: &mut Dice) -> Option<Value> {
    let mut proof = proof.clone();
    let words = proof["words"].as_array_mut()?;
    words.truncate(1 + dice.below(words.len() as u64 - 1) as usize);
    proof["head"]["ply"] = proof["words"].as_array()?.last()?["ply"].clone();
    fit(proof)
}

/// Truncates a game of built-in players alone, who never wait.
fn cut(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    proof["seed"].as_str()?;
    if proof["seats"].as_array()?.iter().any(|seat| seat["kind"] == "human") {
        return None;
    }
    let mut cut = shortened(proof, dice)?;
    cut["seed"] = Value::Null;
    // Sealed tokens keep their salts.
    Some(cut)
}

fn cut_with_seed(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    proof["seed"].as_str()?;
    shortened(proof, dice)
}

fn choice(proof: &Value, _: &Value, dice: &mut Dice) -> Option<Value> {
    proof["seed"].as_str()?;
    let played = proof["seats"].as_array()?.iter().all(|seat| seat["kind"] != "human");
    let is_decision = |_: u64, part: &Value| part["part"] == 0;
    let decided: Vec<String> = parts(proof)
        .filter(|(_, part)| part["part"] == 0)
        .map(|(_, part)| text(&part["token"]).to_owned())
        .collect();
    if played {
        other_token(proof, dice, is_decision, |_, dice| {
            Some(decided[dice.below(decided.len() as u64) as usize].clone())
        })
    } else {
        None
    }
}

/// Returns the refusals of each verifier by number of the proof: first `assam verify`, then the others.
pub(super) fn refused(folder: &Path, proofs: &[Value]) -> Vec<Vec<Option<String>>> {
    let files: Vec<String> = (0..proofs.len())
        .map(|number| folder.join(format!("{number}.json")).to_str().unwrap().to_owned())
        .collect();
    for (file, proof) in files.iter().zip(proofs) {
        std::fs::write(file, proof.to_string()).unwrap();
    }
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let said = |told: &str, mark: &dyn Fn(&str) -> String| -> Vec<Option<String>> {
        let said = |file: &&str| {
            let mark = mark(file);
            told.lines().find_map(|line| line.strip_prefix(&mark)).map(str::to_owned)
        };
        files.iter().map(said).collect()
    };
    let run = assam(&[&["verify"], &files[..]].concat(), "");
    let mut all = vec![said(&err(&run), &|file| format!("assam: {file}: "))];
    if let Some(run) = python("examples/python/verify.py", &files) {
        assert!(!err(&run).contains("Traceback"), "{}", err(&run));
        all.push(said(&err(&run), &|file| format!("{file}: ")));
    }
    if let Some(installed) = installed() {
        let run = typescript(&installed.join("examples/verify.mjs"), &files);
        all.push(said(&out(&run), &|file| format!("{file}: REFUSED: ")));
    }
    all
}

/// Returns proofs of games of every form, finished and running.
fn proofs(service: &Service, games: usize) -> Vec<Value> {
    let forms = [
        ("marrakech/1", vec!["random", "random"], json!({})),
        ("marrakech/1", vec!["random", "open"], json!({"rugs_per_player": 4})),
        ("marrakech/1", vec!["open", "random", "open"], json!({"rugs_per_player": 2, "orientation": "end"})),
        ("marrakech/1", vec!["random"; 4], json!({"start_dirhams": 4, "last_standing": "no"})),
        ("marrakesh/1", vec!["solitaire-ai", "random"], json!({"rounds": 6})),
        ("marrakesh/1", vec!["random", "random"], json!({"sn_bonus": 1, "value_order": "high-first"})),
        ("marrakesh/1", vec!["random", "open"], json!({"rounds": 6})),
        ("marrakesh/1", vec!["solitaire-ai", "solitaire-ai"], json!({"full_ovals": "null-only"})),
    ];
    let stranger = service.stranger();
    let mut proofs = Vec::new();
    for (n, (ruleset, seats, options)) in forms.iter().cycle().take(games).enumerate() {
        let scene = Scene::new(service, ruleset, seats, options.clone());
        match n % 3 {
            0 => while scene.play().is_some() {},
            1 => (0..6).for_each(|_| drop(scene.play())),
            _ => {
                (0..3).for_each(|_| drop(scene.play()));
                if let (Some(&seat), true) =
                    (scene.players.keys().next(), scene.game()["status"] == "running")
                {
                    scene.resign(seat);
                }
            }
        }
        let proof = scene.proof(&stranger).json();
        proofs.push(proof);
        // A game that begins in a position of this one, if that hides nothing.
        let line = stranger.get(&scene.path("/states/9")).json()["position"].clone();
        let wanted = json!({"ruleset": ruleset, "seats": vec!["random"; seats.len()], "position": line});
        let begun = stranger.post("/v1/games", wanted);
        if begun.status == 201 {
            let id = text(&begun.json()["id"]).to_owned();
            proofs.push(stranger.get(&format!("/v1/games/{id}/proof")).json());
        }
    }
    proofs
}

#[test]
fn proofs_of_many_games_are_accepted_and_forgeries_of_every_kind_refused_by_each_verifier_that_claims_it() {
    let wanted: usize = std::env::var("ASSAM_FORGERIES").ok().map_or(260, |many| many.parse().unwrap());
    let games = (wanted / 50).clamp(24, 200);
    let backend = sqlite();
    let service = Service::start(&backend);
    let proofs = proofs(&service, games);
    let begun = proofs.iter().filter(|proof| text(&proof["setup"]).contains(" position=")).count();
    assert!(begun > games / 8, "{begun} games begin in a position");
    let folder = tempfile::tempdir().unwrap();
    for verdicts in refused(folder.path(), &proofs) {
        assert!(verdicts.iter().all(Option::is_none), "{verdicts:?}");
    }
    let mut tried = BTreeSet::new();
    let mut dice = Dice::new(14);
    for (kind, forge, is_for_all) in KINDS {
        let mut forgeries = Vec::new();
        let attempts = wanted * 20;
        for _ in 0..attempts {
            if forgeries.len() == wanted.div_ceil(KINDS.len()) {
                break;
            }
            let [one, other] = [0, 1].map(|_| &proofs[dice.below(proofs.len() as u64) as usize]);
            forgeries.extend(forge(one, other, &mut dice).filter(|forgery| forgery != one));
        }
        assert_eq!(forgeries.len(), wanted.div_ceil(KINDS.len()), "{kind}");
        tried.insert(kind);
        for (verifier, verdicts) in refused(folder.path(), &forgeries).iter().enumerate() {
            let accepted = verdicts.iter().position(Option::is_none);
            if let Some(place) = accepted.filter(|_| verifier == 0 || *is_for_all) {
                panic!("{kind}: verifier {verifier} accepts {}", forgeries[place]);
            }
        }
    }
    assert_eq!(tried.len(), KINDS.len());
}
