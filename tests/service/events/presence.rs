//! Presence is shown only of players who want it, and only to the other seats.

use serde_json::{Value, json};

use super::{LINES, SSE};
use crate::harness::{Service, Stream, assam, postgres, secret, sqlite};

/// Returns who is connected, from the next such message of a stream.
fn connected(stream: &mut Stream) -> Value {
    stream.next_of("presence").json["connected"].clone()
}

#[test]
fn seats_that_want_it_are_shown_to_be_connected_to_seats_and_to_nobody_else() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (game, players) = service.game(3, json!({}));
    let mut first = players[0].follow(&game, "", LINES);
    let mut spectator = service.stranger().follow(&game, "?presence=true", LINES);
    spectator.next_of("caught-up");
    // It asks for no presence, so it is not shown.
    let mut second = players[1].follow(&game, "", SSE);
    assert_eq!((connected(&mut first), connected(&mut second)), (json!([]), json!([])));
    let third = players[2].follow(&game, "?presence=true", SSE);
    assert_eq!(connected(&mut first), json!([3]));
    assert_eq!(connected(&mut second), json!([3]));
    // A later stream starts with the connected players.
    let mut again = players[0].follow(&game, "?presence=true", LINES);
    assert_eq!(connected(&mut again), json!([1, 3]));
    assert_eq!(connected(&mut second), json!([1, 3]));
    // A stream that does not follow shows no connections.
    let told: Vec<String> = players[1]
        .follow(&game, "?presence=true&follow=false", LINES)
        .rest()
        .iter()
        .map(|told| told.kind().to_owned())
        .collect();
    assert_eq!(told[told.len() - 2..], ["presence", "caught-up"]);
    // A client that reconnects was never away. Otherwise it is away after a while.
    drop(third);
    let third = players[2].follow(&game, "?presence=true", SSE);
    drop(again);
    assert_eq!(connected(&mut second), json!([3]), "and not, at any time, [1]");
    drop(third);
    assert_eq!(connected(&mut second), json!([]));
    // Spectators receive no presence.
    assert_eq!(players[0].play(&game, 1, "N").status, 201);
    assert_eq!(spectator.next_of("word").json["ply"], 1);
    let mut told = service.stranger().follow(&game, "?follow=false&presence=true", LINES).rest();
    assert!(told.drain(..).all(|told| told.kind() != "presence"));
}

#[test]
fn seats_are_shown_to_be_connected_to_another_process() {
    let Some(backend) = postgres() else { return };
    let [here, there] = [(); 2].map(|()| Service::start(&backend));
    let (game, players) = here.game(2, json!({}));
    let mut first = players[0].follow(&game, "", LINES);
    assert_eq!(connected(&mut first), json!([]));
    let second = there.with_secret(players[1].secret.as_deref().unwrap());
    let second = second.follow(&game, "?presence=true", LINES);
    assert_eq!(connected(&mut first), json!([2]));
    drop(second);
    assert_eq!(connected(&mut first), json!([]));
}

#[test]
fn a_seat_that_has_another_holder_is_not_shown_to_be_connected_any_longer() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (game, players) = service.game(2, json!({}));
    let mut first = players[0].follow(&game, "", LINES);
    assert_eq!(connected(&mut first), json!([]));
    let _second = players[1].follow(&game, "?presence=true", LINES);
    assert_eq!(connected(&mut first), json!([2]));
    let path = format!("/v1/games/{game}/seats/2/secret");
    assert_eq!(players[1].put(&path, json!({"secret": secret()})).status, 204);
    assert_eq!(connected(&mut first), json!([]));
}

#[test]
fn what_becomes_of_other_seats_does_not_make_a_seat_seem_to_be_away() {
    let Some(backend) = postgres() else { return };
    let [here, there] = [(); 2].map(|()| Service::start(&backend));
    let (game, players) = here.game(3, json!({}));
    let _first = players[0].follow(&game, "?presence=true", LINES);
    let second = there.with_secret(players[1].secret.as_deref().unwrap());
    let mut second = second.follow(&game, "", LINES);
    while connected(&mut second) != json!([1]) {}
    let rename = |name: &str| {
        let path = format!("/v1/games/{game}/seats/3");
        assert_eq!(players[2].patch(&path, json!({"name": name})).status, 200);
    };
    for name in ["Ann", "Ben", "Cid"] {
        rename(name);
        loop {
            let told = second.next().unwrap();
            assert_ne!(told.kind(), "presence", "{}", told.json);
            if told.kind() == "seats" && told.json["seats"][2]["name"] == name {
                break;
            }
        }
    }
}

#[test]
fn seats_are_not_shown_to_be_connected_by_a_service_beside_theirs_that_has_a_copy_of_the_game() {
    let (Some(backend), Some(copy)) = (postgres(), postgres()) else { return };
    let [here, there] = [(); 2].map(|()| Service::start(&backend));
    let (game, players) = here.game(2, json!({}));
    let secrets: Vec<_> = players.iter().map(|player| player.secret.as_deref().unwrap()).collect();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("assam.backup").display().to_string();
    for (command, database) in [("backup", &backend), ("restore", &copy)] {
        assert!(assam(&[command, &file, "--database", &database.url()], "").status.success());
    }
    let beside = Service::start(&copy);
    let mut original = there.with_secret(secrets[0]).follow(&game, "", LINES);
    let mut copied = beside.with_secret(secrets[0]).follow(&game, "", LINES);
    assert_eq!((connected(&mut original), connected(&mut copied)), (json!([]), json!([])));
    let _second = players[1].follow(&game, "?presence=true", LINES);
    assert_eq!(connected(&mut original), json!([2]), "another process of the same service heard of it");
    assert_eq!(beside.with_secret(secrets[0]).play(&game, 1, "N").status, 201);
    loop {
        let told = copied.next().unwrap();
        assert_ne!(told.kind(), "presence", "{}", told.json);
        if told.kind() == "word" {
            break;
        }
    }
}
