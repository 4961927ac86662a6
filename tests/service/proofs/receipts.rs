//! An operator who commits again after all entropy is known, and the receipt that exposes it.

use std::fs;

use assam_record::chance::{self, Draw, Purpose, number};
use assam_record::game::Bytes32;
use assam_record::hex::Hex;
use assam_referee::Setup;
use assam_rules::Pool;
use serde_json::{Value, json};

use super::tools::verifiers::verify;
use super::{Scene, bytes, text};
use crate::harness::{Backend, Client, Service, assam, out, python, secret, sqlite, with_entropy};

/// Takes a seat of a game with entropy. The response is the receipt.
fn take(client: &Client<'_>, id: &str, seat: u8) -> Value {
    let path = format!("/v1/games/{id}");
    let body = with_entropy(client, &path, &secret());
    let taken = client.put(&format!("{path}/seats/{seat}?include=receipt"), body);
    assert_eq!(taken.status, 201, "{}", taken.text);
    taken.json()
}

/// Returns only the response, without signed parts.
fn unsigned(taken: &Value) -> Value {
    let mut taken = taken.clone();
    taken.as_object_mut().unwrap().remove("receipt").unwrap();
    taken
}

/// Returns the one of 4,000 seeds with the most fours among the first rolls, as an operator would choose who
/// knew the entropy of the last seat.
fn best_seed(game: &Value) -> Bytes32 {
    let setup = Setup::read(text(&game["setup"])).unwrap();
    let seeds = (0_u32..4000).map(|n| {
        let mut seed = [7; 32];
        seed[..4].copy_from_slice(&n.to_be_bytes());
        seed
    });
    let fours = |seed: &Bytes32| {
        let committed = chance::commitment(seed, &setup);
        let mut keys = chance::Keys::new(seed, setup.most_plies());
        keys.look_back(9);
        let start = hex::encode(committed);
        (1..8)
            .filter(|&ply| {
                let draw = Draw { purpose: Purpose::Chance, pool: Pool::Open, ply, k: 0 };
                number(&keys.of(ply), &start, draw, 6) == 5
            })
            .count()
    };
    seeds.max_by_key(fours).unwrap()
}

/// Replaces the seed of a game and its commitment behind the back of the service.
fn swap_seed(backend: &Backend, id: &str, seed: Bytes32, commitment: Bytes32) {
    let on = match backend {
        Backend::Sqlite(_) => "",
        Backend::Postgres(_) => " ON games",
    };
    let (seed, commitment) = (backend.bytes(Hex(seed)), backend.bytes(Hex(commitment)));
    let id = backend.id(id);
    backend.script(&format!(
        "DROP TRIGGER games_guard_fixed{on}; DROP TRIGGER games_guard_commitment{on}; UPDATE games SET seed = {seed}, commitment = {commitment} WHERE id = {id};"
    ));
}

