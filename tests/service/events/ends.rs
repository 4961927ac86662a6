//! How streams end: with their subject, with a lost seat, and with the service.

use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use super::{LINES, SSE, open_game};
use crate::harness::{Service, secret, sqlite};

#[test]
fn a_game_that_goes_ends_its_streams_and_says_why() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (open, players) = open_game(&service, json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    let mut stream = service.stranger().follow(&open, "", SSE);
    stream.next_of("caught-up");
    assert_eq!(players[0].send("DELETE", &format!("/v1/games/{open}"), &[], "").status, 204);
    let gone = stream.next().unwrap();
    assert_eq!((gone.kind(), &gone.json["code"]), ("gone", &json!("game_not_found")));
    assert!(stream.next().is_none());
    assert_eq!(service.stranger().follow(&open, "", SSE).status, 404);
}

#[test]
fn a_secret_that_holds_its_seat_no_longer_is_told_nothing_more() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (game, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
    let mut lost = players[0].follow(&game, "", LINES);
    assert_eq!(lost.next_of("seats").json["your_seat"], 1);
    lost.next_of("caught-up");
    let new = secret();
    // The future holder already watches.
    let mut gains = service.with_secret(&new).follow(&game, "", LINES);
    gains.next_of("caught-up");
    let path = format!("/v1/games/{game}/seats/1/secret");
    assert_eq!(players[0].put(&path, json!({"secret": new})).status, 204);
    let gone = lost.next().unwrap();
    assert_eq!((gone.kind(), &gone.json["code"]), ("gone", &json!("not_your_seat")));
    assert!(lost.next().is_none());
    // A viewer who may see more gets the stream from its beginning.
    assert_eq!(gains.next().unwrap().kind(), "reset");
    let snapshot = gains.next().unwrap();
    assert_eq!(snapshot.json["game"]["your_seat"], 1);
    let deal =
        |told: &crate::harness::Told| told.json["words"][0]["word"].as_str().unwrap().matches('?').count();
    assert!(deal(&snapshot) > 0);
    let log = service.with_secret(&new).send(
        "GET",
        &format!("/v1/games/{game}/log"),
        &[("Accept", "application/json")],
        "",
    );
    assert_eq!(snapshot.json["words"], log.json()["words"]);
}

#[test]
fn a_seat_that_is_left_ends_the_stream_of_its_holder() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for (visibility, code) in [("public", "not_your_seat"), ("private", "game_not_found")] {
        let mut wanted =
            json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "visibility": visibility});
        if visibility == "private" {
            wanted["join_code"] = json!("12345678");
        }
        let (game, _owner) = open_game(&service, wanted);
        let guest = service.player();
        let body = if visibility == "private" { json!({"join_code": "12345678"}) } else { json!({}) };
        assert_eq!(guest.put(&format!("/v1/games/{game}/seats/2"), body).status, 201);
        let mut stream = guest.follow(&game, "", SSE);
        stream.next_of("caught-up");
        assert_eq!(guest.send("DELETE", &format!("/v1/games/{game}/seats/2"), &[], "").status, 204);
        let gone = stream.next().unwrap();
        assert_eq!((gone.kind(), &gone.json["code"]), ("gone", &json!(code)), "{visibility}");
        assert!(stream.next().is_none());
    }
}

#[test]
fn a_service_that_ends_tells_its_streams_when_to_come_again() {
    let backend = sqlite();
    let mut service = Service::start(&backend);
    let (game, _) = service.game(2, json!({}));
    let (mut events, mut lines) =
        (service.stranger().follow(&game, "", SSE), service.stranger().follow(&game, "", LINES));
    events.next_of("caught-up");
    lines.next_of("caught-up");
    let begun = Instant::now();
    let process = service.process();
    assert!(Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap().success());
    assert_eq!(events.next().unwrap().retry, Some(1000));
    assert_eq!((events.next().unwrap().kind(), events.next().is_none()), ("closing", true));
    assert_eq!(lines.next().unwrap().json, json!({"type": "closing", "retry": 1000}));
    assert!(lines.next().is_none());
    assert!(begun.elapsed() < Duration::from_secs(1), "{:?}", begun.elapsed());
    assert!(process.wait().unwrap().success());
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}
