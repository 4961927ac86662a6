//! Runs clients and faults together, then collects the final games and judges them.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

use crate::clients::client::{Client, World, pause};
use crate::clients::table::{self, Plan};
use crate::fault::{Fault, Targets, rolling, schedule};
use crate::field::Field;
use crate::field::balancer::Balancer;
use crate::field::cluster::Cluster;
use crate::field::database::Database;
use crate::field::pipe::Gate;
use crate::field::process::{Clock, Launch, Process};
use crate::field::proxy::{ClientProxy, database_proxy};
use crate::history::{self, Answer, Asked, Journal, Last, Line, Run};
use crate::judge::masks::{MASK, merged};
use crate::judge::{Finding, Wrong};
use crate::plant::Plant;
use crate::report::{Report, report};

/// The maximum lives of client connections in bytes, short and long.
const CLIENT_LIVES: &[Option<u64>] =
    &[Some(500), Some(5_000), Some(30_000), Some(100_000), Some(500_000), None, None, None];
/// The same for connections to PostgreSQL, which are few and long-lived.
const DATABASE_LIVES: &[Option<u64>] = &[Some(3_000), Some(300_000), Some(3_000_000), None, None, None];
/// How often to check whether the run has reached its goals.
const GLANCE: Duration = Duration::from_millis(20);

/// The database for games.
#[derive(Clone, Debug)]
pub enum Store {
    /// In a file.
    Sqlite,
    /// On a server that is killed.
    Postgres(Cluster),
}

/// The goals of a run, which ends when all are reached.
#[derive(Clone, Copy, Debug, Default)]
pub struct Goals {
    /// The minimum duration.
    pub during: Duration,
    /// Kills of the service.
    pub kills: u64,
    /// Kills or stops of PostgreSQL.
    pub database_kills: u64,
    /// Stops and restarts of service processes.
    pub deploys: u64,
    /// Acknowledged words.
    pub words: u64,
    /// Plies tried by a client at each process.
    pub contested: u64,
}

/// The options of a run.
#[derive(Clone, Debug)]
pub struct Options {
    /// The `assam` program.
    pub program: PathBuf,
    /// When it is done.
    pub goals: Goals,
    /// The seed for faults and choices.
    pub seed: u64,
    /// How many processes share the database.
    pub processes: usize,
    /// How many games are played at a time.
    pub tables: usize,
    /// Whether to strike nothing.
    pub is_calm: bool,
    /// Whether clients reach the processes through a balancer, while processes are only deployed one after
    /// another.
    pub is_rolling: bool,
    /// The fault to plant.
    pub plant: Option<Plant>,
    /// The path of the history.
    pub history: PathBuf,
}

/// Settings that keep PostgreSQL's unflushed commits in memory.
const FLUSHES_LATE: [(&str, &str); 3] =
    [("wal_writer_delay", "10s"), ("wal_writer_flush_after", "1GB"), ("bgwriter_lru_maxpages", "0")];

