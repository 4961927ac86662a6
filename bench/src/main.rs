//! Measures the service next to the limits of the machine. `scripts/bench` builds it, starts what it needs,
//! and runs it. docs/performance.md explains the figures.

use std::io::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser;
use tokio::signal::unix::{SignalKind, signal};
use tokio::task::{JoinSet, LocalSet};

use crate::clients::player::{Analyst, Creator, Held, Player, Sitter};
use crate::clients::reads::{Fixture, Reader};
use crate::connection::{Connection, Place};
use crate::figures::{Bench, RATE_BESIDE, say};
use crate::load::{Measured, drive};
use crate::measured::{floods, frozen, limits, lists, plies, sizes, soak, streams};
use crate::service::Service;

mod clients;
mod connection;
mod figures;
mod load;
mod measured;
mod service;

/// Measures the service next to the limits of the machine.
///
/// It reports each figure on standard error as soon as it is measured. The databases are in the folder for
/// temporary files (`TMPDIR`), so a commit waits for a disk only if that folder is on one.
#[derive(Parser)]
#[command(version)]
struct Args {
    /// The program to measure
    #[arg(long, default_value = "target/trained/assam")]
    program: PathBuf,
    /// The URL of an empty PostgreSQL database
    #[arg(long, env = "ASSAM_BENCH_POSTGRES")]
    postgres: Option<String>,
    /// The folder of pgbench, if it is not in the path
    #[arg(long)]
    postgres_bin: Option<PathBuf>,
    /// How many times to measure all rows of the table, in turns. 0 only measures what needs a single run
    #[arg(long, default_value_t = 3)]
    repeats: usize,
    /// Seconds of each measurement
    #[arg(long, default_value_t = 4.0, value_parser = seconds)]
    seconds: f64,
    /// The numbers of connections, 1 to 10000 each
    #[arg(long, value_delimiter = ',', default_value = "1,8,64,256,1000", value_parser = clap::value_parser!(u16).range(1..=10_000))]
    connections: Vec<u16>,
    /// Fill the databases with this many games before the measurements
    #[arg(long, default_value_t = 0)]
    games: usize,
    /// Measure only what has this text in its name. May be repeated
    ///
    /// Names are the rows of the table, and the single measurements: sizes, plies, memory, idle streams,
    /// frozen, and only if named here, soak (12 times --seconds) and floods.
    #[arg(long)]
    only: Vec<String>,
    /// Write the figures to a file, as JSON
    #[arg(long)]
    json: Option<PathBuf>,
    /// Start the program with one more option, such as `--trusted-proxies=192.0.2.0/24`. May be repeated
    #[arg(long, allow_hyphen_values = true)]
    with: Vec<String>,
}

fn seconds(text: &str) -> std::result::Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "not a number")?;
    let is_some = (0.01..=86_400.0).contains(&seconds);
    if is_some { Ok(seconds) } else { Err("expected 0.01 to 86400".to_owned()) }
}

fn main() -> ExitCode {
    let args = Args::parse();
    match measure(&args) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(130),
        Err(error) => {
            say(&format!("assam-bench: {error}"));
            ExitCode::FAILURE
        }
    }
}

/// Measures, and prints the figures, even after a failure or a signal. Returns whether it finished.
fn measure(args: &Args) -> Result<bool> {
    // Floods have thousands of connections.
    rlimit::increase_nofile_limit(20_000)?;
    let mut bench = Bench::new(args)?;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let done = LocalSet::new().block_on(&runtime, async {
        // On a signal, running measurements are dropped, and with them the services.
        let mut end = signal(SignalKind::terminate())?;
        tokio::select! {
            done = run(args, &mut bench) => done.map(|()| true),
            _ = end.recv() => Ok(false),
            _ = tokio::signal::ctrl_c() => Ok(false),
        }
    });
    bench.report()?;
    if done? { bench.check_names().map(|()| true) } else { Ok(false) }
}

