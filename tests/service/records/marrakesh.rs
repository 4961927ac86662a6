//! The second game from outside: records of Marrakesh on the command line and over HTTP.

use serde_json::{Value, json};

use crate::harness::{Service, assam, masked, matches, out, round, sqlite};

fn rows(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn a_masked_record_is_good_as_far_as_visible_and_its_verdict_says_so() {
    let given: Vec<Value> = masked().collect();
    let records: Vec<&str> = given.iter().map(|vector| vector["record"].as_str().unwrap()).collect();
    let hidden = given.iter().filter(|vector| vector["masked"] == true).count();
    assert!(hidden > 50 && hidden < records.len());
    let input = records.join("\n");
    let told = out(&assam(&["validate", "--verbose", "-"], &input));
    assert_eq!(told.matches(": good as far as visible, ").count(), hidden, "{told}");
    let summary =
        format!("{0} records in 1 file: {0} good ({hidden} as far as visible), 0 refused\n", records.len());
    assert!(told.ends_with(&summary), "{told}");
    let rows: Vec<Value> = rows(&out(&assam(&["validate", "--json", "-"], &input)));
    for (row, vector) in rows.iter().zip(&given) {
        assert_eq!((&row["valid"], &row["masked"]), (&json!(true), &vector["masked"]), "{vector}");
    }
    assert_eq!(rows[given.len()]["masked"], hidden);
}

#[test]
fn a_record_that_the_service_judges_shows_all_that_stands_in_it_and_says_what_is_masked() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let mut nulls = 0;
    for vector in masked().step_by(7) {
        let record = vector["record"].as_str().unwrap();
        let verdict = stranger.post_text("/v1/validate", record).json();
        assert_eq!((&verdict["valid"], &verdict["masked"]), (&json!(true), &vector["masked"]), "{record}");
        let position = verdict["position"].as_str().unwrap().split_once("position=").unwrap().1;
        assert_eq!(position, vector["position"], "{record}");
        let hands: Vec<bool> =
            verdict["state"]["seats"].as_array().unwrap().iter().map(|seat| seat["hand"].is_null()).collect();
        let unknown: Vec<bool> =
            position.split(';').nth(3).unwrap().split('/').map(|hand| hand.contains('?')).collect();
        assert_eq!(hands, unknown, "{record}");
        // Legal moves depend on the hand on turn, and for a reply on the lead, too. They are null if those
        // are masked.
        let turn = verdict["seat"].as_u64().map(|seat| unknown[seat as usize - 1]);
        let is_masked =
            turn.is_some_and(|hand| hand && !position.contains(";use;")) || position.contains(";reply;??");
        let body = json!({"positions": [{"position": verdict["position"]}]});
        let outcome = stranger.post("/v1/outcomes", body).json()["positions"][0]["outcomes"][0].clone();
        let rows = stranger.post_text("/v1/validate/bulk?include=legal-moves", record).text;
        let row: Value = serde_json::from_str(rows.lines().next().unwrap()).unwrap();
        for told in [&verdict, &outcome, &row] {
            let legal = told.get("legal_moves").expect("it is there, though it may be null");
            assert_eq!(*legal, verdict["legal_moves"], "{record}");
            assert_eq!((legal.is_null(), *legal == json!([])), (is_masked, turn.is_none()), "{record}");
            nulls += usize::from(legal.is_null());
        }
    }
    assert!(nulls > 0);
}

#[test]
fn a_finished_match_is_imported_and_everything_in_it_is_open_to_everyone() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    for vector in matches() {
        let imported = stranger.post_text("/v1/imports", vector["record"].as_str().unwrap());
        assert_eq!(imported.status, 201, "{}", imported.text);
        let id = imported.json()["id"].as_str().unwrap().to_owned();
        let plies = vector["plies"].as_array().unwrap();
        for (ply, expected) in plies.iter().enumerate().step_by(9) {
            let state = stranger.get(&format!("/v1/games/{id}/states/{ply}")).json();
            assert_eq!(state["word"], expected["word"]);
            let line = state["position"].as_str().unwrap().split_once("position=").unwrap().1;
            assert_eq!(line, expected["position"], "{} ply {ply}", vector["name"]);
            for seat in state["state"]["seats"].as_array().unwrap() {
                assert_eq!(seat["hand"].as_array().unwrap().len() as u64, seat["cards"].as_u64().unwrap());
            }
        }
        let score = stranger.get(&format!("/v1/games/{id}/score")).json();
        assert_eq!(score["scores"], vector["final"]["scores"]);
        assert_eq!(score["ranking"], vector["final"]["ranking"]);
    }
}

#[test]
fn a_score_is_the_sum_of_the_named_categories_of_its_rounds_at_every_ply() {
    let mut named = std::collections::BTreeSet::new();
    for vector in matches() {
        let json = out(&assam(&["convert", "-", "--to", "json"], vector["record"].as_str().unwrap()));
        let record: Value = serde_json::from_str(&json).unwrap();
        let states = record["states"].as_array().unwrap();
        for (state, expected) in states.iter().zip(vector["plies"].as_array().unwrap()) {
            for seat in state["score"]["seats"].as_array().unwrap() {
                let parts = seat["parts"].as_array().unwrap();
                let sum: i64 = parts.iter().map(|part| part["points"].as_i64().unwrap()).sum();
                assert_eq!(seat["total"], sum, "{} {seat}", expected["word"]);
                named.extend(parts.iter().map(|part| part["name"].as_str().unwrap().to_owned()));
            }
        }
        let last = states.last().unwrap();
        for (n, seat) in last["score"]["seats"].as_array().unwrap().iter().enumerate() {
            let breaks = seat["tie_breaks"].as_array().unwrap();
            assert_eq!(
                breaks[0],
                json!({"name": "rounds_scored", "value": vector["final"]["rounds_scored"][n]})
            );
            assert_eq!(breaks[1], json!({"name": "best_round", "value": vector["final"]["best_round"][n]}));
        }
    }
    for name in ["tangier", "royal_fez", "pips", "one_chip", "backgammon", "game"] {
        assert!(named.contains(name), "{name} of {named:?}");
    }
}

#[test]
fn random_matches_are_whole_and_right_and_survive_every_form() {
    let played = out(&assam(&["random", "60", "--ruleset", "marrakesh/1", "--vary", "--seed", "4"], ""));
    let judged = out(&assam(&["validate", "-"], &played));
    assert_eq!(judged, "60 records in 1 file: 60 good, 0 refused\n");
    for setting in [" rounds=6", " sn_bonus=1", " value_order=high-first", " full_ovals=null-only"] {
        assert!(played.contains(setting), "{setting}");
    }
    let canonical = out(&assam(&["convert", "-", "--to", "canonical"], &played));
    assert_eq!(out(&assam(&["convert", "-", "--to", "file"], &canonical)), played);
}

#[test]
fn perft_counts_from_a_position_of_a_match() {
    let vector = round();
    let position = vector["plies"][0]["position"].as_str().unwrap();
    let line = format!("marrakesh/1 seats=2 position={position}");
    let told = out(&assam(&["perft", "2", "--divide", "--position", &line], ""));
    let counts: Vec<u64> =
        told.lines().map_while(|line| line.split_whitespace().last()?.parse().ok()).collect();
    assert_eq!(counts[0], vector["plies"][0]["legal"].as_u64().unwrap());
    let divided: u64 = told
        .lines()
        .skip(3)
        .map(|line| line.split_whitespace().last().unwrap().parse::<u64>().unwrap())
        .sum();
    assert_eq!(divided, counts[1]);
}
