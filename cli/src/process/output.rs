//! The output of commands, and their failures.

use std::io::{self, Write as _};
use std::process::ExitCode;

use crate::process::input::escaped;

/// Why a command failed.
pub type Failure = Box<dyn std::error::Error>;

/// Returns whether an error says that the reader of the output has closed it.
pub fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

/// Returns the exit status of a command; says why it failed.
pub fn ended(outcome: Result<(), Failure>, say: impl FnOnce(&str)) -> ExitCode {
    let Err(failure) = outcome else { return ExitCode::SUCCESS };
    // A reader that closes the pipe has seen enough.
    if !is_broken_pipe(&*failure) {
        say(&failure.to_string());
    }
    if failure.is::<io::Error>() { ExitCode::from(2) } else { ExitCode::FAILURE }
}

/// Returns a number with what it counts: "1 game", "2 games".
pub fn amount(number: u64, of_one: &str, of_more: &str) -> String {
    format!("{number} {}", if number == 1 { of_one } else { of_more })
}

/// Says on standard error why a command failed. Names of files and what a service says may hold anything; lines stay lines.
pub fn say_failed(why: &str) {
    let lines: Vec<String> = why.split('\n').map(escaped).collect();
    say(&format!("assam: {}", lines.join("\n")));
}

/// Prints a text.
///
/// # Errors
/// Where standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    // What the stream holds back would be lost without a word.
    Ok(out.flush()?)
}

/// Prints a line on standard error.
pub fn say(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(io::stderr(), "{text}");
}
