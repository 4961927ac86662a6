//! The commands of the command line.

use std::process::ExitCode;

use assam_api::http::document;
use clap::{CommandFactory as _, Parser, Subcommand};

use crate::archive::audit::{self, AuditArgs};
use crate::archive::export::{self, ExportArgs};
use crate::archive::import::{self, ImportArgs};
use crate::database::abort::{self, AbortArgs};
use crate::database::backup::{self, BackupArgs};
use crate::database::doctor::{self, DoctorArgs};
use crate::database::migrate::{self, MigrateArgs};
use crate::database::ratings::{self, RatingsArgs};
use crate::database::remove::{self, RemoveArgs};
use crate::database::restore::{self, RestoreArgs};
use crate::help::completions::{self, CompletionsArgs};
use crate::help::examples;
use crate::help::man::{self, ManArgs};
use crate::keys;
use crate::keys::command::KeyCommand;
use crate::process::output::{ended, print, say_failed};
use crate::proofs::verify::{self, VerifyArgs};
use crate::proofs::witness::{self, WitnessArgs};
use crate::records::convert::{self, ConvertArgs};
use crate::records::perft::{self, PerftArgs};
use crate::records::random::{self, RandomArgs};
use crate::records::show::{self, ShowArgs};
use crate::records::stats::{self, StatsArgs};
use crate::records::validate::{self, ValidateArgs};
use crate::serve::{self, ServeArgs};

/// An open game-record service for Marrakech and Marrakesh: one append-only log per game, replayed through the rules
#[derive(Parser)]
#[command(name = "assam", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Without a command, `assam` runs `assam serve`. Exit status: 0 for success, 1 for failure or refusal, 2 for wrong usage or failed input or output."
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
    ///
    /// Creates a missing database, and brings an existing one up to date. SIGTERM and Ctrl-C stop it once
    /// running requests are done.
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Bring the database up to date, then exit
    ///
    /// `assam serve` does this too. Creates a missing SQLite file, and leaves an up-to-date database
    /// unchanged.
    #[command(after_help = examples::MIGRATE)]
    Migrate(MigrateArgs),
    /// Check a database and report what its operator should know
    ///
    /// Reports what the database server provides and lacks, how the service makes up for it, and what could
    /// be lost or read by others. Changes nothing. Reads an SQLite file to its end. Exit status: 0 if nothing
    /// is bad, 1 if something is, 2 if the database cannot be read.
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    /// Write all games of a database into one file while it is served
    ///
    /// The file holds everything as of one moment, including secrets: protect it like the database. Every
    /// game in it is replayed and its chain recomputed. Exit status: 0 if all games are sound, 1 if any is
    /// not (the file has it, unchanged), 2 if there is no backup.
    #[command(after_help = examples::BACKUP)]
    Backup(BackupArgs),
    /// Restore a backup into an empty database, SQLite or PostgreSQL
    ///
    /// Replays every game first and recomputes its chain. Restores nothing if a game is not sound or the
    /// database has games. Exit status: 0 if all was restored, 1 if it was refused, 2 if something cannot be
    /// read or written.
    #[command(after_help = examples::RESTORE)]
    Restore(RestoreArgs),
    /// Recompute ratings from the logs and compare them
    ///
    /// Ratings, results and scores of players follow from the logs of public games. With --again, the
    /// computed values replace the stored ones. Exit status: 0 if they are the same, 1 if not.
    #[command(after_help = examples::RATINGS)]
    Ratings(RatingsArgs),
    /// End running games without a result, and remove games that have not started
    ///
    /// A running game gets the word `!abort`, which every process shows within a second. Use this after a
    /// restore that lost plies: games that continue would draw the same dice and cards again, and their
    /// players already know them. Exit status: 0 if all games were aborted, over, or only listed by
    /// `--dry-run`, 1 if one does not exist or has not started, or the database fails, 2 if the output fails.
    #[command(after_help = examples::ABORT)]
    Abort(AbortArgs),
    /// Hide a game from everyone, and publish a reason
    ///
    /// Requests for the game get the reason, in every process within a second. Names and tags are erased. The
    /// log and head stay in the database. A record with the same words is not imported again.
    #[command(after_help = examples::REMOVE)]
    Remove(RemoveArgs),
    /// Create, rotate and list the keys that sign receipts
    ///
    /// A receipt is a signed note (c2sp.org/signed-note) with a statement of the service about a game. `assam
    /// verify` checks receipts.
    #[command(arg_required_else_help = true, after_help = examples::KEY)]
    Key(KeyCommand),
    /// Add finished records to a database or a service
    ///
    /// Records that are already there change nothing, so an interrupted import can be repeated. Exit status:
    /// 0 if all records are good, 1 if any is refused, 2 if something cannot be read or written.
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Write the public games of a database or a service
    ///
    /// Takes the parameters of `GET /v1/export`. Exit status: 0 if all games were written, 1 if the query is
    /// refused, 2 if something cannot be read or written.
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Replay records and show what is wrong with them
    ///
    /// Shows each refused record the way compilers show errors, in input order, then counts all records. Uses
    /// all cores and constant memory. Exit status: 0 if all are good, 1 if any is refused, 2 if something
    /// cannot be read.
    #[command(after_help = examples::VALIDATE)]
    Validate(ValidateArgs),
    /// Verify the heads and the chance of a game from its proof
    ///
    /// Reads proofs from `GET /v1/games/{id}/proof`, and lists what was verified and what could not be. Exit
    /// status: 0 if all proofs are correct, 1 if any is not, 2 if something cannot be read.
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Watch the public log of a service, and cosign it
    ///
    /// Checks that the log begins with everything cosigned before, adds a cosignature
    /// (c2sp.org/tlog-cosignature) to its checkpoint, and prints it. Run it regularly, best on a machine that
    /// is not the service's. Exit status: 0 if the log was cosigned, 1 if it is refused, 2 if it cannot be
    /// reached or a file cannot be used.
    #[command(after_help = examples::WITNESS)]
    Witness(WitnessArgs),
    /// Check every game of an archive, and report every fault
    ///
    /// Replays every game of a database, a backup, an export of proofs or a service, and checks its heads,
    /// its chance and who signed its end. Records are only replayed. The report lists what was verified, what
    /// was not and why, and every fault. Exit status: 0 if everything that was checked is sound, 1 if there
    /// is a fault, 2 if something cannot be read, 130 after Ctrl-C or SIGTERM.
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Show a position of a record in the terminal
    ///
    /// For an invalid record, shows the position before the error, and the error. Exit status: 0 if the
    /// position was shown, 1 if the record is refused or has no such ply, 2 if the file cannot be read.
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Write records in another form
    ///
    /// Converts record by record, in constant memory. Leaves out refused records, and shows them on standard
    /// error. Exit status: 0 if all records are good, 1 if any is refused, 2 if something cannot be read or
    /// written.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Compute statistics of records
    ///
    /// Counts, for every rule set and number of seats, how often each seat came first. Also shows the means
    /// and frequencies of the columns that `assam convert` writes for games and plies. Exit status: 0 if all
    /// records are good, 1 if any is refused, 2 if something cannot be read or written.
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Play random games and write their records
    ///
    /// Draws each decision from the legal ones with equal probability. The same arguments give the same
    /// games.
    #[command(after_help = examples::RANDOM)]
    Random(RandomArgs),
    /// Count the lines that the rules allow after each number of decisions
    ///
    /// Counts every distinct outcome of the chance that decisions trigger. A line ends with the game, or at
    /// chance with too many outcomes to list.
    #[command(after_help = examples::PERFT)]
    Perft(PerftArgs),
    /// Print the OpenAPI document
    ///
    /// This is the JSON document that a service shows at `/docs`.
    #[command(after_help = examples::OPENAPI)]
    Openapi,
    /// Print shell completions of commands, flags, values and files
    ///
    /// Load the output into your shell now, or whenever it starts.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    ///
    /// The pages have the texts of `--help`.
    #[command(after_help = examples::MAN)]
    Man(ManArgs),
}

