//! Built-in players answer at once with ordinary words, and control only their own seats.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use assam_players::Playable;
use serde_json::{Value, json};

use crate::harness::{Client, Service, sqlite};

fn words(answer: &Value) -> Vec<&str> {
    answer["words"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect()
}

/// Returns the names of a game's players, weakest first.
fn names<G: Playable>() -> Vec<&'static str> {
    G::PLAYERS.iter().map(|player| player.name()).collect()
}

fn game(client: &Client<'_>, id: &str) -> Value {
    client.get(&format!("/v1/games/{id}")).json()
}

fn first_legal(client: &Client<'_>, id: &str) -> (u64, String) {
    let legal = client.get(&format!("/v1/games/{id}/legal-moves")).json();
    (legal["ply"].as_u64().unwrap(), legal["moves"][0].as_str().unwrap().to_owned())
}

#[test]
fn built_in_players_answer_a_move_in_the_same_answer_until_a_client_is_on_turn_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["open", "random", "random"], json!({}));
    for turn in 1..=5 {
        let (ply, moved) = first_legal(&players[0], &id);
        let turned = players[0].play(&id, ply, &moved).json();
        assert_eq!(words(&turned).len(), 1, "then the rug is the client's to lay");
        let (ply, rug) = first_legal(&players[0], &id);
        let answer = players[0].play(&id, ply, &rug);
        let told = answer.json();
        assert_eq!((answer.status, words(&told).len()), (201, 5), "turn {turn}: {}", answer.text);
        let after = game(&players[0], &id);
        assert_eq!(told["head"], after["head"], "the head is behind all of them");
        let head = told["head"]["hash"].as_str().unwrap();
        assert!(answer.header("etag").unwrap().starts_with(&format!("\"{head}.")));
        for (n, word) in (ply..).zip(words(&told)) {
            let written = players[0].get(&format!("/v1/games/{id}/moves/{n}")).json();
            assert_eq!(written["word"], word);
            assert_eq!(written["seat"], [1, 2, 2, 3, 3][(n - ply) as usize]);
        }
        // Sent again, even after the game went on, it gets the same answer.
        let again = players[0].play(&id, ply, &rug);
        assert_eq!((again.status, &again.text), (200, &answer.text));
    }
}

#[test]
fn a_built_in_player_that_begins_has_moved_when_the_last_seat_is_taken() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let owner = service.player();
    let wanted = json!({"ruleset": "marrakech/1", "seats": ["random", "open"]});
    let created = owner.post("/v1/games", wanted).json();
    assert_eq!((&created["status"], &created["head"]), (&json!("open"), &json!(null)));
    let id = created["id"].as_str().unwrap();
    let taken = owner.put(&format!("/v1/games/{id}/seats/2"), json!({})).json();
    assert_eq!((&taken["status"], &taken["head"]["ply"]), (&json!("running"), &json!(2)));
    assert_eq!(taken["seats"][0]["kind"], "random");
    assert_eq!(taken["seats"][0]["player"], Value::Null);
    // It was too late to abort before anything was decided.
    let aborted = owner.play(id, 3, "!abort");
    assert_eq!(aborted.problem(), "illegal_move");
    assert_eq!(aborted.json()["rule"], "table.abort.after-first-ply");
    assert_eq!(owner.play(id, 1, "N").problem(), "ply_taken", "another seat wrote it");
}

