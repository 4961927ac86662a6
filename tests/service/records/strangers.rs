//! Texts that are not records: each command that reads records reports what they are instead, and what to do.

use std::fs;
use std::io::Write as _;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;

use crate::harness::{Service, assam, err, out, sqlite, start};

const POSITION: &str =
    "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-\n";

/// Returns the error of each command that reads records about these bytes. All refuse them.
fn told(bytes: &[u8]) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let database = format!("sqlite:{}", folder.path().join("games.db").display());
    let commands = [
        &["validate", "-"][..],
        &["convert", "-", "--to", "canonical"],
        &["stats", "-"],
        &["show", "-"],
        &["import", "-", "--database", &database],
    ];
    let told = commands.iter().map(|command| {
        let mut child = start(command);
        child.stdin.take().unwrap().write_all(bytes).unwrap();
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{command:?}: {ended:?}");
        assert!(!ended.stdout.contains(&0) && !ended.stderr.contains(&0), "{command:?}");
        format!("{command:?}: {}{}", out(&ended), err(&ended))
    });
    told.collect()
}

/// Returns texts that are not records, with their errors.
fn strangers() -> Vec<(Vec<u8>, &'static str)> {
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(b"MKN/1 marrakech/1 seats=3\n\n*\n").unwrap();
    let utf16 = |mark: [u8; 2]| mark.into_iter().chain([0, b'M', 0, b'K', 0]).collect();
    let text = |text: &str| text.as_bytes().to_vec();
    vec![
        (vec![b'a', b'b', 0, 1, 2], "this is not text: byte 0x00 at offset 2"),
        (vec![b'a', 0x9d, b'\n'], "this is not text: byte 0x9d at offset 1"),
        ([[0x80].repeat(70_000), vec![b'\n']].concat(), "this is not text: byte 0x80 at offset 0"),
        (gzip.finish().unwrap(), "this is compressed with gzip: unpack it first"),
        (vec![0x28, 0xb5, 0x2f, 0xfd, 0, 1], "this is compressed with zstd: unpack it first"),
        (text("BZh91AY&SY"), "this is compressed with bzip2: unpack it first"),
        (utf16([0xff, 0xfe]), "this is UTF-16 text with a byte order mark: save it as UTF-8"),
        (utf16([0xfe, 0xff]), "this is UTF-16 text with a byte order mark: save it as UTF-8"),
        (text("\u{feff}MKN/1 marrakech/1 seats=3\n\n*\n"), "a byte order mark precedes the setup line"),
        (text("SQLite format 3\0"), "this is an SQLite database: export its games first"),
        (text(""), "there is no record: the text is empty"),
        (text(" \n\n"), "there is no record: the text is empty"),
        (text("{\"game\": \"0f8f\"}\n"), "this looks like JSON, not like a record"),
        (text("[\n1]"), "this looks like JSON, not like a record"),
        (text("[Event \"Paris\"]\n\n1. e4 *\n"), "this looks like PGN, which records other games"),
        (text("(;FF[4]GM[1])"), "this looks like SGF, which records other games"),
        (text("<!doctype html>\n"), "this looks like HTML or XML, not like a record"),
        (text("marrakech/1 seats=3\n\n*\n"), "the first line lacks its `MKN/1 `"),
        (text("hello\n"), "a record begins with its setup line"),
        (
            [text("MKN/1 marrakech/1 seats=3\nseat1: "), vec![0xe9], text("\n\n*\n")].concat(),
            "this is not UTF-8: byte 0xe9",
        ),
    ]
}

#[test]
fn each_command_says_what_a_text_is_that_is_no_record() {
    for (bytes, sentence) in strangers() {
        for told in told(&bytes) {
            assert!(told.contains(sentence), "{sentence}: {told}");
        }
    }
    let long = format!("MKN/1 marrakech/1 seats=3\n\n{}", "\u{0}".repeat(70_000));
    for told in told(long.as_bytes()) {
        assert!(told.contains("a record has at most 65536 bytes"), "{}", &told[..400]);
    }
}

#[test]
fn what_is_no_text_is_not_shown() {
    for told in told(&[b"junk \x1b[31m".as_slice(), &[0xff, 0xfe, 0x07], &[b'x'; 500]].concat()) {
        assert!(
            told.contains("--> <stdin>:1:11\n") && !told.contains("xxx") && !told.contains("junk"),
            "{told}"
        );
    }
}