async fn run(args: &Args, bench: &mut Bench<'_>) -> Result<()> {
    let folder = tempfile::tempdir()?;
    let sqlite = format!("sqlite:{}", folder.path().join("bench.db").display());
    let mut databases = vec![("SQLite", sqlite.as_str())];
    databases.extend(args.postgres.as_deref().map(|url| ("PostgreSQL", url)));
    let mut services = Vec::new();
    for (store, url) in databases {
        let with: Vec<&str> = args.with.iter().map(String::as_str).collect();
        let service = Service::start(&args.program, url, &with)?;
        lists::fill(url, args.games).await?;
        if bench.wants("sizes") {
            sizes::print(store, url, service.address).await?;
        }
        if bench.wants("plies") {
            plies::print(store, &service).await?;
        }
        if bench.wants("memory") {
            for games in [10_000, 100_000] {
                sizes::print_memory(store, &Service::start(&args.program, url, &[])?, games).await?;
            }
        }
        if bench.wants("idle streams") {
            streams::print(store, &Service::start(&args.program, url, &[])?).await?;
        }
        if store == "PostgreSQL" && bench.wants("frozen") {
            frozen::print(url, &service).await?;
        }
        if bench.wants_just("floods") {
            let is_wanted = |name: &str| args.only.len() == 1 || bench.wants(name);
            floods::print(&args.program, store, url, bench.during(), is_wanted).await?;
        }
        let fixture = match bench.wants_any("GET") {
            true => Some(Fixture::play(&mut Connection::open(service.address).await?).await?),
            false => None,
        };
        services.push((store, url, service, fixture));
    }
    if bench.wants_just("soak") {
        // With a small cache, which is soon full.
        let start = |url| Service::start(&args.program, url, &["--cache", "8"]);
        let soaked: Result<Vec<_>> =
            services.iter().map(|(store, url, ..)| Ok((*store, start(url)?))).collect();
        soak::print(&soaked?, bench.during()).await?;
    }
    for repeat in 0..args.repeats {
        limits(bench, folder.path()).await?;
        for connections in args.connections.iter().copied().map(usize::from) {
            let name = format!("GET /livez, {connections}");
            if bench.wants(&name) {
                let clients = (0..connections).map(|_| Reader::of_path("/livez")).collect();
                bench.load(&name, &services[0].2, clients, None).await?;
            }
            let name = format!("GET /livez {OVER_UNIX}, {connections}");
            if bench.wants(&name) {
                let clients = (0..connections).map(|_| Reader::of_path("/livez")).collect();
                let service = &services[0].2;
                bench.load_at(service.socket(), &name, service, clients, None).await?;
            }
            for (store, url, service, fixture) in &services {
                moves(bench, store, service, connections, repeat).await?;
                // Like `pgbench` with PostgreSQL.
                let name = format!("moves {OVER_UNIX}, {store}, {connections}");
                let at = (service, service.socket());
                moves_at(bench, &name, at, (connections, repeat + 9000), |player| player).await?;
                if connections >= 256 {
                    overload(bench, store, url, connections, repeat).await?;
                }
                if connections == 64 {
                    others(bench, store, url, service, connections, repeat).await?;
                    streams::measure(bench, store, url, service, repeat).await?;
                }
                // Reads are measured for one client and for many.
                if connections != 1 && connections != 64 {
                    continue;
                }
                let lists = if args.games > 0 { lists::loads() } else { Vec::new() };
                for (name, wanted) in fixture.iter().flat_map(Fixture::loads).chain(lists) {
                    for how in ["", ", gzip", NOTHING_KEPT] {
                        let name = format!("{name}, {store}{how}, {connections}");
                        if bench.wants(&name) {
                            // Exists only while it is measured, since an idle process also works on the
                            // database.
                            let cold = (how == NOTHING_KEPT)
                                .then(|| Service::start(&args.program, url, &["--cache", "0"]))
                                .transpose()?;
                            let service = cold.as_ref().unwrap_or(service);
                            let client = |n| Reader::of(&wanted, how == ", gzip", n);
                            let clients = (0..connections).map(client).collect();
                            bench.load(&name, service, clients, None).await?;
                        }
                    }
                }
            }
        }
    }
    Ok(())
}

