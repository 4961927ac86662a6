//! `assam match` and `assam ladder`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::{EXAMPLE, has_python, run};
use crate::harness::{assam, err, out};

/// Plays a match, and returns its report with its records.
fn play(arguments: &[&str]) -> (Value, String) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("records.mkn");
    let file = file.to_str().unwrap();
    let played = run(&[&["match"], arguments, &["--json", "--records", file]].concat());
    assert_eq!(played.status.code(), Some(0), "{arguments:?}: {}", err(&played));
    (serde_json::from_str(&out(&played)).unwrap(), fs::read_to_string(file).unwrap())
}

/// Removes the times, which differ in every run.
fn without_times(mut report: Value) -> Value {
    for player in report["players"].as_array_mut().unwrap() {
        let player = player.as_object_mut().unwrap();
        assert!(player.remove("mean_ms").unwrap().as_f64() <= player.remove("max_ms").unwrap().as_f64());
    }
    report
}

/// Checks that records are complete, and returns how many there are.
fn validated(records: &str) -> usize {
    let judged = assam(&["validate", "-"], records);
    let count = records.matches("MKN/1 ").count();
    assert_eq!(out(&judged), format!("{count} records in 1 file: {count} good, 0 refused\n"));
    count
}

/// Writes a script that answers as an engine, and returns it as a player of a match.
fn engine(folder: &Path, name: &str, answers: &str) -> String {
    let file = folder.join(format!("{name}.sh"));
    let script = format!(
        "while read -r command rest; do case $command in\nassam) echo assamok;; isready) echo readyok;;\n{answers}\nesac; done\n"
    );
    fs::write(&file, script).unwrap();
    format!("{name}=sh {}", file.display())
}

#[test]
fn a_match_is_the_same_whatever_the_number_of_jobs_and_its_records_are_valid() {
    for setting in
        [&["--seats", "2"][..], &["--seats", "3"], &["--ruleset", "marrakesh/1", "--option", "rounds=6"]]
    {
        let players: &[&str] = match setting.contains(&"marrakesh/1") {
            true => &["solitaire-ai", "random"],
            false => &["hand", "random"],
        };
        let of = |jobs| play(&[players, setting, &["--games", "20", "--seed", "4", "--jobs", jobs]].concat());
        let (one, records) = of("1");
        let (three, same) = of("3");
        assert_eq!(records, same, "{setting:?}");
        assert_eq!(without_times(one.clone()), without_times(three));
        let seats = one["seats"].as_u64().unwrap() as usize;
        let games = 20_usize.next_multiple_of(seats);
        assert_eq!((validated(&records), one["games"].as_u64()), (games, Some(games as u64)));
        let first = records.matches(&format!(": {}\n", one["players"][0]["name"].as_str().unwrap())).count();
        assert_eq!(first, games, "the first player has one seat in every game");
        let (_, other) = play(&[players, setting, &["--games", "20", "--seed", "5"]].concat());
        assert_ne!(records, other, "{setting:?}");
    }
}

#[test]
fn every_rotation_of_a_deal_has_the_same_dice() {
    let (_, records) = play(&["random", "hand", "--seats", "4", "--games", "20"]);
    let mut deals: BTreeMap<String, Vec<Vec<char>>> = BTreeMap::new();
    for record in records.split("\n\nMKN/1 ") {
        let round = record.lines().find_map(|line| line.strip_prefix("round: ")).unwrap();
        let (_, words) = record.split_once("\n\n").unwrap();
        let dice = words.split('+').skip(1).map(|after| after.chars().next().unwrap()).collect();
        deals.entry(round.to_owned()).or_default().push(dice);
    }
    assert_eq!(deals.len(), 5);
    for games in deals.values() {
        let shortest = games.iter().map(Vec::len).min().unwrap();
        assert!(games.len() == 4 && shortest > 10);
        assert!(games.iter().all(|dice| dice[..shortest] == games[0][..shortest]), "{games:?}");
    }
    assert_ne!(deals["1"], deals["2"]);
}

#[test]
fn a_stronger_player_wins_by_more_than_luck() {
    let (report, _) = play(&["hand", "random", "--games", "100"]);
    let [stronger, weaker] = [0, 1].map(|place| report["players"][place].clone());
    for share in ["share", "adjusted_share"] {
        assert!(stronger[share]["interval"][0].as_f64() > Some(0.6), "{report}");
        let sum = stronger[share]["mean"].as_f64().unwrap() + weaker[share]["mean"].as_f64().unwrap();
        assert!((sum - 1.0).abs() < 1e-5, "{report}");
    }
    assert!(report["adjusted_elo"]["low"].as_f64() > Some(50.0), "{report}");
    assert!(stronger["decisions"].as_u64() > Some(1000), "{report}");
}

