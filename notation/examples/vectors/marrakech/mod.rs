//! The computed vectors of Marrakech.

mod cuts;
mod fault;
mod positions;
mod signs;

/// Returns the name and text of every file.
pub fn files() -> [(&'static str, String); 3] {
    [("cuts.jsonl", cuts::file()), ("signs.jsonl", signs::file()), ("positions.jsonl", positions::file())]
}
