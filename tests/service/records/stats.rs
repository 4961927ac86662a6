//! `assam stats`: counts of records for people, for machines and as plots.

use std::fs;

use roxmltree::Document;
use serde_json::{Value, json};

use crate::harness::{assam, err, out};
use crate::records::tables::many_records;

const OVER: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 !resign1 E+1 d6d7 !resign2 = 0 0 30\n";
const OPEN: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7 *\n";

fn groups(input: &str) -> Vec<Value> {
    let told = out(&assam(&["stats", "-", "--json"], input));
    told.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Returns the numbers in a column of a table, for one rule set and number of seats.
fn column(form: &str, input: &str, group: &Value, name: &str) -> Vec<f64> {
    let table = assam(&["convert", "-", "--to", form], input);
    let mut reader = csv::Reader::from_reader(&table.stdout[..]);
    let header = reader.headers().unwrap().clone();
    let place = |wanted: &str| header.iter().position(|name| name == wanted).unwrap();
    let (ruleset, seats, name) = (place("ruleset"), place("seats"), place(name));
    let of_group = |row: &csv::StringRecord| {
        group["ruleset"] == row[ruleset]
            && row[seats].parse::<u8>().is_ok_and(|seats| group["seats"] == seats)
    };
    let rows = reader.records().map(Result::unwrap).filter(of_group);
    rows.filter(|row| !row[name].is_empty()).map(|row| row[name].parse().unwrap()).collect()
}

#[test]
fn means_and_frequencies_are_those_of_the_tables() {
    // More than one worker gets at a time.
    let input = many_records() + "\n" + &out(&assam(&["random", "400", "--seats", "3"], ""));
    let groups = groups(&input);
    assert!(groups.len() >= 4, "both games, and Marrakech with 2, 3 and 4 seats");
    for group in &groups {
        let is_marrakech = group["ruleset"] == "marrakech/1";
        let of_plies =
            if is_marrakech { ["die", "due", "paid"] } else { ["bonus_times", "oval", "round_points_2"] };
        let of_games = [("games.csv", "of_games", "score_1"), ("games.csv", "of_games", "plies")];
        let columns = of_games.into_iter().chain(of_plies.map(|name| ("plies.csv", "of_plies", name)));
        for (form, member, name) in columns {
            let numbers = column(form, &input, group, name);
            let told = &group[member][name];
            let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
            assert_eq!(told["count"], numbers.len(), "{name}");
            assert!((told["mean"].as_f64().unwrap() - mean).abs() < 1e-12, "{name}: {told} {mean}");
            let variance =
                numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / numbers.len() as f64;
            assert!((told["deviation"].as_f64().unwrap() - variance.sqrt()).abs() < 1e-6, "{name}");
            for (value, count) in told["values"].as_object().unwrap() {
                let value: f64 = value.parse().unwrap();
                assert_eq!(json!(numbers.iter().filter(|number| **number == value).count()), *count);
            }
        }
        let [places, winners] = ["place_1", "winner"].map(|name| column("games.csv", &input, group, name));
        let first = places.iter().filter(|place| **place == 1.0).count();
        let alone = winners.iter().filter(|winner| **winner == 1.0).count();
        let result = &group["results"][0];
        assert_eq!(
            (&result["games"], &result["first"], &result["alone"]),
            (&json!(places.len()), &json!(first), &json!(alone))
        );
    }
}

#[test]
fn a_throw_of_dice_counts_for_as_many_dice() {
    let record = out(&assam(&["random", "--ruleset", "marrakesh/1", "--seed", "2"], ""));
    let groups = groups(&record);
    let dice = &groups[0]["of_plies"]["dice_1"];
    assert_eq!(dice["count"], 12 * 6);
    assert!((1.0..=6.0).contains(&dice["mean"].as_f64().unwrap()), "{dice}");
    let counts: u64 = dice["values"].as_object().unwrap().values().map(|count| count.as_u64().unwrap()).sum();
    assert_eq!(counts, 72);
}

#[test]
fn games_are_counted_for_people_and_a_refused_record_is_shown_and_left_out() {
    let told = assam(&["stats", "-"], &[OVER, OPEN, BAD].join("\n"));
    let text = out(&told);
    assert_eq!(told.status.code(), Some(1));
    assert!(err(&told).contains("--> <stdin>:11:5"), "{}", err(&told));
    assert!(text.starts_with("marrakech/1, 3 seats: 2 games\n"), "{text}");
    let line = |name: &str| -> Vec<&str> {
        text.lines()
            .map(|line| line.split_whitespace().collect::<Vec<_>>())
            .find(|line| line[..].first() == Some(&name))
            .unwrap()
    };
    assert_eq!(line("3"), ["3", "1", "100.0%", "100.0%", "30.00"]);
    assert_eq!(line("die"), ["die", "3", "2.333", "0.943", "1", "3"]);
    assert_eq!(line("status"), ["status", "finished:", "50.0%", "running:", "50.0%"]);
    let nothing = assam(&["stats", "/nowhere.mkn"], "");
    assert_eq!((nothing.status.code(), out(&nothing).as_str()), (Some(2), ""));
    assert!(err(&nothing).starts_with("assam: /nowhere.mkn: "), "{}", err(&nothing));
}

#[test]
fn plots_are_pictures_that_say_how_often_each_value_stands() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("plots");
    let input = many_records();
    let told = assam(&["stats", "-", "--json", "--svg", path.to_str().unwrap()], &input);
    assert_eq!((told.status.code(), err(&told).as_str()), (Some(0), ""));
    let groups = groups(&input);
    assert_eq!(fs::read_dir(&path).unwrap().count(), groups.len());
    let group = groups.iter().find(|group| group["ruleset"] == "marrakech/1" && group["seats"] == 3).unwrap();
    let text = fs::read_to_string(path.join("marrakech-1-3-seats.svg")).unwrap();
    let picture = Document::parse(&text).unwrap();
    let said = |title: &str| {
        picture.descendants().any(|node| node.has_tag_name("title") && node.text() == Some(title))
    };
    let die = &group["of_plies"]["die"];
    for (value, count) in die["values"].as_object().unwrap() {
        let share = 100.0 * count.as_f64().unwrap() / die["count"].as_f64().unwrap();
        assert!(said(&format!("{value}: {share:.1}%")), "{value}");
    }
    let unwritable = assam(&["stats", "-", "--svg", "/dev/null/x"], &input);
    assert_eq!(unwritable.status.code(), Some(2));
}