#[test]
fn a_test_ends_a_match_as_soon_as_the_answer_is_clear() {
    for (players, state) in [(["hand", "random"], "H1"), (["random", "hand"], "H0")] {
        let hypotheses = ["--games", "4000", "--elo0", "-5", "--elo1", "60"];
        let (report, records) = play(&[&players[..], &hypotheses].concat());
        assert_eq!(report["sprt"]["state"], state, "{report}");
        let games = report["games"].as_u64().unwrap();
        assert!(games < 1000 && games.is_multiple_of(64), "at a checkpoint: {report}");
        assert_eq!(validated(&records) as u64, games);
    }
    let (report, _) = play(&["random", "random", "--games", "8", "--elo0", "0", "--elo1", "10"]);
    assert_eq!(report["sprt"]["state"], "continue", "{report}");
}

#[test]
fn a_program_that_knows_no_rules_plays_whole_games_offline() {
    if !has_python() {
        return;
    }
    let example = format!("example={EXAMPLE}");
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        let of = |jobs| play(&[&*example, "random", "--ruleset", ruleset, "--games", "4", "--jobs", jobs]);
        let (report, records) = of("1");
        assert_eq!(validated(&records), 4);
        assert_eq!(report["players"][0]["name"], "example");
        assert_eq!(records, of("2").1, "it draws from the seed of its game");
    }
}

#[test]
fn the_engine_of_assam_agrees_with_every_position_of_a_match() {
    let engine = format!("engine={} engine", env!("CARGO_BIN_EXE_assam"));
    for ruleset in ["marrakech/1", "marrakesh/1"] {
        // It compares the legal decisions in each position with its own.
        let (_, records) = play(&[&*engine, "random", "--ruleset", ruleset, "--games", "2", "--nodes", "1"]);
        assert_eq!(validated(&records), 2);
    }
}

#[test]
fn a_program_that_fails_ends_the_match_with_its_name_and_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (name, answers, told) in [
        ("cheat", "go) echo bestmove Z;;", "it answered go with \"bestmove Z\", but legal are N E W"),
        ("quitter", "go) exit;;", "it has ended"),
        ("sleeper", "", "it did not answer go within 1 s"),
        ("critic", "go) echo error no_decision I refuse;;", "it answered go with error no_decision I refuse"),
    ] {
        let player = engine(folder.path(), name, answers);
        let failed = run(&["match", &player, "random", "--seats", "3", "--answer-timeout", "1"]);
        assert_eq!(failed.status.code(), Some(1), "{name}");
        let begins = format!("assam: {name} failed in deal 0 after ");
        assert!(err(&failed).starts_with(&begins) && err(&failed).contains(told), "{}", err(&failed));
    }
}

#[test]
fn players_that_cannot_play_are_refused_with_a_way_out() {
    for (arguments, status, told) in [
        (&["merchnt-5", "random"][..], 2, "unknown player \"merchnt-5\"; did you mean merchant-5/1?"),
        (&["=x", "random"], 2, "a program must be written NAME=COMMAND"),
        (&["random"], 2, "2 values required"),
        (&["solitaire-ai", "random"], 1, "solitaire-ai does not play marrakech/1, which has random, hand,"),
        (&["hand", "random", "hand", "--seats", "4"], 1, "name two players, or one for each seat"),
        (&["hand", "random", "--seats", "5"], 1, "seats"),
        (
            &["x=/no/such/program", "random"],
            1,
            "x failed in deal 0 after 0 words: /no/such/program cannot be started",
        ),
        (&["hand", "random", "--elo0", "1", "--elo1", "1"], 1, "--elo0 must be less than --elo1"),
        (&["hand", "random", "--elo0", "1"], 2, "--elo1"),
    ] {
        let refused = run(&[&["match"], arguments].concat());
        assert_eq!(refused.status.code(), Some(status), "{arguments:?}: {}", err(&refused));
        assert!(err(&refused).contains(told), "{arguments:?}: {}", err(&refused));
    }
}

#[test]
fn the_table_of_a_ladder_is_made_from_its_results() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("ladder.json");
    let file = file.to_str().unwrap();
    let setting = ["--ruleset", "marrakesh/1", "--option", "rounds=6", "--games", "3", "--out", file];
    let climbed = run(&[&["ladder"], &setting[..]].concat());
    assert_eq!(climbed.status.code(), Some(0), "{}", err(&climbed));
    let results: Value = serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap();
    let steps = results["steps"].as_array().unwrap();
    let table = out(&climbed);
    assert_eq!(table.lines().count(), 2 + steps.len());
    assert!(!steps.is_empty());
    for (row, step) in table.lines().skip(2).zip(steps) {
        let name = |place: usize| step["players"][place]["name"].as_str().unwrap();
        assert!(row.starts_with(&format!("| `{}` | `{}` | 4 | ", name(0), name(1))), "{row}");
    }
    assert_eq!(out(&run(&["ladder", "--from", file])), table);
    let refused = run(&["ladder", "--from", "Cargo.toml"]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(err(&refused).contains("Cargo.toml has no results of a ladder"), "{}", err(&refused));
}
