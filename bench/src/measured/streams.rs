//! Measures streams of events: the cost of idle ones, and the time until followers get an event.

use std::io::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::thread;
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::{JoinSet, LocalSet};

use crate::clients::player::Player;
use crate::connection::{Connection, connect};
use crate::figures::Bench;
use crate::load::{Load as _, Measured, Step, drive};
use crate::players;
use crate::service::Service;

const IDLE: usize = 10_000;
/// Followers of one game.
const FOLLOWERS: usize = 1000;
/// Followers of one game that never read.
const SILENT: usize = 100;

/// A follower of a game.
struct Watcher {
    stream: TcpStream,
    read: Vec<u8>,
}

impl Watcher {
    /// Follows a game from one of many addresses of this machine, and reads until the stream is up to date.
    async fn open(number: usize, address: SocketAddr, game: &str) -> Result<Self> {
        let from = Ipv4Addr::new(127, 1, (number / 200 % 250) as u8, 1 + (number % 200) as u8);
        let mut stream = connect(from, address).await?;
        let request = format!("GET /v1/games/{game}/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        stream.write_all(request.as_bytes()).await?;
        let mut watcher = Self { stream, read: Vec::new() };
        watcher.wait_for("\"type\":\"caught-up\"").await?;
        Ok(watcher)
    }

    /// Reads until a text arrives.
    async fn wait_for(&mut self, wanted: &str) -> Result<()> {
        loop {
            if let Some(at) = self.read.windows(wanted.len()).position(|part| part == wanted.as_bytes()) {
                self.read.drain(..at + wanted.len());
                return Ok(());
            }
            // The text may have arrived in part.
            let known = self.read.len().saturating_sub(wanted.len());
            self.read.drain(..known);
            if self.stream.read_buf(&mut self.read).await? == 0 {
                return Err(Error::other(format!("the stream ended before {wanted}")));
            }
        }
    }

    /// Reads until the event of a ply arrives, and returns the time.
    async fn told(&mut self, ply: u32) -> Result<Instant> {
        self.wait_for(&format!("id: {ply}.")).await?;
        Ok(Instant::now())
    }
}

/// Opens streams, some at a time.
async fn open(count: usize, address: SocketAddr, games: &[String]) -> Result<Vec<Watcher>> {
    let mut tasks = JoinSet::new();
    for lane in 0..50 {
        let games = games.to_vec();
        tasks.spawn_local(async move {
            let mut watchers = Vec::new();
            for number in (lane..count).step_by(50) {
                watchers.push(Watcher::open(number, address, &games[number % games.len()]).await?);
            }
            Ok::<_, Error>(watchers)
        });
    }
    let watchers: Result<Vec<_>> = tasks.join_all().await.into_iter().collect();
    Ok(watchers?.into_iter().flatten().collect())
}

/// Returns a player who has sat down to a new game, and its id.
async fn table(on: &mut Connection, number: u64) -> Result<(Player, String)> {
    let mut player = Player::new(number);
    player.sit_down(on).await?;
    let (game, _) = player.first_turn();
    Ok((player, game))
}

/// Measures moves next to streams, and the time until followers get them.
///
/// # Errors
/// If the service fails.
pub async fn measure(
    bench: &mut Bench<'_>,
    store: &str,
    url: &str,
    service: &Service,
    repeat: usize,
) -> Result<()> {
    for (count, what) in [(FOLLOWERS, "followers"), (IDLE, "idle streams")] {
        let name = format!("moves next to {count} {what}, {store}, 64");
        if bench.wants(&name) {
            // A separate service, because it only notices closed streams after a while.
            let service = Service::start(&bench.args.program, url, &[])?;
            let mut on = Connection::open(service.address).await?;
            let mut games = Vec::new();
            for number in 0..count / 10 {
                games.push(table(&mut on, (repeat * 10_000 + number) as u64 + 7_000_000).await?.1);
            }
            let watchers = open(count, service.address, &games).await?;
            let clients = players(service.address, 64, repeat + 7000).await?;
            bench.load(&name, &service, clients, None).await?;
            drop(watchers);
        }
    }
    let name = format!("from 201 until {FOLLOWERS} followers have the event, {store}");
    if bench.wants(&name) {
        let measured = tell(service, service.address, FOLLOWERS, repeat, bench.during()).await?;
        bench.keep(&name, &measured, None);
    }
    let name = format!("from 201 to the event, {store}, same process, idle");
    if bench.wants(&name) {
        let measured = tell(service, service.address, 1, repeat + 100, bench.during()).await?;
        bench.keep(&name, &measured, None);
    }
    let half = format!("from 201 to the event, {store}, same process, half load");
    if bench.wants(&half) {
        let measured = beside_load(service, service.address, repeat + 200, bench.during()).await?;
        bench.keep(&half, &measured, None);
    }
    let name = format!("from 201 to the event, {store}, other process, idle");
    if store == "PostgreSQL" && bench.wants(&name) {
        let other = Service::start(&bench.args.program, url, &[])?;
        let measured = tell(service, other.address, 1, repeat + 300, bench.during()).await?;
        bench.keep(&name, &measured, None);
        let name = format!("from 201 to the event, {store}, other process, half load");
        let measured = beside_load(service, other.address, repeat + 400, bench.during()).await?;
        bench.keep(&name, &measured, None);
    }
    Ok(())
}

/// Plays a game that is followed, and returns, for each move, the time from its response until the last
/// follower has it.
async fn tell(
    service: &Service,
    followed: SocketAddr,
    count: usize,
    repeat: usize,
    during: Duration,
) -> Result<Measured> {
    let mut on = Connection::open(service.address).await?;
    let (mut micros, end) = (Vec::new(), Instant::now() + during);
    for number in 0.. {
        let (mut player, game) = table(&mut on, (repeat * 1000 + number) as u64 + 8_000_000).await?;
        let mut watchers = open(count, followed, &[game]).await?;
        for ply in 1.. {
            let mut tasks = JoinSet::new();
            for mut watcher in watchers.drain(..) {
                tasks.spawn_local(async move {
                    let told = watcher.told(ply).await?;
                    Ok::<_, Error>((told, watcher))
                });
            }
            if player.step(&mut on).await? != Step::Counted {
                break;
            }
            let answered = Instant::now();
            let mut last = answered;
            while let Some(done) = tasks.join_next().await {
                let (told, watcher) = done.map_err(Error::other)??;
                last = last.max(told);
                watchers.push(watcher);
            }
            micros.push((last - answered).as_micros() as u32);
            if Instant::now() > end {
                micros.sort_unstable();
                return Ok(Measured { rate: micros.len() as f64 / during.as_secs_f64(), micros });
            }
        }
    }
    Err(Error::other("no time"))
}

/// Does the same for one follower, while 64 others play at half load.
async fn beside_load(
    service: &Service,
    followed: SocketAddr,
    repeat: usize,
    during: Duration,
) -> Result<Measured> {
    let address = service.address;
    let full = players(address, 64, repeat).await?;
    let rate = drive(address, full, during / 2, None).await?.rate;
    // On a separate thread, so that the follower reads at once.
    let load = thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        LocalSet::new().block_on(&runtime, async {
            let clients = players(address, 64, repeat + 50).await?;
            drive(address, clients, during.mul_f64(1.2), Some(rate / 2.0)).await
        })
    });
    let measured = tell(service, followed, 1, repeat, during).await;
    load.join().map_err(|_| Error::other("the load has stopped"))??;
    measured
}

