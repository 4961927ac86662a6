//! `assam audit`: goes over a whole archive, and says whether everything in it is what it must be.
//!
//! Games are read on one thread ([`mod@feed`]), examined on all ([`examine`]), and what is found is added in their order
//! ([`findings`]), so that an audit that was stopped goes on where it was ([`state`]). A check of its own has a [`check::Check`], and
//! is made in [`examine`]; what can only be checked in the end, in [`Audit::conclude`].

use std::collections::{HashMap, HashSet};
use std::io::{self, Write as _};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

use assam_proofs::public_log::Checkpoint;
use assam_proofs::signed::{PublishedKey, VerifyingKey};
use assam_record::game::GameId;
use assam_store::file_access::explained;
use clap::{Args, ValueHint};
use indicatif::ProgressBar;
use serde_json::Value;

use crate::database::DatabaseArgs;
use crate::process::input::{escaped, printable};
use crate::process::output::{say, say_failed};
use crate::process::output_path::{FilePurpose, OutputPath};
use crate::process::pool::WorkerPool;
use crate::process::progress;
use crate::proofs::beacons::BeaconArgs;
use crate::remote::args::RemoteArgs;
use crate::remote::log_tiles::Fetched;

mod check;
mod examine;
mod fault;
mod feed;
mod findings;
mod not_audited;
mod report;
mod signers;
mod source;
mod source_id;
mod state;
mod whole_log;

use check::Check;
use examine::{Examined, Examiner};
use fault::AuditFault;
use feed::{Fed, ReadFrom, feed, service_path};
use not_audited::NotAudited;
use report::AuditReport;
use source::{AuditSource, Supply};
use state::AuditState;
use whole_log::AuditedLog;

/// Arguments of `assam audit`.
#[derive(Args)]
pub struct AuditArgs {
    /// A backup, an SQLite file, an export of proofs, or records, in place of a database; `-` is standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "url")]
    file: Option<PathBuf>,
    /// The service that keeps the games, `http://host:port` or `https://host`, in place of a database: its public games
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    url: Option<String>,
    /// A key of the service, as GET /v1/keys lists them: one of these must have signed the end of each game; may be repeated
    #[arg(long, value_name = "KEY")]
    key: Vec<VerifyingKey>,
    /// A checkpoint of the public log that you kept, such as the state of `assam witness`: the log must begin with it; may be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    checkpoint: Vec<PathBuf>,
    /// Keep in this file how far the audit is: the same command goes on there if it was stopped
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    state: Option<PathBuf>,
    /// The number of seconds after which the state is written again, 0 to 3600; 0 after every game
    #[arg(long, default_value_t = 5, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    save_every: u64,
    /// The number of games that are examined at the same time; as many as there are cores by default
    #[arg(long, value_name = "N")]
    jobs: Option<NonZero<usize>>,
    /// Print the report as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    beacons: BeaconArgs,
    #[command(flatten)]
    remote: RemoteArgs,
    #[command(flatten)]
    database: DatabaseArgs,
}

/// An audit under way.
struct Audit<'a> {
    args: &'a AuditArgs,
    state: AuditState,
    progress: ProgressBar,
    began: Instant,
    saved: Instant,
    /// How many plies were examined before it began, or went on.
    before: u64,
    /// The games that came since, and the entries of the public log that they claim.
    seen: HashSet<GameId>,
    claimed: HashMap<u64, Option<GameId>>,
}

impl AuditArgs {
    /// Returns the files that are read.
    fn inputs(&self) -> Vec<PathBuf> {
        let files = self.file.iter().chain(&self.checkpoint).chain(self.beacons.files());
        files.cloned().chain(self.database.files()).collect()
    }
}

