//! The output of commands, and their failures.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::process::input::escaped;

/// Why a command failed.
pub type Failure = Box<dyn std::error::Error>;

/// Returns whether an error means that the reader closed the output.
pub fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns the exit status of a command, and reports a failure.
pub fn ended(outcome: Result<(), Failure>, say: impl FnOnce(&str)) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    // A reader that closes the pipe has seen enough.
    if !is_broken_pipe(&*failure) {
        say(&failure.to_string());
    }
    if failure.is::<io::Error>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Returns a number with its noun: "1 game", "2 games".
pub fn amount(number: u64, of_one: &str, of_more: &str) -> String {
    format!("{number} {}", if number == 1 { of_one } else { of_more })
}

/// Reports a failure on standard error, on one line. Escapes controls, since file names and responses may
/// contain anything.
pub fn say_failed(why: &str) {
    let lines: Vec<String> = why.split('\n').map(escaped).collect();
    say(&format!("assam: {}", lines.join("\n")));
}

/// Prints a text.
///
/// # Errors
/// If standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    // Otherwise buffered text could be lost silently.
    Ok(out.flush()?)
}

/// Prints a line on standard error.
pub fn say(text: &str) {
    // If standard error is closed, the error cannot be reported anywhere.
    let _ = writeln!(io::stderr(), "{text}");
}
