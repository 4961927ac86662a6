//! The `assam` program: serves the HTTP interface, and processes records.

use std::process::ExitCode;

mod abort;
mod audit;
mod backup;
mod beacons;
mod cli;
mod completions;
mod convert;
mod database;
mod database_url;
mod diagnosis;
mod doctor;
mod environment;
mod examples;
mod export;
mod import;
mod inclusion;
mod interruption;
mod key;
mod keys;
mod limits;
mod listen;
mod log;
mod log_tiles;
mod look;
mod man;
mod migrate;
mod numbered_record;
mod output;
mod output_file;
mod output_path;
mod parallel_records;
mod perft;
mod plies;
mod pool;
mod progress;
mod proxy;
mod random;
mod ratings;
mod receipts;
mod records;
mod remote;
mod remote_args;
mod remove;
mod restore;
mod serve;
mod setup;
mod sheet;
mod show;
mod signals;
mod stats;
mod suggested;
mod tags;
mod traces;
mod transfer;
mod validate;
mod verify;
mod witness;
mod witnesses;

/// Serving allocates much and briefly, on several threads.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    environment::parsed::<cli::Cli>().map_or_else(|status| status, cli::Cli::run)
}
