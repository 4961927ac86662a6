//! `assam convert`: every form of every record, and the handling of refused records.

use std::io::{self, Write};
use std::process::{Command, Stdio};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::harness::{Service, assam, err, out, records, sqlite, vectors};

const GOOD: &str = "MKN/1 marrakech/1 seats=3\nzeal: 1\ndate: 2026-11-20\n\nN+3 d6e6\n*\n";
const BAD: &str = "MKN/1 marrakech/1 seats=3\n\nN+3 d6d7\n*\n";

fn convert(form: &str, input: &str) -> String {
    let converted = assam(&["convert", "-", "--to", form], input);
    assert_eq!((converted.status.code(), err(&converted).as_str()), (Some(0), ""));
    out(&converted)
}

#[test]
fn canonical_text_to_file_form_and_back_changes_nothing() {
    let canonical = records();
    assert_eq!(convert("canonical", &canonical), canonical);
    let files = convert("file", &canonical);
    assert!(files.lines().count() > 2000 && files.contains("\n\nMKN/1 "));
    assert_eq!(convert("canonical", &files), canonical);
    assert_eq!(convert("file", &files), files);
    // Tags are part of the file form only.
    assert_eq!(convert("file", GOOD), GOOD);
    assert_eq!(convert("canonical", GOOD), "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n");
}

#[test]
fn as_json_and_as_position_lines_every_record_has_the_positions_and_payments_of_its_vector() {
    let json = convert("json", &records());
    let lines = convert("positions", &records());
    let mut games = lines.split("\n\n");
    for (vector, line) in vectors().zip(json.lines()) {
        let record: Value = serde_json::from_str(line).unwrap();
        let states = record["states"].as_array().unwrap();
        let text = vector["record"].as_str().unwrap();
        let written = format!(
            "{}\n\n{} {}\n",
            record["setup"].as_str().unwrap(),
            record["words"]
                .as_array()
                .unwrap()
                .iter()
                .map(|w| w.as_str().unwrap())
                .collect::<Vec<_>>()
                .join(" "),
            record["marker"].as_str().unwrap()
        );
        assert_eq!(written, text);
        let lines: Vec<&str> = games.next().unwrap().lines().collect();
        assert_eq!(lines.len(), states.len());
        // A draw at the start is an entry of a vector, and belongs to ply 0 here.
        let plies = vector["plies"].as_array().unwrap();
        let plies = &plies[plies.len() - states.len()..];
        for (ply, state) in states.iter().enumerate() {
            let expected = &plies[ply];
            assert_eq!(state["ply"], ply);
            assert_eq!(state["word"].as_str().unwrap_or_default(), expected["word"]);
            let position = state["position"].as_str().unwrap();
            assert_eq!(position.split_once(" position=").unwrap().1, expected["position"]);
            assert_eq!(lines[ply], position);
            let payments: Vec<Value> = state["events"].as_array().unwrap().iter().map(|event| {
                json!({"payer": event["payer"], "payee": event["payee"], "due": event["due"], "paid": event["paid"], "out": event["eliminated"]})
            }).collect();
            assert_eq!(json!(payments), expected.get("payments").cloned().unwrap_or(json!([])));
        }
        let last = states.last().unwrap();
        assert_eq!(
            (&last["score"]["scores"], &last["score"]["ranking"]),
            (&vector["final"]["scores"], &vector["final"]["ranking"])
        );
    }
    assert_eq!((json.lines().count(), games.next()), (vectors().count(), None));
}

