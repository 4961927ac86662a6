//! Lists that several ask for at the same time.

use serde_json::{Value, json};

use crate::harness::{Client, Service, backends};
use crate::races::at_once;

const ASKERS: usize = 8;
const ROUNDS: usize = 30;

/// The games of a list.
fn listed(client: &Client<'_>, path: &str) -> Vec<Value> {
    let answer = client.get(path);
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["games"].as_array().unwrap().clone()
}

#[test]
fn whoever_lists_games_finds_what_was_written_before_they_asked_however_many_ask_for_the_same() {
    for backend in backends() {
        let service = Service::start(&backend);
        let work = |nth: usize| {
            let service = &service;
            // All games fit into one page, and each is looked for in a list that others change and ask for, too.
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
}
