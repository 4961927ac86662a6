//! Audits that are stopped and resumed.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Child;

use serde_json::{Value, json};

use super::{Archive, audit, report, text};
use crate::harness::{Service, assam, err, out, soon, sqlite, start};

/// Returns the contents of a state once it satisfies a condition.
fn wait(file: &Path, is_there: impl Fn(&Value) -> bool) -> Value {
    let state = soon(60, || {
        let state = fs::read(file).ok().and_then(|state| serde_json::from_slice(&state).ok());
        state.filter(|state| is_there(state))
    });
    state.unwrap_or_else(|| panic!("{} says something else", file.display()))
}

fn stop(mut child: Child, signal: &str) -> Option<i32> {
    let sent = std::process::Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
    assert!(sent.success());
    child.wait().unwrap().code()
}

#[test]
fn an_audit_that_is_killed_or_stopped_goes_on_where_it_was_and_says_the_same() {
    let archive = Archive::new(sqlite());
    let lines = fs::read_to_string(archive.proofs("proofs.ndjson")).unwrap();
    let key = archive.key();
    let damaged: String = (1..)
        .zip(lines.lines())
        .map(|(number, line)| if number % 4 == 0 { "{}\n".to_owned() } else { format!("{line}\n") })
        .collect();
    let half: String = damaged.lines().take(6).map(|line| format!("{line}\n")).collect();
    let whole = assam(&["audit", "-", "--key", &key], &damaged);
    assert!(out(&whole).contains("NOT SOUND: 3 faults in 3 games, of 12."), "{}", out(&whole));
    for (signal, status) in [("-KILL", None), ("-TERM", Some(130)), ("-INT", Some(130))] {
        let state = archive.path(signal);
        let arguments =
            ["audit", "-", "--key", &key, "--state", text(&state), "--save-every", "0", "--jobs", "2"];
        let mut child = start(&arguments);
        // The rest is never sent.
        let mut input = child.stdin.take().unwrap();
        input.write_all(half.as_bytes()).unwrap();
        let kept = wait(&state, |state| state["done"] == 6);
        assert_eq!((&kept["is_finished"], &kept["version"]), (&json!(false), &json!(2)));
        assert_eq!(stop(child, signal), status, "{signal}");
        let again = assam(&arguments, &damaged);
        assert_eq!((out(&again), again.status.code()), (out(&whole), Some(1)), "{signal}");
        // It is finished, and another stream would be another source.
        let finished = assam(&arguments, "");
        assert_eq!((out(&finished).as_str(), finished.status.code()), ("", Some(2)));
        assert!(
            err(&finished).contains("this audit has already finished, and standard input"),
            "{}",
            err(&finished)
        );
    }
}

#[test]
fn an_audit_of_a_database_or_a_service_that_is_killed_goes_on_after_its_last_game() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let records = out(&assam(&["random", "150", "--vary", "--seed", "3"], ""));
    assert_eq!(service.player().post_text("/v1/imports/bulk", &records).status, 200);
    let folder = tempfile::tempdir().unwrap();
    for (name, place) in
        [("database", ["--database", &backend.url()]), ("service", ["--url", service.base()])]
    {
        let whole = report(&place);
        assert_eq!((&whole["verdict"], &whole["games"]), (&json!("sound"), &json!(150)), "{whole}");
        let state = folder.path().join(name);
        let kept = ["--state", text(&state), "--save-every", "0", "--jobs", "1"];
        let arguments = [&place[..], &kept].concat();
        let child = start(&[&["audit"], &arguments[..]].concat());
        wait(&state, |state| state["done"].as_u64() > Some(1));
        assert_eq!(stop(child, "-KILL"), None);
        let stopped: Value = serde_json::from_slice(&fs::read(&state).unwrap()).unwrap();
        assert!(stopped["done"].as_u64().unwrap() < 150, "it was killed in the middle");
        assert_eq!(report(&arguments), whole, "{name}");
        // It is finished, so nothing is read again.
        let finished = audit(&arguments);
        assert!(err(&finished).contains("this audit has already finished: remove "), "{}", err(&finished));
    }
}

#[test]
fn a_state_of_another_audit_is_refused_and_so_is_what_is_none() {
    let archive = Archive::new(sqlite());
    let (one, state) = (archive.proofs("one.ndjson"), archive.path("state"));
    let other = archive.proofs("other.ndjson");
    let with = |file: &Path, more: &[&str]| audit(&[&[text(file), "--state", text(&state)], more].concat());
    assert_eq!(with(&one, &[]).status.code(), Some(0));
    let key = archive.key();
    for (file, more) in [(&other, &[][..]), (&one, &["--key", &key])] {
        let refused = with(file, more);
        assert_eq!((refused.status.code(), out(&refused).as_str()), (Some(2), ""));
        let said = format!("is the state of another audit, of the export of proofs {}", one.display());
        assert!(err(&refused).contains(&said), "{}", err(&refused));
    }
    let kept = fs::read_to_string(&state).unwrap();
    for (text, said) in [
        (kept.replace("\"version\":2,", "\"version\":1,"), "in the format of another version, 1"),
        ("nonsense".to_owned(), "is not the state of an audit"),
    ] {
        fs::write(&state, &text).unwrap();
        let refused = with(&one, &[]);
        assert!(refused.status.code() == Some(2) && err(&refused).contains(said), "{}", err(&refused));
        assert_eq!(fs::read_to_string(&state).unwrap(), text, "it is left alone");
    }
    // A changed file is another source.
    fs::remove_file(&state).unwrap();
    assert_eq!(with(&one, &[]).status.code(), Some(0));
    fs::OpenOptions::new().append(true).open(&one).unwrap().write_all(b"\n").unwrap();
    assert_eq!(with(&one, &[]).status.code(), Some(2));
    fs::remove_file(&state).unwrap();
    assert_eq!(with(&one, &[]).status.code(), Some(0));
}
