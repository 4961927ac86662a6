//! The `assam` program as a command that runs to its end.

use std::io::Write;
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
