//! Environment variables, and standard output that cannot be written.

use std::fs::File;
use std::io::{self, BufRead as _, BufReader};
use std::process::{Command, Stdio};

use super::{OVER, database, text, url, with_variables};
use crate::harness::{assam, err, out};

/// Returns the variables that a command reads, from its help.
fn variables(command: &str) -> Vec<String> {
    let help = out(&assam(&[command, "--help"], ""));
    let listed = help.split("[env: ").skip(1).map(|rest| rest.split([']', '=']).next().unwrap().to_owned());
    let listed: Vec<String> = listed.collect();
    assert!(listed.len() > 1, "{help}");
    listed
}

#[test]
fn an_empty_variable_is_an_unset_one() {
    let folder = tempfile::tempdir().unwrap();
    let file = url(&database(folder.path()));
    let mut empty: Vec<(String, String)> =
        ["serve", "export"].into_iter().flat_map(variables).map(|name| (name, String::new())).collect();
    for name in [
        "OTEL_EXPORTER_OTLP_HEADERS",
        "OTEL_EXPORTER_OTLP_TIMEOUT",
        "OTEL_RESOURCE_ATTRIBUTES",
        "ASSAM_SECRET",
    ] {
        empty.push((name.to_owned(), String::new()));
    }
    let empty: Vec<(&str, &str)> =
        empty.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    let exported = with_variables(&["export", "--database", &file], &empty);
    assert_eq!((exported.status.code(), err(&exported).as_str()), (Some(0), "1 game\n"));
    let mut serving = Command::new(env!("CARGO_BIN_EXE_assam"));
    serving.args(["serve", "--listen", "127.0.0.1:0", "--database", &file]).env_clear().envs(empty);
    let mut serving = serving.stdout(Stdio::piped()).spawn().unwrap();
    let first = BufReader::new(serving.stdout.take().unwrap()).lines().next();
    serving.kill().unwrap();
    serving.wait().unwrap();
    assert!(first.is_some_and(|line| line.unwrap().starts_with("Assam listens on ")));
}

