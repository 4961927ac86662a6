//! MKN: what is read, what is refused and where, and how streams are cut.

mod boardless;
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
mod vectors;

use assam_notation::{Error, Record, read_record, validate_record};
use assam_rules::marrakech::Position;

/// Reads a record, and sees to it that validating alone says the same.
fn read(text: impl AsRef<[u8]>) -> Record<Position> {
    let record = read_record(&text);
    match validate_record::<Position>(text) {
        Ok(replay) => assert_eq!((Ok(()), record.replay.as_ref()), (record.verdict.clone(), Some(&replay))),
        Err(error) => assert_eq!(record.verdict, Err(error)),
    }
    record
}

fn error(text: impl AsRef<[u8]>) -> Error {
    read(text).verdict.unwrap_err()
}

/// The rule, line and column of what is wrong.
fn rule_at(text: impl AsRef<[u8]>) -> (&'static str, u32, u32) {
    let error = error(text);
    (error.rule, error.place.line, error.place.column)
}
