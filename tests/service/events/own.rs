//! The stream of one's own games: a bot that reads it needs nothing else to know when it is its turn.

use std::collections::BTreeSet;
use std::process::Command;
use std::thread;

use serde_json::json;

use super::{LINES, SSE, open_game};
use crate::dice::Dice;
use crate::harness::{Client, Service, Stream, Told, secret, sit, sqlite};

const WITH_ALL: &str = "/v1/me/events?include=state,legal-moves";

/// Follows the client's own games before any of them waits.
fn followed(client: &Client<'_>, path: &str, form: &'static str) -> Stream {
    let mut stream = client.stream(path, form);
    assert_eq!(stream.status, 200);
    assert_eq!(stream.next().unwrap().kind(), "caught-up");
    stream
}

/// Returns the next message that is not a heartbeat.
fn next(stream: &mut Stream) -> Told {
    loop {
        let told = stream.next().expect("the stream goes on");
        if told.kind() != "heartbeat" {
            return told;
        }
    }
}

fn game_of(told: &Told) -> &str {
    told.json["game"]["id"].as_str().unwrap()
}

/// Returns the game and the ply of a turn.
fn turn_of(told: &Told) -> (&str, u64) {
    assert_eq!(told.kind(), "turn", "{}", told.json);
    assert_eq!(told.json["game"]["your_turn"], true);
    (game_of(told), told.json["ply"].as_u64().unwrap())
}

/// Picks a legal move of a turn.
fn pick(told: &Told, dice: &mut Dice) -> String {
    let moves = told.json["legal_moves"]["moves"].as_array().expect("whose turn it is knows its moves");
    let moves: Vec<&str> = moves.iter().map(|one| one.as_str().unwrap()).collect();
    dice.pick(&moves).to_owned()
}

/// Plays a game to its end, knowing nothing but its stream. Returns the plies that it decided.
fn live_on(stream: &mut Stream, player: &Client<'_>, game: &str, dice: &mut Dice) -> Vec<u64> {
    let mut plies = Vec::new();
    loop {
        let told = next(stream);
        if told.kind() == "over" {
            assert_eq!(game_of(&told), game);
            assert!(told.json["result"].is_object(), "{}", told.json);
            return plies;
        }
        let (of, ply) = turn_of(&told);
        assert_eq!(of, game);
        assert!(told.json["state"].is_object(), "{}", told.json);
        assert_eq!(told.json["legal_moves"]["ply"], ply);
        let written = player.play(of, ply, &pick(&told, dice));
        assert_eq!(written.status, 201, "each turn is told once: {}", written.text);
        plies.push(ply);
    }
}

#[test]
fn whole_matches_are_played_on_the_stream_with_one_request_for_each_decision() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let joining = json!({"join_code": "12345678"});
    let private = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "visibility": "private", "join_code": "12345678"});
    let public = json!({"ruleset": "marrakech/1", "seats": ["open", "open"]});
    for (wanted, body) in [(public.clone(), json!({})), (private, joining)] {
        let (game, players) = open_game(&service, wanted);
        let mut streams: Vec<Stream> =
            players.iter().zip([SSE, LINES]).map(|(player, form)| followed(player, WITH_ALL, form)).collect();
        let nobody = service.player();
        let mut nobodys = followed(&nobody, WITH_ALL, SSE);
        sit(&game, &players, |_| body.clone());
        let plies: Vec<u64> = thread::scope(|scope| {
            let bots = (1..).zip(players.iter().zip(&mut streams)).map(|(seed, (player, stream))| {
                let game = &game;
                scope.spawn(move || live_on(stream, player, game, &mut Dice::new(seed)))
            });
            let bots: Vec<_> = bots.collect();
            bots.into_iter().flat_map(|bot| bot.join().unwrap()).collect()
        });
        let over = players[0].get(&format!("/v1/games/{game}")).json();
        let decided: BTreeSet<u64> = plies.iter().copied().collect();
        assert_eq!(over["status"], "finished");
        assert_eq!(decided, (1..=over["head"]["ply"].as_u64().unwrap()).collect());
        assert_eq!(decided.len(), plies.len());
        // A player without a seat receives nothing about it.
        let other = started_with(&service, &nobody);
        assert_eq!(turn_of(&next(&mut nobodys)), (other.as_str(), 1));
    }
}

/// Returns a new game against another player, with this player on turn.
fn started_with(service: &Service, player: &Client<'_>) -> String {
    let created = player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let game = created.json()["id"].as_str().unwrap().to_owned();
    sit(&game, &[player.clone(), service.player()], |_| json!({}));
    game
}

