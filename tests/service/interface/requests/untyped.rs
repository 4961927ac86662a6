//! Parameters and headers added by trackers, caches, probes, and clients of streams.

use serde_json::json;

use super::scene;
use crate::events::{LINES, SSE};
use crate::harness::{Answer, Client, Service, Stream, sqlite};

const UNTYPED: [&str; 7] = [
    "fbclid=IwAR0x_-1",
    "utm_source=newsletter&utm_medium=email&gclid=a%20b",
    "_=1764412800123",
    "v=1.2.3",
    "1764412800",
    "&&fbclid=1&fbclid=2",
    "q[]=1&%5B=%FF",
];

/// Returns the parts of an answer that are the same for every request.
fn lasting(answer: &Answer) -> (u16, Vec<(String, String)>, Vec<u8>) {
    (answer.status, answer.all_headers(), answer.bytes.clone())
}

#[test]
fn pages_files_pictures_and_checks_of_health_ignore_parameters_that_nobody_typed() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    let (id, players) = scene(&service);
    let picture = format!("/v1/games/{id}/states/1.svg");
    let page = format!("/games/{id}");
    for path in [
        picture.as_str(),
        &page,
        "/",
        "/check",
        "/rules",
        "/docs/",
        "/docs/swagger-ui.css",
        "/pages/style.css",
        "/pages/text/en.json",
        "/grammar",
        "/grammar/marrakesh",
        "/livez",
        "/readyz",
        "/openapi.json",
        "/v1/problems",
        "/v1/problems/bad_request",
    ] {
        let plain = players[0].get(path);
        assert_eq!(plain.status, 200, "{path}");
        for untyped in UNTYPED {
            let path = format!("{path}?{untyped}");
            let answer = players[0].get(&path);
            assert_eq!(lasting(&answer), lasting(&plain), "{path}");
            if let Some(tag) = plain.header("etag") {
                let again = players[0].send("GET", &path, &[("If-None-Match", tag)], "");
                assert_eq!((again.status, again.header("etag")), (304, Some(tag)), "{path}");
            }
        }
    }
    // Known parameters still count.
    let board = players[0].get(&format!("{picture}?board_only=true"));
    assert_eq!(players[0].get(&format!("{picture}?_=1&board_only=true&v=2")).bytes, board.bytes);
    assert_eq!(players[0].get(&format!("{picture}?theme=none&_=1")).problem(), "bad_request");
    assert_eq!(players[0].get(&format!("{picture}?theme=dark&theme=light")).problem(), "bad_request");
    // API operations refuse unknown parameters, which may be mistyped names.
    for path in
        ["/v1/games", "/v1/limits", "/v1/keys", "/v1/events", "/log/checkpoint", &format!("/v1/games/{id}")]
    {
        assert_eq!(players[0].get(&format!("{path}?utm_source=a")).problem(), "bad_request", "{path}");
    }
}

#[test]
fn metrics_ignore_parameters_of_probes() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    assert!(service.metrics_with("?_=1&name[]=up").contains("assam_http_requests"));
}

