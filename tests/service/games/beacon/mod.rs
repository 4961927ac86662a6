//! Games with an outside beacon, which wait for a round that was unknown when the last seat was taken.

use std::fs;
use std::thread;

use serde_json::{Value, json};

use crate::harness::{Answer, CHAIN, Client, Drand, Service, assam, err, out, secret, sqlite, with_entropy};

mod proved;

/// Returns a game for two with the beacon of the tests, owned by a player, and its path.
fn created(owner: &Client<'_>, more: Value) -> String {
    let mut wanted =
        json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "beacon": Drand::of_tests().name()});
    wanted.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let created = owner.post("/v1/games", wanted);
    assert_eq!(created.status, 201, "{}", created.text);
    assert_eq!(created.json()["status"], "open");
    created.header("location").unwrap().to_owned()
}

/// Takes a seat with entropy. Returns the response with its signed receipt.
fn take(player: &Client<'_>, game: &str, seat: u8) -> Answer {
    let body = with_entropy(player, game, &secret());
    let taken = player.put(&format!("{game}/seats/{seat}?include=receipt"), body);
    assert_eq!(taken.status, 201, "{}", taken.text);
    taken
}

/// Returns a game that waits for its beacon, its players, and the round.
fn waiting(service: &Service) -> (String, [Client<'_>; 2], u64) {
    let players = [service.player(), service.player()];
    let game = created(&players[0], json!({}));
    take(&players[0], &game, 1);
    let last = take(&players[1], &game, 2).json();
    (game, players, last["beacon"]["round"].as_u64().unwrap())
}

fn deliver(client: &Client<'_>, game: &str, body: Value) -> Answer {
    client.put(&format!("{game}/beacon"), body)
}

fn refused(answer: &Answer, status: u16, code: &str) {
    assert_eq!((answer.status, answer.problem().as_str()), (status, code), "{}", answer.text);
}

#[test]
fn the_file_of_the_chain_of_the_tests_is_that_of_its_key() {
    let file: Value = serde_json::from_str(&fs::read_to_string(CHAIN).unwrap()).unwrap();
    assert_eq!(file, Drand::of_tests().info());
}

#[test]
fn the_last_seat_fixes_a_round_that_is_not_out_yet_and_the_game_starts_with_that_round() {
    let drand = Drand::of_tests();
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, guest) = (service.player(), service.player());
    let game = created(&owner, json!({}));
    let unknown = json!({"chain": drand.name(), "round": null, "round_at": null, "signature": null});
    assert_eq!(owner.get(&game).json()["beacon"], unknown);
    let first = take(&owner, &game, 1).json();
    assert_eq!(first["beacon"], unknown);
    assert!(first["receipt"].as_str().unwrap().contains(&format!("\nbeacon {} -\n", drand.name())));
    refused(&deliver(&guest, &game, drand.round(1)), 409, "not_started");

    let before = assam_record::clock::now();
    let taken = take(&guest, &game, 2).json();
    let after = assam_record::clock::now();
    assert_eq!(
        (&taken["status"], &taken["head"], &taken["started_at"]),
        (&json!("open"), &Value::Null, &Value::Null)
    );
    let beacon = &taken["beacon"];
    let round = beacon["round"].as_u64().unwrap();
    // Round 1 of the chain came a second after 1970 began, and the others every 3 seconds.
    let at = i64::try_from(1 + (round - 1) * 3).unwrap();
    assert_eq!(beacon["round_at"], format!("{:.3}", jiff::Timestamp::from_second(at).unwrap()));
    assert!(
        at * 1000 >= before.as_millisecond() + 6000 && at * 1000 < after.as_millisecond() + 9000,
        "{taken}"
    );
    assert_eq!(beacon["signature"], Value::Null);
    let stated = taken["receipt"].as_str().unwrap();
    let line = format!("\nbeacon {} {round}\ntime ", drand.name());
    assert!(stated.contains(&line), "{stated}");
    assert_eq!(guest.get(&format!("{game}/seats/2/receipt")).text, stated);
    assert_eq!(guest.get(&game).json()["beacon"], *beacon);

    // A round that was not fixed, the same one of another chain, and a malformed signature.
    let of_other = Drand::with_key(8).round(round);
    let nothing = json!({"round": round, "signature": "c0".to_owned() + &"0".repeat(94)});
    let zeros = json!({"round": round, "signature": "0".repeat(96)});
    let mixed = json!({"round": round, "signature": drand.signature(round + 1)});
    for body in [drand.round(round - 1), drand.round(round + 1), of_other, nothing, zeros, mixed] {
        refused(&deliver(&guest, &game, body), 422, "beacon_refused");
    }
    assert_eq!(owner.get(&game).json()["beacon"], *beacon);

    let started = deliver(&service.stranger(), &game, drand.round(round));
    assert_eq!(started.status, 200, "{}", started.text);
    let told = started.json();
    assert_eq!(told["status"], "running");
    assert_eq!(told["beacon"]["signature"], drand.signature(round));
    assert!(told["started_at"].is_string() && told["head"]["ply"] == 0, "{told}");
    assert_eq!(deliver(&service.stranger(), &game, drand.round(round)).text, started.text);
    let mixed = json!({"round": round, "signature": drand.signature(round + 1)});
    refused(&deliver(&guest, &game, mixed), 422, "beacon_refused");
    refused(&deliver(&guest, &game, drand.round(round + 1)), 422, "beacon_refused");
    refused(&guest.send("DELETE", &format!("{game}/seats/2"), &[], ""), 409, "already_started");
    assert_eq!(guest.get(&format!("{game}/seats/2/receipt")).text, stated);
}

