//! `assam validate`: reports on refused records, their order, and its memory.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};
use std::thread;

use serde_json::{Value, json};

use crate::harness::{assam, err, out, start};

const GOOD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7\n*\n";

#[test]
fn a_refused_record_is_shown_as_compilers_show_errors() {
    let judged = assam(
        &["validate", "-"],
        &format!("{GOOD}\nMKN/1 marrakech/1 seats=3\ndate: 2026-11-20\n\nN+3 d6e6\nE+1 d6e6\n*\n"),
    );
    assert_eq!(
        out(&judged),
        "\
error[illegal_move]: A rug may not cover both halves of one protected rug in one go (see the option `cover`).
  --> <stdin>:10:5
   |
10 | E+1 d6e6
   |     ^^^^ d6e6 would cover both halves of the rug that seat 1 laid at ply 2
   |
   = rule: marrakech.rug.covers-whole-rug, ply 4
   = expected: f7g7, f6f7, e6f6, e5e6, d6d7, c7d7

2 records in 1 file: 1 good, 1 refused
"
    );
}

#[test]
fn the_caret_stands_under_the_character_that_is_wrong_whatever_stands_before_it() {
    for (record, line, caret) in [
        ("MKN/1 marrakech/1 seats=3 cover=all\n\n*\n", "MKN/1 marrakech/1 seats=3 cover=all", "cover=all"),
        ("MKN/1 marrakech/1 seats=3\n\n\tN+3 d6x6 *\n", "    N+3 d6x6 *", "x6"),
        ("MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\u{e9} *\n", "N+3 d6e6\u{e9} *", "\u{e9}"),
        ("MKN/1 marrakech/1 seats=3\r\n\r\nN+3 d6d7 *\r\n", "N+3 d6d7 *", "d6d7"),
    ] {
        let judged = assam(&["validate", "-"], record);
        let told = out(&judged);
        let mut lines = told.lines().skip_while(|told| !told.ends_with(line));
        let shown = lines.next().unwrap_or_else(|| panic!("{told}"));
        let carets = lines.next().unwrap();
        let under: String =
            shown.chars().zip(carets.chars()).filter(|(_, mark)| *mark == '^').map(|(c, _)| c).collect();
        assert_eq!(under, caret, "{told}");
    }
}

#[test]
fn what_a_record_smuggles_in_never_reaches_the_terminal() {
    let record = "MKN/1 marrakech/1 seats=3\nname: \u{1b}[31mred\u{1b}[0m\u{202e}\n\n*\n";
    for color in ["never", "auto"] {
        let judged = assam(&["validate", "--color", color, "-"], record);
        assert!(out(&judged).contains("notation.tag.value"));
        assert!(!out(&judged).contains(['\u{1b}', '\u{202e}']), "{}", out(&judged));
    }
    let styled = assam(&["validate", "--color", "always", "-"], record);
    assert!(out(&styled).contains("\u{1b}[") && !out(&styled).contains("\u{1b}[31m"));
}

#[test]
fn validate_exits_0_where_all_is_good_1_where_a_record_is_refused_and_2_where_something_cannot_be_read() {
    let good = assam(&["validate", "-"], &format!("{GOOD}\n{GOOD}"));
    assert_eq!(
        (good.status.code(), out(&good).as_str()),
        (Some(0), "2 records in 1 file: 2 good, 0 refused\n")
    );
    let bad = assam(&["validate", "-"], &format!("{GOOD}\n{BAD}\n{GOOD}"));
    assert_eq!(bad.status.code(), Some(1));
    assert!(out(&bad).contains("--> <stdin>:8:5\n"), "{}", out(&bad));
    assert!(out(&bad).ends_with("3 records in 1 file: 2 good, 1 refused\n"));
    for wrong in [&["validate"][..], &["validate", "/nowhere/at/all.mkn"], &["--no-such-flag"], &["play"]] {
        assert_eq!(assam(wrong, "").status.code(), Some(2), "{wrong:?}");
    }
    let both = assam(&["validate", "/nowhere/at/all.mkn", "-"], BAD);
    assert_eq!(both.status.code(), Some(2));
    assert!(err(&both).starts_with("assam: /nowhere/at/all.mkn: "), "{}", err(&both));
    assert!(out(&both).contains("marrakech.rug.under-assam"), "the other file is judged");
}

#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_written_ends_validate_with_2_and_a_word() {
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_assam"));
    let mut child = command
        .args(["validate", "-"])
        .stdin(Stdio::piped())
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(GOOD.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).starts_with("assam: standard output: "), "{}", err(&output));
}

