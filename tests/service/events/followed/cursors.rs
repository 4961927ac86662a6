//! The beginnings of streams, at positions that fit the game and at others.

use serde_json::{Value, json};

use super::Fold;
use crate::events::{LINES, SSE, open_game};
use crate::harness::{Client, Service, backends, sit};

/// Returns the kinds of all messages of a stream that does not follow.
fn kinds(client: &Client<'_>, game: &str, rest: &str) -> Vec<String> {
    let stream = client.follow(game, rest, SSE);
    assert_eq!(stream.status, 200, "{rest}");
    stream.rest().iter().map(|told| told.kind().to_owned()).collect()
}

#[test]
fn a_stream_tells_what_is_missing_and_begins_anew_where_a_place_is_not_of_the_game() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (game, players) = service.game(2, json!({"two_player": "one-colour"}));
        assert_eq!(players[0].play(&game, 1, "N").status, 201);
        let state = |ply: u32| players[0].get(&format!("/v1/games/{game}/states/{ply}")).json();
        let hash = |ply: u32| state(ply)["head"]["hash"].as_str().unwrap().to_owned();
        let (start, head) = (hash(0), hash(1));
        let whole = ["snapshot", "seats", "caught-up"];
        let anew = ["reset", "snapshot", "seats", "caught-up"];
        for (since, wanted) in [
            (String::new(), &whole[..]),
            ("&since=0".to_owned(), &["seats", "word", "caught-up"]),
            (format!("&since=0.{start}"), &["seats", "word", "caught-up"]),
            ("&since=1".to_owned(), &["seats", "caught-up"]),
            (format!("&since=1.{head}"), &["seats", "caught-up"]),
            // Beyond the head, of another history, and at the end of a running game.
            ("&since=2".to_owned(), &anew),
            ("&since=999999999".to_owned(), &anew),
            (format!("&since=0.{head}"), &anew),
            (format!("&since=1.{start}"), &anew),
        ] {
            assert_eq!(
                kinds(&service.stranger(), &game, &format!("?follow=false{since}")),
                wanted,
                "{since}"
            );
        }
        for bad in [
            "x",
            "-1",
            "01",
            "1.",
            "1.0",
            "1.over",
            "1x",
            "4294967296",
            &format!("1.{}", head.to_uppercase()),
        ] {
            let stream = players[0].follow(&game, &format!("?since={bad}"), SSE);
            assert_eq!(stream.status, 400, "{bad}");
            let refused = players[0].send(
                "GET",
                &format!("/v1/games/{game}/events?follow=false"),
                &[("Last-Event-ID", bad)],
                "",
            );
            assert_eq!(refused.problem(), "bad_request", "{bad}");
        }
        // A browser repeats its URL when it reconnects, so the id of its last message counts. Without one, it
        // sends an empty id.
        for (id, wanted) in [("1", &["seats", "caught-up"][..]), ("", &["seats", "word", "caught-up"])] {
            let path = format!("/v1/games/{game}/events?follow=false&since=0");
            let told = service.stranger().send("GET", &path, &[("Last-Event-ID", id), ("Accept", LINES)], "");
            let kinds: Vec<Value> = told
                .text
                .lines()
                .map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].clone())
                .collect();
            assert_eq!(kinds, wanted, "{id:?}");
        }
        assert_eq!(players[0].follow(&game, "", "image/png").status, 406);
        assert_eq!(service.stranger().follow(&"0".repeat(32), "", SSE).status, 404);
        assert_eq!(players[0].get(&format!("/v1/games/{game}/events?from=1")).problem(), "bad_request");
    }
}

#[test]
fn streams_are_never_kept_and_never_compressed_and_end_for_who_asks_for_headers() {
    for backend in backends() {
        let service = Service::start(&backend);
        let (game, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
        for form in [SSE, LINES] {
            let headers = [("Accept", form), ("Accept-Encoding", "gzip, zstd, br")];
            let stream = players[0].follow_with(&game, "?follow=false", &headers, usize::MAX);
            assert_eq!(stream.header("content-type"), Some(form));
            assert_eq!(stream.header("cache-control"), Some("no-store"));
            assert_eq!(stream.header("x-accel-buffering"), Some("no"));
            assert_eq!(stream.header("content-encoding"), None);
            assert_eq!(stream.header("etag"), None);
        }
        let head = players[0].send("HEAD", &format!("/v1/games/{game}/events"), &[], "");
        assert_eq!((head.status, head.bytes.len()), (200, 0));
        // An open stream has no length.
        assert_eq!(head.header("content-length"), None);
        let all = players[0].get(&format!("/v1/games/{game}/events?follow=false"));
        let head = players[0].send("HEAD", &format!("/v1/games/{game}/events?follow=false"), &[], "");
        let length = head.header("content-length").map(str::parse);
        assert_eq!((head.status, length), (200, Some(Ok(all.bytes.len()))));
    }
}

#[test]
fn a_game_that_has_not_started_is_followed_into_its_start() {
    for backend in backends() {
        let service = Service::start(&backend);
        for (ruleset, seats, first) in [
            ("marrakech/1", ["open", "open"], Value::Null),
            ("marrakesh/1", ["open", "open"], json!("string")),
            ("marrakech/1", ["open", "random"], Value::Null),
        ] {
            // One colour each, so the start draws nothing.
            let options =
                if ruleset == "marrakech/1" { json!({"two_player": "one-colour"}) } else { json!({}) };
            let wanted = json!({"ruleset": ruleset, "seats": seats, "options": options});
            let (game, players) = open_game(&service, wanted);
            let mut watcher = service.stranger().follow(&game, "", SSE);
            let mut fold = Fold::default();
            while !fold.is_caught_up {
                fold.take(&watcher.next().unwrap());
            }
            assert_eq!((fold.head.clone(), fold.id.as_str()), (Value::Null, ""));
            assert_eq!(
                kinds(&service.stranger(), &game, "?follow=false&since=0"),
                ["reset", "snapshot", "seats", "caught-up"]
            );
            sit(&game, &players, |_| json!({}));
            let seated = watcher.next().unwrap();
            assert_eq!(seated.kind(), "seats");
            fold.take(&seated);
            fold.read_up_to(&mut watcher, 0);
            assert_eq!(fold.told[0]["word"].is_null(), first.is_null(), "{}", fold.told[0]);
            assert!(fold.told[0]["at"].is_string() && fold.told[0]["key"].is_string());
            assert_eq!(fold.seats[0]["kind"], "human");
            fold.check(&service.stranger(), &game);
            let renamed = players[0].patch(&format!("/v1/games/{game}/seats/1"), json!({"name": "Zoë"}));
            assert_eq!(renamed.status, 200);
            assert_eq!(watcher.next_of("seats").json["seats"][0]["name"], "Zoë");
            assert_eq!(
                players[0].patch(&format!("/v1/games/{game}/seats/1"), json!({"name": null})).status,
                200
            );
            let erased = watcher.next_of("seats");
            assert!(erased.json["seats"][0]["name"].is_null() && erased.id.is_none());
        }
    }
}