#[test]
fn nobody_gets_out_of_a_game_that_waits_for_its_beacon_or_into_it_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (game, [owner, guest], round) = waiting(&service);
    let before = owner.get(&game).json();
    let played = owner.play(game.rsplit('/').next().unwrap(), 1, "N");
    refused(&played, 409, "not_started");
    let detail = played.json()["detail"].as_str().unwrap().to_owned();
    let (chain, at) = (&before["beacon"]["chain"], &before["beacon"]["round_at"]);
    let expected = format!(
        "the game waits for round {round} of {}, due at {}",
        chain.as_str().unwrap(),
        at.as_str().unwrap()
    );
    assert_eq!(detail, expected);
    for part in ["proof", "log", "legal-moves", "receipt?ply=0", "inclusion", "states"] {
        refused(&owner.get(&format!("{game}/{part}")), 409, "not_started");
    }
    for seat in [1, 2] {
        let path = format!("{game}/seats/{seat}");
        let holder = if seat == 1 { &owner } else { &guest };
        refused(&holder.send("DELETE", &path, &[], ""), 409, "waiting_for_beacon");
        refused(&service.player().put(&path, json!({})), 409, "seat_taken");
    }
    refused(&owner.send("DELETE", &game, &[], ""), 409, "waiting_for_beacon");
    let entropy = with_entropy(&guest, &game, &secret());
    assert_eq!(guest.put(&format!("{game}/seats/2"), entropy).status, 200);
    assert_eq!(owner.get(&game).json(), before);
    // Names affect nothing.
    assert_eq!(guest.patch(&format!("{game}/seats/2"), json!({"name": "Zoë"})).status, 200);
    assert_eq!(owner.get(&game).json()["beacon"], before["beacon"]);
    assert_eq!(deliver(&guest, &game, Drand::of_tests().round(round)).json()["status"], "running");
}

#[test]
fn who_took_a_seat_without_entropy_adds_none_once_the_round_is_fixed() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, guest) = (service.player(), service.player());
    let game = created(&owner, json!({"take": {"seat": 1}}));
    take(&guest, &game, 2);
    let before = owner.get(&game).json();
    let entropy = with_entropy(&guest, &game, &secret());
    let answered = owner.put(&format!("{game}/seats/1"), entropy);
    assert_eq!((answered.status, &answered.json()["seats"]), (200, &before["seats"]));
}

#[test]
fn one_of_many_deliveries_at_once_starts_the_game_and_all_say_the_same() {
    let drand = Drand::of_tests();
    let backend = sqlite();
    let services = [Service::start(&backend), Service::start(&backend)];
    let (game, _, round) = waiting(&services[0]);
    let told: Vec<String> = thread::scope(|scope| {
        let ask = |service| {
            scope.spawn({
                let (game, body) = (&game, drand.round(round));
                move || deliver(&Service::stranger(service), game, body)
            })
        };
        let asked: Vec<_> = services.iter().cycle().take(8).map(ask).collect();
        asked
            .into_iter()
            .map(|asked| asked.join().unwrap())
            .map(|answer| {
                assert_eq!(answer.status, 200, "{}", answer.text);
                answer.text
            })
            .collect()
    });
    assert!(told.iter().all(|text| *text == told[0]), "{told:?}");
}

#[test]
fn a_creator_who_takes_the_only_open_seat_fixes_the_round_with_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let game = created(&owner, json!({"seats": ["random", "open"], "take": {"seat": 2}}));
    let beacon = owner.get(&game).json()["beacon"].clone();
    let round = beacon["round"].as_u64().unwrap();
    let stated = owner.get(&format!("{game}/seats/2/receipt")).text;
    let line = format!("\nafter -\nbeacon {} {round}\ntime ", beacon["chain"].as_str().unwrap());
    assert!(stated.contains(&line), "{stated}");
    let started = deliver(&owner, &game, Drand::of_tests().round(round)).json();
    // The built-in player moved first, by unpredictable chance.
    assert!(started["head"]["ply"].as_u64().unwrap() >= 1, "{started}");
}

