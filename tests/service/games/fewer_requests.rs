//! Features that save requests: taking a seat on creation, and responses to moves that include the next
//! request's answer.

use serde_json::{Value, json};

use crate::harness::{Service, postgres, sqlite, with_entropy};

#[test]
fn a_match_of_twelve_rounds_takes_two_requests_and_one_for_each_decision() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let wanted = json!({
        "ruleset": "marrakesh/1",
        "seats": ["open", "solitaire-ai"],
        "options": {"rounds": 12},
        "take": {"seat": 1, "name": "Aisha"},
    });
    let game = player.post("/v1/games", wanted);
    assert_eq!(game.status, 201, "{}", game.text);
    let game = game.json();
    assert_eq!((&game["status"], &game["your_seat"]), (&json!("running"), &json!(1)));
    let id = game["id"].as_str().unwrap();
    let mut legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
    let (mut requests, mut decisions) = (2, 0);
    while legal["seat"] == json!(1) {
        let chosen = legal["moves"][decisions % legal["moves"].as_array().unwrap().len()].clone();
        let path = format!("/v1/games/{id}/moves/{}?include=state&include=legal-moves", legal["ply"]);
        let written = player.put(&path, json!({"move": chosen}));
        assert_eq!(written.status, 201, "{}", written.text);
        let written = written.json();
        assert_eq!(written["seat"], written["legal_moves"]["seat"]);
        if decisions % 20 == 0 {
            // The included part equals the answer to GET.
            let now = player.get(&format!("/v1/games/{id}"));
            assert_eq!(written["state"], now.json()["state"]);
            let moves = player.get(&format!("/v1/games/{id}/legal-moves"));
            assert_eq!(written["legal_moves"], moves.json());
        }
        legal = written["legal_moves"].clone();
        (requests, decisions) = (requests + 1, decisions + 1);
    }
    assert_eq!(player.get(&format!("/v1/games/{id}")).json()["status"], "finished");
    assert!(decisions > 60 && requests == decisions + 2, "{requests} requests, {decisions} decisions");
    println!("{}: {requests} requests, {decisions} decisions", backend.name());
}

#[test]
fn what_goes_along_with_a_resent_move_is_as_of_now_and_the_words_are_as_they_were() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({"two_player": "one-colour"}));
    let path = format!("/v1/games/{id}/moves/1");
    let plain = players[0].put(&path, json!({"move": "N"})).json();
    assert_eq!((&plain["seat"], plain.get("state"), plain.get("legal_moves")), (&json!(1), None, None));
    let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
    assert_eq!(players[0].play(&id, 2, legal["moves"][0].as_str().unwrap()).json()["seat"], 2);
    let again = players[0].put(&format!("{path}?include=state"), json!({"move": "N"}));
    assert_eq!(again.status, 200);
    for member in ["ply", "words", "head", "seat"] {
        assert_eq!(again.json()[member], plain[member]);
    }
    assert_eq!(again.json()["state"], players[0].get(&format!("/v1/games/{id}")).json()["state"]);
    for wrong in ["include=", "include=log", "include=state,state,state,state"] {
        assert_eq!(players[0].put(&format!("{path}?{wrong}"), json!({"move": "N"})).problem(), "bad_request");
    }
    assert_eq!(players[1].play(&id, 3, "!resign").json()["seat"], Value::Null);
}

#[test]
fn what_goes_along_with_a_move_that_is_resent_to_another_process_is_as_of_now_and_not_as_it_remembers() {
    let Some(backend) = postgres() else { return };
    let [here, there] = [Service::start(&backend), Service::start(&backend)];
    for (ruleset, options) in
        [("marrakech/1", json!({"two_player": "one-colour"})), ("marrakesh/1", json!({}))]
    {
        let (id, players) = here.table(ruleset, &["open", "open"], options);
        let path = format!("/v1/games/{id}");
        let turn = || {
            let legal = here.stranger().get(&format!("{path}/legal-moves")).json();
            let player = &players[legal["seat"].as_u64().unwrap() as usize - 1];
            let legal = player.get(&format!("{path}/legal-moves")).json();
            (player, legal["ply"].as_u64().unwrap(), legal["moves"][0].as_str().unwrap().to_owned())
        };
        let (mover, _, decision) = turn();
        let written = mover.play(&id, 1, &decision).json();
        let also = there.with_secret(mover.secret.as_ref().unwrap());
        let resend = |include: &str| also.put(&format!("{path}/moves/1{include}"), json!({"move": decision}));
        for round in 0..12 {
            // The other process remembers the game as of its last request.
            let again = resend("?include=state,legal-moves");
            assert_eq!(again.status, 200);
            let mut again = again.json();
            let [state, legal] = ["state", "legal_moves"].map(|it| again.as_object_mut().unwrap().remove(it));
            assert_eq!((&again, resend("").json()), (&written, written.clone()));
            assert_eq!(state.as_ref(), mover.get(&path).json().get("state"), "{ruleset} {round}");
            assert_eq!(legal, Some(mover.get(&format!("{path}/legal-moves")).json()), "{ruleset} {round}");
            if legal.unwrap()["seat"].is_null() {
                break;
            }
            let (player, ply, decision) = turn();
            let decision = if round == 10 { "!resign" } else { &decision };
            assert_eq!(player.play(&id, ply, decision).status, 201);
        }
        assert_eq!(mover.get(&path).json()["status"], "finished");
    }
}