#[test]
fn a_position_line_is_called_one_and_the_commands_that_take_it_are_named() {
    for command in [&["validate", "-"][..], &["convert", "-", "--to", "file"], &["stats", "-"]] {
        let refused = assam(command, POSITION);
        let told = out(&refused) + &err(&refused);
        assert_eq!(refused.status.code(), Some(1));
        assert!(told.contains("this is a position line, not a record"), "{told}");
        assert!(told.contains("`assam show` takes a position line in a file"), "{told}");
    }
    // The advice works.
    assert!(assam(&["show", "-"], POSITION).status.success());
    assert!(assam(&["perft", "1", "--position", POSITION.trim_end()], "").status.success());
    let record = format!("MKN/1 {POSITION}\n*\n");
    assert!(assam(&["validate", "-"], &record).status.success());
}

#[test]
fn a_proof_and_a_database_are_sent_where_they_belong() {
    let proof = assam(&["validate", "-"], "{\"game\": 1}");
    assert!(out(&proof).contains("`assam verify` takes a proof"), "{}", out(&proof));
    let record = assam(&["verify", "-"], "MKN/1 marrakech/1 seats=3\n\n*\n");
    assert_eq!(record.status.code(), Some(1));
    assert!(err(&record).contains("this is a record, not a proof"), "{}", err(&record));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("games.db");
    let database = format!("sqlite:{}", file.display());
    assert!(assam(&["migrate", "--database", &database], "").status.success());
    let games = folder.path().join("copy.mkn");
    fs::copy(&file, &games).unwrap();
    let refused = assam(&["validate", games.to_str().unwrap()], "");
    assert!(out(&refused).contains("`assam export --database sqlite:FILE`"), "{}", out(&refused));
}

#[test]
fn a_rule_set_that_is_misspelt_is_answered_with_the_one_that_was_meant() {
    for (written, meant) in [
        ("marakech/1", Some("marrakech/1")),
        ("Marrakech/1", Some("marrakech/1")),
        ("marrakech", Some("marrakech/1")),
        ("marrakesh/2", Some("marrakesh/1")),
        ("marakesh/1", Some("marrakesh/1")),
        ("MARRAKESH", Some("marrakesh/1")),
        ("chess/1", None),
        ("x", None),
    ] {
        let record = format!("MKN/1 {written} seats=2\n\n*\n");
        let hint = meant.map_or("did you mean".to_owned(), |meant| format!("; did you mean {meant}?"));
        for told in told(record.as_bytes()) {
            assert_eq!(told.contains(&hint), meant.is_some(), "{told}");
        }
        let position = format!("{written} seats=2 position=x");
        let told = err(&assam(&["perft", "1", "--position", &position], ""));
        assert_eq!(told.contains(&hint), meant.is_some(), "{told}");
        let similar =
            meant.map_or("similar".to_owned(), |meant| format!("a similar value exists: '{meant}'"));
        for command in [&["random", "--ruleset", written][..], &["perft", "1", "--ruleset", written]] {
            let refused = assam(command, "");
            assert_eq!(refused.status.code(), Some(2));
            assert!(
                err(&refused).contains("[possible values: marrakech/1, marrakesh/1]"),
                "{}",
                err(&refused)
            );
            // A name in capitals alone is too far from any for the command line.
            assert!(
                written == "MARRAKESH" || err(&refused).contains(&similar) == meant.is_some(),
                "{}",
                err(&refused)
            );
        }
    }
}

#[test]
fn the_service_says_the_same_under_the_same_codes() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let client = service.player();
    let judged = |record: &str| client.post_text("/v1/validate", record).json()["error"].clone();
    let error = judged("MKN/1 marakech/1 seats=3\n\n*\n");
    assert_eq!(
        (&error["code"], &error["rule"]),
        (&json!("unknown_ruleset"), &json!("notation.setup.unknown-ruleset"))
    );
    assert_eq!(error["detail"], "this is a record of \"marakech/1\"; did you mean marrakech/1?");
    let error = judged("[Event \"Paris\"]\n\n1. e4 *\n");
    assert_eq!(
        (&error["code"], &error["rule"]),
        (&json!("notation_syntax"), &json!("notation.setup.no-format"))
    );
    assert_eq!(error["detail"], "this looks like PGN, which records other games");
    for answer in [
        client.post("/v1/games", json!({"ruleset": "marakech/1", "seats": ["open", "open"]})),
        client.get("/v1/games?ruleset=marakech/1"),
    ] {
        assert_eq!(answer.problem(), "unknown_ruleset");
        assert_eq!(answer.json()["detail"], "unknown rule set \"marakech/1\"; did you mean marrakech/1?");
    }
}