#[test]
fn an_operator_who_swaps_the_seed_when_the_entropy_is_known_is_caught_by_the_receipt_of_the_honest_player() {
    let backend = sqlite();
    let folder = tempfile::tempdir().unwrap();
    let kept = |name: &str, what: &Value| {
        let file = folder.path().join(name);
        fs::write(&file, what.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let honest = secret();
    let (id, receipt) = {
        let service = Service::start(&backend);
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open", "random"]});
        let id = text(&service.player().post("/v1/games", wanted).json()["id"]).to_owned();
        let receipt = take(&service.with_secret(&honest), &id, 1);
        assert_eq!(receipt["seats"][0]["revision"], 1);
        (id, receipt)
    };
    let seed = best_seed(&receipt);
    let setup = Setup::read(text(&receipt["setup"])).unwrap();
    swap_seed(&backend, &id, seed, chance::commitment(&seed, &setup));
    let service = Service::start(&backend);
    let accomplice = service.player();
    take(&accomplice, &id, 2);
    assert_eq!(accomplice.play(&id, 1, "!resign").status, 201);
    assert_eq!(service.with_secret(&honest).play(&id, 2, "!resign").status, 201);
    let proof = service.stranger().get(&format!("/v1/games/{id}/proof")).json();
    assert_eq!(bytes(&proof["seed"]), seed);
    // The proof itself is consistent: the seed is committed to, and the report lists what is unknown.
    let told = verify(&proof.to_string(), &[]).unwrap();
    assert!(told.contains("not verified: that the service committed before any entropy came"), "{told}");
    // The honest player has a signed receipt, and so is the end of the game signed. Both convict the
    // operator.
    let signed = folder.path().join("receipt");
    fs::write(&signed, text(&receipt["receipt"])).unwrap();
    let key = service.stranger().get("/v1/keys").json()["keys"][0]["key"].clone();
    let signed = ["--receipt", signed.to_str().unwrap(), "--key", text(&key)];
    let told = verify(&proof.to_string(), &signed).unwrap_err();
    let both =
        format!("Both of these are signed by {}, and they contradict each other: commitment.", text(&key));
    for line in [both.as_str()]
        .into_iter()
        .chain([&receipt, &proof].iter().flat_map(|note| text(&note["receipt"]).lines()))
    {
        assert!(told.contains(line), "{line}: {told}");
    }
    let (first, second) = (text(&receipt["commitment"]), text(&proof["commitment"]));
    let file = kept("receipt.json", &unsigned(&receipt));
    let said = format!("commitment: the service stated {first}, but the proof has {second}");
    assert_eq!(
        verify(&proof.to_string(), &["--receipt", &file]),
        Err(format!("assam: <stdin>: {file}: {said}\n"))
    );
    assert_eq!(
        verify(&proof.to_string(), &["--commitment", first]),
        Err(format!("assam: <stdin>: commitment: expected {first}, which you were shown, found {second}\n"))
    );
    let proof = kept("proof.json", &proof);
    if let Some(run) = python("examples/python/verify.py", &["--receipt", &file, &proof]) {
        assert_eq!(run.status.code(), Some(1), "{run:?}");
    }
}

#[test]
fn a_receipt_that_fits_is_told_and_one_of_another_game_player_entropy_or_time_is_refused() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let players = [service.player(), service.player()];
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    let id = text(&players[0].post("/v1/games", wanted).json()["id"]).to_owned();
    // Seat 2 first, so that it is not the last to give entropy.
    let receipts = [(1, 2), (0, 1)].map(|(player, seat)| unsigned(&take(&players[player], &id, seat)));
    let proof = service.stranger().get(&format!("/v1/games/{id}/proof")).text;
    let folder = tempfile::tempdir().unwrap();
    let check = |receipt: &Value| {
        let file = folder.path().join("receipt.json");
        fs::write(&file, receipt.to_string()).unwrap();
        let run = assam(&["verify", "-", "--receipt", file.to_str().unwrap()], &proof);
        if run.status.success() { Ok(out(&run)) } else { Err(crate::harness::err(&run)) }
    };
    let told = check(&receipts[0]).unwrap();
    for sentence in [
        "verified: the receipt of seat 2 has the same commitment as the game, and its seat and all earlier ones are unchanged.",
        "verified: start includes the entropy of seats 2 and 1, in the order in which it came.",
        "not verified: that no one chose the chance: seat 1 came last, with entropy, ",
    ] {
        assert!(told.contains(sentence), "{sentence}: {told}");
    }
    let sent = text(&receipts[0]["seats"][1]["entropy"]);
    let told = verify(&proof, &["--entropy", sent]).unwrap();
    assert!(told.contains("verified: seat 2 has the entropy that you sent."), "{told}");
    let other = "00".repeat(32);
    assert_eq!(
        verify(&proof, &["--entropy", &other]),
        Err(format!(
            "assam: <stdin>: entropy: expected {other}, which you sent, in one of the seats, found it in none\n"
        ))
    );
    let scene = Scene::new(&service, "marrakech/1", &["random", "random"], json!({}));
    // The last seat started the game, so everything depends on its head.
    let head = receipts[1]["head"]["ply"].clone();
    assert!(head.is_u64() && receipts[0]["head"].is_null());
    // The seats before the player's seat are unchanged, also without a head.
    for (field, value, said) in [
        ("/head/hash", json!("00".repeat(32)), format!("head of ply {head}: the service stated 0000")),
        ("/seats/1/entropy", json!("00".repeat(32)), "seat 2: entropy: the service stated 0000".to_owned()),
        ("/seats/1/revision", json!(7), "seat 2: revision: the service stated 7, ".to_owned()),
        ("/seats/1/kind", json!("open"), "seat 2: kind: the service stated open, ".to_owned()),
    ] {
        let mut changed = receipts[1].clone();
        *changed.pointer_mut(field).unwrap() = value;
        let told = check(&changed).unwrap_err();
        assert!(told.contains(&said), "{said}: {told}");
    }
    assert!(check(&receipts[1]).unwrap().contains("the receipt of seat 1 has"));
    for (field, value, said) in [
        ("/setup", json!("MKN/1 marrakech/1 seats=2 rugs_per_player=2"), "setup: "),
        ("/seats/1/kind", json!("random"), "seat 2: kind: "),
        ("/id", json!(scene.id), "game: "),
        ("/your_seat", json!(null), "your_seat is null"),
        ("/seats/1/player", json!("00".repeat(10)), "seat 2: player: "),
        ("/seats/1/entropy", json!("00".repeat(32)), "seat 2: entropy: "),
        ("/seats/1/revision", json!(7), "seat 2: revision: "),
        ("/commitment", json!(null), "commitment: "),
    ] {
        let mut changed = receipts[0].clone();
        *changed.pointer_mut(field).unwrap() = value;
        let told = check(&changed).unwrap_err();
        assert!(told.contains(said), "{said}: {told}");
    }
}
