//! Several games over one connection.

use serde_json::{Value, json};

use super::{LINES, SSE, play_on};
use crate::dice::Dice;
use crate::harness::{Service, backends};

const NOBODY: &str = "00000000000000000000000000000000";

#[test]
fn one_stream_of_several_games_has_what_their_own_streams_have() {
    for backend in backends() {
        let service = Service::start(&backend);
        let mut dice = Dice::new(21);
        let games: Vec<_> = (0..3).map(|_| service.game(2, json!({}))).collect();
        for (game, players) in &games {
            for _ in 0..4 {
                play_on(players, game, &mut dice).unwrap();
            }
        }
        let (hidden, seats) = service.seated(json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]}));
        play_on(&seats, &hidden, &mut dice).unwrap();
        let named = [format!("{}.2", games[0].0), games[1].0.clone(), hidden.clone(), NOBODY.to_owned()];
        let path = format!("/v1/games/events?follow=false&include=state&games={}", named.join(","));
        // Each view depends on the secret.
        for reader in [service.stranger(), service.with_secret(seats[0].secret.as_ref().unwrap())] {
            let told = reader.stream(&path, LINES).rest();
            for (game, since) in [(&games[0].0, "&since=2"), (&games[1].0, ""), (&hidden, "")] {
                let own = format!("/v1/games/{game}/events?follow=false&include=state{since}");
                let own: Vec<Value> =
                    reader.stream(&own, LINES).rest().into_iter().map(|told| told.json).collect();
                let of_game = told.iter().filter(|told| told.json["game_id"] == **game);
                let of_game: Vec<Value> = of_game.map(|told| told.json["message"].clone()).collect();
                assert_eq!(of_game, own);
            }
            let gone: Vec<_> = told.iter().filter(|told| told.json["game_id"] == NOBODY).collect();
            assert_eq!((gone.len(), &gone[0].json["message"]["code"]), (1, &json!("game_not_found")));
        }
        // Also in the other form.
        assert_eq!(
            service.stranger().stream(&path, SSE).rest().len(),
            service.stranger().stream(&path, LINES).rest().len()
        );
    }
}

#[test]
fn words_of_several_games_come_as_they_are_written_and_games_that_end_leave_the_others() {
    for backend in backends() {
        let service = Service::start(&backend);
        let mut dice = Dice::new(22);
        let games: Vec<_> = (0..2).map(|_| service.game(2, json!({}))).collect();
        let path = format!("/v1/games/events?games={}.0,{}.0", games[0].0, games[1].0);
        let mut stream = service.stranger().stream(&path, LINES);
        for (game, players) in [&games[1], &games[0], &games[1]] {
            let ply = play_on(players, game, &mut dice).unwrap().0;
            let word = stream.next_of("word").json;
            assert_eq!((&word["game_id"], &word["message"]["ply"]), (&json!(game), &json!(ply)));
        }
        let (first, players) = &games[0];
        let last =
            service.stranger().get(&format!("/v1/games/{first}")).json()["head"]["ply"].as_u64().unwrap();
        assert_eq!(players[0].play(first, last + 1, "!resign").status, 201);
        assert_eq!(stream.next_of("over").json["game_id"], json!(first));
        assert_eq!(stream.next_of("heartbeat").json["game_id"], Value::Null);
        let (second, players) = &games[1];
        let last =
            service.stranger().get(&format!("/v1/games/{second}")).json()["head"]["ply"].as_u64().unwrap();
        assert_eq!(players[0].play(second, last + 1, "!resign").status, 201);
        assert_eq!(stream.rest().last().unwrap().kind(), "over");
        for refused in ["games=x", &format!("games={}", [first.as_str(); 101].join(",")), "since=1"] {
            let refused = service.stranger().get(&format!("/v1/games/events?{refused}"));
            assert_eq!(refused.problem(), "bad_request");
        }
    }
}
