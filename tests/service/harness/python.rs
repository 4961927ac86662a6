//! The examples in Python as commands that run to their end.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Command, Output};

/// Runs a script of this repository; none where there is no Python, which CI does not allow.
pub(crate) fn python(script: &str, arguments: &[&str]) -> Option<Output> {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs python3: run scripts/test");
        // Straight to the stream: libtest does not hold this back.
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED: no python3").unwrap();
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = Command::new("python3").args(["-B", script]).args(arguments).current_dir(root).output();
    Some(run.unwrap())
}
