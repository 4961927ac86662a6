//! The ledger of the dice: every die of every public game, counted once, for the player that threw it.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::harness::{Client, Service, assam, backends, err, out, soon, sqlite};

/// The dice of a seat: how many showed each face from 1 to 6.
type Counts = [u64; 6];

/// Returns the dice of each seat, read from the words of a log: `N+3`, and `+122345/133456` in Marrakesh. The position
/// before a word names the seat on turn.
fn dice_in(client: &Client<'_>, game: &str, seats: usize) -> Vec<Counts> {
    let states = client.get(&format!("/v1/games/{game}/states")).json();
    let mut dice = vec![[0; 6]; seats];
    let mut count = |seat: usize, face: char| dice[seat][face.to_digit(10).unwrap() as usize - 1] += 1;
    let mut on_turn = 1;
    for state in states["states"].as_array().unwrap() {
        for part in state["word"].as_str().unwrap_or_default().split('+').skip(1) {
            match part.split_once('/') {
                Some((blue, red)) => {
                    blue.chars().for_each(|face| count(0, face));
                    red.chars().for_each(|face| count(1, face));
                }
                None if part.len() == 1 && part.parse::<u32>().is_ok() => {
                    count(on_turn - 1, part.chars().next().unwrap());
                }
                None => {}
            }
        }
        let seat = state["position"].as_str().unwrap().split(';').nth(3).unwrap();
        on_turn = seat.parse().unwrap_or(on_turn);
    }
    dice
}

fn sum<'a>(all: impl IntoIterator<Item = &'a Counts>) -> Counts {
    let mut sum = [0; 6];
    for counts in all {
        sum.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
    }
    sum
}

