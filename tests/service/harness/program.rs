//! The `assam` program, and the examples in Python, as commands that run to their end.

use std::env;
use std::io::{self, Write};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

/// Starts the program with pipes on all sides. It takes neither the port nor the file that are its defaults: those are of
/// the service that someone runs here next to the tests.
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
    // A program that was called wrongly does not wait for its input.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

/// What it said on standard output.
pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// What it said on standard error.
pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

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
