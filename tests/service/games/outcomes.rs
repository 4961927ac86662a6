//! Hypothetical positions: outcomes of moves, and other combined questions about a position.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};

use crate::clients::python_client;
use crate::documents::{blocks, document};
use crate::harness::{Client, Service, next_millisecond, secret, sqlite};

const LINE: &str = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-";

/// Returns the possible outcomes of moves in positions.
fn outcomes(client: &Client<'_>, positions: &[(&str, &[&str])]) -> Vec<Value> {
    let positions: Vec<Value> =
        positions.iter().map(|(position, moves)| json!({"position": position, "moves": moves})).collect();
    let answer = client.post("/v1/outcomes", json!({"positions": positions}));
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["positions"].as_array().unwrap().clone()
}

fn sum(one: &Value) -> f64 {
    one["outcomes"].as_array().unwrap().iter().map(|outcome| outcome["probability"].as_f64().unwrap()).sum()
}

#[test]
fn a_move_has_an_outcome_for_each_face_of_the_die_with_its_position_score_and_legal_moves() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let told = outcomes(&client, &[(LINE, &["E"]), (LINE, &["E+1", "f7g7"]), (LINE, &[])]);
    let of_die: BTreeMap<&str, &str> = told[0]["outcomes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|outcome| (outcome["word"].as_str().unwrap(), outcome["fraction"].as_str().unwrap()))
        .collect();
    assert_eq!(of_die, BTreeMap::from([("E+1", "1/6"), ("E+2", "1/3"), ("E+3", "1/3"), ("E+4", "1/6")]));
    assert!((sum(&told[0]) - 1.0).abs() < 1e-12);
    for outcome in told[0]["outcomes"].as_array().unwrap() {
        // The same as a record that continues with this word from there.
        let record = format!("MKN/1 {LINE}\n\n{} *\n", outcome["word"].as_str().unwrap());
        let verdict = client.post_text("/v1/validate", &record).json();
        assert_eq!(verdict["valid"], true, "{verdict}");
        for name in ["position", "score", "legal_moves", "seat"] {
            assert_eq!(outcome[name], verdict[name], "{name}");
        }
    }
    for (index, one) in told.iter().enumerate() {
        assert_eq!((&one["index"], &one["error"]), (&json!(index), &Value::Null));
    }
    assert_eq!(told[1]["outcomes"][0]["fraction"], "1");
    assert_eq!(told[2]["outcomes"][0]["word"], Value::Null);
    assert_eq!(told[2]["outcomes"][0]["position"], LINE);
    let state = client.post("/v1/outcomes?include=state", json!({"positions": [{"position": LINE}]})).json();
    let outcome = &state["positions"][0]["outcomes"][0];
    assert_eq!((&outcome["state"]["position"], &outcome["score"]), (&json!(LINE), &Value::Null));
}

#[test]
fn a_move_that_ends_the_game_is_no_fault_and_what_is_refused_says_why_beside_the_others() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let last =
        "marrakech/1 seats=2 two_player=one-colour position=rr5/7/7/7/7/7/7;a7b7;d4N;2;lay;30,30;r0b1;b;-";
    let told = outcomes(
        &client,
        &[
            (last, &["d5e5"]),
            (LINE, &["S"]),
            (LINE, &["E", "e7f7"]),
            ("marrakech/9 seats=3", &["E"]),
            ("MKN/1 marrakesh/1 seats=2", &[]),
            (LINE, &["!resign2"]),
            (LINE, &["E+1", ""]),
            (LINE, &["E+1 f7g7"]),
        ],
    );
    assert_eq!(told[0]["outcomes"][0]["over"], true, "{}", told[0]);
    assert_eq!(told[0]["outcomes"][0]["score"]["over"], true);
    let error =
        |at: usize| (told[at]["error"]["code"].as_str(), told[at]["outcomes"].as_array().unwrap().len());
    assert_eq!(error(1), (Some("illegal_move"), 0));
    assert!(told[1]["error"]["rule"].as_str().unwrap().starts_with("marrakech."), "{}", told[1]);
    assert_eq!(told[1]["error"]["word"], 1);
    assert_eq!((error(2), &told[2]["error"]["word"]), ((Some("illegal_move"), 0), &json!(1)));
    assert_eq!(told[2]["error"]["rule"], "notation.word.lacks-chance");
    assert_eq!(told[3]["error"]["status"], 400, "{}", told[3]);
    for (at, word) in [(6, 2), (7, 1)] {
        assert_eq!((error(at), &told[at]["error"]["word"]), ((Some("notation_syntax"), 0), &json!(word)));
    }
    // A deal has too many outcomes to list.
    assert_eq!(error(4), (Some("too_large"), 0));
    assert_eq!((error(5), &told[5]["outcomes"][0]["seat"]), ((None, 1), &json!(3)));
    let start = outcomes(&client, &[("MKN/1 marrakech/1 seats=2", &[])]);
    assert_eq!(start[0]["outcomes"].as_array().unwrap().len(), 2, "the rug is turned up: {}", start[0]);
    let many = json!({"positions": vec![json!({"position": LINE}); 257]});
    assert_eq!(client.post("/v1/outcomes", many).problem(), "bad_request");
    assert_eq!(
        client.post("/v1/outcomes?include=board", json!({"positions": [{"position": LINE}]})).problem(),
        "bad_request"
    );
}

