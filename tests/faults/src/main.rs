//! `assam-faults`: runs the service under faults and judges what its clients saw. `scripts/faults` builds and
//! starts all that it needs.

use std::io::{self, Error, Result, Write as _};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use assam_faults::field::cluster::Cluster;
use assam_faults::plant::Plant;
use assam_faults::report::{Report, report};
use assam_faults::run::{Goals, Options, Store, run};
use clap::{Parser, ValueEnum};

/// The duration of a run without other goals.
const SECONDS: u64 = 60;

/// Runs the service under faults that a seed repeats, and judges what its clients saw.
#[derive(Parser)]
#[command(
    after_help = "Exit status: 0 if everything is as it should be, or what was planted was found by both judges; 1 if not, or if it cannot be run; 2 for wrong usage."
)]
struct Args {
    /// The `assam` program
    #[arg(long, default_value = "target/debug/assam")]
    program: PathBuf,
    /// The database to keep games in
    #[arg(long, value_enum, default_value = "both")]
    store: Stores,
    /// How long clients play on each store, 60 seconds if nothing else ends the run
    #[arg(long)]
    seconds: Option<u64>,
    /// The same in minutes
    #[arg(long, conflicts_with = "seconds")]
    minutes: Option<u64>,
    /// The seed for the fault schedule and the choices of clients
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// How many service processes share the database
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=16))]
    processes: u64,
    /// How many games to play at a time
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u64).range(1..=1000))]
    tables: u64,
    /// Play until the service was killed this often
    #[arg(long, default_value_t = 0)]
    kills: u64,
    /// Play until PostgreSQL was killed or stopped this often
    #[arg(long, default_value_t = 0)]
    database_kills: u64,
    /// Play until this many processes were stopped and started again
    #[arg(long, default_value_t = 0)]
    deploys: u64,
    /// Play until this many words were acknowledged
    #[arg(long, default_value_t = 0)]
    words: u64,
    /// Play until this many plies were tried, each by a client at each process
    #[arg(long, default_value_t = 0)]
    contested: u64,
    /// Strike nothing
    #[arg(long)]
    calm: bool,
    /// Let clients reach four processes through HAProxy, and only deploy one after another
    #[arg(long, conflicts_with_all = ["calm", "plant", "processes", "kills", "database_kills", "contested"])]
    rolling: bool,
    /// Plant a fault, which must be found
    #[arg(long, value_enum)]
    plant: Option<Plant>,
    /// Keep the history in this file, that of the second store with the suffix `.2`
    #[arg(long)]
    history: Option<PathBuf>,
    /// Judge this history and run nothing
    #[arg(long, conflicts_with_all = ["history", "plant"])]
    judge: Option<PathBuf>,
    /// Print the reports as JSON, one per line
    #[arg(long)]
    json: bool,
    /// The folder of a PostgreSQL server that may be killed
    #[arg(long)]
    postgres: Option<PathBuf>,
    /// The user who runs it, if different from the caller
    #[arg(long)]
    postgres_user: Option<String>,
    /// The programs of PostgreSQL
    #[arg(long)]
    postgres_bin: Option<PathBuf>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Stores {
    Sqlite,
    Postgres,
    Both,
}

impl Args {
    fn stores(&self) -> Result<Vec<Store>> {
        let mut stores = Vec::new();
        if self.store != Stores::Postgres {
            stores.push(Store::Sqlite);
        }
        if self.store != Stores::Sqlite {
            let folder = self.postgres.clone();
            let folder =
                folder.ok_or_else(|| Error::other("name a server by --postgres, or start scripts/faults"))?;
            let user = self.postgres_user.clone().filter(|user| !user.is_empty());
            stores.push(Store::Postgres(Cluster {
                folder,
                user,
                programs: self.postgres_bin.clone().unwrap_or_default(),
            }));
        }
        Ok(stores)
    }

    fn goals(&self) -> Goals {
        let Self { kills, database_kills, deploys, words, contested, .. } = *self;
        let has_goal = kills + database_kills + deploys + words + contested > 0;
        let seconds = self.seconds.or(self.minutes.map(|minutes| minutes * 60));
        let seconds = seconds.unwrap_or(if has_goal { 0 } else { SECONDS });
        Goals { during: Duration::from_secs(seconds), kills, database_kills, deploys, words, contested }
    }

    fn reports(&self) -> Result<Vec<Report>> {
        if let Some(history) = &self.judge {
            let judged = report(history, Vec::new());
            let judged =
                judged.map_err(|error| Error::new(error.kind(), format!("{}: {error}", history.display())));
            let judged = judged?;
            if judged.games == 0 {
                return Err(Error::other(format!("{}: it has no game", history.display())));
            }
            return Ok(vec![judged]);
        }
        let folder = tempfile::tempdir()?;
        let mut reports = Vec::new();
        for (number, store) in (1..).zip(self.stores()?) {
            let history = match (&self.history, number) {
                (Some(file), 1) => file.clone(),
                (Some(file), _) => PathBuf::from(format!("{}.{number}", file.display())),
                (None, _) => folder.path().join("history"),
            };
            let report = run(&self.options(history), &store)?;
            self.print(&report)?;
            reports.push(report);
        }
        Ok(reports)
    }

    fn options(&self, history: PathBuf) -> Options {
        Options {
            program: self.program.clone(),
            goals: self.goals(),
            seed: self.seed,
            processes: self.processes as usize,
            tables: self.tables as usize,
            is_calm: self.calm,
            is_rolling: self.rolling,
            plant: self.plant,
            history,
        }
    }

    fn print(&self, report: &Report) -> Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(report)?);
        } else {
            println!("{report}");
        }
        Ok(())
    }
}

fn main() -> ExitCode {
    run_and_judge(&Args::parse()).unwrap_or_else(|error| {
        // If standard error is closed, there is nowhere to report it.
        let _ = writeln!(io::stderr(), "assam-faults: {error}");
        ExitCode::FAILURE
    })
}

fn run_and_judge(args: &Args) -> Result<ExitCode> {
    let reports = args.reports()?;
    if args.judge.is_some() {
        reports.iter().try_for_each(|report| args.print(report))?;
    }
    let is_well = reports.iter().all(Report::is_as_it_should_be);
    Ok(if is_well { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
