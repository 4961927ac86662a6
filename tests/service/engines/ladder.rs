//! The measured ladder of docs/reference/players.md, played again in short.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use super::run;
use crate::documents::root;

/// The measured ladders, each with its setup and the games of its short form.
const LADDERS: [(&str, &[&str], &str); 4] = [
    ("marrakech-2", &[], "24"),
    ("marrakech-3", &["--seats", "3"], "30"),
    ("marrakech-4", &["--seats", "4"], "32"),
    ("marrakesh-2", &["--ruleset", "marrakesh/1"], "100"),
];

fn results(name: &str) -> PathBuf {
    root().join("bench/results/players").join(name)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

#[test]
fn a_short_ladder_agrees_with_the_measured_one() {
    let folder = tempfile::tempdir().unwrap();
    for (file, setting, games) in LADDERS {
        let short = folder.path().join(file);
        let played =
            run(&[&["ladder", "--games", games, "--seed", "9", "--out", short.to_str().unwrap()], setting]
                .concat());
        assert!(played.status.success(), "{played:?}");
        let [measured, short] = [results(&format!("{file}.json")), short]
            .map(|file| serde_json::from_str::<Value>(&fs::read_to_string(file).unwrap()).unwrap());
        let [measured, short] = [&measured, &short].map(|ladder| ladder["steps"].as_array().unwrap());
        assert_eq!(measured.len(), short.len());
        for (measured, short) in measured.iter().zip(short) {
            let [measured, short] = [measured, short].map(|step| &step["players"][0]);
            assert_eq!(measured["name"], short["name"]);
            let share = &short["adjusted_share"];
            // Twice as far as an interval of 95 % reaches: one step of 30 would leave that itself.
            let reach = number(&share["interval"][1]) - number(&share["interval"][0]);
            let apart = (number(&share["mean"]) - number(&measured["adjusted_share"]["mean"])).abs();
            assert!(apart <= reach, "{file}: {short} against {measured}");
        }
    }
}
