//! The `assam` program and the Python examples, as commands that run to their end.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Starts the program with pipes on all sides. It avoids the default port and file, which may belong to a
/// service running next to the tests.
pub(crate) fn start(arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_assam"))
        .args(arguments)
        .env_clear()
        .env("ASSAM_LISTEN", "127.0.0.1:0")
        .env("ASSAM_DATABASE", "a test names its database")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Runs the program to its end.
pub(crate) fn assam(arguments: &[&str], input: &str) -> Output {
    let mut child = start(arguments);
    // A wrongly called program does not read its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// Returns its standard output.
pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// Returns its standard error.
pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Runs a script of this repository. Returns `None` without Python, which CI does not allow.
pub(crate) fn python(script: &str, arguments: &[&str]) -> Option<Output> {
    if Command::new("python3").arg("--version").output().is_err() {
        assert!(!env::var("CI").is_ok_and(|ci| ci == "true"), "CI needs python3: run scripts/test");
        // Straight to the stream, as libtest does not hold this back.
        let mut stream = io::stderr();
        writeln!(stream, "SKIPPED: no python3").unwrap();
        return None;
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let run = Command::new("python3").args(["-B", script]).args(arguments).current_dir(root).output();
    Some(run.unwrap())
}
