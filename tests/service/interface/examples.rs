//! Every documented response has a recorded example that the service still returns.

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Examples, Service, comes, sqlite};
use crate::public_log::grown;

const RECORD: &str = "MKN/1 marrakech/1 seats=3\nseat1: Aisha\nseat2: Omar\nseat3: Lea\n\nN+3 d6e6\n!resign2\n!resign3\n= 32 0 0\n";
/// A last turn with one roll.
const ANALYSED: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour position=7/3r3/3r3/7/7/7/7;d5d6;d4N;2;orient;30,30;r0b1;b;-\n\nN+3 c6d6 = 31 32\n";
const OPEN_RECORD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";

/// A client that keeps the responses.
struct Asker<'a> {
    examples: Examples,
    client: Client<'a>,
}

impl Asker<'_> {
    fn ask(&mut self, name: &str, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let answer = self.client.send(method, path, headers, body);
        assert!(answer.status < 300, "{method} {path}: {}", answer.text);
        self.examples.take(method, path, name, &answer);
        answer
    }

    fn get(&mut self, name: &str, path: &str) -> Answer {
        self.ask(name, "GET", path, &[], "")
    }

    fn json(&mut self, name: &str, method: &str, path: &str, body: &Value) -> Answer {
        self.ask(name, method, path, &[("Content-Type", "application/json")], &body.to_string())
    }
}

