//! Verdicts of `assam verify --inclusion`.

use serde_json::{Value, json};

use super::{KEY, ended_and_running, saved, text};
use crate::harness::{Service, assam, err, out, sqlite};

#[test]
fn assam_verify_says_that_a_game_is_in_the_log_and_finds_a_game_that_is_not_in_it_as_it_is() {
    let backend = sqlite();
    let service = Service::start(&backend);
    let (id, other) = ended_and_running(&service);
    let folder = tempfile::tempdir().unwrap();
    let save = |name: &str, text: &str| saved(&folder, name, text);
    let read = |id: &str, what: &str| service.stranger().get(&format!("/v1/games/{id}/{what}")).text;
    let (proof, inclusion) = (save("proof", &read(&id, "proof")), read(&id, "inclusion"));
    let verify = |inclusion: &str, keys: &[&str]| {
        let file = save("inclusion", inclusion);
        assam(&[&["verify", &proof, "--inclusion", &file], keys].concat(), "")
    };
    let told = verify(&inclusion, &["--key", KEY]);
    assert_eq!(told.status.code(), Some(0), "{}", err(&told));
    for moment in ["start", "end"] {
        let found =
            format!("verified: the {moment} of the game is in the public log of PeterNeumann, at position ");
        assert!(out(&told).contains(&found), "{}", out(&told));
    }
    let told = verify(&inclusion, &[]);
    assert!(out(&told).contains("not verified: who signed the checkpoint"), "{}", out(&told));
    let wrong_key = "PeterNeumann+5ad0e8c5+AYP7sOxB6oDh4nJY3VYI0nzZ0Z0v9oGzT0mpwWzJ5Yyo";
    assert_eq!(verify(&inclusion, &["--key", wrong_key]).status.code(), Some(2), "no key");
    let flip = |text: &str, at: usize| {
        let digit = if &text[at..=at] == "0" { "1" } else { "0" };
        format!("{}{digit}{}", &text[..at], &text[at + 1..])
    };
    let value: Value = serde_json::from_str(&inclusion).unwrap();
    for (what, why) in [
        (text(&value["entries"][0]["salt"]), "start: salt and receipt do not make the entry"),
        (text(&value["entries"][1]["proof"][0]), "end: it is not at position "),
        (text(&value["entries"][1]["entry"]), "end: salt and receipt do not make the entry"),
        ("PeterNeumann\\n3\\n", "none of the keys has signed the checkpoint"),
    ] {
        let at = inclusion.find(what).unwrap();
        let at = if what.contains("\\n3") { at + 14 } else { at };
        let told = verify(&flip(&inclusion, at), &["--key", KEY]);
        assert_eq!(told.status.code(), Some(1), "{what}");
        assert!(err(&told).contains(why), "{why}: {}", err(&told));
    }
    // A pending end, or a missing one.
    for (change, why) in [
        (json!({"position": null, "proof": null}), "end: it is not in the public log yet"),
        (Value::Null, "end: it has no place in the public log"),
    ] {
        let mut other = value.clone();
        match change.as_object() {
            Some(change) => other["entries"][1].as_object_mut().unwrap().extend(change.clone()),
            None => drop(other["entries"].as_array_mut().unwrap().pop()),
        }
        let told = verify(&other.to_string(), &["--key", KEY]);
        assert_eq!(told.status.code(), Some(1), "{}", out(&told));
        assert!(err(&told).contains(why), "{}", err(&told));
    }
    // A key must have signed the end.
    let mut unsigned: Value = serde_json::from_str(&read(&id, "proof")).unwrap();
    unsigned["receipt"] = Value::Null;
    let told = assam(&["verify", "-", "--key", KEY], &unsigned.to_string());
    assert_eq!(told.status.code(), Some(1), "{}", out(&told));
    let why = "the game is over, but the proof does not have the signed receipt of its end";
    assert!(err(&told).contains(why), "{}", err(&told));
    // The one of another game, and an end in place of a start.
    let told = verify(&read(&other, "inclusion"), &["--key", KEY]);
    assert!(
        told.status.code() == Some(1) && err(&told).contains("start: game: the service stated"),
        "{}",
        err(&told)
    );
    let swapped =
        inclusion.replace("\"start\"", "\"x\"").replace("\"end\"", "\"start\"").replace("\"x\"", "\"end\"");
    let told = verify(&swapped, &["--key", KEY]);
    assert!(
        told.status.code() == Some(1) && err(&told).contains("it opens to another receipt"),
        "{}",
        err(&told)
    );
}
