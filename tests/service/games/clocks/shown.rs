//! Whole games on the clock, and where the clock is shown.

use jiff::Timestamp;
use serde_json::{Value, json};

use super::{clock, left, on_the_clock, since};
use crate::dice::Dice;
use crate::events::{LINES, open_game, play_on};
use crate::harness::{Service, sit, sqlite};

fn now() -> u64 {
    Timestamp::now().as_millisecond() as u64
}

#[test]
fn whole_games_are_played_on_the_clock_and_every_word_leaves_each_seat_what_it_should_have() {
    let clock_of_table = json!({"initial": 900, "increment": 3});
    let tables = [
        json!({"ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"rugs_per_player": 5}}),
        json!({"ruleset": "marrakech/1", "seats": ["open", "random"], "options": {"orientation": "end", "start_dirhams": 8}}),
        json!({"ruleset": "marrakesh/1", "seats": ["open", "open"], "options": {"rounds": 6}}),
    ];
    let backend = sqlite();
    let service = Service::start(&backend);
    let mut dice = Dice::new(1);
    for mut wanted in tables.clone() {
        wanted["clock"] = clock_of_table.clone();
        let seats = wanted["seats"].as_array().unwrap().len();
        let (id, players) = open_game(&service, wanted.clone());
        let wound = json!({"initial": 900, "increment": 3, "remaining": vec![900_000; seats], "since": null});
        assert_eq!(clock(&players[0], &id), wound, "before the start");
        sit(&id, &players, |_| json!({}));
        let mut before = clock(&players[0], &id);
        assert_eq!(before["remaining"], wound["remaining"]);
        let game = |client: &crate::harness::Client<'_>| client.get(&format!("/v1/games/{id}")).json();
        let mut on_turn = game(&players[0])["seat_on_turn"].as_u64();
        while let Some(seat) = on_turn {
            let seat = seat as usize;
            let (began, count) = (since(&before), 1);
            play_on(&players, &id, &mut dice).unwrap();
            let (after, most) = (clock(&players[0], &id), now() - began + 1);
            for other in (1..=seats).filter(|other| *other != seat) {
                assert_eq!(left(&after, other), left(&before, other), "{wanted}");
            }
            let spent = left(&before, seat) + 3000 * count - left(&after, seat);
            assert!(spent <= most, "{spent} of {most} {wanted}");
            let shown = game(&players[0]);
            on_turn = shown["seat_on_turn"].as_u64();
            assert_eq!(after["since"].is_null(), on_turn.is_none(), "{after}");
            // It has no secrets, and every viewer sees the same.
            assert_eq!(game(&service.stranger())["clock"], after);
            before = after;
        }
        assert_eq!(game(&players[0])["status"], "finished");
        // It is not part of the record.
        let log = players[0].get(&format!("/v1/games/{id}/log")).text;
        let headers = log.lines().skip(1).take_while(|line| !line.is_empty());
        let names: Vec<_> = headers.filter_map(|line| line.split(':').next()).collect();
        assert_eq!(names, ["date", "game"], "{log}");
        // The identifier is random, and may have these digits.
        let written = log.replace(&id, "").to_lowercase();
        assert!(!written.contains("900") && !written.contains("clock"), "{log}");
    }
}

#[test]
fn a_list_of_moves_gets_the_increment_for_each_of_its_plies_and_the_response_has_the_clock() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let wanted = json!({
        "ruleset": "marrakech/1", "seats": ["open", "open", "open"], "options": {"orientation": "end"},
        "clock": {"initial": 60, "increment": 7},
    });
    let (id, players) = service.seated(wanted);
    let legal = |player: usize| players[player].get(&format!("/v1/games/{id}/legal-moves")).json();
    let first = legal(0);
    let rug = first["moves"][0].as_str().unwrap();
    assert_eq!(players[0].play(&id, 1, rug).status, 201);
    let one = clock(&players[0], &id);
    assert!((60_001..=67_000).contains(&left(&one, 1)), "{one}");
    let next = legal(0)["moves"][0].clone();
    let written = players[0].put(&format!("/v1/games/{id}/moves/2"), json!({"moves": [next]})).json();
    assert!(left(&written["clock"], 1) > 67_001, "{written}");
    assert_eq!(written["clock"], clock(&players[0], &id));
    // As of now, not of the first answer.
    let again = players[0].play(&id, 1, rug);
    assert_eq!((again.status, &again.json()["clock"]), (200, &written["clock"]));
    let listed = players[0].get("/v1/me/games").json();
    assert_eq!(listed["games"][0]["clock"], written["clock"]);

    let (id, players) = service.game(2, json!({}));
    let without = players[0].play(&id, 1, "N").json();
    assert_eq!((clock(&players[0], &id), without.get("clock")), (Value::Null, None));
}

#[test]
fn streams_tell_the_clock_with_every_connection_and_after_every_word() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, players) = on_the_clock(&service, 2, 600, 5);
    let mut stream = players[1].follow(&id, "", LINES);
    let snapshot = stream.next_of("snapshot").json;
    let first = stream.next_of("clock").json["clock"].clone();
    assert_eq!((&snapshot["game"]["clock"], &first), (&first, &clock(&players[0], &id)));
    let written = players[0].play(&id, 1, "N").json();
    stream.next_of("word");
    assert_eq!(stream.next().unwrap().json["clock"], written["clock"]);
    let mut resumed = players[1].follow(&id, "?since=1", LINES);
    assert_eq!(resumed.next_of("clock").json["clock"], written["clock"]);
    resumed.next_of("caught-up");
}

#[test]
fn a_clock_has_bounds_and_a_request_with_one_can_be_repeated() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let wanted = |clock: Value| json!({"ruleset": "marrakech/1", "seats": ["open", "open"], "clock": clock});
    for refused in [
        json!({"initial": 0}),
        json!({"initial": 604_801}),
        json!({"initial": 60, "increment": 86_401}),
        json!({"initial": 60, "increment": -1}),
        json!({"initial": 1.5}),
        json!({"increment": 1}),
        json!({"initial": 60, "incremnt": 1}),
        json!("600+5"),
    ] {
        let answer = player.post("/v1/games", wanted(refused));
        assert!([400, 422].contains(&answer.status), "{}", answer.text);
        let at = answer.json()["errors"][0]["pointer"].as_str().unwrap_or_default().to_owned();
        assert!(at.starts_with("/clock"), "{}", answer.text);
    }
    let key = "a key with 128 random bits, for the tests".replace(' ', "-");
    let headers = [("Content-Type", "application/json"), ("Idempotency-Key", key.as_str())];
    let send = |clock: Value| player.send("POST", "/v1/games", &headers, wanted(clock).to_string());
    let made = send(json!({"initial": 60}));
    assert_eq!((made.status, &made.json()["clock"]["increment"]), (201, &json!(0)));
    assert_eq!(send(json!({"initial": 60})).status, 200);
    assert_eq!(send(json!({"initial": 61})).problem(), "idempotency_mismatch");
    assert_eq!(player.post("/v1/games", wanted(Value::Null)).json()["clock"], Value::Null);
}