#[test]
fn a_game_of_built_in_players_only_is_over_when_it_is_created_and_the_same_when_asked_for_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for (ruleset, seats) in [
        ("marrakech/1", vec!["random"; 2]),
        ("marrakech/1", vec!["random"; 3]),
        ("marrakech/1", vec!["random"; 4]),
        ("marrakesh/1", vec!["solitaire-ai", "random"]),
        ("marrakesh/1", vec!["random", "solitaire-ai"]),
    ] {
        let key = crate::harness::secret();
        let create = || {
            let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
            let body = json!({"ruleset": ruleset, "seats": seats}).to_string();
            service.stranger().send("POST", "/v1/games", &headers, body)
        };
        let created = create();
        let told = created.json();
        assert_eq!((created.status, &told["status"]), (201, &json!("finished")), "{}", created.text);
        assert_eq!(told["result"]["over"], true);
        assert!(told["seed"].is_string() && told["started_at"].is_string());
        let again = create();
        assert_eq!((again.status, again.json()), (200, told.clone()));
        let log = service.stranger().get(&format!("/v1/games/{}/log", told["id"].as_str().unwrap())).text;
        let verdict = service.stranger().post_text("/v1/validate", &log).json();
        assert_eq!((&verdict["valid"], &verdict["masked"]), (&json!(true), &json!(false)));
        assert!(log.lines().last().unwrap().starts_with("= "), "{log}");
    }
}

#[test]
fn when_the_last_client_resigns_the_built_in_players_play_on_to_the_end() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["random", "open", "random"], json!({}));
    let next = game(&players[1], &id)["head"]["ply"].as_u64().unwrap() + 1;
    let resigned = players[1].play(&id, next, "!resign");
    let told = resigned.json();
    assert_eq!(resigned.status, 201, "{}", resigned.text);
    assert_eq!(words(&told)[0], "!resign2");
    assert!(words(&told).len() > 20);
    let after = game(&players[1], &id);
    assert_eq!((&after["status"], &after["head"]), (&json!("finished"), &told["head"]));
    assert_eq!(after["result"]["over"], true);
    assert!(!after["result"]["ranking"][0].as_array().unwrap().contains(&json!(2)), "who left did not win");
    let again = players[1].play(&id, next, "!resign");
    assert_eq!((again.status, again.text), (200, resigned.text));
}

#[test]
fn the_seat_of_a_built_in_player_is_nobodys_and_a_game_has_only_its_own_players() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakesh/1", &["open", "solitaire-ai"], json!({}));
    let other = service.player();
    for client in [&players[0], &other] {
        let path = format!("/v1/games/{id}/seats/2");
        assert_eq!(client.put(&path, json!({})).problem(), "seat_taken");
        assert_eq!(client.patch(&path, json!({"name": "Mine"})).problem(), "not_your_seat");
    }
    let create =
        |ruleset: &str, seats: Value| other.post("/v1/games", json!({"ruleset": ruleset, "seats": seats}));
    let refused = create("marrakech/1", json!(["open", "solitaire-ai"]));
    assert_eq!(refused.problem(), "unknown_option");
    let told = refused.json();
    assert_eq!(
        (&told["rule"], &told["seat"], &told["expected"]),
        (
            &json!("table.seat.no-such-player"),
            &json!(2),
            &json!(format!("open, {}", names::<assam_rules::marrakech::Position>().join(", ")))
        )
    );
    for unknown in [json!(["open", "human"]), json!(["open", "Random"]), json!(["open", null])] {
        assert_eq!(create("marrakesh/1", unknown).problem(), "bad_json");
    }
    assert_eq!(create("marrakesh/1", json!(["random", "random", "random"])).problem(), "unknown_option");
    let rulesets = other.get("/v1/rulesets").json();
    for (ruleset, known) in [
        ("marrakech/1", names::<assam_rules::marrakech::Position>()),
        ("marrakesh/1", names::<assam_rules::marrakesh::Position>()),
    ] {
        let listed =
            rulesets["rulesets"].as_array().unwrap().iter().find(|one| one["id"] == ruleset).unwrap();
        let kinds: Vec<&str> =
            listed["players"].as_array().unwrap().iter().map(|one| one["kind"].as_str().unwrap()).collect();
        assert_eq!(kinds, known);
        for kind in known {
            assert_eq!(create(ruleset, json!(["open", kind])).status, 201);
        }
    }
}

