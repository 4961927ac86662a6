//! The `assam` program.

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    assam::commands::Cli::parse().run()
}