#[test]
fn the_bonus_card_of_a_masked_position_is_as_probable_as_its_viewer_may_think() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
    // Played until a bonus card may be drawn, from the view of each seat.
    let mut seen = 0;
    for _ in 0..200 {
        let view = players[0].get(&format!("/v1/games/{id}")).json();
        let Some(seat) = view["seat_on_turn"].as_u64() else { break };
        let player = &players[seat as usize - 1];
        let legal = player.get(&format!("/v1/games/{id}/legal-moves")).json();
        let state = player.get(&format!("/v1/games/{id}")).json()["state"].clone();
        let position = state["position"].as_str().unwrap();
        if state["phase"] != "reply" || !position.contains(";reply;??") {
            let moves: Vec<&str> =
                legal["moves"].as_array().unwrap().iter().map(|one| one.as_str().unwrap()).collect();
            let asked: Vec<(&str, &[&str])> =
                moves.iter().map(|one| (position, std::slice::from_ref(one))).collect();
            for one in outcomes(player, &asked) {
                assert!(one["error"].is_null() || one["error"]["code"] == "too_large", "{position}: {one}");
                if one["error"].is_null() {
                    assert!((sum(&one) - 1.0).abs() < 1e-9, "{one}");
                    seen += usize::from(one["outcomes"].as_array().unwrap().len() > 1);
                }
            }
        }
        let ply = legal["ply"].as_u64().unwrap();
        let written = player.play(&id, ply, legal["moves"][0].as_str().unwrap());
        assert_eq!(written.status, 201, "{}", written.text);
        if seen > 3 {
            return;
        }
    }
    assert!(seen > 0, "no bonus card was drawn");
}

#[test]
fn positions_are_counted_one_by_one() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--rate", "outcomes=10/h"]);
    let client = service.player();
    let ask = |count| {
        let positions = vec![json!({"position": LINE, "moves": ["E"]}); count];
        client.post("/v1/outcomes", json!({"positions": positions}))
    };
    assert_eq!(ask(6).status, 200);
    let refused = ask(6);
    assert_eq!(refused.problem(), "too_many_requests");
    assert!(refused.header("Retry-After").is_some());
    assert!(refused.json()["detail"].as_str().unwrap().contains("`outcomes`"));
    assert_eq!(client.post_text("/v1/validate", LINE).status, 200, "the others are counted apart");
}

#[test]
fn verdicts_on_many_records_have_the_parts_of_the_position_that_are_asked_for() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let records = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n\nMKN/1 marrakech/1 seats=3\n\nN+3 d6d7 *\n\nMKN/1 marrakech/1\n";
    let lines = |query: &str| {
        let answer = client.post_text(&format!("/v1/validate/bulk{query}"), records);
        assert_eq!(answer.status, 200, "{}", answer.text);
        answer.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect::<Vec<Value>>()
    };
    let plain = lines("");
    let all = lines("?include=score,position,legal-moves,state");
    for (nth, record) in records.split("\n\nMKN").enumerate().take(2) {
        let record = if nth == 0 { record.to_owned() } else { format!("MKN{record}") };
        let verdict = client.post_text("/v1/validate?include=score,position,legal-moves", &record).json();
        for name in ["score", "position", "legal_moves", "state"] {
            assert_eq!(all[nth][name], verdict[name], "{name}");
            assert_eq!(plain[nth].get(name), None);
        }
    }
    // Its first line is broken, so there is no position.
    assert_eq!(all[2].get("position"), None, "{}", all[2]);
    assert_eq!(client.post_text("/v1/validate/bulk?include=board", records).problem(), "bad_request");
    assert_eq!(client.post_text("/v1/validate?include=board", LINE).problem(), "bad_request");
}

#[test]
fn every_state_that_is_shown_has_its_position_line_with_what_is_hidden_from_its_viewer_masked() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = service.table("marrakesh/1", &["open", "open"], json!({}));
    let game = format!("/v1/games/{id}");
    let leader = players[0].get(&game).json()["seat_on_turn"].as_u64().unwrap() as usize - 1;
    let stranger = service.stranger();
    for turn in 0..2 {
        let player = &players[if turn == 0 { leader } else { 1 - leader }];
        let legal = player.get(&format!("{game}/legal-moves")).json();
        let ply = legal["ply"].as_u64().unwrap();
        let decision = json!({"move": legal["moves"][0]});
        let written = player.put(&format!("{game}/moves/{ply}?include=state"), decision).json();
        let mut lines = Vec::new();
        for client in [&players[0], &players[1], &stranger] {
            let now =
                client.get(&format!("{game}/states/{}", client.get(&game).json()["head"]["ply"])).json();
            assert_eq!(now["state"]["position"], now["position"]);
            assert_eq!(client.get(&game).json()["state"]["position"], now["position"]);
            let own = client.secret.as_ref().map(|_| client.get("/v1/me/events?include=state&follow=false"));
            for turn in own.iter().flat_map(|told| told.text.lines()).filter(|line| line.contains("\"turn\""))
            {
                let turn: Value = serde_json::from_str(turn.trim_start_matches("data: ")).unwrap();
                assert_eq!(turn["state"]["position"], now["position"]);
            }
            lines.push(now["position"].as_str().unwrap().to_owned());
        }
        assert_eq!(written["state"]["position"], lines[if turn == 0 { leader } else { 1 - leader }]);
        assert!(lines[2].contains("????") && lines[0] != lines[1], "{lines:?}");
    }
}

