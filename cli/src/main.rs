//! The `assam` program: serves the HTTP interface, and processes records.

use std::process::ExitCode;

mod archive;
mod cli;
mod database;
mod engine;
mod help;
mod keys;
mod process;
mod proofs;
mod records;
mod remote;
mod serve;

/// Serving makes many short-lived allocations on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    process::environment::parsed::<cli::Cli>().map_or_else(|status| status, cli::Cli::run)
}
