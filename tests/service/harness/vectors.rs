//! The published vectors: records, and position lines with the position after every word.

use serde_json::Value;

const FILES: [&str; 4] = [
    include_str!("../../../notation/vectors/marrakech/default-2.jsonl"),
    include_str!("../../../notation/vectors/marrakech/default-3.jsonl"),
    include_str!("../../../notation/vectors/marrakech/default-4.jsonl"),
    include_str!("../../../notation/vectors/marrakech/options.jsonl"),
];

const MATCHES: [&str; 2] = [
    include_str!("../../../notation/vectors/marrakesh/default.jsonl"),
    include_str!("../../../notation/vectors/marrakesh/options.jsonl"),
];

const ROUND: &str = include_str!("../../../notation/vectors/marrakesh/round.jsonl");
const MASKED: &str = include_str!("../../../notation/vectors/marrakesh/masked.jsonl");

fn rows(file: &'static str) -> impl Iterator<Item = Value> {
    file.lines().map(|line| serde_json::from_str(line).unwrap())
}

/// Returns every vector of Marrakech as JSON.
pub(crate) fn vectors() -> impl Iterator<Item = Value> {
    FILES.into_iter().flat_map(rows)
}

/// Returns every whole match of the vectors of Marrakesh.
pub(crate) fn matches() -> impl Iterator<Item = Value> {
    MATCHES.into_iter().flat_map(rows)
}

/// Returns the worked round of the rules of Marrakesh.
pub(crate) fn round() -> Value {
    rows(ROUND).next().unwrap()
}

/// Returns records of Marrakesh masked for each viewer.
pub(crate) fn masked() -> impl Iterator<Item = Value> {
    rows(MASKED)
}

/// Returns the records of all vectors of Marrakech, one after another.
pub(crate) fn records() -> String {
    let records = vectors().map(|vector| vector["record"].as_str().unwrap().to_owned());
    records.collect::<Vec<_>>().join("\n")
}