#[test]
fn switches_take_what_people_write_and_an_error_names_the_variable_that_was_set() {
    for variable in ["ASSAM_READ_ONLY", "ASSAM_NO_PAGES", "ASSAM_NO_LIMITS", "ASSAM_LOG_JSON"] {
        for value in ["1", "0", "true", "false", "yes", "no", "YES", "False"] {
            // The command line is read before the database.
            let told = with_variables(
                &["serve", "--listen", "127.0.0.1:0", "--database", "sqlite:/nowhere/at/all.db"],
                &[(variable, value)],
            );
            assert_eq!(told.status.code(), Some(1), "{variable}={value}: {}", err(&told));
        }
        let refused = with_variables(&["serve"], &[(variable, "maybe")]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(
            err(&refused).contains(variable) && !err(&refused).replace("'--help'", "").contains("'--"),
            "{}",
            err(&refused)
        );
    }
    for (variable, value, flag) in [
        ("ASSAM_QUEUE", "many", "--queue"),
        ("ASSAM_WORKERS", "-1", "--workers"),
        ("ASSAM_OPEN_GAME_TTL", "a while", "--open-game-ttl"),
        ("ASSAM_TRUSTED_PROXIES", "10.0.0.0/99", "--trusted-proxies"),
        ("ASSAM_DATABASE", "assam.db", "--database"),
        ("ASSAM_DATABASE", "sqlite:assam.db?mode=ro", "--database"),
        ("ASSAM_LOG", "a=b=c", "--log"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "collector", "--traces"),
        ("ASSAM_TRACES_SAMPLE", "2", "--traces-sample"),
    ] {
        let by_variable = with_variables(&["serve", "--listen", "127.0.0.1:0"], &[(variable, value)]);
        let by_flag = with_variables(
            &["serve", "--listen", "127.0.0.1:0", &format!("{flag}={value}")],
            &[(variable, "")],
        );
        for (told, named, other) in [(by_variable, variable, flag), (by_flag, flag, variable)] {
            assert_ne!(told.status.code(), Some(0));
            let said = err(&told);
            assert!(said.contains(named), "{named}: {said}");
            let names_other = said.contains(&format!("{other} ")) || said.contains(&format!("'{other}"));
            assert!(!names_other, "{named}: {said}");
        }
    }
    // Each error shows the accepted form.
    for (variable, value, form) in [
        ("ASSAM_LISTEN", "here", "127.0.0.1:8080"),
        ("ASSAM_LISTEN", "127.0.0.1:99999", "127.0.0.1:8080"),
        ("ASSAM_LISTEN", "unix:", "unix:/run/assam.sock"),
        ("ASSAM_METRICS_LISTEN", "here", "127.0.0.1:8080"),
        ("ASSAM_WORKERS", "four", "ASSAM_WORKERS=0"),
        ("ASSAM_CACHE", "64M", "ASSAM_CACHE=64"),
        ("ASSAM_QUEUE", "0", "ASSAM_QUEUE=4096"),
        ("ASSAM_CONNECTIONS", "-1", "ASSAM_CONNECTIONS=256"),
        ("ASSAM_SHUTDOWN_TIMEOUT", "4s", "ASSAM_SHUTDOWN_TIMEOUT=4"),
        ("ASSAM_LOG", "assam=loud", "info,assam=debug"),
        ("ASSAM_READ_ONLY", "maybe", "ASSAM_READ_ONLY=1, or 0, true, false, yes or no"),
        ("ASSAM_RATE", "moves=fast", "20/s"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:99999", "http://127.0.0.1:4318"),
    ] {
        let others = [("ASSAM_DATABASE", "sqlite:/nowhere/a.db"), ("ASSAM_LISTEN", "127.0.0.1:0")];
        let told = with_variables(&["serve"], &[&others[..], &[(variable, value)]].concat());
        let said = err(&told);
        assert!(matches!(told.status.code(), Some(1 | 2)), "{variable}={value}: {said}");
        let is_repeated = said.contains(value) || variable.starts_with("OTEL");
        assert!(said.contains(variable) && said.contains(form) && is_repeated, "{variable}={value}: {said}");
    }
    let typed = with_variables(&["serve", "--workers", "four"], &[]);
    assert!(err(&typed).contains("such as --workers 0"), "{}", err(&typed));
    let both = with_variables(&["serve", "--no-limits"], &[("ASSAM_RATE", "moves=1/s:2")]);
    assert_eq!(both.status.code(), Some(2));
    assert!(err(&both).contains("ASSAM_RATE") && err(&both).contains("--no-limits"), "{}", err(&both));
}

#[test]
fn forms_of_database_urls_that_are_not_taken_make_no_file_of_that_name() {
    let folder = tempfile::tempdir().unwrap();
    for form in [":memory:", "f.db?mode=ro", "f.db?cache=shared", "~/x.db", "//f.db", "file:f.db", "a%20b.db"]
    {
        let url = format!("sqlite:{form}");
        for command in [
            &["migrate"][..],
            &["serve", "--listen", "127.0.0.1:0"],
            &["import", "-"],
            &["export"],
            &["doctor"],
        ] {
            let mut run = Command::new(env!("CARGO_BIN_EXE_assam"));
            run.args(command).args(["--database", &url]).env_clear().current_dir(folder.path());
            let refused = run.stdin(Stdio::null()).output().unwrap();
            assert!(matches!(refused.status.code(), Some(1 | 2)), "{command:?} {url}");
            let said = err(&refused);
            assert!(said.starts_with("assam: --database ") && said.lines().count() == 1, "{url}: {said}");
        }
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{url}");
    }
}

#[test]
fn every_command_whose_output_cannot_be_written_ends_with_2_and_quietly_if_nobody_reads_on() {
    let folder = tempfile::tempdir().unwrap();
    let file = database(folder.path());
    let game = folder.path().join("game.mkn");
    std::fs::write(&game, OVER).unwrap();
    let (game, own, other) = (text(&game), url(&file), url(&folder.path().join("b.db")));
    let backup = text(&folder.path().join("a.backup"));
    assert!(assam(&["backup", &backup, "--database", &own], "").status.success());
    for command in [
        &["--help"][..],
        &["-h"],
        &["--version"],
        &["help"],
        &["help", "export"],
        &["serve", "--help"],
        &["key", "new", "--help"],
        &["openapi"],
        &["completions", "bash"],
        &["man"],
        &["random", "2"],
        &["perft", "--depth", "1"],
        &["validate", &game],
        &["convert", &game, "--to", "file"],
        &["convert", &game, "--to", "games.csv"],
        &["convert", &game, "--to", "svg"],
        &["stats", &game],
        &["show", &game],
        &["key", "new"],
        &["key", "list", "--database", &own],
        &["export", "--database", &own],
        &["backup", "-", "--database", &own],
        &["restore", &backup, "--check"],
        &["audit", "--database", &own],
        &["audit", &game],
        &["doctor", "--database", &own],
        &["ratings", "--database", &own],
        &["migrate", "--database", &own],
        &["import", &game, "--database", &own],
        &["import", &game, "--json", "--database", &other],
        &["serve", "--listen", "127.0.0.1:0", "--database", &own],
        &["witness", "--key-file", &text(&folder.path().join("w.key")), "--name", "example.org/w"],
    ] {
        let run = |out: Stdio| {
            let mut run = Command::new(env!("CARGO_BIN_EXE_assam"));
            run.args(command).env_clear().stdin(Stdio::null()).stderr(Stdio::piped());
            run.stdout(out).output().unwrap()
        };
        // A list without lines writes nothing.
        let may_list = command[0] == "key" && command[1] == "list";
        if cfg!(target_os = "linux") {
            let full = File::options().write(true).open("/dev/full").unwrap();
            let told = run(full.into());
            assert!(
                told.status.code() == Some(2) || may_list,
                "{command:?}: {:?} {}",
                told.status,
                err(&told)
            );
            assert!(may_list || !err(&told).is_empty(), "{command:?}");
        }
        let (reader, closed) = io::pipe().unwrap();
        drop(reader);
        let told = run(closed.into());
        assert!(told.status.code() == Some(2) || may_list, "{command:?}: {:?} {}", told.status, err(&told));
        assert!(!err(&told).contains("assam: "), "{command:?}: {}", err(&told));
    }
}
