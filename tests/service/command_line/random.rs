//! `assam random`: games for tests and benchmarks.

use std::fs;
use std::process::Command;

use crate::harness::{assam, err, out};

#[test]
fn random_games_are_the_same_for_the_same_seed_however_many_there_are() {
    let games = |arguments: &[&str]| {
        let played = assam(&[&["random"], arguments].concat(), "");
        assert_eq!(played.status.code(), Some(0), "{played:?}");
        out(&played)
    };
    let three = games(&["3", "--seed", "8", "--vary"]);
    assert_eq!(three, games(&["3", "--seed", "8", "--vary"]));
    assert!(three.starts_with(&games(&["2", "--seed", "8", "--vary"])));
    assert_ne!(three, games(&["3", "--seed", "9", "--vary"]));
    assert_eq!(three.matches("MKN/1 ").count(), 3);
}

#[test]
fn random_games_are_whole_and_right_under_every_option() {
    for form in ["file", "canonical"] {
        let played = assam(&["random", "500", "--vary", "--form", form], "");
        let judged = assam(&["validate", "-"], &out(&played));
        assert_eq!(out(&judged), "500 records in 1 file: 500 good, 0 refused\n");
        for setting in ["seats=2", "seats=4", " cover=any", " orientation=end", " two_player=one-colour"] {
            assert!(out(&played).contains(setting), "{setting}");
        }
    }
}

#[test]
fn random_games_keep_what_is_asked_for_and_refuse_what_the_rules_do_not_have() {
    let asked = ["--seats", "4", "--option", "cover=any", "--option", "orientation=end"];
    for vary in [&[][..], &["--vary"]] {
        let played = assam(&[&["random", "20"], &asked[..], vary].concat(), "");
        let text = out(&played);
        let setups: Vec<&str> = text.lines().filter(|line| line.starts_with("MKN/")).collect();
        assert_eq!(setups.len(), 20);
        for setup in setups {
            for setting in [" seats=4", " cover=any", " orientation=end"] {
                assert!(setup.contains(setting), "{setup}");
            }
        }
    }
    for (arguments, status, told) in [
        (&["--seats", "7"][..], 1, "seats"),
        (&["--option", "cover=all"], 1, "cover is one of opponents, any"),
        (&["--option", "colour=red"], 1, "unknown option \"colour\""),
        (&["--option", "cover"], 2, "NAME=VALUE"),
        (&["--ruleset", "chess/1"], 2, "possible values: marrakech/1, marrakesh/1"),
    ] {
        let refused = assam(&[&["random"], arguments].concat(), "");
        assert_eq!(refused.status.code(), Some(status), "{arguments:?}");
        assert!(err(&refused).contains(told), "{}", err(&refused));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn output_that_cannot_be_written_ends_a_command_with_2_and_a_word() {
    for command in [&["random"][..], &["perft", "1"], &["openapi"]] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_assam")).args(command).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{command:?}");
        assert!(err(&output).starts_with("assam: "), "{command:?}: {}", err(&output));
    }
}
