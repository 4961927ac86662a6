//! The published vectors as they stand: records, and a position line's position after every word.

use serde_json::Value;

const FILES: [&str; 4] = [
    include_str!("../../../notation/vectors/marrakech/default-2.jsonl"),
    include_str!("../../../notation/vectors/marrakech/default-3.jsonl"),
    include_str!("../../../notation/vectors/marrakech/default-4.jsonl"),
    include_str!("../../../notation/vectors/marrakech/options.jsonl"),
];

const MATCHES: [&str; 3] = [
    include_str!("../../../notation/vectors/marrakesh/default.jsonl"),
    include_str!("../../../notation/vectors/marrakesh/options.jsonl"),
    include_str!("../../../notation/vectors/marrakesh/round.jsonl"),
];

/// Every vector of Marrakech, as JSON.
pub(crate) fn vectors() -> impl Iterator<Item = Value> {
    FILES.into_iter().flat_map(str::lines).map(|line| serde_json::from_str(line).unwrap())
}

/// Every match of the vectors of Marrakesh.
pub(crate) fn matches() -> impl Iterator<Item = Value> {
    MATCHES.into_iter().flat_map(str::lines).map(|line| serde_json::from_str(line).unwrap())
}

/// The record of every vector, one after another.
pub(crate) fn records() -> String {
    let records = vectors().map(|vector| vector["record"].as_str().unwrap().to_owned());
    records.collect::<Vec<_>>().join("\n")
}
