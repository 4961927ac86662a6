//! MKN: what is read, what is refused and where, and how streams are split.

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

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use assam_notation::{Error, Record, read_record, validate_record};
use assam_rules::marrakech::Position;

/// Reads a record, and checks that validation alone gives the same result.
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

/// Returns the rule, line and column of an error.
fn rule_at(text: impl AsRef<[u8]>) -> (&'static str, u32, u32) {
    let error = error(text);
    (error.rule, error.place.line, error.place.column)
}

/// Returns the path of a file or folder of the notation crate.
fn crate_file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../notation").join(name)
}

/// Returns the error identifiers in the sources at these paths, each a file or the files directly in a
/// folder.
fn identifiers(paths: &[&str]) -> BTreeSet<String> {
    let mut files = Vec::new();
    for path in paths.iter().map(|path| crate_file(path)) {
        if path.is_dir() {
            files.extend(fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path()));
        } else {
            files.push(path);
        }
    }
    files.retain(|file| file.extension().is_some_and(|extension| extension == "rs"));
    let sources = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let literals = |source: String| source.split('"').map(str::to_owned).collect::<Vec<_>>();
    sources.flat_map(literals).filter(|literal| literal.starts_with("notation.")).collect()
}

/// Returns the identifiers on a page, each in full or by its last part after another one in the same line.
fn told(page: &str) -> BTreeSet<String> {
    let mut told = BTreeSet::new();
    for line in fs::read_to_string(crate_file(page)).unwrap().lines() {
        let mut family = None;
        for name in line.split('`').skip(1).step_by(2) {
            if name.starts_with("notation.") {
                family = name.rsplit_once('.').map(|(family, _)| family);
                told.insert(name.to_owned());
            } else if let (Some(family), Some(last)) = (family, name.strip_prefix('.')) {
                told.insert(format!("{family}.{last}"));
            }
        }
    }
    told
}
