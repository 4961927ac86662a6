//! `assam completions`: prints completions for a shell.

use clap::{Args, Command};
use clap_complete::{Shell, generate};

use crate::process::output::{Failure, print};

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum, value_name = "SHELL")]
    shell: Shell,
}

/// Prints the completions of a command line.
///
/// # Errors
/// If standard output cannot be written.
pub fn run(args: &CompletionsArgs, mut command: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    generate(args.shell, &mut command, "assam", &mut script);
    print(&String::from_utf8_lossy(&script))
}
