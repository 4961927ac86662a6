//! Errors name a wrong parameter in the path, the query or a header.

use serde_json::json;

use crate::harness::{Answer, Service, sqlite};

/// Returns the one wrong parameter of a refused request.
fn named(refused: &Answer) -> String {
    assert_eq!(refused.problem(), "bad_request", "{}", refused.text);
    let errors = refused.json()["errors"].clone();
    assert_eq!(errors.as_array().map(Vec::len), Some(1), "{errors}");
    assert!(errors[0]["detail"].is_string() && errors[0]["pointer"].is_null(), "{errors}");
    errors[0]["parameter"].as_str().unwrap().to_owned()
}

#[test]
fn a_wrong_part_of_a_path_a_query_or_a_header_is_named_by_its_parameter() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.game(2, json!({}));
    let game = format!("/v1/games/{id}");
    for (path, wrong) in [
        (format!("{game}/states/-1"), "ply"),
        (format!("{game}/states/1e3"), "ply"),
        (format!("{game}/moves/01"), "ply"),
        (format!("{game}/score?ply=x"), "ply"),
        ("/v1/players/nobody".to_owned(), "player"),
        ("/v1/players/unknown/dice".to_owned(), "player"),
        ("/v1/dice?limit=21".to_owned(), "limit"),
        ("/v1/dice?cursor=00".to_owned(), "cursor"),
        ("/v1/games?limit=0".to_owned(), "limit"),
        ("/v1/games?cursor=00".to_owned(), "cursor"),
        ("/v1/scores?ruleset=marrakech/1&seats=2".to_owned(), "seats"),
        ("/v1/scores?ruleset=marrakech/1&period=2026".to_owned(), "period"),
        ("/v1/scores?ruleset=marrakech/1&sort=firsts".to_owned(), "seats"),
        ("/v1/me/games?sort=created&your_turn=true".to_owned(), "sort"),
        ("/v1/me/games?sort=moved&status=finished".to_owned(), "sort"),
    ] {
        assert_eq!(named(&players[0].get(&path)), wrong, "{path}");
    }
    let took = |path: &str| players[0].put(&format!("{game}/{path}"), json!({"move": "N"}));
    assert_eq!(named(&took("moves/0")), "ply");
    assert_eq!(named(&players[0].put(&format!("{game}/seats/x"), json!({}))), "seat");
    let wanted = r#"{"ruleset": "marrakech/1", "seats": ["open", "open"]}"#;
    for keys in [&["abc"][..], &["a fresh key that is long enough"], &["1234567890123456789012"; 2]] {
        let mut headers = vec![("content-type", "application/json")];
        headers.extend(keys.iter().map(|key| ("idempotency-key", *key)));
        assert_eq!(named(&players[0].send("POST", "/v1/games", &headers, wanted)), "Idempotency-Key");
    }
}