#[test]
fn the_stream_of_a_game_brings_the_position_after_each_word_as_its_reader_may_see_it() {
    let backend = sqlite();
    let service = Service::start(&backend);
    for (ruleset, seats) in [("marrakech/1", 3), ("marrakesh/1", 2)] {
        let (id, players) = service.table(ruleset, &vec!["open"; seats], json!({}));
        let game = format!("/v1/games/{id}");
        let stranger = service.stranger();
        let mut streams: Vec<_> = players
            .iter()
            .chain([&stranger])
            .map(|client| client.follow(&id, "?include=state", "application/x-ndjson"))
            .collect();
        for _ in 0..30 {
            let view = stranger.get(&game).json();
            let Some(seat) = view["seat_on_turn"].as_u64() else { break };
            let player = &players[seat as usize - 1];
            let legal = player.get(&format!("{game}/legal-moves")).json();
            let ply = legal["ply"].as_u64().unwrap();
            assert_eq!(player.play(&id, ply, legal["moves"][0].as_str().unwrap()).status, 201);
            // The game waits until all have seen it, so this is the last ply.
            for (client, stream) in players.iter().chain([&stranger]).zip(&mut streams) {
                let word = loop {
                    let word = stream.next_of("word");
                    if word.json["ply"] == ply {
                        break word;
                    }
                };
                let state = client.get(&format!("{game}/states/{ply}")).json()["state"].clone();
                assert_eq!(word.json["state"], state, "{ruleset} ply {ply}");
            }
        }
        let end = players[0].get(&game).json()["head"]["ply"].as_u64().unwrap() + 1;
        assert_eq!(players[0].play(&id, end, "!resign").status, 201);
        // From the beginning, each ply comes with its position then. Without the parameter, no position
        // comes.
        for query in ["?follow=false&since=0&include=state", "?follow=false&since=0"] {
            let told = stranger.get(&format!("{game}/events{query}")).text;
            let words = told.lines().filter(|line| line.contains("\"type\":\"word\""));
            let has_state = query.contains("include");
            assert!(words.clone().count() > 2);
            assert!(words.into_iter().all(|line| line.contains("\"state\":{") == has_state), "{query}");
        }
    }
    next_millisecond();
}

#[test]
fn the_bot_of_the_documents_that_thinks_ahead_plays_to_the_end() {
    let page = document("docs/guides/write-a-bot.md");
    let thinks = |(language, text): &(String, String)| language == "python" && text.contains(".outcomes(");
    let (_, bot) = blocks(&page).into_iter().find(thinks).unwrap();
    let backend = sqlite();
    let service = Service::start(&backend);
    let folder = tempfile::tempdir().unwrap();
    let its = secret();
    let [file, secret_file] = ["thinker.py", "bot.secret"].map(|name| folder.path().join(name));
    fs::write(&file, bot).unwrap();
    fs::write(&secret_file, &its).unwrap();
    let Some(mut script) = python_client::client(&file) else { return };
    let mut process = script.arg(service.base()).arg(&secret_file).spawn().unwrap();
    let player = service.with_secret(&its);
    let played = [
        ("marrakech/1", "random", json!({"two_player": "one-colour"})),
        ("marrakesh/1", "solitaire-ai", json!({})),
    ]
    .map(|(ruleset, opponent, options)| {
        let wanted =
            json!({"ruleset": ruleset, "seats": ["open", opponent], "take": {"seat": 1}, "options": options});
        let game = format!("/v1/games/{}", player.post("/v1/games", wanted).json()["id"].as_str().unwrap());
        let mut view = player.get(&game).json();
        while view["status"] == "running" && process.try_wait().unwrap().is_none() {
            view = player.get(&format!("{game}?wait=30&since={}", view["head"]["ply"])).json();
        }
        (view["status"].clone(), player.get(&format!("{game}/states")).json()["states"].clone())
    });
    process.kill().unwrap();
    process.wait().unwrap();
    assert!(played.iter().all(|(status, _)| status == "finished"), "{played:?}");
    // Unknown cards are drawn, so its replies are not always the first card of its hand.
    let [_, (_, states)] = played;
    let mut replies = states.as_array().unwrap().windows(2).filter_map(|pair| {
        let (position, word) = (pair[0]["position"].as_str()?, pair[1]["word"].as_str()?);
        let hand = position.split(';').nth(3)?;
        position.contains(";1;reply;").then(|| hand[..2] == word[..2])
    });
    assert!(replies.any(|is_first| !is_first));
}