#[test]
fn validate_reads_files_and_folders_of_any_number_of_records_and_refuses_what_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    fs::create_dir_all(path("games/old")).unwrap();
    fs::create_dir(path("none")).unwrap();
    fs::write(path("games/b.mkn"), GOOD.repeat(3)).unwrap();
    fs::write(path("games/a.mkn"), BAD).unwrap();
    fs::write(path("games/old/c.mkn"), format!("{BAD}\n\n{GOOD}")).unwrap();
    fs::write(path("games/notes.txt"), "no record").unwrap();
    fs::write(path("empty.mkn"), "\n").unwrap();
    fs::write(path("noise.mkn"), [0xFF, 0x00, b'\n']).unwrap();
    let judged = assam(&["validate", "--verbose", &path("games")], "");
    let places: Vec<String> = out(&judged)
        .lines()
        .filter_map(|line| {
            line.trim_start().trim_start_matches("--> ").strip_prefix(&path("games/")).map(str::to_owned)
        })
        .collect();
    assert_eq!(
        places,
        [
            "a.mkn:3:5",
            "b.mkn:1: good, 2 plies, *",
            "b.mkn:5: good, 2 plies, *",
            "b.mkn:9: good, 2 plies, *",
            "old/c.mkn:3:5",
            "old/c.mkn:7: good, 2 plies, *"
        ]
    );
    assert!(out(&judged).ends_with("6 records in 3 files: 4 good, 2 refused\n"));
    for wrong in ["empty.mkn", "noise.mkn"] {
        let judged = assam(&["validate", &path("games/b.mkn"), &path(wrong)], "");
        assert_eq!(judged.status.code(), Some(1), "{wrong}");
        assert!(out(&judged).contains(&format!("{wrong}:1:1\n")), "{}", out(&judged));
    }
    let none = assam(&["validate", &path("none")], "");
    assert_eq!(none.status.code(), Some(2));
    assert!(err(&none).contains("no *.mkn file in this folder"));
}

#[test]
fn for_machines_every_record_is_a_line_of_json_and_the_counts_are_the_last() {
    let judged = assam(&["validate", "--json", "-", "/nowhere.mkn"], &format!("{GOOD}\n{BAD}"));
    let rows: Vec<Value> = out(&judged).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((&rows[2]["kind"], &rows[2]["source"]), (&json!("unreadable"), &json!("/nowhere.mkn")));
    assert_eq!(
        rows[0],
        json!({
            "kind": "record", "source": "<stdin>", "number": 1, "line": 1, "valid": true,
            "ply": 2, "marker": "*", "masked": false, "error": null
        })
    );
    assert_eq!(
        rows[1],
        json!({
            "kind": "record", "source": "<stdin>", "number": 2, "line": 6, "valid": false,
            "ply": 1, "marker": "*", "masked": false,
            "error": {
                "code": "illegal_move", "rule": "marrakech.rug.under-assam", "line": 8, "column": 5, "word": 2, "ply": 2,
                "detail": "A rug is never laid on the square where Assam stands.",
                "why": "Assam is on d7",
                "expected": "e7f7, e6e7, d6e6, d5d6, c6d6, c6c7, b7c7"
            }
        })
    );
    assert_eq!(
        rows[3],
        json!({"kind": "summary", "sources": 2, "unreadable": 1, "records": 2, "good": 1, "masked": 0, "refused": 1})
    );
    assert_eq!(rows.len(), 4);
}

/// Records for the stream: how each is damaged, and the reported place.
struct Damage {
    rule: &'static str,
    /// The line in the record and the column.
    place: (u64, u64),
    record: String,
}

/// Returns every damage of a random game of three seats, in file form.
fn damages(game: &str) -> Vec<Damage> {
    let lines = game.lines().count() as u64;
    let body = game.split_once("\n\n").unwrap().1;
    let damage = |rule, place, record: String| Damage { rule, place, record };
    vec![
        damage("notation.setup.option-value", (1, 19), game.replacen("seats=3", "seats=7", 1)),
        damage("marrakech.orient.about-turn", (3, 1), game.replacen(body, &format!("S{}", &body[1..]), 1)),
        damage("notation.decision.unknown", (3, 1), game.replacen(body, &format!("x9 {body}"), 1)),
        damage(
            "notation.marker.missing",
            (lines, 1),
            format!("{}\n", game.trim_end().rsplit_once('\n').unwrap().0),
        ),
        damage(
            "notation.marker.scores",
            (lines, 1),
            format!("{}\n= 0 0 0\n", game.trim_end().rsplit_once('\n').unwrap().0),
        ),
    ]
}

