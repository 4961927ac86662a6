//! The `assam` program: serves the HTTP interface, and processes records.

use std::process::ExitCode;

use clap::Parser;

mod abort;
mod audit;
mod backup;
mod beacons;
mod cli;
mod completions;
mod convert;
mod crew;
mod database;
mod diagnosis;
mod doctor;
mod examples;
mod export;
mod found;
mod import;
mod inclusion;
mod key;
mod keys;
mod limits;
mod listen;
mod log;
mod log_tiles;
mod look;
mod man;
mod migrate;
mod output;
mod output_file;
mod perft;
mod plies;
mod progress;
mod random;
mod ratings;
mod receipts;
mod records;
mod remote;
mod remove;
mod restore;
mod serve;
mod setup;
mod shares;
mod sheet;
mod show;
mod stats;
mod suggested;
mod tags;
mod traces;
mod transfer;
mod validate;
mod verify;
mod witness;

/// Serving allocates much and briefly, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    cli::Cli::parse().run()
}
