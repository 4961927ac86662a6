//! The `assam` program: serves the HTTP interface, and processes records.

use std::process::ExitCode;

use clap::Parser;

mod cli;
mod color;
mod convert;
mod crew;
mod database;
mod diagnosis;
mod migrate;
mod output;
mod perft;
mod plies;
mod progress;
mod random;
mod records;
mod remove;
mod serve;
mod setup;
mod sheet;
mod show;
mod tags;
mod validate;
mod verify;

/// Serving allocates much and briefly, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::Cli::parse().run()
}