/// Measures what the machine can do.
async fn limits(bench: &mut Bench<'_>, folder: &Path) -> Result<()> {
    for callers in [1, 64] {
        let name = format!("raw group-committed appends, SQLite, {callers}");
        if bench.wants(&name) {
            let measured = limits::sqlite(folder, callers, bench.during()).await?;
            bench.keep(&name, &measured, None);
        }
    }
    let Some(url) = &bench.args.postgres else { return Ok(()) };
    for clients in [1, 32] {
        let name = format!("pgbench insert, {clients}");
        if bench.wants(&name) {
            let (programs, during) = (bench.args.postgres_bin.clone().unwrap_or_default(), bench.during());
            let rate = limits::pgbench(&programs, url, clients, during)?;
            let micros = vec![(clients as f64 * 1e6 / rate) as u32];
            bench.keep(&name, &Measured { rate, micros }, None);
        }
    }
    Ok(())
}

/// Measures moves of games in play, one decision a request, at full load and at half load.
async fn moves(
    bench: &mut Bench<'_>,
    store: &str,
    service: &Service,
    connections: usize,
    repeat: usize,
) -> Result<()> {
    let name = format!("moves, {store}, {connections}");
    if !bench.wants(&name) {
        return Ok(());
    }
    let rate = bench.load(&name, service, players(service.address, connections, repeat).await?, None).await?;
    let name = format!("moves at half load, {store}, {connections}");
    if connections == 64 && bench.wants(&name) {
        let clients = players(service.address, connections, repeat + 1000).await?;
        bench.load(&name, service, clients, Some(rate / 2.0)).await?;
    }
    Ok(())
}

/// Measures moves of players at one of the places where the service listens.
async fn moves_at(
    bench: &mut Bench<'_>,
    name: &str,
    (service, place): (&Service, Place),
    (connections, repeat): (usize, usize),
    prepared: fn(Player) -> Player,
) -> Result<()> {
    if bench.wants(name) {
        let clients = players(service.address, connections, repeat).await?;
        let clients = clients.into_iter().map(prepared).collect();
        bench.load_at(place, name, service, clients, None).await?;
    }
    Ok(())
}

/// The name of measurements whose clients do not use TCP.
const OVER_UNIX: &str = "over a Unix socket";

/// Checks a hundred times a second whether the service is alive.
fn probe(address: SocketAddr, during: Duration) -> Result<Measured> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let clients = vec![Reader::of_path("/livez")];
    LocalSet::new().block_on(&runtime, drive(address, clients, during, Some(100.0)))
}

/// The name of reads of games that are not cached.
const NOTHING_KEPT: &str = ", nothing kept";
/// Changes that may wait, in a measurement of overload.
const SHORT_QUEUE: &str = "64";

/// Measures moves of more clients than may wait, which retry as the responses ask, and whether the service
/// reports during that time that it is alive.
async fn overload(
    bench: &mut Bench<'_>,
    store: &str,
    url: &str,
    connections: usize,
    repeat: usize,
) -> Result<()> {
    let name = format!("moves with a queue of {SHORT_QUEUE}, {store}, {connections}");
    if !bench.wants(&name) {
        return Ok(());
    }
    let service = Service::start(&bench.args.program, url, &["--queue", SHORT_QUEUE])?;
    let clients = players(service.address, connections, repeat + 5000).await?;
    let clients = clients.into_iter().map(Player::coming_again).collect();
    // On a separate thread, since the clients' thread is overloaded.
    let (address, during) = (service.address, bench.during());
    let probed = thread::spawn(move || probe(address, during));
    bench.load(&name, &service, clients, None).await?;
    let probed = probed.join().map_err(|_| Error::other("the probe has stopped"))??;
    bench.keep(&format!("GET /livez during {name}"), &probed, None);
    Ok(())
}

