//! Streams in the metrics.

use serde_json::json;

use super::SSE;
use crate::harness::{Service, comes, sqlite};

#[test]
fn streams_are_counted_while_they_are_open_and_by_why_they_end() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    let (game, players) = service.game(2, json!({"two_player": "one-colour"}));
    let value = |sample: &str| service.metric(sample);
    let ended = |why: &str| value(&format!(r#"assam_streams_ended_total{{reason="{why}"}}"#));
    let mut streams = [(); 2].map(|()| service.stranger().follow(&game, "", SSE));
    streams.iter_mut().for_each(|stream| drop(stream.next_of("caught-up")));
    assert_eq!((value("assam_streams"), value("assam_followed_games")), (2.0, 1.0));
    assert_eq!(service.stranger().follow(&game, "?follow=false", SSE).rest().len(), 3);
    assert_eq!(ended("caught_up"), 1.0);
    assert_eq!(players[0].play(&game, 1, "N").status, 201);
    streams.iter_mut().for_each(|stream| drop(stream.next_of("word")));
    let [mut stays, goes] = streams;
    drop(goes);
    assert_eq!(players[1].play(&game, 2, "!resign").status, 201);
    stays.next_of("over");
    assert!(stays.next().is_none());
    while value("assam_streams") > 0.0 {}
    assert_eq!(ended("over") + ended("client"), 2.0);
    assert!(ended("over") >= 1.0 && value("assam_stream_lag_plies_count") >= 3.0);
    while value("assam_followed_games") > 0.0 {}
    // A waiting request is not counted as slow.
    let waited = service.stranger().get(&format!("/v1/games/{game}?wait=1&since=0"));
    assert_eq!(waited.status, 200);
    let slow = r#"assam_http_request_duration_seconds_count{method="GET",route="/v1/games/{id}"}"#;
    assert!(!service.metrics().contains(slow) || value(slow) == 0.0);
}

#[test]
fn a_stream_ends_when_its_client_closes_the_connection_though_nothing_is_told_on_it() {
    let backend = sqlite();
    let service = Service::start_with(&backend, &["--metrics-listen", "127.0.0.1:0"]);
    let (game, _players) = service.game(2, json!({}));
    let mut stream = service.stranger().follow(&game, "", SSE);
    stream.next_of("caught-up");
    drop(stream);
    let is_over = || service.metrics().contains("\nassam_streams 0\n");
    assert!(comes(10, is_over), "before there is a heartbeat");
}