impl Cli {
    /// Runs the command.
    pub fn run(self) -> ExitCode {
        let result = match self.command {
            None => return serve::run(&self.serve),
            Some(Command::Serve(args)) => return serve::run(&args),
            Some(Command::Migrate(args)) => migrate::run(&args),
            Some(Command::Doctor(args)) => return doctor::run(&args),
            Some(Command::Backup(args)) => return backup::run(&args),
            Some(Command::Restore(args)) => return restore::run(&args),
            Some(Command::Ratings(args)) => ratings::run(&args),
            Some(Command::Abort(args)) => abort::run(&args),
            Some(Command::Remove(args)) => remove::run(&args),
            Some(Command::Key(args)) => keys::command::run(&args),
            Some(Command::Import(args)) => return import::run(&args),
            Some(Command::Export(args)) => return export::run(&args),
            Some(Command::Validate(args)) => return validate::run(&args),
            Some(Command::Verify(args)) => return verify::run(&args),
            Some(Command::Witness(args)) => return witness::run(&args),
            Some(Command::Audit(args)) => return audit::run(&args),
            Some(Command::Show(args)) => return show::run(&args),
            Some(Command::Convert(args)) => return convert::run(&args),
            Some(Command::Stats(args)) => return stats::run(&args),
            Some(Command::Random(args)) => random::run(&args),
            Some(Command::Perft(args)) => perft::run(&args),
            Some(Command::Openapi) => print(&document::text()),
            Some(Command::Completions(args)) => completions::run(&args, Self::command()),
            Some(Command::Man(args)) => man::run(&args, Self::command()),
        };
        ended(result, say_failed)
    }
}