/// Returns what stream clients send when they reconnect after the message with this id. Those of npm are
/// event-source-polyfill, reconnecting-eventsource, eventsource-polyfill, eventsource,
/// @microsoft/fetch-event-source and launchdarkly-eventsource. Those of PyPI are sseclient, httpx-sse with
/// requests-sse, and aiohttp-sse-client.
fn clients(id: &str) -> [(String, Vec<(&'static str, String)>); 8] {
    let header = |name, more: &[(&'static str, &str)]| {
        let more = more.iter().map(|(name, value)| (*name, (*value).to_owned()));
        more.chain([(name, id.to_owned())]).collect::<Vec<_>>()
    };
    let accept = |value: &str| vec![("Accept", value.to_owned())];
    [
        (format!("?since=0&&lastEventId={id}"), accept("text/event-stream")),
        (
            format!("?since=0&lastEventId={id}"),
            [accept("text/event-stream"), vec![("Cache-Control", "no-store".into())]].concat(),
        ),
        (
            format!("?since=0&evs_preamble=2056&evs_buffer_size_limit=1&evs_last_event_id={id}"),
            accept("text/event-stream"),
        ),
        (
            "?since=0".into(),
            header(
                "Last-Event-ID",
                &[("Accept", "text/event-stream"), ("Cache-Control", "no-store"), ("Pragma", "no-cache")],
            ),
        ),
        ("?since=0".into(), header("last-event-id", &[("accept", "text/event-stream")])),
        (
            "".into(),
            header("Last-Event-ID", &[("Accept", "text/event-stream, */*"), ("Cache-Control", "no-cache")]),
        ),
        (
            "".into(),
            header("Last-Event-Id", &[("Accept", "text/event-stream"), ("Cache-Control", "no-cache")]),
        ),
        (format!("?lastEventId={id}"), accept("*/*")),
    ]
}

/// Returns the messages to a client that resumes after the message with this id.
fn resumed(client: &Client<'_>, game: &str, id: &str, number: usize) -> Stream {
    let (query, headers) = clients(id)[number].clone();
    let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Stream::open(client, &format!("/v1/games/{game}/events{query}"), &headers, usize::MAX).unwrap()
}

#[test]
fn a_game_is_followed_to_its_end_through_cut_connections_with_what_clients_of_streams_send_by_themselves() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for number in 0..clients("").len() {
        let (game, players) = service.game(2, json!({"two_player": "one-colour"}));
        let stranger = service.stranger();
        let mut stream = stranger.follow(&game, "", SSE);
        let mut id = stream.next_of("snapshot").id.unwrap();
        for ply in 1..=12 {
            drop(stream);
            let legal = players[0].get(&format!("/v1/games/{game}/legal-moves")).json();
            let decision = if ply == 12 { "!resign" } else { legal["moves"][0].as_str().unwrap() };
            let player = &players[legal["seat"].as_u64().unwrap() as usize - 1];
            assert_eq!(player.play(&game, ply, decision).status, 201);
            stream = resumed(&stranger, &game, &id, number);
            assert_eq!(stream.status, 200, "client {number}");
            let word = stream.next_of("word");
            assert_eq!(word.json["head"]["ply"], ply, "client {number}");
            id = word.id.unwrap();
        }
        let over = stream.next_of("over");
        let end = resumed(&stranger, &game, &over.id.unwrap(), number);
        assert_eq!(end.status, 204, "client {number} is told that it has all of it");
    }
}

#[test]
fn the_feed_and_the_stream_of_ones_own_games_take_the_parameter_of_polyfills_too() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (game, _) = service.game(2, json!({}));
    let client = service.player();
    let all = client.stream("/v1/events?since=0&follow=false", SSE).rest();
    let (place, rest) = (all[0].id.clone().unwrap(), &all[1..]);
    for query in [format!("lastEventId={place}"), format!("since=0&lastEventId={place}")] {
        let told = client.stream(&format!("/v1/events?follow=false&{query}"), SSE).rest();
        let ids = |all: &[crate::harness::Told]| all.iter().map(|told| told.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&told), ids(rest), "{query}");
    }
    assert_eq!(client.get("/v1/events?follow=false&lastEventId=x").problem(), "bad_request");
    // At the beginning they have none.
    for stream in [
        "/v1/events?",
        "/v1/me/events?",
        &format!("/v1/games/{game}/events?"),
        &format!("/v1/games/events?games={game}&"),
    ] {
        for none in ["lastEventId=", "evs_preamble=2056&evs_last_event_id="] {
            assert_eq!(
                client.stream(&format!("{stream}follow=false&{none}"), LINES).status,
                200,
                "{stream}{none}"
            );
        }
    }
    assert_eq!(client.stream("/v1/me/events?follow=false&lastEventId=5", LINES).status, 200);
}