#[test]
fn two_hundred_megabytes_stream_through_in_32_megabytes_of_memory_with_every_damage_told_in_order() {
    const SIZE: usize = 200_000_000;
    const EVERY: usize = 20;
    let games = out(&assam(&["random", "200", "--seats", "3"], ""));
    let mut games: Vec<String> = games
        .split("\n\nMKN/")
        .map(|game| format!("MKN/{}\n", game.trim_start_matches("MKN/").trim_end()))
        .collect();
    games.truncate(200);
    let damaged: Vec<Vec<Damage>> = games.iter().map(|game| damages(game)).collect();

    let mut child = Command::new(env!("CARGO_BIN_EXE_assam"))
        .args(["validate", "--json", "-"])
        // Huge pages of 2 MB each would count in full, even if little of them is used.
        .env("MIMALLOC_ALLOW_THP", "0")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let report = BufReader::new(child.stdout.take().unwrap());
    let reader = thread::spawn(move || {
        let refused =
            |line: &String| line.contains("\"valid\":false") || line.contains("\"kind\":\"summary\"");
        let rows = report.lines().map(Result::unwrap).filter(refused);
        rows.map(|line| serde_json::from_str::<Value>(&line).unwrap()).collect::<Vec<Value>>()
    });
    let mut input = child.stdin.take().unwrap();
    let (mut written, mut line, mut count) = (0, 1, 0);
    let mut expected = Vec::new();
    while written < SIZE {
        let which = count % games.len();
        let record = if count % EVERY == EVERY - 1 {
            let kinds = &damaged[which];
            let damage = &kinds[count / EVERY % kinds.len()];
            expected.push((count as u64 + 1, damage.rule, line + damage.place.0 - 1, damage.place.1));
            &damage.record
        } else {
            &games[which]
        };
        input.write_all(record.as_bytes()).unwrap();
        written += record.len();
        line += record.lines().count() as u64;
        count += 1;
    }
    // All is written, so all but what the pipe holds was read, and the peak is final.
    #[cfg(target_os = "linux")]
    {
        let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
        let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
        let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        assert!(kilobytes < 32 * 1024, "{kilobytes} kB");
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
    let mut rows = reader.join().unwrap();
    let summary = rows.pop().unwrap();
    assert_eq!(summary["records"], count);
    assert_eq!(summary["refused"], expected.len());
    let told: Vec<(u64, &str, u64, u64)> = rows
        .iter()
        .map(|row| {
            let error = &row["error"];
            let number = |value: &Value| value.as_u64().unwrap();
            (
                number(&row["number"]),
                error["rule"].as_str().unwrap(),
                number(&error["line"]),
                number(&error["column"]),
            )
        })
        .collect();
    assert_eq!(told, expected);
}

#[cfg(unix)]
#[test]
fn what_cannot_be_read_in_a_folder_is_named_and_the_rest_is_judged() {
    use std::os::unix::fs::symlink;
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    fs::create_dir(path("sub")).unwrap();
    fs::write(path("a.mkn"), GOOD).unwrap();
    fs::write(path("z.MKN"), BAD).unwrap();
    symlink("nowhere", path("dangling.mkn")).unwrap();
    symlink("..", path("sub/loop")).unwrap();
    // An editor's leftover of an open file.
    symlink("me@host:1", path(".#a.mkn")).unwrap();
    let judged = assam(&["validate", folder.path().to_str().unwrap()], "");
    assert_eq!(judged.status.code(), Some(2));
    assert!(
        out(&judged).ends_with("2 records in 2 files: 1 good, 1 refused, unreadable files: 2\n"),
        "{}",
        out(&judged)
    );
    assert!(err(&judged).contains("dangling.mkn: ") && err(&judged).contains("loop: "), "{}", err(&judged));
    assert_eq!(err(&judged).lines().count(), 2, "{}", err(&judged));
}

#[test]
fn neither_names_nor_the_second_set_of_controls_steer_the_terminal() {
    let told = assam(&["validate", "no\u{1b}[31m\u{9b}.mkn"], "");
    assert!(err(&told).contains("no\\u{1b}[31m\\u{9b}.mkn"), "{}", err(&told));
    let told = assam(&["validate", "-"], "MKN/1 marrakech/1 seats=3\nx \u{9b}31m\n\n*\n");
    assert!(out(&told).contains("| x \u{fffd}31m"), "{}", out(&told));
}

#[test]
fn a_position_line_is_no_longer_than_a_line_may_be() {
    let backend = crate::harness::sqlite();
    let service = crate::harness::Service::start(&backend);
    let settings: String = (0..5_000).map(|n| format!(" {}=1", "ab".repeat(n % 40 + 1))).collect();
    let line = format!("marrakech/1 seats=3{settings} position=x");
    let verdict = service.stranger().post_text("/v1/validate", &line).json();
    assert_eq!(verdict["error"]["rule"], "notation.limit.line");
    assert_eq!(verdict["error"]["column"], 4097);
    // A text of several lines is a record.
    let verdict =
        service.stranger().post_text("/v1/validate", "a: b\nMKN/1 marrakech/1 seats=3 position=7/7\n").json();
    assert_eq!(verdict["error"]["rule"], "notation.setup.no-format");
}

#[test]
fn a_verdict_is_told_while_more_records_are_awaited() {
    let mut child = start(&["validate", "--json", "-"]);
    let mut input = child.stdin.take().unwrap();
    let mut told = BufReader::new(child.stdout.take().unwrap()).lines();
    input.write_all(BAD.as_bytes()).unwrap();
    for number in 1..=3 {
        // A record ends where the next one begins.
        input.write_all(BAD.as_bytes()).unwrap();
        let row: Value = serde_json::from_str(&told.next().unwrap().unwrap()).unwrap();
        assert_eq!((&row["number"], &row["valid"]), (&json!(number), &json!(false)));
    }
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(1));
}