/// Returns the counts of a ledger's rule set, and of the rolls on all its pages.
fn ledger(client: &Client<'_>, path: &str, ruleset: &str) -> Option<(Counts, Counts, Value)> {
    let (mut rolled, mut cursor, mut dice) = ([0; 6], String::new(), None);
    loop {
        let page = client.get(&format!("{path}?limit=2{cursor}"));
        assert_eq!(page.status, 200, "{}", page.text);
        let page = page.json();
        let found = page["rulesets"].as_array().unwrap().iter().find(|one| one["ruleset"] == ruleset)?;
        dice.get_or_insert(found.clone());
        for roll in page["rolls"].as_array().unwrap() {
            let state = format!("/v1/games/{}", roll["game"].as_str().unwrap());
            if client.get(&state).json()["ruleset"] == ruleset {
                let faces = roll["faces"].as_array().unwrap();
                faces.iter().for_each(|face| rolled[face.as_u64().unwrap() as usize - 1] += 1);
            }
        }
        let Some(next) = page["next"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    let dice = dice?;
    let mut counts = [0; 6];
    for face in dice["faces"].as_array().unwrap() {
        counts[face["face"].as_u64().unwrap() as usize - 1] = face["rolled"].as_u64().unwrap();
    }
    Some((counts, rolled, dice))
}

#[test]
fn every_die_of_a_log_is_in_the_ledger_of_its_player() {
    for backend in backends() {
        let service = Service::start(&backend);
        let client = service.player();
        let none = client.get("/v1/dice").json();
        assert_eq!(
            (&none["rulesets"], &none["rolls"], &none["next"]),
            (&json!([]), &json!([]), &Value::Null)
        );

        let mut thrown: BTreeMap<(&str, &str), Vec<Counts>> = BTreeMap::new();
        for (ruleset, seats) in [
            ("marrakech/1", vec!["hand", "random", "random"]),
            ("marrakech/1", vec!["random", "hand", "merchant-1", "random"]),
            ("marrakesh/1", vec!["solitaire-ai", "random"]),
            ("marrakesh/1", vec!["random", "solitaire-ai"]),
        ] {
            let wanted = json!({"ruleset": ruleset, "seats": seats});
            let game = client.post("/v1/games", wanted).json();
            let dice = dice_in(&client, game["id"].as_str().unwrap(), seats.len());
            for (player, dice) in seats.into_iter().zip(dice) {
                thrown.entry((ruleset, player)).or_default().push(dice);
            }
        }
        // Neither of these is in the ledger.
        let hidden = json!({"ruleset": "marrakech/1", "seats": ["random", "hand"], "visibility": "unlisted"});
        assert_eq!(client.post("/v1/games", hidden).status, 201);
        let record = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n!resign2\n!resign3\n= 32 0 0\n";
        assert_eq!(client.post_text("/v1/imports", record).status, 201);

        for ruleset in ["marrakech/1", "marrakesh/1"] {
            let all: Vec<Counts> = thrown
                .iter()
                .filter(|(key, _)| key.0 == ruleset)
                .flat_map(|(_, dice)| dice.clone())
                .collect();
            let everything = sum(&all);
            soon(60, || ledger(&client, "/v1/dice", ruleset).filter(|found| found.0 == everything))
                .unwrap_or_else(|| panic!("{ruleset}: {everything:?}, {}", client.get("/v1/dice").text));
            let (_, rolled, dice) = ledger(&client, "/v1/dice", ruleset).unwrap();
            assert_eq!(rolled, everything, "{ruleset}");
            assert_eq!((&dice["games"], &dice["dice"]), (&json!(2), &json!(everything.iter().sum::<u64>())));
            for ((_, player), dice) in thrown.iter().filter(|(key, _)| key.0 == ruleset) {
                let path = format!("/v1/players/{player}/dice");
                let (counts, rolled, found) = ledger(&client, &path, ruleset).unwrap();
                assert_eq!((counts, rolled), (sum(dice), sum(dice)), "{player}");
                let games = if *player == "merchant-1" { 1 } else { 2 };
                assert_eq!(found["games"], games, "{player}");
            }
        }

        // The logs alone lead to the same, and a wrong number is found.
        let ratings =
            |again: &[&str]| assam(&[&["ratings", "--database", &backend.url()], again].concat(), "");
        let computed = ratings(&[]);
        assert!(
            computed.status.success() && out(&computed).contains("tallies of dice"),
            "{}",
            err(&computed)
        );
        backend.script("UPDATE dice SET twos = twos + 1 WHERE competitor = ''");
        let computed = ratings(&[]);
        assert!(!computed.status.success(), "{}", out(&computed));
        assert!(out(&computed).contains("- dice of all players in marrakech/1"), "{}", out(&computed));
        assert!(ratings(&["--again"]).status.success() && ratings(&[]).status.success());
        let audited = assam(&["audit", "--json", "--database", &backend.url()], "");
        let audited: Value = serde_json::from_str(&out(&audited)).unwrap();
        // The audit counts the unlisted game, too.
        let dice = &audited["dice"];
        let marrakesh =
            sum(thrown.iter().filter(|(key, _)| key.0 == "marrakesh/1").flat_map(|(_, dice)| dice));
        assert_eq!(dice["marrakesh/1"]["faces"], json!(marrakesh), "{audited}");
        assert!(dice["marrakech/1"]["p_value"].is_f64(), "{audited}");
    }
}

#[test]
fn a_ledger_states_its_sample_its_test_and_its_luck() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.stranger();
    for _ in 0..3 {
        let wanted = json!({"ruleset": "marrakech/1", "seats": ["merchant-2", "random"]});
        assert_eq!(client.post("/v1/games", wanted).status, 201);
    }
    let path = "/v1/players/merchant-2/dice";
    let found = soon(60, || ledger(&client, path, "marrakech/1").filter(|found| found.2["games"] == 3));
    let (counts, _, dice) = found.unwrap();
    let number = counts.iter().sum::<u64>() as f64;
    let expected = [1.0, 2.0, 2.0, 1.0].map(|sides| number * sides / 6.0);
    let statistic: f64 = counts
        .iter()
        .zip(expected)
        .map(|(found, expected)| (*found as f64 - expected).powi(2) / expected)
        .sum();
    assert!((dice["test"]["chi_square"].as_f64().unwrap() - statistic).abs() < 1e-3, "{dice}");
    assert_eq!(dice["test"]["degrees_of_freedom"], 3);
    let p = dice["test"]["p_value"].as_f64().unwrap();
    let fairness = if p >= 0.05 {
        "usual"
    } else if p >= 0.001 {
        "unusual"
    } else {
        "very_unusual"
    };
    assert_eq!(dice["fairness"], fairness, "{dice}");

    // The luck of the rolls adds up, and is what the analysis has for the same plies.
    let page = client.get(&format!("{path}?limit=20")).json();
    let rolls = page["rolls"].as_array().unwrap();
    let luck = |unit: &str| rolls.iter().map(|roll| roll["luck"][unit].as_i64().unwrap()).sum::<i64>();
    assert_eq!(
        (luck("win"), luck("points")),
        (dice["luck"]["win"].as_i64().unwrap(), dice["luck"]["points"].as_i64().unwrap())
    );
    let squares: i64 = rolls.iter().map(|roll| roll["luck"]["win"].as_i64().unwrap().pow(2)).sum();
    assert_eq!(dice["luck"]["deviation"], json!((squares as f64).sqrt().round() as u64));
    let game = rolls[0]["game"].as_str().unwrap();
    let analysis = soon(60, || {
        let answer = client.get(&format!("/v1/games/{game}/analysis"));
        (answer.status == 200).then(|| answer.json())
    });
    let analysis = analysis.unwrap();
    for roll in rolls.iter().filter(|roll| roll["game"] == game) {
        let seat = roll["seat"].as_u64().unwrap() as usize - 1;
        let face = roll["faces"][0].to_string();
        let moves = analysis["moves"].as_array().unwrap();
        let made = moves.iter().find(|made| {
            made["ply"] == roll["ply"] && made["kind"] == "chance" && made["move"].as_str().unwrap() == face
        });
        let made = made.unwrap_or_else(|| panic!("{roll}: {analysis}"));
        for unit in ["win", "points"] {
            let change =
                made["after"][seat][unit].as_i64().unwrap() - made["before"][seat][unit].as_i64().unwrap();
            assert_eq!(roll["luck"][unit], change, "{roll}: {made}");
        }
    }
    for (query, code) in [("limit=21", "bad_request"), ("cursor=00", "bad_request"), ("of=me", "bad_request")]
    {
        assert_eq!(client.get(&format!("{path}?{query}")).problem(), code, "{query}");
    }
    assert_eq!(client.get("/v1/players/unknown/dice").problem(), "bad_request");
}
