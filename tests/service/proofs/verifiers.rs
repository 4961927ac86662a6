//! The two verifiers as commands: `assam verify`, and the example in Python.

use std::fs;

use serde_json::Value;

use crate::harness;
use crate::harness::{assam, err, out};

/// What `assam verify` says of a proof, with these arguments behind it: on standard output where it is right, else on
/// standard error.
pub(super) fn verify(proof: &str, arguments: &[&str]) -> Result<String, String> {
    let run = assam(&[&["verify", "-"], arguments].concat(), proof);
    match run.status.code() {
        Some(0) if err(&run).is_empty() => Ok(out(&run)),
        Some(1) if out(&run).is_empty() => Err(err(&run)),
        _ => panic!("{run:?}"),
    }
}

/// What verify.py says of proofs, one after another; none where there is no Python.
pub(super) fn python(proofs: &[Value]) -> Option<Vec<Result<String, String>>> {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("proof.json");
    let run = |proof: &Value| {
        fs::write(&file, proof.to_string()).unwrap();
        let run = harness::python("examples/python/verify.py", &[file.to_str().unwrap()])?;
        match run.status.code() {
            Some(0) if err(&run).is_empty() => Some(Ok(out(&run))),
            Some(1) if !err(&run).contains("Traceback") => Some(Err(err(&run))),
            _ => panic!("{run:?}"),
        }
    };
    proofs.iter().map(run).collect()
}
