//! `assam analyse`: luck, errors, hidden cards and corrections that add up.

use serde_json::Value;

use crate::harness::{assam, err, out};

/// A last turn in which seat 2 turned the wrong way, and was lucky.
const WRONG_BUT_LUCKY: &str = "MKN/1 marrakech/1 seats=2 two_player=one-colour position=7/3r3/3r3/7/7/7/7;d5d6;d4N;2;orient;30,30;r0b1;b;-\nseat2: Aisha\n\nN+3 c6d6 = 31 32\n";

fn win(value: &Value) -> i64 {
    value["win"].as_i64().unwrap()
}

#[test]
fn the_columns_of_every_record_add_up_in_json() {
    let games = out(&assam(&["random", "12", "--vary", "--seed", "3"], ""));
    let told = assam(&["analyse", "-", "--json", "--judge", "merchant-7"], &games);
    assert_eq!(told.status.code(), Some(0), "{}", err(&told));
    let accounts: Vec<Value> = out(&told).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(accounts.len(), 12);
    for (number, account) in (1..).zip(&accounts) {
        assert_eq!((account["record"].as_u64(), account["nodes"].as_u64()), (Some(number), Some(0)));
        for seat in account["seats"].as_array().unwrap() {
            for unit in ["win", "points"] {
                let of = |column: &str| seat[column][unit].as_i64().unwrap();
                let columns = ["start", "luck", "errors", "gifts", "hidden", "corrections"];
                assert_eq!(columns.map(of).iter().sum::<i64>(), of("result"), "{seat}");
                assert_eq!(of("luck_adjusted"), of("result") - of("luck"));
            }
        }
        assert!(account["moves"].as_array().unwrap().len() > 20);
    }
}

#[test]
fn hidden_cards_have_a_column_in_marrakesh_alone() {
    for (ruleset, has_hidden) in [("marrakech/1", false), ("marrakesh/1", true)] {
        let game = out(&assam(&["random", "1", "--ruleset", ruleset, "--seed", "3"], ""));
        let analyse =
            |form: &[&str]| out(&assam(&[&["analyse", "-", "--judge", "merchant-7"], form].concat(), &game));
        let account: Value = serde_json::from_str(&analyse(&["--json"])).unwrap();
        let hidden = win(&account["seats"][0]["hidden"]);
        assert_eq!(hidden != 0, has_hidden, "{ruleset}");
        let text = analyse(&[]);
        let head = text.lines().find(|line| line.starts_with("seat")).unwrap();
        let first = text.lines().find(|line| line.starts_with("1 ")).unwrap();
        assert_eq!(head.contains("hidden"), has_hidden, "{text}");
        let told = format!(" {:+.1}% ", hidden as f64 / 100.0);
        assert!(!has_hidden || first.contains(&told), "{told}: {text}");
        let table = out(&assam(&["convert", "-", "--to", "games.csv", "--judge", "merchant-7"], &game));
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let place = rows.headers().unwrap().iter().position(|name| name == "hidden_1").unwrap();
        assert_eq!(rows.records().next().unwrap().unwrap()[place], hidden.to_string());
    }
}

#[test]
fn a_wrong_turn_with_good_luck_is_told_as_both() {
    let told = assam(&["analyse", "-", "--json"], WRONG_BUT_LUCKY);
    let account: Value = serde_json::from_str(&out(&told)).unwrap();
    assert_eq!(account["players"], serde_json::json!([null, "Aisha"]));
    let [turn, roll, _] = account["moves"].as_array().unwrap().as_slice() else { panic!("{account}") };
    assert_eq!((&turn["move"], &turn["kind"], &turn["mark"]), (&"N".into(), &"decision".into(), &"?".into()));
    assert_eq!(win(&turn["after"][1]) - win(&turn["before"][1]), -833);
    assert_eq!((&roll["kind"], win(&roll["after"][1]) - win(&roll["before"][1])), (&"chance".into(), 5000));
    let text = out(&assam(&["analyse", "-"], WRONG_BUT_LUCKY));
    for part in [
        "2 Aisha",
        "Seat 2: luck +50.0%, most by 3 on ply 1 +50.0%",
        "errors -8.3%",
        "N, where E was better by 8.3%",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn a_refused_record_and_a_judge_of_another_game_are_told() {
    let refused = assam(&["analyse", "-"], "MKN/1 marrakech/1 seats=2\n\n+r X\n");
    assert_eq!(refused.status.code(), Some(1), "{}", err(&refused));
    let match_of_marrakesh = out(&assam(&["random", "1", "--ruleset", "marrakesh/1"], ""));
    let other = assam(&["analyse", "-", "--judge", "merchant-1"], &match_of_marrakesh);
    assert_eq!(other.status.code(), Some(1));
    assert!(err(&other).contains("merchant-1/1 does not play marrakesh/1"), "{}", err(&other));
    let none = assam(&["analyse", "-", "--judge", "hand"], "");
    assert!(err(&none).contains("\"hand\" is not a merchant"), "{}", err(&none));
}

#[test]
fn tables_and_statistics_have_the_luck_and_the_errors_that_a_judge_finds() {
    let games = |judge: &[&str]| {
        let table = out(&assam(&[&["convert", "-", "--to", "games.csv"], judge].concat(), WRONG_BUT_LUCKY));
        let mut rows = csv::Reader::from_reader(table.as_bytes());
        let names = rows.headers().unwrap().clone();
        let row = rows.records().next().unwrap().unwrap();
        ["luck_1", "luck_2", "errors_1", "errors_2", "corrections_2", "blunders_2", "luck_3"]
            .map(|name| row[names.iter().position(|column| column == name).unwrap()].to_owned())
    };
    assert_eq!(games(&["--judge", "merchant-7"]), ["-5000", "5000", "0", "-833", "0", "0", ""]);
    assert_eq!(games(&[]), [""; 7]);
    let plies = out(&assam(&["convert", "-", "--to", "plies.csv", "--judge", "merchant-7"], WRONG_BUT_LUCKY));
    let mut rows = csv::Reader::from_reader(plies.as_bytes());
    let names = rows.headers().unwrap().clone();
    let place = |name: &str| names.iter().position(|column| column == name).unwrap();
    let rows: Vec<_> = rows.records().map(|row| row.unwrap()).collect();
    let cells = |row: &csv::StringRecord| {
        ["luck_1", "luck_2", "error", "best"].map(|name| row[place(name)].to_owned())
    };
    assert_eq!(cells(&rows[0]), ["-5000", "5000", "-833", "E"]);
    let stats = out(&assam(&["stats", "-", "--json", "--judge", "merchant-7"], WRONG_BUT_LUCKY));
    let stats: Value = serde_json::from_str(stats.trim()).unwrap();
    assert_eq!(
        (&stats["of_games"]["luck_2"]["mean"], &stats["of_plies"]["error"]["min"]),
        (&5000.0.into(), &(-833).into())
    );
    let wrong = assam(&["convert", "-", "--to", "json", "--judge", "merchant-7"], WRONG_BUT_LUCKY);
    assert!(err(&wrong).contains("--judge requires a table"), "{}", err(&wrong));
}
