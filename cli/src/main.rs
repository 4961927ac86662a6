//! The `assam` program: serves the HTTP interface, and processes records.

use std::process::ExitCode;

use clap::Parser;

mod cli;
mod color;
mod convert;
mod database;
mod diagnosis;
mod limits;
mod migrate;
mod output;
mod perft;
mod plies;
mod random;
mod records;
mod remove;
mod serve;
mod setup;
mod show;
mod validate;
mod verify;

/// Serving allocates much and briefly, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::Cli::parse().run()
}