/// The strongest built-in player of Marrakech.
const STRONGEST: &str = "merchant-8/1";

/// Measures moves with receipts, new games, seats, and players next to clients that make trouble.
async fn others(
    bench: &mut Bench<'_>,
    store: &str,
    url: &str,
    service: &Service,
    connections: usize,
    repeat: usize,
) -> Result<()> {
    let name = format!("moves, each with a receipt, {store}, {connections}");
    let at = (service, service.address.into());
    moves_at(bench, &name, at, (connections, repeat + 6000), Player::with_receipts).await?;
    let name = format!("new games, {store}, {connections}");
    if bench.wants(&name) {
        bench.load(&name, service, (0..connections).map(|_| Creator).collect(), None).await?;
    }
    let name = format!("seats, {store}, {connections}");
    if bench.wants(&name) {
        // More games than can be filled in that time.
        let games = (bench.args.seconds * 10_000.0) as usize / connections;
        let mut sitters = JoinSet::new();
        for n in 0..connections {
            sitters.spawn_local(Sitter::with_games(
                (repeat * 10_000 + n + 5000) as u64,
                games,
                service.address,
            ));
        }
        let sitters: Result<Vec<Sitter>> = sitters.join_all().await.into_iter().collect();
        bench.load(&name, service, sitters?, None).await?;
    }
    // Few enough that the machine has time for both.
    let name = format!("moves at a fixed rate alone, {store}, 16");
    if bench.wants(&name) {
        let clients = players(service.address, 16, repeat + 2000).await?;
        bench.load(&name, service, clients, Some(RATE_BESIDE)).await?;
    }
    let name = format!("moves at the same rate next to {connections} clients on pages, {store}, 16");
    if bench.wants(&name) {
        let pages = move || (0..connections).map(|_| Reader::of_path("/v1/games?limit=100")).collect();
        let clients = players(service.address, 16, repeat + 3000).await?;
        bench.beside(&name, service, clients, pages).await?;
    }
    let name = format!("moves at the same rate next to {connections} games against {STRONGEST}, {store}, 16");
    if bench.wants(&name) {
        let against = move || {
            let player = |n| Player::new((repeat * 10_000 + 7000 + n) as u64).against(STRONGEST);
            (0..connections).map(player).collect()
        };
        let clients = players(service.address, 16, repeat + 7000).await?;
        bench.beside(&name, service, clients, against).await?;
    }
    let name = format!("moves at the same rate next to 16 clients that have games analysed, {store}, 16");
    if bench.wants(&name) {
        let analyst = Analyst::with_game(&mut Connection::open(service.address).await?).await?;
        let clients = players(service.address, 16, repeat + 8000).await?;
        bench.beside(&name, service, clients, move || vec![analyst; 16]).await?;
    }
    let name = format!("moves at the same rate next to {connections} clients on a held game, {store}, 16");
    if store == "PostgreSQL" && bench.wants(&name) {
        let held = Held::game(url, &mut Connection::open(service.address).await?).await?;
        let stuck = vec![held.client(); connections];
        let clients = players(service.address, 16, repeat + 4000).await?;
        bench.beside(&name, service, clients, move || stuck).await?;
    }
    Ok(())
}

/// Returns players who have sat down.
async fn players(address: SocketAddr, count: usize, repeat: usize) -> Result<Vec<Player>> {
    let from = Ipv4Addr::new(127, 0, 50, 1 + (repeat % 250) as u8);
    let mut on = Connection::open_from(from, address).await?;
    let mut players = Vec::with_capacity(count);
    for n in 0..count {
        let mut player = Player::new((repeat * 10_000 + n) as u64);
        player.sit_down(&mut on).await?;
        players.push(player);
    }
    Ok(players)
}
