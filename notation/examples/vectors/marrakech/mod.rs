//! The vectors of Marrakech that are computed.

mod cuts;
mod positions;

/// Name and text of every file.
pub fn files() -> [(&'static str, String); 2] {
    [("cuts.jsonl", cuts::file()), ("positions.jsonl", positions::file())]
}