#[test]
fn every_response_that_goes_well_has_an_example_that_the_service_still_answers_with() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut asker = Asker { examples: Examples::default(), client: service.player() };
    let key = format!("{:032x}", rand::random::<u128>());
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
    let wanted = r#"{"ruleset": "marrakech/1", "seats": ["open", "random", "random"]}"#;
    let id =
        asker.ask("new", "POST", "/v1/games", &headers, wanted).json()["id"].as_str().unwrap().to_owned();
    asker.ask("known", "POST", "/v1/games", &headers, wanted);
    let timed = json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": {"initial": 600, "increment": 5}});
    asker.json("with a clock", "POST", "/v1/games", &timed);
    let game = format!("/v1/games/{id}");
    asker.get("open", &game);
    asker.json("taken", "PUT", &format!("{game}/seats/1"), &json!({"name": "Aisha"}));
    asker.json("held", "PUT", &format!("{game}/seats/1"), &json!({}));
    asker.json("renamed", "PATCH", &format!("{game}/seats/1"), &json!({"name": "Aïcha"}));
    asker.get("running", &game);
    asker.get("running", &format!("{game}/legal-moves"));
    asker.json("written", "PUT", &format!("{game}/moves/1"), &json!({"move": "N"}));
    let included = format!("{game}/moves/1?include=state,legal-moves");
    asker.json("written before, with what comes next", "PUT", &included, &json!({"move": "N"}));
    asker.json("written before", "PUT", &format!("{game}/moves/1"), &json!({"move": "N"}));
    asker.get("Marrakech", &format!("{game}/log"));
    service.wait_for_log();
    for part in
        ["moves/1", "states/1", "states/0.svg", "score", "proof", "receipt", "seats/1/receipt", "inclusion"]
    {
        asker.get("running", &format!("{game}/{part}"));
    }
    asker.ask("running", "GET", &format!("{game}/log"), &[("Accept", "application/json")], "");
    asker.ask("start", "GET", &format!("{game}/inclusion"), &[("Accept", "text/plain")], "");
    asker.get("resumed after ply 0", &format!("{game}/events?since=0&follow=false"));
    let lines = [("Accept", "application/x-ndjson")];
    asker.ask("from the beginning", "GET", &format!("{game}/events?follow=false"), &lines, "");
    let several = format!("/v1/games/events?games={id}.0,{}&follow=false", "0".repeat(32));
    asker.get("one of two is gone", &several);
    asker.ask("one of two is gone", "GET", &several, &lines, "");
    // Two were created, one of them started, and its seat was renamed.
    service.wait_for_feed(4);
    asker.get("from the head", "/v1/events?follow=false");
    asker.ask("from the beginning", "GET", "/v1/events?since=0&follow=false", &lines, "");
    asker.get("your turn", "/v1/me/events?follow=false");
    asker.ask(
        "your turn, with your legal moves",
        "GET",
        "/v1/me/events?include=legal-moves&follow=false",
        &lines,
        "",
    );
    let soon = json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "options": {"two_player": "one-colour"}, "take": {"seat": 1, "name": "Aisha"}});
    let soon = asker.client.post("/v1/games", soon).json()["id"].as_str().unwrap().to_owned();
    assert_eq!(asker.client.play(&soon, 1, "N").status, 201);
    assert_eq!(asker.client.play(&soon, 2, "!resign").status, 201);
    asker.ask("new", "POST", &format!("/v1/games/{soon}/rematch"), &[], "");
    asker.ask("known", "POST", &format!("/v1/games/{soon}/rematch"), &[], "");
    // A match with hidden hands, as one seat sees it.
    let wanted = json!({"ruleset": "marrakesh/1", "seats": ["open", "open"]});
    let hidden = service.player().post("/v1/games", wanted).json()["id"].as_str().unwrap().to_owned();
    asker.client.put(&format!("/v1/games/{hidden}/seats/1"), json!({}));
    service.player().put(&format!("/v1/games/{hidden}/seats/2"), json!({}));
    asker.get("hidden hands", &format!("/v1/games/{hidden}"));
    asker.get("Marrakesh, for seat 1", &format!("/v1/games/{hidden}/log"));
    let text = [("Content-Type", "text/plain")];
    let hinted = json!({"ruleset": "marrakech/1", "seats": ["open", "random", "random"], "rated": false, "take": {"seat": 1, "name": "Aïcha"}});
    let hinted = asker.client.post("/v1/games", hinted).json()["id"].as_str().unwrap().to_owned();
    asker.get("with hints", &format!("/v1/games/{hinted}/legal-moves?include=hints"));
    assert_eq!(asker.client.play(&hinted, 1, "N").status, 201);
    asker.ask("imported", "POST", "/v1/imports", &text, RECORD);
    let analysed = asker.client.post_text("/v1/imports", ANALYSED).json()["id"].as_str().unwrap().to_owned();
    asker.get("finished", &format!("/v1/games/{analysed}/analysis"));
    asker.ask("imported before", "POST", "/v1/imports", &text, RECORD);
    asker.ask("drawn", "POST", "/v1/validate/picture?ply=1&board_only=true", &text, OPEN_RECORD);
    asker.ask("valid", "POST", "/v1/validate", &text, OPEN_RECORD);
    asker.ask("invalid", "POST", "/v1/validate", &text, &OPEN_RECORD.replace("d6e6", "a1a2"));
    let position = asker.client.post_text("/v1/validate", OPEN_RECORD).json()["position"].clone();
    let positions = json!({"positions": [{"position": position, "moves": ["E"]}, {"position": position, "moves": ["S"]}]});
    asker.json("a move and one that is refused", "POST", "/v1/outcomes?include=position", &positions);
    let refused = OPEN_RECORD.replace("d6e6", "a1a2");
    asker.ask("one good, one not", "POST", "/v1/validate/bulk", &text, &format!("{OPEN_RECORD}\n{refused}"));
    let start = "MKN/1 marrakech/1 seats=3\n\n*\n";
    asker.ask("the first decision", "POST", "/v1/analysis", &text, start);
    asker.ask("one good, one not", "POST", "/v1/analysis/bulk", &text, &format!("{start}\n{refused}"));
    asker.ask(
        "one known, one refused",
        "POST",
        "/v1/imports/bulk",
        &text,
        &format!("{RECORD}\n{OPEN_RECORD}"),
    );
    let ndjson = [("Accept", "application/x-ndjson")];
    asker.get("one game", "/v1/export?limit=1");
    asker.ask("one game", "GET", "/v1/export?limit=1", &ndjson, "");
    asker.get("count", "/v1/export/count");
    asker.get("running", &format!("{game}/states"));
    asker.ask("running", "GET", &format!("{game}/states"), &ndjson, "");
    asker.get("page", "/v1/games?limit=1");
    asker.get("all", "/v1/rulesets");
    asker.get("marrakesh", "/v1/rulesets/marrakesh/1");
    asker.get("illegal_move", "/v1/problems/illegal_move");
    asker.ask("illegal_move", "GET", "/v1/problems/illegal_move", &[("Accept", "text/html")], "");
    let player = asker.get("me", "/v1/me").json()["player"].as_str().unwrap().to_owned();
    let dice = format!("/v1/players/{player}/dice");
    let counted = || asker.client.get(&dice).json()["rulesets"] != json!([]);
    assert!(comes(60, counted), "the dice are not counted");
    asker.get("one roll", &dice);
    asker.get("one roll", "/v1/dice?limit=1");
    service.wait_until_counted();
    asker.get("ratings and results", "/v1/players/random");
    asker.get("by rating", "/v1/scores?ruleset=marrakesh/1");
    asker.get("by best score", "/v1/scores?ruleset=marrakesh/1&sort=best_score&seats=2");
    asker.get("your turn", "/v1/me/games?your_turn=true&ruleset=marrakech/1");
    asker.get("alive", "/livez");
    let (waiting, _, round) = service.waiting_for_beacon();
    asker.get("waiting for its beacon", &waiting);
    asker.json("delivered", "PUT", &format!("{waiting}/beacon"), &round);
    asker.get("with its beacon", &waiting);
    asker.get("ready", "/readyz");
    asker.get("defaults", "/v1/limits");
    asker.get("one key", "/v1/keys");
    // Starts and ends of games are logged a moment later.
    grown(&service, 8);
    asker.get("of a log with games", "/log/checkpoint");
    asker.ask("delivered", "POST", "/log/cosignatures", &text, &service.cosigned());
    asker.get("one witness", "/log/cosignatures");
    asker.examples.check();

    // Every success has an example, except the document itself and lists of other texts. That of an analysis in
    // progress is recorded with its test.
    let document = service.stranger().get("/openapi.json").json();
    let has: Vec<String> = asker
        .examples
        .places()
        .map(|(operation, status, media, _)| format!("{operation} {status} {media}"))
        .collect();
    for (route, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let responses = operation["responses"].as_object().unwrap();
            for (status, response) in responses.iter().filter(|(status, _)| status.starts_with('2')) {
                for media in response["content"].as_object().into_iter().flatten().map(|(media, _)| media) {
                    let place = format!("{method} {route} {status} {media}");
                    let is_of_bytes = media == "application/octet-stream";
                    let is_document = ["get /openapi.json", "get /v1/problems ", "get /grammar"]
                        .iter()
                        .any(|own| place.starts_with(own));
                    let is_pending = status == "202";
                    assert!(
                        is_document || is_of_bytes || is_pending || has.contains(&place),
                        "{place} has no example"
                    );
                }
            }
        }
    }
}
