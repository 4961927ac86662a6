//! Analyses of games and records, and hints.

use std::thread;

use serde_json::{Value, json};

use crate::harness::{Answer, Client, Examples, Service, assam, out, sqlite};

/// A last turn in which seat 2 turned the wrong way, and was lucky.
const WRONG_BUT_LUCKY: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour position=7/3r3/3r3/7/7/7/7;d5d6;d4N;2;orient;30,30;r0b1;b;-\n\nN+3 c6d6 = 31 32\n";

fn path(game: &Value) -> String {
    format!("/v1/games/{}/analysis", game["id"].as_str().unwrap())
}

/// Asks until the analysis is made. Each request waits for it.
fn made(client: &Client<'_>, path: &str) -> Answer {
    for _ in 0..100 {
        let answer = client.get(path);
        if answer.status != 202 {
            return answer;
        }
        assert_eq!(answer.header("retry-after").unwrap(), "1");
        assert_eq!(answer.json(), json!({"retry_after": 1}));
    }
    panic!("{path} is never made")
}

/// Checks that the columns of every seat add up.
fn adds_up(analysis: &Value) {
    for seat in analysis["seats"].as_array().unwrap() {
        for unit in ["win", "points"] {
            let of = |column: &str| seat[column][unit].as_i64().unwrap();
            let columns = ["start", "luck", "errors", "gifts", "hidden", "corrections"];
            assert_eq!(columns.map(of).iter().sum::<i64>(), of("result"), "{seat}");
        }
    }
}

#[test]
fn a_game_that_is_over_is_analysed_for_anybody_as_its_record_is() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    for (ruleset, seats) in [
        ("marrakech/1", vec!["merchant-3", "random"]),
        ("marrakech/1", vec!["merchant-2", "random", "merchant-1"]),
        ("marrakesh/1", vec!["solitaire-ai", "random"]),
    ] {
        let game = client.post("/v1/games", json!({"ruleset": ruleset, "seats": seats})).json();
        let answer = made(&client, &path(&game));
        let analysis = answer.json();
        assert_eq!((answer.status, &analysis["over"]), (200, &json!(true)), "{}", answer.text);
        assert_eq!(analysis["seats"].as_array().unwrap().len(), seats.len());
        adds_up(&analysis);
        let record = client.get(&format!("/v1/games/{}/log", game["id"].as_str().unwrap())).text;
        assert_eq!(client.post_text("/v1/analysis", &record).json(), analysis);
        // It is kept, and not sent again.
        let etag = answer.header("etag").unwrap();
        assert_eq!(client.send("GET", &path(&game), &[("If-None-Match", etag)], "").status, 304);
    }
}

#[test]
fn an_analysis_says_what_was_better_in_a_record_and_what_is_best_in_a_position() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let analysis = client.post_text("/v1/analysis", WRONG_BUT_LUCKY).json();
    let [turn, roll, rug] = analysis["moves"].as_array().unwrap().as_slice() else { panic!("{analysis}") };
    assert_eq!((&turn["move"], &turn["mark"]), (&json!("N"), &json!("?")));
    assert_eq!(turn["lines"][0]["equity"][1]["win"], 5833);
    assert_eq!((&roll["kind"], &rug["kind"]), (&json!("chance"), &json!("decision")));
    let line = WRONG_BUT_LUCKY.lines().next().unwrap().strip_prefix("MKN/1 ").unwrap();
    let best = client.post("/v1/analysis?judge=merchant-8", json!({"record": line})).json();
    assert_eq!((&best["over"], &best["moves"]), (&json!(false), &json!([])));
    assert_eq!(best["next"][0]["equity"][1]["win"], 5833, "{best}");
    assert!(["E", "W"].contains(&best["next"][0]["move"].as_str().unwrap()), "{best}");
}

#[test]
fn what_cannot_be_analysed_is_refused_with_its_reason() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let refused = |path: &str, record: &str| client.post_text(path, record).problem();
    assert_eq!(refused("/v1/analysis", "MKN/1 marrakech/1 seats=2\n\nN+3 a1a2 *\n"), "illegal_move");
    let masked = "MKN/1 marrakesh/1 seats=2\n\n+112446/455566+b:6s2sAsQh5d3c+r:???????????? 6s *\n";
    assert_eq!(refused("/v1/analysis", masked), "masked_record");
    let other = out(&assam(&["random", "1", "--ruleset", "marrakesh/1"], ""));
    assert_eq!(refused("/v1/analysis?judge=merchant-1", &other), "bad_request");
    assert_eq!(refused("/v1/analysis?judge=hand", WRONG_BUT_LUCKY), "bad_request");
    let records =
        format!("{WRONG_BUT_LUCKY}MKN/1 marrakech/1 seats=2\n\nN+3 a1a2 *\n{masked}{WRONG_BUT_LUCKY}");
    let path = "/v1/analysis/bulk?judge=merchant-6";
    let lines = client.send("POST", path, &[("Content-Type", "text/plain")], records);
    let rows: Vec<Value> = lines.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<[&Value; 2]> =
        rows.iter().map(|row| [&row["error"]["code"], &row["error"]["line"]]).collect();
    let (none, illegal, hidden) = (json!(null), json!("illegal_move"), json!("masked_record"));
    let (six, seven) = (json!(6), json!(7));
    assert_eq!(told, [[&none, &none], [&illegal, &six], [&hidden, &seven], [&none, &none], [&none, &none]]);
    assert_eq!(rows[0]["analysis"], rows[3]["analysis"]);
    assert_eq!(rows[4], json!({"kind": "summary", "records": 4, "analysed": 2, "refused": 2}));
}

