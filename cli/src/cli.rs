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
use crate::engine::bot::{self, BotArgs};
use crate::engine::ladder::{self, LadderArgs};
use crate::engine::matches::{self, MatchArgs};
use crate::engine::server;
use crate::help::completions::{self, CompletionsArgs};
use crate::help::examples;
use crate::help::man::{self, ManArgs};
use crate::keys;
use crate::keys::command::KeyCommand;
use crate::process::output::{ended, print, say_failed};
use crate::proofs::verify::{self, VerifyArgs};
use crate::proofs::witness::{self, WitnessArgs};
use crate::records::analyse::{self, AnalyseArgs};
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
    after_help = "Without a command, `assam` runs `assam serve`. Exit status: 0 for success, 1 for failure or refusal, 2 if the command line is wrong or input or output fails."
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
    /// Creates a missing SQLite file, and brings an existing database up to date. After SIGTERM or Ctrl-C,
    /// finishes running requests and then exits.
    #[command(after_help = examples::SERVE)]
    Serve(ServeArgs),
    /// Bring the database up to date, then exit
    ///
    /// `assam serve` does the same when it starts. Creates a missing SQLite file, and leaves an up-to-date
    /// database unchanged.
    #[command(after_help = examples::MIGRATE)]
    Migrate(MigrateArgs),
    /// Check a database and report what its operator should know
    ///
    /// Reports which features the database server has and lacks, how the service makes up for missing ones,
    /// and which data could be lost or read by others. Changes nothing. Reads an SQLite file from beginning
    /// to end. Exit status: 0 if it finds nothing bad, 1 if it does, 2 if it cannot read the database.
    #[command(after_help = examples::DOCTOR)]
    Doctor(DoctorArgs),
    /// Write all games in a database to one file, even while a service is using it
    ///
    /// The file contains everything as of one moment, including secrets: protect it as you protect the
    /// database. To verify the backup, replays every game and recomputes its hash chain. Exit status: 0 if
    /// all games are sound, 1 if any is damaged (the file contains it unchanged), 2 if no backup was written.
    #[command(after_help = examples::BACKUP)]
    Backup(BackupArgs),
    /// Restore a backup into an empty database, SQLite or PostgreSQL
    ///
    /// First replays every game and recomputes its hash chain. Restores nothing if a game is damaged or the
    /// database already contains games. Exit status: 0 if everything was restored, 1 if the backup was
    /// refused, 2 if something cannot be read or written.
    #[command(after_help = examples::RESTORE)]
    Restore(RestoreArgs),
    /// Recompute ratings from the logs and compare them
    ///
    /// Computes the players' ratings, results and scores from the logs of public games. With --again,
    /// replaces the stored values with the computed ones. Exit status: 0 if the stored and computed values
    /// are the same, 1 if not.
    #[command(after_help = examples::RATINGS)]
    Ratings(RatingsArgs),
    /// End running games without a result, and remove games that have not started
    ///
    /// Appends the word `!abort` to each running game, and every process shows it within a second. Use this
    /// after a restore that lost plies. If those games continued, they would draw the same dice and cards
    /// again, and their players already know them. Exit status: 0 if all these games are over, or with
    /// `--dry-run`, 1 if a game does not exist or has not started or the database fails, 2 if the output
    /// cannot be written.
    #[command(after_help = examples::ABORT)]
    Abort(AbortArgs),
    /// Hide a game from everyone, and publish a reason
    ///
    /// Within a second, every process answers requests for the game with the reason. Names and tags are
    /// erased. The log and head stay in the database. A record with the same words cannot be imported again.
    #[command(after_help = examples::REMOVE)]
    Remove(RemoveArgs),
    /// Create, rotate and list the keys that sign receipts
    ///
    /// A receipt is a signed note (c2sp.org/signed-note) in which the service states something about a game.
    /// `assam verify` checks receipts.
    #[command(arg_required_else_help = true, after_help = examples::KEY)]
    Key(KeyCommand),
    /// Add finished records to a database or a service
    ///
    /// Skips records that have already been imported, so you can repeat an interrupted import. Exit status: 0
    /// if all records are valid, 1 if any is refused, 2 if something cannot be read or written.
    #[command(after_help = examples::IMPORT)]
    Import(ImportArgs),
    /// Export the public games of a database or a service
    ///
    /// Accepts the same parameters as `GET /v1/export`. Exit status: 0 if all games were written, 1 if the
    /// query is refused, 2 if something cannot be read or written.
    #[command(after_help = examples::EXPORT)]
    Export(ExportArgs),
    /// Replay records and show what is wrong with them
    ///
    /// Shows each refused record the way compilers show errors, in input order, and then the number of
    /// records. Uses all cores and constant memory. Exit status: 0 if all records are valid, 1 if any is
    /// refused, 2 if something cannot be read.
    #[command(after_help = examples::VALIDATE)]
    Validate(ValidateArgs),
    /// Verify a game's heads and its chance from its proof
    ///
    /// Reads proofs that `GET /v1/games/{id}/proof` returned, and lists what was verified and what could not
    /// be verified. Exit status: 0 if all proofs are correct, 1 if any is not, 2 if something cannot be read.
    #[command(after_help = examples::VERIFY)]
    Verify(VerifyArgs),
    /// Watch the public log of a service, and cosign it
    ///
    /// Checks that the log begins with everything that it has cosigned before, adds a cosignature
    /// (c2sp.org/tlog-cosignature) to the log's checkpoint, and prints the checkpoint. Run this regularly,
    /// preferably on a different machine from the service. Exit status: 0 if the log was cosigned, 1 if it is
    /// refused, 2 if it cannot be reached or a file cannot be used.
    #[command(after_help = examples::WITNESS)]
    Witness(WitnessArgs),
    /// Check every game of an archive, and report every fault
    ///
    /// Replays every game in a database, a backup, an export of proofs or a service, and checks its heads,
    /// its chance and the signature of its end. Records are only replayed. The report lists what was
    /// verified, what was not verified and why, and every fault. Exit status: 0 if everything that was
    /// checked is sound, 1 if there is a fault, 2 if something cannot be read, 130 after Ctrl-C or SIGTERM.
    #[command(after_help = examples::AUDIT)]
    Audit(AuditArgs),
    /// Show a position of a record in the terminal
    ///
    /// If the record is invalid, shows the error and the position before it. Exit status: 0 if the position
    /// was shown, 1 if the record is refused or has no such ply, 2 if the file cannot be read.
    #[command(after_help = examples::SHOW)]
    Show(ShowArgs),
    /// Write records in another form
    ///
    /// Converts record by record, in constant memory. Leaves out refused records and reports them on standard
    /// error. Exit status: 0 if all records are valid, 1 if any is refused, 2 if something cannot be read or
    /// written.
    #[command(after_help = examples::CONVERT)]
    Convert(ConvertArgs),
    /// Compute statistics of records
    ///
    /// For every rule set and number of seats, counts how often each seat came first. Also shows means and
    /// frequencies for the columns that `assam convert` writes for games and plies. Exit status: 0 if all
    /// records are valid, 1 if any is refused, 2 if something cannot be read or written.
    #[command(after_help = examples::STATS)]
    Stats(StatsArgs),
    /// Account for luck and errors in records
    ///
    /// A judge weighs every position. Luck is what chance changed, compared with the mean over its outcomes. An
    /// error is what a decision cost, compared with the best one. With hidden cards and corrections, both add up to
    /// the result, to the last digit. Exit status: 0 if all records are valid, 1 if any is refused, 2 if
    /// something cannot be read or written.
    #[command(after_help = examples::ANALYSE)]
    Analyse(AnalyseArgs),
    /// Play random games and write their records
    ///
    /// Chooses each decision at random from the legal ones, with equal probability. The same arguments
    /// produce the same games.
    #[command(after_help = examples::RANDOM)]
    Random(RandomArgs),
    /// Play players against each other and measure the difference
    ///
    /// Plays every deal once for each rotation of the seats, with the same dice and cards. Luck is measured and
    /// subtracted too, which narrows the interval. The same arguments produce the same games on any
    /// number of cores.
    #[command(after_help = examples::MATCH)]
    Match(MatchArgs),
    /// Play each built-in player of a game against the one below it
    ///
    /// Prints a table in Markdown with a row for each step, computed from the results that --out writes. Shares
    /// and differences are luck-adjusted.
    #[command(after_help = examples::LADDER)]
    Ladder(LadderArgs),
    /// Answer the engine protocol on standard input and output
    ///
    /// The protocol resembles UCI, the protocol of chess engines. Positions and decisions are written in MKN.
    /// docs/reference/engine-protocol.md documents it.
    #[command(after_help = examples::ENGINE)]
    Engine,
    /// Play a built-in player or a program in the games of a service
    ///
    /// Waits for its turns, asks the player and submits its decisions. Waits while the service is down, and can
    /// be stopped and started at any time. Exit status: 0 if its game is over, 1 if the service refuses or the
    /// player fails.
    #[command(after_help = examples::BOT)]
    Bot(BotArgs),
    /// Count the lines of play that the rules allow after each number of decisions
    ///
    /// If a decision triggers chance, counts every distinct outcome separately. A line ends when the game
    /// ends, or where chance has too many outcomes to list.
    #[command(after_help = examples::PERFT)]
    Perft(PerftArgs),
    /// Print the OpenAPI document
    ///
    /// This is the JSON document that a service returns at `/openapi.json` and shows at `/docs`.
    #[command(after_help = examples::OPENAPI)]
    Openapi,
    /// Print shell completions of commands, flags, values and files
    ///
    /// Load the output into your current shell, or into every shell when it starts.
    #[command(after_help = examples::COMPLETIONS)]
    Completions(CompletionsArgs),
    /// Print the manual page, or write one for each command
    ///
    /// The pages contain the same text as `--help`.
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
            Some(Command::Analyse(args)) => return analyse::run(&args),
            Some(Command::Random(args)) => random::run(&args),
            Some(Command::Match(args)) => matches::run(&args),
            Some(Command::Ladder(args)) => ladder::run(&args),
            Some(Command::Bot(args)) => bot::run(&args),
            Some(Command::Engine) => server::run(),
            Some(Command::Perft(args)) => perft::run(&args),
            Some(Command::Openapi) => print(&document::text()),
            Some(Command::Completions(args)) => completions::run(&args, Self::command()),
            Some(Command::Man(args)) => man::run(&args, Self::command()),
        };
        ended(result, say_failed)
    }
}
