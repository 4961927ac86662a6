//! The `assam` program: what can be said on its command line, and what it does then.

use std::process::ExitCode;

use anstream::AutoStream;
use clap::{Args, Parser, Subcommand, ValueEnum};

mod convert;
mod database;
mod diagnosis;
mod migrate;
mod perft;
mod plies;
mod random;
mod records;
mod serve;
mod setup;
mod show;
mod validate;
mod verify;

/// The open game-record service for Marrakech and Marrakesh: an append-only log a game, replayed through the rules.
#[derive(Parser)]
#[command(name = "assam", version, max_term_width = 100, args_conflicts_with_subcommands = true)]
#[command(
    after_help = "Without a command, `assam` serves. Exit status: 0 done, 1 failed or refused, 2 wrong usage."
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
    /// Bring the database up to date, and stop
    Migrate(DatabaseArgs),
    /// Replay records and say what is wrong with them
    ///
    /// Shows each refused record as compilers show errors, and counts them all. Exit status: 0 where all are good, 1
    /// where one is refused, 2 where something cannot be read.
    Validate(ValidateArgs),
    /// Recompute a game's heads and its chance from its proof
    ///
    /// Reads what `GET /v1/games/{id}/proof` gives, and says what was verified, and what could not be. Exit status: 0 where
    /// all are right, 1 where one is not, 2 where something cannot be read.
    Verify(verify::VerifyArgs),
    /// Show a position of a record in the terminal
    ///
    /// Of a record that breaks, the position before that, and where it broke. Exit status: 0 where it was shown, 1 where
    /// the record is refused or has no such ply, 2 where the file cannot be read.
    Show(show::ShowArgs),
    /// Write records in another form
    ///
    /// One record after another, in constant memory. Exit status: 0 where all are good, 1 where one is refused (it is left
    /// out, and shown on standard error), 2 where something cannot be read or written.
    Convert(convert::ConvertArgs),
    /// Play games at random and write their records
    ///
    /// Every decision is drawn from the legal ones, each equally likely.
    Random(random::RandomArgs),
    /// Count the lines that the rules allow after each number of decisions
    ///
    /// With all the distinct chance that they trigger; a game that is over is not extended, nor is a line beyond chance that is
    /// too much to list.
    Perft(perft::PerftArgs),
    /// Print the OpenAPI document
    Openapi,
}

/// Where the games are.
#[derive(Args, Clone)]
pub struct DatabaseArgs {
    /// Where the games are kept: `sqlite:FILE`, or `postgres://user:password@host/name`
    ///
    /// The file is created where it is missing.
    #[arg(
        long,
        env = "ASSAM_DATABASE",
        hide_env_values = true,
        default_value = "sqlite:assam.db",
        value_name = "URL"
    )]
    database: String,
    /// Connections to PostgreSQL at most
    #[arg(long, env = "ASSAM_DATABASE_POOL", default_value_t = 8, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    database_pool: u16,
}

/// How to serve.
#[derive(Args, Clone)]
pub struct ServeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
    /// Address and port to listen on; port 0 takes a free one
    #[arg(long, env = "ASSAM_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS")]
    listen: std::net::SocketAddr,
    /// Threads that serve requests; 0 for one a core
    #[arg(long, env = "ASSAM_WORKERS", default_value_t = 0, value_name = "N")]
    workers: usize,
    /// What to log: error, warn, info, debug or trace, or directives such as `assam=debug,warn`
    #[arg(long, env = "ASSAM_LOG", default_value = "warn,assam=info", value_name = "FILTER")]
    log: String,
    /// Log as JSON, a line an event
    #[arg(long, env = "ASSAM_LOG_JSON")]
    log_json: bool,
    /// Seconds that running requests have to end after SIGTERM
    #[arg(long, env = "ASSAM_SHUTDOWN_TIMEOUT", default_value_t = 30, value_name = "SECONDS")]
    shutdown_timeout: u64,
}

/// What to validate.
#[derive(Args)]
pub struct ValidateArgs {
    /// Files of records; a folder stands for every `*.mkn` file in it and below, `-` for the standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<std::path::PathBuf>,
    /// A JSON object a line instead, for every record and a last one with the counts
    #[arg(long)]
    json: bool,
    /// Name the good records too
    #[arg(long, short, conflicts_with = "json")]
    verbose: bool,
    #[command(flatten)]
    color: ColorArgs,
}

/// Whether to use colours.
#[derive(Args, Clone, Copy)]
pub struct ColorArgs {
    /// Colours: where the terminal can show them (and `NO_COLOR` is not set), always, or never
    #[arg(long, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    color: Color,
}

#[derive(ValueEnum, Clone, Copy)]
enum Color {
    Auto,
    Always,
    Never,
}

impl ColorArgs {
    /// Is the standard output written in colour?
    fn of_stdout(self) -> bool {
        self.of(&std::io::stdout())
    }

    /// Is standard error written in colour?
    fn of_stderr(self) -> bool {
        self.of(&std::io::stderr())
    }

    fn of(self, stream: &impl anstream::stream::RawStream) -> bool {
        match self.color {
            Color::Auto => AutoStream::choice(stream) != anstream::ColorChoice::Never,
            Color::Always => true,
            Color::Never => false,
        }
    }
}

impl Cli {
    /// Does what was asked.
    pub fn run(self) -> ExitCode {
        let result = match self.command {
            None => serve::run(&self.serve),
            Some(Command::Serve(args)) => serve::run(&args),
            Some(Command::Migrate(args)) => migrate::run(&args),
            Some(Command::Validate(args)) => return validate::run(&args),
            Some(Command::Verify(args)) => return verify::run(&args),
            Some(Command::Show(args)) => return show::run(&args),
            Some(Command::Convert(args)) => return convert::run(&args),
            Some(Command::Random(args)) => random::run(&args),
            Some(Command::Perft(args)) => perft::run(&args),
            Some(Command::Openapi) => print(&crate::http::openapi::text()),
        };
        match result {
            Ok(()) => ExitCode::SUCCESS,
            // Whoever closes the pipe has seen enough.
            Err(error) if is_broken_pipe(&*error) => ExitCode::from(2),
            Err(error) => {
                say(&format!("assam: {error}"));
                ExitCode::FAILURE
            }
        }
    }
}

/// Why a command failed.
type Failure = Box<dyn std::error::Error>;

fn is_broken_pipe(error: &(dyn std::error::Error + 'static)) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn print(text: &str) -> Result<(), Failure> {
    use std::io::Write;
    std::io::stdout().write_all(text.as_bytes())?;
    Ok(())
}

/// Says something to whoever started the program.
fn say(text: &str) {
    use std::io::Write;
    // Where nobody listens, there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{text}");
}