#[test]
fn a_running_game_is_analysed_for_spectators_only_and_never_if_it_hides_cards() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (market, players) = service.table("marrakech/1", &["open", "open"], json!({}));
    assert_eq!(players[0].play(&market, 1, "N").status, 201);
    let (cards, _) = service.table("marrakesh/1", &["open", "open"], json!({}));
    let of = |client: &Client<'_>, game: &str| client.get(&format!("/v1/games/{game}/analysis"));
    for player in &players {
        assert_eq!(of(player, &market).problem(), "analysis_while_running");
    }
    let watched = of(&service.stranger(), &market).json();
    assert_eq!(watched["over"], false);
    assert!(!watched["next"].as_array().unwrap().is_empty(), "{watched}");
    assert_eq!(of(&service.stranger(), &cards).problem(), "analysis_while_running");
    let unlisted = json!({"ruleset": "marrakech/1", "seats": ["random", "open"], "visibility": "unlisted", "take": {"seat": 2}});
    let unlisted = service.player().post("/v1/games", unlisted).json();
    assert_eq!(service.stranger().get(&path(&unlisted)).problem(), "analysis_while_running");
    let open =
        service.stranger().post("/v1/games", json!({"ruleset": "marrakech/1", "seats": ["open", "open"]}));
    assert_eq!(service.stranger().get(&path(&open.json())).problem(), "not_started");
}

#[test]
fn hints_are_for_the_player_of_an_unrated_game_against_programs_and_its_record_says_so() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let player = service.player();
    let hints = |client: &Client<'_>, game: &Value| {
        client.get(&format!("/v1/games/{}/legal-moves?include=hints", game["id"].as_str().unwrap()))
    };
    let log = |game: &Value| player.get(&format!("/v1/games/{}/log", game["id"].as_str().unwrap())).text;
    let new = |ruleset: &str, rated: bool, other: &str| {
        let wanted =
            json!({"ruleset": ruleset, "seats": ["open", other], "rated": rated, "take": {"seat": 1}});
        player.post("/v1/games", wanted).json()
    };
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        let game = new(ruleset, false, "random");
        let legal = hints(&player, &game).json();
        let moves = legal["moves"].as_array().unwrap();
        let best = legal["hints"].as_array().unwrap();
        // In a reply to a lead, there may be only one.
        assert!((1..=5).contains(&best.len()), "{legal}");
        assert!(best.iter().all(|line| moves.contains(&line["move"])), "{legal}");
        assert!(log(&game).contains("\nhints: allowed\n"), "{}", log(&game));
        assert_eq!(hints(&service.stranger(), &game).problem(), "analysis_while_running");
        let rated = new(ruleset, true, "random");
        assert_eq!(hints(&player, &rated).problem(), "analysis_while_running");
        assert!(!log(&rated).contains("hints"), "{}", log(&rated));
        let id = rated["id"].as_str().unwrap();
        // In Marrakesh, the other one may have led already.
        let next = player.get(&format!("/v1/games/{id}/legal-moves")).json()["ply"].as_u64().unwrap();
        assert_eq!(player.play(id, next, "!resign").status, 201);
        assert_eq!(hints(&player, &rated).json()["hints"], json!([]));
    }
    let (people, players) = service.table("marrakech/1", &["open", "open"], json!({}));
    assert_eq!(hints(&players[0], &json!({"id": people})).problem(), "analysis_while_running");
}

#[test]
fn analyses_that_take_longer_are_made_while_their_clients_ask_again() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    let records = out(&assam(&["random", "120", "--seats", "2", "--seed", "8"], ""));
    let headers = [("Content-Type", "text/plain")];
    let imported = client.send("POST", "/v1/imports/bulk", &headers, records);
    let games: Vec<Value> = imported.text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let paths: Vec<String> = games
        .iter()
        .filter_map(|row| Some(format!("/v1/games/{}/analysis", row["game"].as_str()?)))
        .collect();
    assert_eq!(paths.len(), 120);
    let answers: Vec<Answer> = thread::scope(|scope| {
        let asking: Vec<_> = paths.iter().map(|path| scope.spawn(|| client.get(path))).collect();
        asking.into_iter().map(|asked| asked.join().unwrap()).collect()
    });
    let (ready, pending): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 200);
    assert!(!ready.is_empty() && pending.iter().all(|answer| answer.status == 202));
    Examples::check_one("GET", &paths[0], "pending", pending[0]);
    for path in &paths {
        assert_eq!(made(&client, path).status, 200);
    }
}

#[test]
fn analyses_have_their_own_limit() {
    let backend = sqlite();
    let service = Service::start_counting(&backend, &["--rate", "analysis=1/h:2"]);
    let client = service.player();
    let statuses: Vec<u16> =
        (0..3).map(|_| client.post_text("/v1/analysis", WRONG_BUT_LUCKY).status).collect();
    assert_eq!(statuses, [200, 200, 429]);
    assert_eq!(client.post_text("/v1/validate", WRONG_BUT_LUCKY).status, 200);
}