/// Prints the memory of idle streams, and of streams that are never read.
///
/// # Errors
/// If the service fails.
pub async fn print(store: &str, service: &Service) -> Result<()> {
    let mut on = Connection::open(service.address).await?;
    let mut games = Vec::new();
    for number in 0..IDLE / 10 {
        games.push(table(&mut on, number as u64 + 9_000_000).await?.1);
    }
    let before = service.megabytes()?;
    let watchers = open(IDLE, service.address, &games).await?;
    let during = service.megabytes()?;
    println!("| {store}, streams | resident memory, MB |");
    println!("| --- | ---: |");
    println!("| none, 1,000 games | {before:.1} |");
    println!("| {IDLE} idle, {:.0} bytes each | {during:.1} |", (during - before) * 1e6 / IDLE as f64);
    drop(watchers);
    let (mut player, game) = table(&mut on, 9_900_000).await?;
    let silent = open(SILENT, service.address, std::slice::from_ref(&game)).await?;
    let mut reading = Watcher::open(SILENT, service.address, &game).await?;
    println!("| {SILENT} that are not read, at the start of a game | {:.1} |", service.megabytes()?);
    let mut plies = 0;
    while player.step(&mut on).await? == Step::Counted {
        plies += 1;
        reading.told(plies).await?;
    }
    println!("| the same, after {plies} plies | {:.1} |", service.megabytes()?);
    println!();
    drop(silent);
    Ok(())
}
