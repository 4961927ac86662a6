//! `assam audit`: checks a whole archive and reports every fault.
//!
//! One thread reads the games ([`mod@feed`]) and all cores examine them ([`examine`]). Findings are added in
//! the order of the games ([`findings`]), so that an interrupted audit can resume ([`state`]). To add a
//! check, add a [`check::Check`] and make it in [`examine`], or in [`Audit::conclude`] if it needs all games.

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

#[derive(Args)]
pub struct AuditArgs {
    /// A file to audit instead of a database: a backup, an SQLite file, an export of proofs, or records. `-`
    /// means standard input
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with = "url")]
    file: Option<PathBuf>,
    /// Audit the public games of this service, `http://host:port` or `https://host`, instead of a database
    #[arg(long, value_name = "URL", value_hint = ValueHint::Url)]
    url: Option<String>,
    /// A key of the service, as GET /v1/keys lists it. One of these keys must have signed the end of each
    /// game. May be repeated
    #[arg(long, value_name = "KEY")]
    key: Vec<VerifyingKey>,
    /// A checkpoint of the public log that you kept, such as the state file of `assam witness`. The log must
    /// still begin with the entries that it covers. May be repeated
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    checkpoint: Vec<PathBuf>,
    /// Save progress to this file, so that the same command resumes an interrupted audit
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    state: Option<PathBuf>,
    /// How many seconds pass between writes of the state file, 0 to 3600. With 0, it is written after every
    /// game
    #[arg(long, default_value_t = 5, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(0..=3600))]
    save_every: u64,
    /// How many games to examine at the same time, by default one per core
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

struct Audit<'a> {
    args: &'a AuditArgs,
    state: AuditState,
    progress: ProgressBar,
    began: Instant,
    saved: Instant,
    /// Plies that were examined before it began or resumed.
    before: u64,
    /// The games since then, and the entries of the public log that they claim.
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
            let why = "this audit has already finished, and standard input may be different now";
            return Err(NotAudited::Unread(format!("{why}: remove {} to run it again", file.display())));
        }
        say(&format!("this audit has already finished: remove {} to run it again", printable(file)));
        return print(args, &state, None);
    }
    let open = actix_web::rt::System::new().block_on(source.open(&args.key))?;
    let log = open.log.map(Arc::new);
    if let (None, Some((name, _))) = (&log, earlier.first()) {
        return Err(NotAudited::Unread(format!("{name}: there is no public log to compare it with")));
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

/// Reads a checkpoint that the user kept.
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

    /// Examines the remaining games. Returns why, if not all of them could be read.
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
            Some(_) => "the same command resumes there",
            None => "use --state to make audits resumable",
        };
        Err(NotAudited::Stopped(check::games(self.state.done), kept))
    }

    /// Adds the findings about the next game.
    fn take(&mut self, Examined { id, mut findings, claims }: Examined) -> Result<(), NotAudited> {
        let twice = |check, what: String| AuditFault { game: id, ..AuditFault::new(check, what) };
        if id.is_some_and(|id| !self.seen.insert(id)) {
            findings.fault(twice(Check::Form, "the game appears twice".to_owned()));
        }
        for position in claims {
            if let Some(other) = self.claimed.insert(position, id).filter(|other| *other != id) {
                let other = other.map(|other| format!(" and to game {other}")).unwrap_or_default();
                findings.fault(twice(
                    Check::Logged,
                    format!("entry {position} of the public log belongs to it{other}"),
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

    /// Makes the checks that need all games, and marks the audit as finished.
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
                        "a key of the database has a different name than the one before",
                    )
                });
            }
        }
        self.state.is_finished = true;
    }

    /// Writes the state, if there is a file for it.
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