#[test]
fn whoever_connects_is_told_each_game_that_waits_and_no_other_however_many_there_are() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (player, other) = (service.player(), service.player());
    let mut waiting = BTreeSet::new();
    // More than two pages.
    for number in 0..110 {
        let created = player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
        let game = created.json()["id"].as_str().unwrap().to_owned();
        // Some wait for the other player, some have not started, some are over.
        let seats = if number % 10 == 1 { [&other, &player] } else { [&player, &other] };
        let seats = seats.map(Client::clone);
        let is_open = number % 10 == 2;
        sit(&game, if is_open { &seats[..1] } else { &seats }, |_| json!({}));
        if number % 10 == 3 {
            assert_eq!(player.play(&game, 1, "!resign").status, 201);
        } else if number % 10 != 1 && !is_open {
            waiting.insert(game);
        }
    }
    for form in [SSE, LINES] {
        let told = player.stream("/v1/me/events?follow=false", form).rest();
        let (last, turns) = told.split_last().unwrap();
        assert_eq!(last.json, json!({"type": "caught-up", "running": 110 - 22}));
        let turns: Vec<String> = turns.iter().map(|told| turn_of(told).0.to_owned()).collect();
        assert_eq!(
            (turns.len(), turns.into_iter().collect::<BTreeSet<_>>()),
            (waiting.len(), waiting.clone())
        );
    }
    // Answered turns wait no longer.
    let answered = waiting.pop_first().unwrap();
    assert_eq!(player.play(&answered, 1, "N").status, 201);
    let told = player.stream("/v1/me/events?follow=false", SSE).rest();
    assert!(told.iter().all(|told| told.json["game"]["id"] != answered.as_str() || told.json["ply"] == 2));
    assert!(told[0].json["state"].is_null() && told[0].json["legal_moves"].is_null());
    assert_eq!(service.stranger().get("/v1/me/events").problem(), "unauthenticated");
    for bad in ["include=receipt", "since=1"] {
        assert_eq!(player.get(&format!("/v1/me/events?{bad}")).problem(), "bad_request");
    }
}

#[test]
fn turns_come_from_every_process_also_of_games_that_started_there() {
    let backend = sqlite();
    let (here, there) = (Service::start(&backend), Service::start(&backend));
    let (player, other) = (there.player(), there.player());
    let mut stream = followed(&here.with_secret(player.secret.as_deref().unwrap()), WITH_ALL, SSE);
    let mut others = followed(&there.with_secret(other.secret.as_deref().unwrap()), WITH_ALL, LINES);
    // One that starts on creation.
    let at_once = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "take": {"seat": 1}});
    let at_once = player.post("/v1/games", at_once).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(turn_of(&next(&mut stream)), (at_once.as_str(), 1));
    assert_eq!(player.play(&at_once, 1, "!resign").status, 201);
    assert_eq!(next(&mut stream).kind(), "over");
    let created = player.post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let game = created.json()["id"].as_str().unwrap().to_owned();
    sit(&game, &[player.clone(), other.clone()], |_| json!({}));
    thread::scope(|scope| {
        let bot = scope.spawn(|| live_on(&mut stream, &player, &game, &mut Dice::new(1)));
        live_on(&mut others, &other, &game, &mut Dice::new(1));
        bot.join().unwrap();
    });
}

#[test]
fn a_game_that_goes_or_whose_seat_is_lost_is_told_as_gone_and_the_stream_goes_on() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let mut stream = followed(&player, "/v1/me/events", LINES);
    let games = [started_with(&service, &player), started_with(&service, &player)];
    for game in &games {
        assert_eq!(turn_of(&next(&mut stream)), (game.as_str(), 1));
    }
    let new = secret();
    let mut news = followed(&service.with_secret(&new), "/v1/me/events", SSE);
    let path = format!("/v1/games/{}/seats/1/secret", games[0]);
    assert_eq!(player.put(&path, json!({"secret": new})).status, 204);
    let gone = next(&mut stream).json;
    assert_eq!((&gone["type"], &gone["game_id"]), (&json!("gone"), &json!(games[0])));
    assert_eq!(gone["code"], "not_your_seat");
    // Its new owner learns that it waits.
    assert_eq!(turn_of(&next(&mut news)), (games[0].as_str(), 1));
    backend.take_down(&games[1], "spam");
    let gone = next(&mut stream).json;
    assert_eq!((&gone["type"], &gone["game_id"]), (&json!("gone"), &json!(games[1])));
    assert_eq!(gone["code"], "game_removed");
    let game = started_with(&service, &player);
    assert_eq!(turn_of(&next(&mut stream)), (game.as_str(), 1));
}

#[test]
fn a_service_that_ends_says_so_and_the_next_one_tells_again_what_waits() {
    let backend = sqlite();
    let mut service = Service::start(&backend);
    let player = service.player();
    let secret = player.secret.clone().unwrap();
    let mut stream = followed(&player, "/v1/me/events", SSE);
    let game = started_with(&service, &player);
    assert_eq!(turn_of(&next(&mut stream)), (game.as_str(), 1));
    let process = service.process();
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
    assert_eq!(stream.next().unwrap().retry, Some(1000));
    assert_eq!((next(&mut stream).kind(), stream.next().is_none()), ("closing", true));
    assert!(process.wait().unwrap().success());
    // Another process sends it again.
    let service = Service::start(&backend);
    let mut stream = service.with_secret(&secret).stream("/v1/me/events", LINES);
    assert_eq!(turn_of(&next(&mut stream)), (game.as_str(), 1));
}