/// Audits a source, and prints the report.
pub fn run(args: &AuditArgs) -> ExitCode {
    match audit(args) {
        Ok(status) => ExitCode::from(status),
        // A reader that closes the pipe has seen enough.
        Err(NotAudited::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::from(2),
        Err(error) => {
            say_failed(&escaped(&error.to_string()));
            ExitCode::from(if matches!(error, NotAudited::Stopped(..)) { 130 } else { 2 })
        }
    }
}

fn audit(args: &AuditArgs) -> Result<u8, NotAudited> {
    let beacons = args.beacons.known().map_err(NotAudited::Unread)?;
    if let Some(state) = &args.state {
        let checked = OutputPath::new(state, FilePurpose::Output, &args.inputs());
        checked.map_err(|error| NotAudited::Unread(format!("{}: {error}", printable(state))))?;
    }
    let mut source = match (&args.file, &args.url) {
        (Some(file), _) => AuditSource::file(file, &args.key)?,
        (None, Some(url)) => AuditSource::service(url, args.remote, &args.key)?,
        (None, None) => AuditSource::database(&args.database),
    };
    let earlier = args.checkpoint.iter().map(|file| kept_checkpoint(file, &args.key));
    let earlier: Vec<(String, Checkpoint)> = earlier.collect::<Result<_, _>>()?;
    source.id.checkpoints = earlier.iter().map(|(_, checkpoint)| checkpoint.to_string()).collect();
    source.id.beacons = beacons.names().map(|name| name.to_string()).collect();
    source.id.beacons.sort();
    let state = AuditState::open(args.state.as_deref(), source.id.clone())?;
    if let (true, Some(file)) = (state.is_finished, &args.state) {
        if args.file.as_deref() == Some(Path::new("-")) {
            let why = "this audit was finished before, and what comes from standard input now may be something else";
            return Err(NotAudited::Unread(format!("{why}: remove {} to start anew", file.display())));
        }
        say(&format!("this audit has already finished; remove {} to run it again", printable(file)));
        return print(args, &state, None);
    }
    let open = actix_web::rt::System::new().block_on(source.open(&args.key))?;
    let log = open.log.map(Arc::new);
    if let (None, Some((name, _))) = (&log, earlier.first()) {
        return Err(NotAudited::Unread(format!("{name}: there is no public log to hold it to")));
    }
    let mut audit = Audit::new(args, state);
    audit.show_progress(&open.supply);
    let supply = open.supply;
    let (signers, history) = (open.signers, open.history.clone());
    let examiner = Examiner { signers, history, log: log.clone(), beacons };
    let unread = audit.go_over(supply, examiner)?;
    if unread.is_none() {
        audit.conclude(&open.history, log.as_deref(), &earlier);
    }
    audit.save()?;
    audit.progress.finish_and_clear();
    audit.say_speed();
    print(args, &audit.state, unread.as_deref())
}

/// Reads a checkpoint that somebody kept.
fn kept_checkpoint(file: &Path, keys: &[VerifyingKey]) -> Result<(String, Checkpoint), NotAudited> {
    let name = printable(file);
    let read = std::fs::read_to_string(file).map_err(|error| explained(file, error).to_string());
    let checkpoint = read.and_then(|note| Fetched::read(note, keys));
    match checkpoint {
        Ok(fetched) => Ok((name, fetched.checkpoint)),
        Err(why) => Err(NotAudited::Unread(format!("{name}: {why}"))),
    }
}

/// Prints the report, and returns the exit status.
fn print(args: &AuditArgs, state: &AuditState, unread: Option<&str>) -> Result<u8, NotAudited> {
    let report = AuditReport::new(&state.source, &state.findings, unread);
    let text = if args.json {
        serde_json::to_string(&report).map_err(io::Error::from)? + "\n"
    } else {
        report.to_string()
    };
    io::stdout().write_all(text.as_bytes())?;
    Ok(report.status())
}

impl<'a> Audit<'a> {
    fn new(args: &'a AuditArgs, state: AuditState) -> Self {
        let now = Instant::now();
        let before = state.findings.plies;
        let (seen, claimed) = (HashSet::new(), HashMap::new());
        Self { args, state, progress: ProgressBar::hidden(), began: now, saved: now, before, seen, claimed }
    }

    /// Examines every game that was not examined before; returns why not all of them could be read, where that is so.
    fn go_over(&mut self, supply: Supply, examiner: Examiner) -> Result<Option<String>, NotAudited> {
        let jobs = self.args.jobs.or(available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
        let mut pool = WorkerPool::with_workers(jobs, move |game| examiner.examine(game));
        let feed = feed(supply, ReadFrom { done: self.state.done, last: self.state.last });
        let is_slow = Duration::from_secs(self.args.save_every.max(1));
        let end = loop {
            match feed.fed.recv_timeout(is_slow) {
                Ok(Fed::Game(game)) => pool.hand_out(game, |examined| self.take(examined))?,
                // Nothing more comes for now.
                Err(RecvTimeoutError::Timeout) => pool.finish(|examined| self.take(examined))?,
                Ok(Fed::Stop) => break Err(()),
                Ok(Fed::Broken(why)) => break Ok(Some(why)),
                Ok(Fed::End) => break Ok(None),
                Err(RecvTimeoutError::Disconnected) => break Ok(Some("reading stopped".to_owned())),
            }
        };
        feed.end();
        if let Ok(unread) = end {
            pool.finish(|examined| self.take(examined))?;
            return Ok(unread);
        }
        self.save()?;
        self.progress.finish_and_clear();
        let kept = match &self.args.state {
            Some(_) => "the same command goes on there",
            None => "with --state it could go on there",
        };
        Err(NotAudited::Stopped(check::games(self.state.done), kept))
    }

    /// Adds what was found of the next game.
    fn take(&mut self, Examined { id, mut findings, claims }: Examined) -> Result<(), NotAudited> {
        let twice = |check, what: String| AuditFault { game: id, ..AuditFault::new(check, what) };
        if id.is_some_and(|id| !self.seen.insert(id)) {
            findings.fault(twice(Check::Form, "the game comes twice".to_owned()));
        }
        for position in claims {
            if let Some(other) = self.claimed.insert(position, id).filter(|other| *other != id) {
                let other = other.map(|other| format!(" and of game {other}")).unwrap_or_default();
                findings.fault(twice(
                    Check::Logged,
                    format!("entry {position} of the public log is of it{other}"),
                ));
            }
        }
        self.state.findings.add(findings);
        self.state.done += 1;
        self.state.last = id.or(self.state.last);
        self.progress.set_position(self.state.done);
        let plies = self.plies_a_second();
        self.progress.set_message(format!("{plies} plies a second"));
        if self.saved.elapsed() >= Duration::from_secs(self.args.save_every) {
            self.save()?;
        }
        Ok(())
    }

    /// Checks what can only be checked once all games are known, and notes that the audit is finished.
    fn conclude(
        &mut self,
        history: &[PublishedKey],
        log: Option<&AuditedLog>,
        earlier: &[(String, Checkpoint)],
    ) {
        let findings = &mut self.state.findings;
        if let Some(log) = log {
            log.conclude(earlier, findings);
        }
        for pair in history.windows(2) {
            if let [one, next] = pair
                && one.key.name() != next.key.name()
            {
                findings.fault(AuditFault {
                    expected: Some(one.key.name().to_owned()),
                    found: Some(next.key.name().to_owned()),
                    ..AuditFault::new(
                        Check::Keys,
                        "a key of the database has another name than the one before",
                    )
                });
            }
        }
        self.state.is_finished = true;
    }

    /// Writes the state, where there is a file for it.
    fn save(&mut self) -> Result<(), NotAudited> {
        if let Some(file) = &self.args.state {
            self.state.save(file, &self.args.inputs())?;
        }
        self.saved = Instant::now();
        Ok(())
    }

    fn show_progress(&mut self, supply: &Supply) {
        if !progress::is_shown() {
            return;
        }
        let count = match supply {
            Supply::Games(backup) => backup.games().ok(),
            Supply::Service(remote) => {
                let count = remote.get(&service_path("/v1/export/count"), "application/json").ok();
                let count: Option<Value> = count.and_then(|count| serde_json::from_reader(count).ok());
                count.and_then(|count| count["games"].as_u64())
            }
            Supply::Lines(_) | Supply::Records(_) => None,
        };
        self.progress = match count {
            Some(count) => {
                progress::shown(ProgressBar::new(count), "{wide_bar} {pos}/{len} games, {msg}, {eta} left")
            }
            None => progress::shown(ProgressBar::no_length(), "{spinner} {pos} games, {msg}"),
        };
    }

    fn plies_a_second(&self) -> u64 {
        let plies = self.state.findings.plies - self.before;
        (plies as f64 / self.began.elapsed().as_secs_f64().max(0.001)) as u64
    }

    fn say_speed(&self) {
        let plies = self.state.findings.plies - self.before;
        let seconds = self.began.elapsed().as_secs_f64();
        say(&format!("{plies} plies in {seconds:.1} s, {} a second", self.plies_a_second()));
    }
}
