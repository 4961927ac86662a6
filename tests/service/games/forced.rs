//! Decisions without a choice, made by the service for the seats that want that.

use assam_referee::Setup;
use serde_json::{Value, json};

use crate::harness::{Client, Service, sqlite};

/// Returns the seats of a game of two people that want it.
fn table<'a>(service: &'a Service, ruleset: &str, forced: [&str; 2]) -> (String, [Client<'a>; 2]) {
    let players = [service.player(), service.player()];
    let options = if ruleset == "marrakesh/1" { json!({"rounds": 6}) } else { json!({}) };
    let wanted = json!({"ruleset": ruleset, "seats": ["open", "open"], "options": options,
        "take": {"seat": 1, "forced": forced[0]}});
    let created = players[0].post("/v1/games", wanted);
    assert_eq!(created.status, 201, "{}", created.text);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let taken = players[1].put(&format!("/v1/games/{id}/seats/2"), json!({"forced": forced[1]}));
    assert_eq!(taken.status, 201, "{}", taken.text);
    for (seat, wanted) in (0..2).zip(forced) {
        assert_eq!(taken.json()["seats"][seat]["forced"], wanted);
    }
    (id, players)
}

/// Plays a game to its end, sending everything twice. Returns the plies that each seat sent.
fn play(id: &str, players: &[Client<'_>; 2]) -> Vec<u64> {
    let mut sent = Vec::new();
    for turn in 0.. {
        let legal = players[0].get(&format!("/v1/games/{id}/legal-moves")).json();
        let Some(seat) = legal["seat"].as_u64() else { break };
        let player = &players[seat as usize - 1];
        let moves = player.get(&format!("/v1/games/{id}/legal-moves")).json()["moves"].clone();
        let moves = moves.as_array().unwrap();
        let ply = legal["ply"].as_u64().unwrap();
        let wanted = moves[turn * 7 % moves.len()].as_str().unwrap();
        let written = player.play(id, ply, wanted);
        assert_eq!(written.status, 201, "{}", written.text);
        sent.push(ply);
        let repeated = player.play(id, ply, wanted);
        assert_eq!(repeated.status, 200, "{}", repeated.text);
        for member in ["words", "head", "seat"] {
            assert_eq!(repeated.json()[member], written.json()[member], "{member} of ply {ply}");
        }
    }
    sent
}

#[test]
fn a_seat_that_wants_it_is_never_asked_where_everybody_sees_that_it_has_no_choice_and_always_elsewhere() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for ruleset in ["marrakesh/1", "marrakech/1"] {
        for forced in [["play", "play"], ["play", "ask"], ["ask", "ask"]] {
            let (id, players) = table(&service, ruleset, forced);
            let sent = play(&id, &players);
            let game = service.stranger().get(&format!("/v1/games/{id}/log"));
            let log = service.stranger().send(
                "GET",
                &format!("/v1/games/{id}/log"),
                &[("Accept", "application/json")],
                "",
            );
            let log = log.json();
            let mut table = Setup::read(log["setup"].as_str().unwrap()).unwrap().table();
            let mut made = 0;
            for word in log["words"].as_array().unwrap() {
                let (ply, text) = (word["ply"].as_u64().unwrap(), word["word"].as_str().unwrap());
                if let Some(seat) = table.turn().seat() {
                    let is_made = forced[seat.index()] == "play" && table.forced().is_some();
                    assert_eq!(
                        sent.contains(&ply),
                        !is_made,
                        "{ruleset} {forced:?} ply {ply}: {}",
                        game.text
                    );
                    made += u32::from(is_made);
                }
                table.replay(text).unwrap();
            }
            assert_eq!(made > 10, ruleset == "marrakesh/1" && forced[0] == "play", "{forced:?}: {made}");
        }
    }
}

#[test]
fn a_match_against_the_solitaire_opponent_takes_fewer_requests_when_decisions_without_a_choice_are_made() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let count = |forced: &str| {
        let player = service.player();
        let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "solitaire-ai"],
            "options": {"rounds": 12}, "take": {"seat": 1, "forced": forced}});
        let game = player.post("/v1/games", wanted).json();
        let id = game["id"].as_str().unwrap();
        let mut legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
        let mut requests = 2;
        while legal["seat"] == json!(1) {
            let path = format!("/v1/games/{id}/moves/{}?include=legal-moves", legal["ply"]);
            let written = player.put(&path, json!({"move": legal["moves"][0]}));
            assert_eq!(written.status, 201, "{}", written.text);
            legal = written.json()["legal_moves"].clone();
            requests += 1;
        }
        assert_eq!(player.get(&format!("/v1/games/{id}")).json()["status"], Value::from("finished"));
        requests
    };
    let (asked, made) = (count("ask"), count("play"));
    println!("{asked} requests where the seat is asked, {made} where it is not");
    // A client that requests the game and its legal moves before each decision takes some 300.
    assert!(made < asked && made <= 148, "{made} {asked}");
}