#[test]
fn a_beacon_is_one_that_the_service_knows_and_needs_somebody_who_waits() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let drand = Drand::of_tests();
    let create = |seats: Value, beacon: &str| {
        owner.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": seats, "beacon": beacon}))
    };
    let quicknet = "drand:52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971";
    assert_eq!(create(json!(["open", "random"]), quicknet).status, 201);
    let answer = create(json!(["open", "random"]), &Drand::with_key(8).name());
    refused(&answer, 422, "unknown_option");
    assert_eq!(answer.json()["rule"], "table.beacon.unknown-chain");
    assert_eq!(answer.json()["expected"], format!("{quicknet}, {}", drand.name()));
    refused(&create(json!(["random", "random"]), quicknet), 400, "bad_request");
    for wrong in ["drand:52db", "quicknet", &quicknet.to_uppercase(), &quicknet[6..]] {
        refused(&create(json!(["open", "random"]), wrong), 400, "bad_request");
    }
    // Without one, a game starts at once.
    let plain = owner.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "random"]}));
    let game = plain.header("location").unwrap();
    assert_eq!(plain.json()["beacon"], Value::Null);
    refused(&deliver(&owner, game, drand.round(1)), 404, "beacon_not_found");
    assert_eq!(owner.put(&format!("{game}/seats/1"), json!({})).json()["status"], "running");
    refused(&deliver(&owner, game, drand.round(1)), 404, "beacon_not_found");
}

#[test]
fn a_private_game_takes_its_beacon_from_those_who_may_see_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let private = json!({"seats": ["open", "random"], "visibility": "private", "join_code": "Sesame", "take": {"seat": 1}});
    let game = created(&owner, private);
    let round = owner.get(&game).json()["beacon"]["round"].as_u64().unwrap();
    let body = Drand::of_tests().round(round);
    refused(&deliver(&service.player(), &game, body.clone()), 404, "game_not_found");
    assert_eq!(deliver(&owner, &game, body).json()["status"], "running");
}

#[test]
fn a_game_that_waits_too_long_for_its_beacon_goes_as_every_open_game() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--open-game-ttl", "1s"]);
    let owner = service.player();
    let game = created(&owner, json!({"seats": ["open", "random"], "take": {"seat": 1}}));
    let other = created(&owner, json!({"seats": ["open", "open"]}));
    while owner.get(&other).status == 200 {}
    // Its round is in the future.
    assert_eq!(owner.get(&game).status, 200);
    while owner.get(&game).status == 200 {}
    refused(&owner.get(&game), 404, "game_not_found");
}

#[test]
fn a_chain_that_the_operator_takes_away_starts_no_game_and_games_still_say_what_they_wait_for() {
    let (drand, folder) = (Drand::of_tests(), tempfile::tempdir().unwrap());
    let other = folder.path().join("other.json");
    Drand::with_key(8).write(&other);
    let backend = sqlite();
    let before = Service::start(&backend);
    let (game, [owner, guest], round) = waiting(&before);
    let (shown, secrets) =
        (owner.get(&game).json(), [&owner, &guest].map(|player| player.secret.clone().unwrap()));
    let half = created(&guest, json!({"seats": ["open", "random"]}));
    drop(before);
    let service = Service::start_with(&backend, &["--beacon", other.to_str().unwrap()]);
    let guest = service.with_secret(&secrets[1]);
    assert_eq!(service.with_secret(&secrets[0]).get(&game).json(), shown);
    let answer = deliver(&guest, &game, drand.round(round));
    refused(&answer, 422, "beacon_refused");
    assert!(answer.text.contains("this service does not know the chain"), "{}", answer.text);
    refused(&guest.put(&format!("{half}/seats/1"), json!({})), 503, "unavailable");
    drop(service);
    let again = Service::start(&backend);
    assert_eq!(deliver(&again.stranger(), &game, drand.round(round)).json()["status"], "running");
}

#[test]
fn a_chain_whose_hash_does_not_follow_from_it_is_named_and_refused() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("chain.json");
    let mut info = Drand::of_tests().info();
    info["period"] = json!(30);
    fs::write(&file, info.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let run = assam(&["serve", "--database", "sqlite::memory:", "--beacon", file], "");
    assert!(err(&run).contains(&format!("{file}: its hash is")), "{run:?}");
    assert!(!run.status.success() && out(&run).is_empty());
}
