//! Players against each other: matches, ladders, the engine protocol, and bots in a service.

mod bots;
mod ladder;
mod matches;
mod protocol;

use std::process::{Command, Output, Stdio};

use crate::documents::root;
use crate::harness::python;

/// The engine of the examples, as a command.
const EXAMPLE: &str = "python3 -B examples/engine.py";

/// Returns the program, run in the root of the repository.
fn program(arguments: &[&str]) -> Command {
    let mut program = Command::new(env!("CARGO_BIN_EXE_assam"));
    program.args(arguments).current_dir(root()).stdin(Stdio::null());
    program
}

/// Runs the program to its end.
fn run(arguments: &[&str]) -> Output {
    program(arguments).output().unwrap()
}

/// Returns whether there is a Python to run the example.
fn has_python() -> bool {
    python("-c", &["pass"]).is_some()
}