/// Runs on one store.
///
/// # Errors
/// If something that the run needs does not work. Violations by the service are findings, not errors.
pub fn run(options: &Options, store: &Store) -> Result<Report> {
    let folder = tempfile::tempdir()?;
    let mut options = options.clone();
    let name = match store {
        Store::Sqlite => "SQLite",
        Store::Postgres(_) => "PostgreSQL",
    };
    if let (Store::Sqlite, Some(Plant::EarlyAnswer)) = (store, options.plant) {
        // Writes can be taken back only while no other process has the file open.
        options.processes = 1;
    }
    if options.is_rolling {
        options.processes = Balancer::SERVERS;
    }
    let options = &options;
    let is_quiet = options.is_calm || options.is_rolling;
    let database = database(store, options, folder.path())?;
    let back = match store {
        Store::Sqlite => None,
        Store::Postgres(_) => Some(Arc::new(Gate::new(options.seed ^ 0xdb, DATABASE_LIVES))),
    };
    let launch = launch(options, &database, back.as_ref(), folder.path())?;
    let clock = launch.clock.clone();
    let mut processes = Vec::new();
    let mut proxies = Vec::new();
    // Accidents begin once all processes are up.
    back.iter().for_each(|gate| gate.calm(true));
    for number in 0..options.processes {
        let process = Process::start(launch.clone())?;
        if !options.is_rolling {
            let gate = Gate::new(options.seed.wrapping_add(number as u64 + 1), CLIENT_LIVES);
            gate.calm(options.is_calm);
            let is_stale = options.plant == Some(Plant::StaleRead);
            proxies.push(ClientProxy::start(process.address, gate, is_stale)?);
        }
        processes.push(process);
    }
    back.iter().for_each(|gate| gate.calm(is_quiet));
    let mut balancer = options.is_rolling.then(|| Balancer::start(&processes, folder.path())).transpose()?;
    let fronts = match &balancer {
        Some(balancer) => vec![balancer.address],
        None => proxies.iter().map(|proxy| proxy.address).collect(),
    };
    let world = World::new(fronts, Journal::create(&options.history)?);
    world.journal.write(&[Line::Run(Run {
        seed: options.seed,
        store: name.to_owned(),
        processes: options.processes,
        plant: options.plant.map(|plant| plant.name().to_owned()),
    })])?;
    let field = Field {
        world: &world,
        processes: processes.into_iter().map(Mutex::new).collect(),
        fronts: proxies.iter().map(|proxy| Arc::clone(&proxy.gate)).collect(),
        database: &database,
        back,
        clock: clock.clone(),
        plant: options.plant,
        struck: Mutex::new(BTreeMap::new()),
        findings: Mutex::new(Vec::new()),
    };
    let begun = Instant::now();
    let mut findings = go(options, &world, &field)?;
    if let Some(balancer) = &mut balancer {
        balancer.check()?;
    }
    let seconds = begun.elapsed().as_secs_f64();
    findings.extend(field.findings.lock().drain(..));
    drop(field.processes);
    if let Some(plant) = options.plant {
        plant.tamper(&database, &options.history)?;
    }
    finish(&world, &database, &launch, &options.history)?;
    findings.extend(audit(&options.program, &database)?);
    let notes = clock
        .is_none()
        .then(|| "NOT DONE: jumps of the clock, because libfaketime is not installed".to_owned());
    let mut report = report(&options.history, findings)?;
    if options.is_rolling {
        report.find_refused();
    }
    report.seconds = seconds;
    report.contested = world.contested.load(Ordering::Relaxed);
    report.notes.extend(notes);
    report.log = log_lines(&launch.log);
    Ok(report)
}

/// Returns an empty database.
fn database(store: &Store, options: &Options, folder: &Path) -> Result<Database> {
    let Store::Postgres(cluster) = store else { return Ok(Database::Sqlite(folder.join("assam.db"))) };
    let name = format!("faults_{:08x}", rand::random::<u32>());
    cluster.sql("postgres", &format!("CREATE DATABASE {name}"))?;
    for (setting, late) in FLUSHES_LATE {
        // Unflushed data stays so for long: neither the WAL writer nor the background writer flushes it.
        let is_late = options.plant == Some(Plant::EarlyAnswer);
        let change = if is_late { format!("SET {setting} = '{late}'") } else { format!("RESET {setting}") };
        cluster.sql("postgres", &format!("ALTER SYSTEM {change}"))?;
    }
    cluster.sql("postgres", "SELECT pg_reload_conf()")?;
    Ok(Database::Postgres { cluster: cluster.clone(), name })
}

fn launch(options: &Options, database: &Database, back: Option<&Arc<Gate>>, folder: &Path) -> Result<Launch> {
    let url = match (database, back) {
        (Database::Postgres { cluster, name }, Some(gate)) => {
            let is_early = options.plant == Some(Plant::EarlyAnswer);
            let address = database_proxy(cluster.socket(), Arc::clone(gate), is_early)?;
            format!("postgres://postgres@{address}/{name}?sslmode=disable")
        }
        (Database::Sqlite(_) | Database::Postgres { .. }, _) => database.url(),
    };
    let (log, clock) = (folder.join("log"), Clock::find(folder)?);
    Ok(Launch { program: options.program.clone(), database: url, log, clock })
}

/// Lets clients play and faults strike until the goals are reached. Returns the errors that stopped clients.
fn go(options: &Options, world: &World, field: &Field<'_>) -> Result<Vec<Finding>> {
    let begun = Instant::now();
    let rolling = options.is_rolling.then(|| rolling(options.processes));
    let only_kills = options.plant == Some(Plant::EarlyAnswer);
    let has_postgres = matches!(field.database, Database::Postgres { .. });
    let has_clock = field.clock.is_some();
    let targets = Targets { processes: options.processes, has_postgres, has_clock, only_kills };
    let stopped = Mutex::new(Vec::new());
    thread::scope(|scope| {
        let play = |table: usize| {
            let mut number = table as u64;
            while !world.is_over() {
                // One table in four has a client at each process.
                let is_contested = options.goals.contested > 0 || number % 4 == 3;
                let writers = if is_contested { options.processes } else { 1 };
                let plan =
                    Plan { seed: options.seed, number, writers, is_watched: options.goals.contested == 0 };
                if let Err(error) = table::play(world, plan) {
                    let detail = format!("game {number} cannot go on: {error}");
                    let finding = Finding { wrong: Wrong::Changed, game: String::new(), detail };
                    stopped.lock().push(finding);
                }
                number += options.tables as u64;
            }
        };
        for table in 0..options.tables {
            scope.spawn(move || play(table));
        }
        let faults = (!options.is_calm).then(|| {
            scope.spawn(|| {
                let struck = match rolling {
                    Some(rolling) => field.strike_all(rolling),
                    None => field.strike_all(schedule(options.seed, targets)),
                };
                // Without faults, nothing needs time.
                world.is_over.store(true, Ordering::Relaxed);
                struck
            })
        });
        while !world.is_over() && !is_reached(options.goals, begun, world, field) {
            pause(GLANCE);
        }
        world.is_over.store(true, Ordering::Relaxed);
        let struck =
            faults.map(|faults| faults.join().unwrap_or_else(|_| Err(Error::other("faults have stopped"))));
        field.calm();
        struck.unwrap_or(Ok(()))
    })?;
    Ok(stopped.into_inner())
}

