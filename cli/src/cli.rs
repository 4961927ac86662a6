//! The command line, and its commands.

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
    ///
    /// Creates the database if it is missing, and brings it up to date. SIGTERM and Ctrl-C end it once running requests are done.
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Bring the database up to date, then exit
    ///
    /// `assam serve` does so, too. An SQLite file is created if it is missing; what is up to date stays as it is.
    #[command(after_help = examples::MIGRATE)]
    Migrate(MigrateArgs),
    /// Look at a database, and say what whoever runs it should know
    ///
    /// It says what the server does and lacks, what the service does instead, and what would be lost or read by others. Nothing is changed; an SQLite file is
    /// read to its end. Exit status: 0 if nothing is bad, 1 if something is, 2 if the database cannot be read.
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    /// Write all games of a database into one file, while it is served
    ///
    /// The file holds everything as of one moment, secrets too: keep it as you keep the database. Every game in it is
    /// replayed, and its chain computed anew. Exit status: 0 if all games are sound, 1 if any is not (it is in the file as it
    /// is), 2 if there is no backup.
    #[command(after_help = examples::BACKUP)]
    Backup(BackupArgs),
    /// Put a backup into an empty database, of either kind
    ///
    /// Every game is replayed first, and its chain computed anew. Nothing is restored where a game is not sound, or where the
    /// database has games. Exit status: 0 if all was restored, 1 if it was refused, 2 if anything cannot be read or written.
    #[command(after_help = examples::RESTORE)]
    Restore(RestoreArgs),
    /// Compute ratings again from the logs, and compare them
    ///
    /// Ratings, results and scores of players follow from the logs of public games. They are compared with those that the service keeps, or,
    /// with --again, put in their place. Exit status: 0 if they are the same, 1 if not.
    #[command(after_help = examples::RATINGS)]
    Ratings(RatingsArgs),
    /// End running games without a result, and remove those that have not started
    ///
    /// A game that runs gets the word `!abort`, and every process shows that within a second. After a restore that lost plies, games that went on
    /// would draw the same dice and cards again, which their players know already. Exit status: 0 if each game was aborted,
    /// was over before, or is named by `--dry-run`; 1 if one is not there or has not started, or the database fails; 2 if the output fails.
    #[command(after_help = examples::ABORT)]
    Abort(AbortArgs),
    /// Hide a game from everybody, for a reason
    ///
    /// Anyone who asks for the game is told the reason, in every process within a second. Its names and tags are erased; its log and
    /// head stay in the database, and a record with the same words is not imported again.
    #[command(after_help = examples::REMOVE)]
    Remove(RemoveArgs),
    /// Make, change and list the keys that sign receipts
    ///
    /// A receipt is what the service states about a game, as a signed note (c2sp.org/signed-note). `assam verify` reads them.
    #[command(arg_required_else_help = true, after_help = examples::KEY)]
    Key(KeyCommand),
    /// Add finished records to a database or a service
    ///
    /// Records that are there already change nothing, so an import that broke off may be repeated. Exit status: 0 if all
    /// records are good, 1 if any is refused, 2 if anything cannot be read or written.
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Write the public games of a database or a service
    ///
    /// Takes what `GET /v1/export` takes. Exit status: 0 if all games were written, 1 if the query is refused, 2 if anything
    /// cannot be read or written.
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Replay records and show what is wrong with them
    ///
    /// Shows each refused record as compilers show errors, in the order of the input, then counts all records. Uses all cores; its memory does not grow with
    /// the input. Exit status: 0 if all are good, 1 if any is refused, 2 if anything cannot be read.
    #[command(after_help = examples::VALIDATE)]
    Validate(ValidateArgs),
    /// Recompute a game's heads and its chance from its proof
    ///
    /// Reads proofs from `GET /v1/games/{id}/proof`, and lists what was verified and what could not be. Exit status: 0
    /// if all proofs are correct, 1 if any is not, 2 if anything cannot be read.
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Watch the public log of a service, and cosign it
    ///
    /// Checks that the log begins with everything that was cosigned before, adds a cosignature to its checkpoint
    /// (c2sp.org/tlog-cosignature), and prints it. Run it again and again, best on a machine that is not the service's. Exit status:
    /// 0 if the log was cosigned, 1 if it is refused, 2 if it cannot be reached or a file cannot be used.
    #[command(after_help = examples::WITNESS)]
    Witness(WitnessArgs),
    /// Go over a whole archive, and say whether everything in it is what it must be
    ///
    /// Every game of a database, a backup, an export of proofs or a service is replayed, and its heads, its chance, and who signed its
    /// end are checked; records are replayed. The report says what was verified, what was not and why, and every fault. Exit status: 0
    /// if everything that was checked is sound, 1 if there is a fault, 2 if not all can be read, 130 if it was stopped by Ctrl-C or
    /// SIGTERM.
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Show a position of a record in the terminal
    ///
    /// For an invalid record, shows the position before the error, and the error. Exit status: 0 if the position was
    /// shown, 1 if the record is refused or has no such ply, 2 if the file cannot be read.
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Write records in another form
    ///
    /// Converts one record after another, in constant memory. A refused record is left out, and shown on standard
    /// error. Exit status: 0 if all records are good, 1 if any is refused, 2 if anything cannot be read or written.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Count what stands in records
    ///
    /// Tells, for every rule set and number of seats, how often each seat was first, and means and frequencies of the columns
    /// that `assam convert` has for games and plies. Exit status: 0 if all records are good, 1 if any is refused, 2 if
    /// anything cannot be read or written.
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Play games at random and write their records
    ///
    /// Each decision is drawn from the legal ones with equal probability. The same arguments give the same games.
    #[command(after_help = examples::RANDOM)]
    Random(RandomArgs),
    /// Count the lines that the rules allow after each number of decisions
    ///
    /// Counts every distinct outcome of the chance that decisions trigger. A line is not extended beyond the end of the
    /// game, or beyond chance that has too many outcomes to list.
    #[command(after_help = examples::PERFT)]
    Perft(PerftArgs),
    /// Print the OpenAPI document
    ///
    /// It is JSON, and the one that the service shows at `/docs`.
    #[command(after_help = examples::OPENAPI)]
    Openapi,
    /// Print what makes a shell complete commands, flags, values and files
    ///
    /// The shell must load what is printed, now or whenever it starts; how depends on the shell.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    ///
    /// The pages say what `--help` says.
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
