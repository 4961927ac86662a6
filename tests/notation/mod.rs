//! MKN: what is read, what is refused and where, and how streams are cut.

mod broken;
mod errors;
mod explanations;
mod forms;
mod limits;
mod marrakesh;
mod position;
mod setup_line;
mod splitter;
mod tags;

use assam_notation::{Error, Record, read_record};
use assam_rules::marrakech::Position;

fn read(text: impl AsRef<[u8]>) -> Record<Position> {
    read_record(text)
}

fn error(text: impl AsRef<[u8]>) -> Error {
    read(text).verdict.unwrap_err()
}

/// The rule, line and column of what is wrong.
fn rule_at(text: impl AsRef<[u8]>) -> (&'static str, u32, u32) {
    let error = error(text);
    (error.rule, error.place.line, error.place.column)
}