#[test]
fn nobody_learns_of_a_hidden_hand_from_what_goes_along_with_a_move() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, seats) = service.table("marrakesh/1", &["open", "open"], json!({}));
    for _ in 0..40 {
        let turn = service.stranger().get(&format!("/v1/games/{id}/legal-moves")).json();
        let player = &seats[turn["seat"].as_u64().unwrap() as usize - 1];
        let chosen = player.get(&format!("/v1/games/{id}/legal-moves")).json()["moves"][0].clone();
        let path = format!("/v1/games/{id}/moves/{}?include=state,legal-moves", turn["ply"]);
        let headers = [("Content-Type", "application/json"), ("Accept-Encoding", "gzip")];
        let written = player.send("PUT", &path, &headers, json!({"move": chosen}).to_string());
        assert_eq!((written.status, written.header("content-encoding")), (201, None), "{}", written.text);
        let told = |path: &str| player.get(&format!("/v1/games/{id}{path}")).json();
        assert_eq!(written.json()["state"], told("")["state"]);
        assert_eq!(written.json()["legal_moves"], told("/legal-moves"));
        let others = 3 - turn["seat"].as_u64().unwrap();
        let hand = written.json()["state"]["seats"][others as usize - 1]["hand"].clone();
        assert!([Value::Null, json!([])].contains(&hand), "{hand}");
    }
}

#[test]
fn who_creates_a_game_takes_an_open_seat_with_it_and_adds_entropy_before_the_start() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (owner, other) = (service.player(), service.player());
    let wanted =
        |take: Value| json!({"ruleset": "marrakech/1", "seats": ["open", "random", "open"], "take": take});
    for (take, code) in [
        (json!({"seat": 2}), "bad_request"),
        (json!({"seat": 4}), "bad_request"),
        (json!({"seat": 0}), "bad_request"),
        (json!({"seat": 1, "name": " "}), "bad_request"),
        (json!({"seat": 1, "entropy": "00"}), "unknown_field"),
        (json!({}), "bad_json"),
    ] {
        assert_eq!(owner.post("/v1/games", wanted(take.clone())).problem(), code, "{take}");
    }
    let take = json!({"seat": 1, "name": "Aisha"});
    assert_eq!(service.stranger().post("/v1/games", wanted(take.clone())).problem(), "unauthenticated");
    let game = owner.post("/v1/games", wanted(take)).json();
    let me = owner.get("/v1/me").json();
    assert_eq!((&game["status"], &game["your_seat"]), (&json!("open"), &json!(1)));
    assert_eq!(
        game["seats"][0],
        json!({"seat": 1, "kind": "human", "player": me["player"], "name": "Aisha", "entropy": null, "revision": 0, "forced": "ask", "reserved_for": null})
    );
    let path = format!("/v1/games/{}", game["id"].as_str().unwrap());
    let entropy = "5e".repeat(32);
    let added = owner.put(&format!("{path}/seats/1"), with_entropy(&owner, &path, &entropy));
    assert_eq!((added.status, &added.json()["seats"][0]["entropy"]), (200, &json!(entropy)));
    // It is added once, and before the start.
    let again = owner.put(&format!("{path}/seats/1"), with_entropy(&owner, &path, &"00".repeat(32)));
    assert_eq!(again.json()["seats"][0]["entropy"], entropy);
    assert_eq!(other.put(&format!("{path}/seats/3"), json!({})).json()["status"], "running");
    let late = other.put(&format!("{path}/seats/3"), with_entropy(&owner, &path, &entropy));
    assert_eq!((late.status, &late.json()["seats"][2]["entropy"]), (200, &Value::Null));
}
