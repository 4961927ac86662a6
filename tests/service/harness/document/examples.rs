//! The examples of responses in the OpenAPI document, recorded here and compared with the service's current
//! answers.

use std::collections::BTreeMap;
use std::sync::LazyLock;
use std::{env, fs};

use regex::Regex;
use serde_json::{Value, json};

use super::operations::operation;
use crate::harness::Answer;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../openapi/examples.json");

/// Values that differ in each game and request: ids, hashes, secrets, times, dice, addresses.
const OTHER_EACH_TIME: [&str; 20] = [
    "(?:PeterNeumann|witness.example/tests) [0-9A-Za-z+/]+=*",
    "[0-9A-Za-z+/]{43}=",
    "\nextra [0-9A-Za-z+/]+=*",
    "[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}",
    "[0-9a-f]{16,}",
    r"\d{4}-\d\d-\d\dT[\d:.]+Z",
    // The public log grows by itself.
    r"\b\d entries\b",
    // The drawn rug.
    "^[rybg]$",
    ";[rybg];-$",
    // The leader after a match of two built-in players.
    "^(?:random|solitaire-ai)$",
    // Rounds of beacons.
    r"\b[5-9]\d{8}\b",
    r"dirhams to seat \d",
    r"game: \w+",
    r"\b(?:[A2-9TJQK][shdc])+\b",
    r"\b[0-6]{6}\b",
    "^[1-6]$",
    // The leader after the dice of a round.
    ";[12];lead;",
    "^[NESW]$",
    r"\b(?:[a-g][1-7])+[NESW]?\b",
    r"\+[1-6](?:\+\w+)*",
];

/// Operation, status and media type, and the name of the example.
type Place = (String, String, String, String);

/// Responses that a test received.
#[derive(Default)]
pub(crate) struct Examples(BTreeMap<Place, Value>);

impl Examples {
    /// Takes a response as an example.
    pub(crate) fn take(&mut self, method: &str, path: &str, name: &str, answer: &Answer) {
        let operation = operation(method, path).unwrap_or_else(|| panic!("{method} {path}"));
        let Some(media) = answer.header("content-type") else { return };
        let media = media.split(';').next().unwrap().to_owned();
        let status = answer.status.to_string();
        let mut keep = |name: String, body| {
            let place = (operation.clone(), status.clone(), media.clone(), name);
            self.0.entry(place).or_insert(body);
        };
        match media.as_str() {
            "application/x-ndjson" => {
                for (line, text) in (1..).zip(answer.text.lines()) {
                    keep(format!("{name}, line {line}"), serde_json::from_str(text).unwrap());
                }
            }
            media if media.ends_with("json") => keep(name.to_owned(), answer.json()),
            _ => keep(name.to_owned(), json!(answer.text)),
        }
    }

    /// Takes one response as an example, and compares it with the recorded one.
    pub(crate) fn check_one(method: &str, path: &str, name: &str, answer: &Answer) {
        let mut examples = Self::default();
        examples.take(method, path, name, answer);
        examples.check();
    }

    /// Returns the places with an example.
    pub(crate) fn places(&self) -> impl Iterator<Item = &Place> {
        self.0.keys()
    }

    /// Compares the taken examples with the recorded ones. With `ASSAM_RECORD=1`, records them.
    pub(crate) fn check(&self) {
        let mut recorded: Value = serde_json::from_str(&fs::read_to_string(FILE).unwrap()).unwrap();
        if env::var("ASSAM_RECORD").is_ok() {
            for ((operation, status, media, name), body) in &self.0 {
                recorded[operation][status][media][name] = body.clone();
            }
            fs::write(FILE, serde_json::to_string_pretty(&recorded).unwrap() + "\n").unwrap();
            return;
        }
        for ((operation, status, media, name), body) in &self.0 {
            let place = format!("{operation} {status} {media} {name}");
            same(&place, &recorded[operation][status][media][name], body);
        }
    }
}

/// Compares two bodies, except for values that always differ.
fn same(place: &str, recorded: &Value, now: &Value) {
    match (recorded, now) {
        (Value::Object(recorded), Value::Object(now)) => {
            let names =
                |members: &serde_json::Map<String, Value>| members.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(recorded), names(now), "{place}: record it again with ASSAM_RECORD=1");
            for (name, value) in now {
                same(&format!("{place}/{name}"), &recorded[name], value);
            }
        }
        (Value::Array(recorded), Value::Array(now)) => {
            let are_empty = (recorded.is_empty(), now.is_empty());
            assert_eq!(are_empty.0, are_empty.1, "{place}: record it again with ASSAM_RECORD=1");
            for (recorded, now) in recorded.iter().zip(now) {
                same(place, recorded, now);
            }
        }
        (Value::String(recorded), Value::String(now)) => {
            assert_eq!(lasting(recorded), lasting(now), "{place}: record it again with ASSAM_RECORD=1");
        }
        (recorded, now) => {
            let kind = |value: &Value| std::mem::discriminant(value);
            assert_eq!(
                kind(recorded),
                kind(now),
                "{place}: {recorded} {now}: record it again with ASSAM_RECORD=1"
            );
        }
    }
}

fn lasting(text: &str) -> String {
    static PATTERNS: LazyLock<Vec<Regex>> =
        LazyLock::new(|| OTHER_EACH_TIME.iter().map(|pattern| Regex::new(pattern).unwrap()).collect());
    PATTERNS.iter().fold(text.to_owned(), |text, pattern| pattern.replace_all(&text, "..").into_owned())
}