fn is_reached(goals: Goals, begun: Instant, world: &World, field: &Field<'_>) -> bool {
    let database_kills =
        [Fault::KillDatabase, Fault::StopDatabase, Fault::KillSession].map(|fault| field.count(fault));
    begun.elapsed() >= goals.during
        && field.count(Fault::Kill(0)) >= goals.kills
        && field.count(Fault::Deploy(0)) >= goals.deploys
        && database_kills.iter().sum::<u64>() >= goals.database_kills
        && world.words.load(Ordering::Relaxed) >= goals.words
        && world.contested.load(Ordering::Relaxed) >= goals.contested
}

/// Reads the final state of every game from a fresh process.
fn finish(world: &World, database: &Database, launch: &Launch, history: &Path) -> Result<()> {
    let mut games = Vec::new();
    history::games(history, |game| {
        games.push(game.game.clone());
        Ok(())
    })?;
    let launch = Launch { database: database.url(), clock: None, ..launch.clone() };
    let service = Process::start(launch)?;
    let fresh = World::new(vec![service.address], Journal::create(&history.with_extension("end"))?);
    let mut client = Client::new(&fresh, 0, false);
    for game in games {
        let start = world.now();
        let shown = client.insist(&game, None, &Asked::Log);
        let end = world.now();
        let is_gone = matches!(shown, Some(Answer::Refused { .. }));
        let last = match shown {
            Some(Answer::Done { mut words, hash, mut drawn, .. }) => {
                if drawn.iter().chain(&words).any(|word| word.contains(MASK)) {
                    // Includes what no client may read yet.
                    let stored = database.words(&game)?;
                    for (word, stored) in drawn.iter_mut().chain(&mut words).zip(&stored) {
                        if let Some(whole) = merged(word, stored) {
                            *word = whole;
                        }
                    }
                }
                Last { game, start, end, is_shown: true, is_gone, words, drawn, hash }
            }
            Some(Answer::Refused { .. } | Answer::Busy { .. } | Answer::Broken { .. } | Answer::Cut)
            | None => {
                // A game that was never created has no id.
                let mut words = if game.len() == 32 { database.words(&game)? } else { Vec::new() };
                let drawn = words.first().is_some_and(|word| word.starts_with('+')).then(|| words.remove(0));
                Last { game, start, end, is_shown: false, is_gone, words, drawn, hash: None }
            }
        };
        world.journal.write(&[Line::Last(last)])?;
        client.lines.clear();
    }
    fs::remove_file(history.with_extension("end"))
}

/// Has the program audit the whole database: rules, chains and chance of every game.
fn audit(program: &Path, database: &Database) -> Result<Vec<Finding>> {
    let mut command = Command::new(program);
    let audit = command.args(["audit", "--database", &database.url()]).output()?;
    if audit.status.success() {
        return Ok(Vec::new());
    }
    let said = String::from_utf8_lossy(&audit.stdout);
    let mut details: Vec<String> =
        said.lines().filter(|line| line.starts_with("fault: ")).map(str::to_owned).collect();
    if details.is_empty() {
        details.push(String::from_utf8_lossy(&audit.stderr).into_owned());
    }
    let finding = |detail| Finding { wrong: Wrong::Audit, game: String::new(), detail };
    Ok(details.into_iter().map(finding).collect())
}

/// Counts the lines of the service's log by message, ignoring times and numbers.
fn log_lines(log: &Path) -> BTreeMap<String, u64> {
    let mut lines = BTreeMap::new();
    for line in fs::read_to_string(log).unwrap_or_default().lines() {
        let said: String = line
            .split_once(' ')
            .map_or(line, |(_, said)| said)
            .chars()
            .filter(|c| !c.is_ascii_digit())
            .collect();
        *lines.entry(said.chars().take(160).collect()).or_default() += 1;
    }
    lines
}