#[test]
fn json_has_the_shapes_of_the_service_and_the_tags_in_their_order() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let stranger = service.stranger();
    let record = vectors().next().unwrap()["record"].as_str().unwrap().to_owned();
    let converted: Value = serde_json::from_str(&convert("json", &record)).unwrap();
    let id = stranger.post_text("/v1/imports", &record).json()["id"].as_str().unwrap().to_owned();
    for state in converted["states"].as_array().unwrap().iter().step_by(9) {
        let ply = &state["ply"];
        let mut told = stranger.get(&format!("/v1/games/{id}/states/{ply}")).json();
        told.as_object_mut().unwrap().remove("head");
        let mut score = stranger.get(&format!("/v1/games/{id}/score?ply={ply}")).json();
        for more in ["head", "ply"] {
            score.as_object_mut().unwrap().remove(more);
        }
        told["score"] = score;
        assert_eq!(*state, told);
    }
    assert!(convert("json", GOOD).contains(r#""tags":{"zeal":"1","date":"2026-11-20"}"#));
}

#[test]
fn a_refused_record_is_left_out_and_shown_and_the_others_go_on() {
    let input = format!("{GOOD}\n{BAD}\n{GOOD}");
    for (form, count) in
        [("canonical", "MKN/1"), ("file", "zeal: 1"), ("json", "{\"setup\""), ("positions", ";d4N;")]
    {
        let converted = assam(&["convert", "-", "--to", form], &input);
        assert_eq!(converted.status.code(), Some(1), "{form}");
        assert_eq!(out(&converted).matches(count).count(), 2, "{}", out(&converted));
        assert!(err(&converted).contains("--> <stdin>:10:5\n"), "{}", err(&converted));
    }
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.mkn"), GOOD).unwrap();
    fs::write(folder.path().join("b.mkn"), GOOD).unwrap();
    let path = folder.path().to_str().unwrap();
    let converted = assam(&["convert", "/nowhere.mkn", path, "-", "--to", "json"], GOOD);
    assert_eq!((converted.status.code(), out(&converted).lines().count()), (Some(2), 3));
    assert!(err(&converted).starts_with("assam: /nowhere.mkn: "), "{}", err(&converted));
}

#[cfg(target_os = "linux")]
#[test]
fn records_stream_through_in_little_memory() {
    let games = out(&assam(&["random", "2000", "--seats", "3"], ""));
    let mut child = Command::new(env!("CARGO_BIN_EXE_assam"))
        .args(["convert", "-", "--to", "json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = child.stdout.take().unwrap();
    let reader = thread::spawn(move || io::copy(&mut output, &mut io::sink()).unwrap());
    let mut input = child.stdin.take().unwrap();
    input.write_all(games.as_bytes()).unwrap();
    // All is written, so all but what the pipe holds was read, and the peak is final.
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    let kilobytes: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
    // Some 15 MB belong to the program. The worker of each core buffers others, for any number of records.
    let cores = thread::available_parallelism().unwrap().get() as u64;
    assert!(kilobytes < (40 + 10 * cores) * 1024, "{kilobytes} kB");
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let written = reader.join().unwrap();
    assert!(written > 180_000_000, "{written} bytes");
}

#[test]
fn a_picture_is_of_one_position_of_one_record() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let last = convert("svg", GOOD);
    assert!(last.starts_with("<svg ") && last.contains("ply 2"), "{last}");
    let first = assam(&["convert", "-", "--to", "svg", "--ply", "0", "-o", &path("a.svg")], GOOD);
    assert_eq!((first.status.code(), out(&first).as_str()), (Some(0), ""));
    assert!(fs::read_to_string(path("a.svg")).unwrap().contains("ply 0"));
    for (arguments, input, told) in [
        (&["--ply", "3"][..], GOOD.to_owned(), "assam: <stdin>: there is no ply 3: the last one is 2\n"),
        (
            &[],
            format!("{GOOD}{GOOD}"),
            "assam: <stdin>: a picture shows one record, but this file has several: choose one with --record\n",
        ),
    ] {
        let refused = assam(&[&["convert", "-", "--to", "svg"], arguments].concat(), &input);
        assert_eq!((refused.status.code(), err(&refused).as_str()), (Some(1), told));
        assert_eq!(out(&refused), "");
    }
    let refused = assam(&["convert", "-", "--to", "svg"], BAD);
    assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(1), ""));
}

#[test]
fn wrong_usage_of_convert_exits_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.mkn");
    let name = path.to_str().unwrap();
    fs::write(&path, GOOD).unwrap();
    for wrong in [
        &["convert", name][..],
        &["convert", "--to", "json"],
        &["convert", name, "--to", "pgn"],
        &["convert", name, "--to", "json", "--ply", "1"],
        &["convert", name, "--to", "json", "-o", "/nowhere/at/all.json"],
    ] {
        let refused = assam(wrong, "");
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""), "{wrong:?}");
        assert!(!err(&refused).is_empty());
    }
}

#[test]
fn a_file_is_replaced_only_by_something_good_and_a_source_is_never_lost() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let game = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6\n*\n";
    let canonical = "MKN/1 marrakech/1 seats=3\n\nN+3 d6e6 *\n";
    fs::write(path("bad.mkn"), game.replace("d6e6", "d6d7")).unwrap();
    for wrong in [
        &["/nowhere.mkn", "--to", "canonical"][..],
        &[&path("bad.mkn"), "--to", "canonical"],
        &["-", "--to", "svg", "--ply", "99"],
    ] {
        fs::write(path("kept.mkn"), "precious").unwrap();
        let failed = assam(&[&["convert"], wrong, &["-o", &path("kept.mkn")]].concat(), game);
        assert_ne!(failed.status.code(), Some(0), "{wrong:?}");
        assert_eq!(fs::read_to_string(path("kept.mkn")).unwrap(), "precious", "{wrong:?}");
    }
    fs::write(path("game.mkn"), game).unwrap();
    let done = assam(&["convert", &path("game.mkn"), "--to", "canonical", "-o", &path("kept.mkn")], "");
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    assert_eq!(fs::read_to_string(path("kept.mkn")).unwrap(), canonical);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3, "nothing else is left behind");
}
