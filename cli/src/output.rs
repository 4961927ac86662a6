//! The output of commands, and their failures.

use std::io::Write as _;

/// Why a command failed.
pub type Failure = Box<dyn std::error::Error>;

/// Returns whether an error says that the reader of the output has closed it.
pub fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

/// Prints a text.
///
/// # Errors
/// Where standard output cannot be written.
pub fn print(text: &str) -> Result<(), Failure> {
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Prints a line on standard error.
pub fn say(text: &str) {
    // If standard error is closed, there is nowhere to report that.
    let _ = writeln!(std::io::stderr(), "{text}");
}
