//! The verifiers as commands: `assam verify`, the Python example, and the TypeScript client.

use std::fs;

use serde_json::Value;

use crate::harness;
use crate::harness::{assam, err, installed, out, typescript};

/// Returns the output of `assam verify` for a proof with these arguments: standard output if it is right,
/// otherwise standard error.
pub(in crate::proofs) fn verify(proof: &str, arguments: &[&str]) -> Result<String, String> {
    let run = assam(&[&["verify", "-"], arguments].concat(), proof);
    match run.status.code() {
        Some(0) if err(&run).is_empty() => Ok(out(&run)),
        Some(1) if out(&run).is_empty() => Err(err(&run)),
        _ => panic!("{run:?}"),
    }
}

/// Returns the verdicts of verifiers that share no code with the project on each proof: verify.py if there is
/// Python, and the TypeScript client if it is built.
pub(in crate::proofs) fn independent(proofs: &[Value]) -> Vec<Vec<Result<String, String>>> {
    [python(proofs), in_typescript(proofs)].into_iter().flatten().collect()
}

fn python(proofs: &[Value]) -> Option<Vec<Result<String, String>>> {
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

fn in_typescript(proofs: &[Value]) -> Option<Vec<Result<String, String>>> {
    let script = installed()?.join("examples/verify.mjs");
    let folder = tempfile::tempdir().unwrap();
    let write = |(number, proof): (usize, &Value)| {
        let file = folder.path().join(format!("{number}.json"));
        fs::write(&file, proof.to_string()).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let files: Vec<String> = proofs.iter().enumerate().map(write).collect();
    let run = typescript(&script, &files.iter().map(String::as_str).collect::<Vec<_>>());
    assert!(err(&run).is_empty(), "{}", err(&run));
    let told = out(&run);
    let said = |file: &String| {
        let lines: Vec<&str> = told.lines().filter(|line| line.starts_with(file.as_str())).collect();
        let is_refused = lines[0].starts_with(&format!("{file}: REFUSED: "));
        if is_refused { Err(lines.join("\n")) } else { Ok(lines.join("\n")) }
    };
    Some(files.iter().map(said).collect())
}
