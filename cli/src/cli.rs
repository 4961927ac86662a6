//! The command line, and its commands.

use std::process::ExitCode;

use assam_api::http::document;
use clap::{Parser, Subcommand};

use crate::convert::ConvertArgs;
use crate::database::DatabaseArgs;
use crate::export::ExportArgs;
use crate::import::ImportArgs;
use crate::output::{ended, print, say_failed};
use crate::perft::PerftArgs;
use crate::random::RandomArgs;
use crate::remove::RemoveArgs;
use crate::serve::ServeArgs;
use crate::show::ShowArgs;
use crate::stats::StatsArgs;
use crate::validate::ValidateArgs;
use crate::verify::VerifyArgs;
use crate::{convert, export, import, migrate, perft, random, remove, serve, show, stats, validate, verify};

/// An open game-record service for Marrakech and Marrakesh: one append-only log per game, replayed through the rules
#[derive(Parser)]
#[command(name = "assam", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Without a command, `assam` serves. Exit status: 0 success, 1 failure or refusal, 2 wrong usage, or input or output that failed."
)]
pub struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    serve: ServeArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Serve the HTTP interface (the default)
    Serve(ServeArgs),
    /// Bring the database up to date, then exit
    Migrate(DatabaseArgs),
    /// Hide a game from everybody, for a reason
    ///
    /// Whoever asks for the game is told the reason, in every process within a second. Its names and tags are erased; its log and
    /// head stay in the database, and a record with the same words is not imported again.
    Remove(RemoveArgs),
    /// Add finished records to a database or a service
    ///
    /// Records that are there already change nothing, so an import that broke off may be repeated. Exit status: 0 if all
    /// records are good, 1 if any is refused, 2 if anything cannot be read or written.
    Import(ImportArgs),
    /// Write the public games of a database or a service
    ///
    /// Takes what `GET /v1/export` takes. Exit status: 0 if all games were written, 1 if the query is refused, 2 if anything
    /// cannot be read or written.
    Export(ExportArgs),
    /// Replay records and show what is wrong with them
    ///
    /// Shows each refused record as compilers show errors, then counts all records. Exit status: 0 if all are good, 1
    /// if any is refused, 2 if anything cannot be read.
    Validate(ValidateArgs),
    /// Recompute a game's heads and its chance from its proof
    ///
    /// Reads proofs from `GET /v1/games/{id}/proof`, and lists what was verified and what could not be. Exit status: 0
    /// if all proofs are correct, 1 if any is not, 2 if anything cannot be read.
    Verify(VerifyArgs),
    /// Show a position of a record in the terminal
    ///
    /// For an invalid record, shows the position before the error, and the error. Exit status: 0 if the position was
    /// shown, 1 if the record is refused or has no such ply, 2 if the file cannot be read.
    Show(ShowArgs),
    /// Write records in another form
    ///
    /// Converts one record after another, in constant memory. A refused record is left out, and shown on standard
    /// error. Exit status: 0 if all records are good, 1 if any is refused, 2 if anything cannot be read or written.
    Convert(ConvertArgs),
    /// Count what stands in records
    ///
    /// Tells, for every rule set and number of seats, how often each seat was first, and means and frequencies of the columns
    /// that `assam convert` has for games and plies. Exit status: 0 if all records are good, 1 if any is refused, 2 if
    /// anything cannot be read or written.
    Stats(StatsArgs),
    /// Play games at random and write their records
    ///
    /// Each decision is drawn from the legal ones with equal probability.
    Random(RandomArgs),
    /// Count the lines that the rules allow after each number of decisions
    ///
    /// Counts every distinct outcome of the chance that decisions trigger. A line is not extended beyond the end of the
    /// game, or beyond chance that has too many outcomes to list.
    Perft(PerftArgs),
    /// Print the OpenAPI document
    Openapi,
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> ExitCode {
        let result = match self.command {
            None => return serve::run(&self.serve),
            Some(Command::Serve(args)) => return serve::run(&args),
            Some(Command::Migrate(args)) => migrate::run(&args),
            Some(Command::Remove(args)) => remove::run(&args),
            Some(Command::Import(args)) => return import::run(&args),
            Some(Command::Export(args)) => return export::run(&args),
            Some(Command::Validate(args)) => return validate::run(&args),
            Some(Command::Verify(args)) => return verify::run(&args),
            Some(Command::Show(args)) => return show::run(&args),
            Some(Command::Convert(args)) => return convert::run(&args),
            Some(Command::Stats(args)) => return stats::run(&args),
            Some(Command::Random(args)) => random::run(&args),
            Some(Command::Perft(args)) => perft::run(&args),
            Some(Command::Openapi) => print(&document::text()),
        };
        ended(result, say_failed)
    }
}
