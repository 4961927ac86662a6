//! Lists requested by several clients at once.

use serde_json::{Value, json};

use crate::databases::races::at_once;
use crate::harness::{Client, Service, secret, sqlite};

const ASKERS: usize = 8;
const ROUNDS: usize = 30;

/// Returns the games of a list.
fn listed(client: &Client<'_>, path: &str) -> Vec<Value> {
    let answer = client.get(path);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["games"].as_array().unwrap().clone()
}

#[test]
fn whoever_lists_games_finds_what_was_written_before_they_asked_however_many_ask_for_the_same() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let work = |nth: usize| {
        let service = &service;
        // All games fit on one page. Each is searched in a list that others change and request at the same
        // time.
        let path = ["/v1/games?limit=100", "/v1/games?status=open&limit=100"][nth % 2];
        move || {
            let player = service.player();
            for round in 0..ROUNDS {
                let wanted =
                    json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "take": {"seat": 1}});
                let made = player.post("/v1/games", wanted);
                assert_eq!(made.status, 201, "{}", made.text);
                let id = made.json()["id"].clone();
                let finds = || listed(&player, path).iter().any(|game| game["id"] == id);
                assert!(finds(), "what is created is listed: round {round} of {nth}");
                let game = format!("/v1/games/{}", id.as_str().unwrap());
                let removed = player.send("DELETE", &game, &[], "");
                assert_eq!(removed.status, 204, "{}", removed.text);
                assert!(!finds(), "what is removed is not: round {round} of {nth}");
            }
        }
    };
    at_once((0..ASKERS).map(work).collect());
    assert!(listed(&service.stranger(), "/v1/games").is_empty());
}

#[test]
fn whoever_asks_what_waits_for_them_finds_what_was_written_before_they_asked_however_many_ask() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let secret = secret();
    let work = |nth: usize| {
        let (service, secret) = (&service, &secret);
        let path = ["/v1/me/games?your_turn=true&limit=100", "/v1/me/games?sort=moved&limit=100"][nth % 2];
        move || {
            let player = service.with_secret(secret);
            for round in 0..ROUNDS {
                let wanted =
                    json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
                let made = player.post("/v1/games", wanted);
                assert_eq!(made.status, 201, "{}", made.text);
                let id = made.json()["id"].as_str().unwrap().to_owned();
                let place = || listed(&player, path).iter().position(|game| game["id"] == *id);
                assert!(place().is_some(), "what waits is listed: round {round} of {nth}");
                assert_eq!(player.play(&id, 1, "!resign").status, 201);
                assert_eq!(place(), None, "what is over is not: round {round} of {nth}");
            }
        }
    };
    at_once((0..ASKERS).map(work).collect());
    let another = service.player();
    for path in ["/v1/me/games?your_turn=true", "/v1/me/games?sort=moved"] {
        assert!(listed(&service.with_secret(&secret), path).is_empty());
        assert!(listed(&another, path).is_empty());
    }
}

#[test]
fn whoever_asks_what_waits_for_them_many_times_at_once_takes_no_more_than_one_place_of_all_lists() {
    let backend = sqlite();
    // One place for the reader, and one for a reader that has just finished.
    let service = Service::start_with(&backend, &["--queue", "2"]);
    let player = service.player();
    for _ in 0..40 {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
        assert_eq!(player.post("/v1/games", wanted).status, 201);
    }
    let work = |nth: usize| {
        let player = &player;
        let query = ["your_turn=true", "sort=moved"][nth % 2];
        let path = format!("/v1/me/games?{query}&limit={}", nth + 1);
        move || {
            for _ in 0..ROUNDS {
                assert_eq!(listed(player, &path).len(), nth + 1);
            }
        }
    };
    at_once((0..ASKERS).map(work).collect());
}