#[test]
fn the_draws_of_a_random_player_are_its_own_so_that_equal_games_are_played_differently() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let logs: std::collections::BTreeSet<String> = (0..20)
        .map(|_| {
            let created = service
                .stranger()
                .post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["random", "random"]}));
            let id = created.json()["id"].as_str().unwrap().to_owned();
            let log = service.stranger().get(&format!("/v1/games/{id}/log")).text;
            log.split_once("\n\n").unwrap().1.to_owned()
        })
        .collect();
    assert_eq!(logs.len(), 20);
}

#[test]
fn a_name_without_a_version_is_the_newest_one_and_the_game_says_which() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["open", "merchant-4"], json!({}));
    assert_eq!(game(&players[0], &id)["seats"][1]["kind"], "merchant-4/1");
    let (ply, moved) = first_legal(&players[0], &id);
    players[0].play(&id, ply, &moved);
    let (ply, rug) = first_legal(&players[0], &id);
    let answer = players[0].play(&id, ply, &rug);
    assert_eq!((answer.status, words(&answer.json()).len()), (201, 3), "{}", answer.text);
    let create = |kind: &str| {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", kind]});
        service.stranger().post("/v1/games", wanted).problem().to_owned()
    };
    for unknown in ["merchant", "merchant-9", "merchant-4/2", "merchant-4/", "random/1"] {
        assert_eq!(create(unknown), "bad_json", "{unknown}");
    }
}

#[test]
fn a_rated_merchant_is_found_under_its_name_with_an_encoded_slash() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let found = service.stranger().get("/v1/players/merchant-4%2F1");
    assert_eq!((found.status, &found.json()["player"]), (200, &json!("merchant-4/1")), "{}", found.text);
    assert_eq!(service.stranger().get("/v1/players/merchant-4%2F7").problem(), "bad_request");
}

#[test]
fn while_merchants_play_a_long_game_alone_other_games_go_on() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["open", "open"], json!({}));
    let long = json!({
        "ruleset": "marrakech/1",
        "seats": ["merchant-8/1", "merchant-8/1", "merchant-8/1", "merchant-8/1"],
        "options": {"rugs_per_player": 60, "insolvency": "pay-what-you-can"},
    });
    std::thread::scope(|scope| {
        let created: Vec<_> =
            (0..3).map(|_| scope.spawn(|| service.stranger().post("/v1/games", long.clone()))).collect();
        let mut moves = 0;
        while !created.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let state = game(&players[0], &id);
            if state["status"] == "finished" {
                break;
            }
            let (ply, moved) = first_legal(&players[0], &id);
            let seat = state["seat_on_turn"].as_u64();
            let seat = seat.unwrap_or(1) as usize - 1;
            assert_eq!(players[seat].play(&id, ply, &moved).status, 201);
            moves += 1;
        }
        assert!(moves >= 10, "{moves} moves");
        for created in created {
            let created = created.join().unwrap();
            let told = created.json();
            assert_eq!((created.status, &told["status"]), (201, &json!("finished")), "{}", created.text);
            assert_eq!(told["head"]["ply"], 480);
        }
    });
}

#[test]
fn moves_against_a_merchant_do_not_wait_for_whole_games_of_merchants() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakech/1", &["open", "merchant-1"], json!({}));
    let played = AtomicUsize::new(0);
    // More than there are threads that decide.
    let games = 4 * thread::available_parallelism().unwrap().get();
    let before = thread::scope(|scope| {
        for _ in 0..games {
            scope.spawn(|| {
                let seats = json!({"ruleset": "marrakech/1", "seats": ["merchant-8", "merchant-8"]});
                assert_eq!(service.player().post("/v1/games", seats).status, 201);
                played.fetch_add(1, Ordering::SeqCst);
            });
        }
        for _ in 0..6 {
            let (ply, moved) = first_legal(&players[0], &id);
            assert_eq!(players[0].play(&id, ply, &moved).status, 201);
        }
        played.load(Ordering::SeqCst)
    });
    assert!(before < games / 2, "{before} of {games} games were over before three turns");
    assert_eq!(played.into_inner(), games);
}
