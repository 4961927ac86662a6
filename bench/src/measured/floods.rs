//! How clients that make trouble affect all others, with limits on. Each client has a separate address.

use std::collections::BTreeMap;
use std::io::{Error, Result};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::{JoinSet, LocalSet};
use tokio::time::{Instant, sleep, timeout};

use crate::connection::{Connection, Request, connect};
use crate::figures::RATE_BESIDE;
use crate::load::{Measured, drive};
use crate::players;
use crate::service::Service;

/// Options with which requests from this machine are counted.
const COUNTED: [&str; 2] = ["--trusted-proxies", "192.0.2.0/24"];
/// Clients that play during the trouble.
const PLAYERS: usize = 64;
/// The length of each of 64 simultaneous bodies, in bytes.
const LONG: usize = 10_000_000;
/// The longest record, in bytes.
const RECORD: usize = 65_536;

/// A kind of trouble.
#[derive(Clone, Copy)]
enum Flood {
    TenTimes,
    OneBody,
    SlowHeads,
    SlowBodies,
    Idle,
    Bodies,
    Validators,
    Imports,
    JoinCodes,
}

/// The requests of a flood's clients.
struct Ammunition {
    /// Records of finished games.
    records: Vec<String>,
    /// A record of the greatest length.
    longest: String,
    /// Records, one after another.
    long: String,
    private: String,
}

/// A flood in progress.
struct Trouble {
    is_over: Arc<AtomicBool>,
    told: JoinHandle<Result<BTreeMap<u16, u64>>>,
}

impl Flood {
    const ALL: [Self; 9] = [
        Self::TenTimes,
        Self::OneBody,
        Self::SlowHeads,
        Self::SlowBodies,
        Self::Idle,
        Self::Bodies,
        Self::Validators,
        Self::Imports,
        Self::JoinCodes,
    ];

    const fn name(self) -> &'static str {
        match self {
            Self::TenTimes => "one client at 10 times its moves and reads",
            Self::OneBody => "one client who validates 10 MB, again and again",
            Self::SlowHeads => "1,100 heads at a byte a second, limit of 1,024 files",
            Self::SlowBodies => "1,100 bodies at a byte a second, limit of 1,024 files",
            Self::Idle => "5,000 idle connections",
            Self::Bodies => "64 bodies of 10 MB to validate",
            Self::Validators => "256 clients who validate 64 KiB",
            Self::Imports => "64 clients who import",
            Self::JoinCodes => "64 clients who try join codes",
        }
    }

    /// Returns the number of its clients.
    const fn clients(self) -> usize {
        match self {
            Self::TenTimes | Self::OneBody => 1,
            Self::SlowHeads | Self::SlowBodies => 1100,
            Self::Idle => 5000,
            Self::Bodies | Self::Imports | Self::JoinCodes => 64,
            Self::Validators => 256,
        }
    }

    /// Returns how many of its clients share an address.
    const fn of_an_address(self) -> usize {
        match self {
            Self::SlowHeads | Self::SlowBodies | Self::Idle => 250,
            Self::TenTimes
            | Self::OneBody
            | Self::Bodies
            | Self::Validators
            | Self::Imports
            | Self::JoinCodes => 4,
        }
    }

    /// Returns the limit on open files with which the service starts, if it is not the limit of the bench.
    const fn files(self) -> Option<u32> {
        match self {
            Self::SlowHeads | Self::SlowBodies => Some(1024),
            Self::TenTimes
            | Self::OneBody
            | Self::Idle
            | Self::Bodies
            | Self::Validators
            | Self::Imports
            | Self::JoinCodes => None,
        }
    }

    /// Makes trouble as one client, once. Returns the status of the response, or 0 if the connection ended
    /// without one.
    async fn once(
        self,
        n: usize,
        round: usize,
        from: Ipv4Addr,
        to: SocketAddr,
        with: &Ammunition,
    ) -> Result<u16> {
        let secret = format!("{n:064x}");
        let secret = Some(secret.as_str());
        match self {
            Self::SlowHeads => trickle(from, to, b"GET /livez HTTP/1.1\r\nHost: a\r\nX-Slow: ").await,
            Self::SlowBodies => {
                let head = b"POST /v1/games HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 900\r\n\r\n";
                trickle(from, to, head).await
            }
            Self::Idle => {
                let mut idle = connect(from, to).await?;
                // It ends, or the service sends the reason first.
                let said = idle.read(&mut [0; 64]).await?;
                Ok(if said == 0 { 0 } else { 408 })
            }
            Self::TenTimes => {
                let mut on = Connection::open_from(from, to).await?;
                let begun = Instant::now();
                // 500 reads and 200 moves a second, ten times the allowance of one secret.
                for sent in 0..350 {
                    let body = Some(("text/plain", "N"));
                    let path = format!("/v1/games/{}/moves/1", with.private);
                    let of = if sent % 7 < 2 {
                        Request { method: "PUT", path: &path, secret, body, gzip: false }
                    } else {
                        Request::get("/v1/games?limit=20", secret)
                    };
                    if on.send(of).await.is_err() {
                        // A client that is refused before its body was read may find the connection closed.
                        on = Connection::open_from(from, to).await?;
                    }
                    sleep_until(begun + Duration::from_millis(sent * 1000 / 700)).await;
                }
                Ok(on.send(Request::get("/v1/games?limit=20", secret)).await?.status)
            }
            Self::OneBody | Self::Bodies => post(from, to, "/v1/validate/bulk", secret, &with.long).await,
            Self::Validators => post(from, to, "/v1/validate", secret, &with.longest).await,
            Self::Imports => {
                let record = &with.records[(n + round * 64) % with.records.len()];
                post(from, to, "/v1/imports", secret, record).await
            }
            Self::JoinCodes => {
                let path = format!("/v1/games/{}/seats/2", with.private);
                let code = format!(r#"{{"join_code":"{:04}"}}"#, (n + round * 64) % 10_000);
                let body = Some(("application/json", code.as_str()));
                let mut on = Connection::open_from(from, to).await?;
                Ok(on.send(Request { method: "PUT", path: &path, secret, body, gzip: false }).await?.status)
            }
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "a client with a schedule")]
async fn sleep_until(moment: Instant) {
    sleep(moment.saturating_duration_since(Instant::now())).await;
}

async fn post(from: Ipv4Addr, to: SocketAddr, path: &str, secret: Option<&str>, body: &str) -> Result<u16> {
    let mut on = Connection::open_from(from, to).await?;
    let body = Some(("text/plain", body));
    Ok(on.send(Request { method: "POST", path, secret, body, gzip: false }).await?.status)
}

/// Sends the beginning of a request at once, and the rest at a byte a second, until there is a response or
/// the connection ends.
async fn trickle(from: Ipv4Addr, to: SocketAddr, begin: &[u8]) -> Result<u16> {
    let mut slow = connect(from, to).await?;
    slow.write_all(begin).await?;
    let mut told = [0; 64];
    loop {
        match timeout(Duration::from_secs(1), slow.read(&mut told)).await {
            Err(_) => slow.write_all(b"a").await?,
            Ok(read) => {
                let line = String::from_utf8_lossy(&told[..read?]).into_owned();
                return Ok(line.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or_default());
            }
        }
    }
}

impl Trouble {
    /// Begins a flood on a separate thread, apart from the measured clients.
    fn begin(flood: Flood, address: SocketAddr, with: Arc<Ammunition>) -> Self {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = Arc::clone(&is_over);
        let told = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
            Ok(LocalSet::new().block_on(&runtime, make(flood, address, &over, with)))
        });
        Self { is_over, told }
    }

    fn end(self) -> Result<BTreeMap<u16, u64>> {
        self.is_over.store(true, Ordering::Relaxed);
        self.told.join().map_err(|_| Error::other("a flood has stopped"))?
    }
}

/// Makes trouble with all clients until it is over, and returns the number of responses by status.
async fn make(
    flood: Flood,
    address: SocketAddr,
    is_over: &Arc<AtomicBool>,
    with: Arc<Ammunition>,
) -> BTreeMap<u16, u64> {
    let mut clients = JoinSet::new();
    let told = Rc::new(std::cell::RefCell::new(BTreeMap::new()));
    for n in 0..flood.clients() {
        let (told, with) = (Rc::clone(&told), Arc::clone(&with));
        clients.spawn_local(async move {
            let address_of = n / flood.of_an_address();
            let from = Ipv4Addr::new(127, 0, 100 + (address_of / 250) as u8, 1 + (address_of % 250) as u8);
            for round in 0.. {
                let status = flood.once(n, round, from, address, &with).await.unwrap_or_default();
                *told.borrow_mut().entry(status).or_insert(0) += 1;
                if status == 0 {
                    // Possibly refused at once: pause, since the kernel limits how fast clients can retry.
                    sleep_until(Instant::now() + Duration::from_millis(50)).await;
                }
            }
        });
    }
    while !is_over.load(Ordering::Relaxed) {
        sleep_until(Instant::now() + Duration::from_millis(10)).await;
    }
    clients.shutdown().await;
    Rc::unwrap_or_clone(told).into_inner()
}

/// Makes each selected kind of trouble next to clients that play, and prints how it affects them and the
/// service.
///
/// # Errors
/// If the service fails the clients that play.
pub async fn print(
    program: &Path,
    store: &str,
    url: &str,
    during: Duration,
    is_wanted: impl Fn(&str) -> bool,
) -> Result<()> {
    println!(
        "| {store}, next to | p50, us, before | during | after | p99, us, before | during | after | memory, MB, before | during | after | SIGTERM, ms | responses |"
    );
    println!("| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |");
    for flood in Flood::ALL.into_iter().filter(|flood| is_wanted(flood.name())) {
        let service = Service::start_with_files(program, url, &COUNTED, flood.files())?;
        let with = Arc::new(Ammunition::load(program, service.address).await?);
        let mut memory = Vec::new();
        let look = async |nth: usize| -> Result<Measured> {
            let clients = players(service.address, PLAYERS, flood as usize * 3 + nth).await?;
            drive(service.address, clients, during, Some(RATE_BESIDE)).await
        };
        let before = look(0).await?;
        memory.push(service.megabytes()?);
        let trouble = Trouble::begin(flood, service.address, Arc::clone(&with));
        let beside = look(1).await?;
        memory.push(service.megabytes()?);
        let told = trouble.end()?;
        let after = look(2).await?;
        memory.push(service.megabytes()?);
        let looks = [before, beside, after];
        let trouble = Trouble::begin(flood, service.address, with);
        sleep_until(Instant::now() + during / 4).await;
        let ended = service.terminate()?;
        trouble.end()?;
        let quantile = |share| looks.iter().map(move |look: &Measured| look.quantile(share).to_string());
        let memory = memory.iter().map(|megabytes| format!("{megabytes:.0}"));
        let cells: Vec<String> = quantile(0.5).chain(quantile(0.99)).chain(memory).collect();
        let told: Vec<String> = told
            .iter()
            .map(|(status, count)| match status {
                0 => format!("none: {count}"),
                status => format!("{status}: {count}"),
            })
            .collect();
        println!(
            "| {} | {} | {} | {} |",
            flood.name(),
            cells.join(" | "),
            ended.as_millis(),
            told.join(", ")
        );
    }
    println!();
    Ok(())
}

impl Ammunition {
    async fn load(program: &Path, address: SocketAddr) -> Result<Self> {
        let random = |arguments: &[&str]| -> Result<String> {
            let made = Command::new(program).arg("random").args(arguments).output()?;
            String::from_utf8(made.stdout).map_err(Error::other)
        };
        let games = random(&["12000", "--seats", "3", "--seed", "5", "--form", "canonical"])?;
        let records: Vec<String> = games
            .split("MKN/1 ")
            .filter(|record| !record.is_empty())
            .map(|record| format!("MKN/1 {}\n", record.trim()))
            .collect();
        let mut longest = random(&["1", "--ruleset", "marrakesh/1", "--seed", "5"])?;
        let body = longest.find("\n\n").ok_or_else(|| Error::other("a record without a body"))?;
        let room = RECORD.saturating_sub(longest.len() + 10);
        longest.insert_str(body, &format!("\nnote: {}", "a".repeat(room)));
        let long = games[..LONG.min(games.len())].to_owned();
        let mut on = Connection::open_from(Ipv4Addr::new(127, 0, 99, 1), address).await?;
        let wanted = r#"{"ruleset":"marrakech/1","seats":["open","open"],"visibility":"private","join_code":"rosewater"}"#;
        let path = "/v1/games";
        let body = Some(("application/json", wanted));
        let secret = "f".repeat(64);
        let create = Request { method: "POST", path, secret: Some(&secret), body, gzip: false };
        let created = on.send(create).await?;
        let id = serde_json::from_slice::<serde_json::Value>(created.body)?["id"].as_str().map(str::to_owned);
        let private = id.ok_or_else(|| Error::other("no private game"))?;
        Ok(Self { records, longest, long, private })
    }
}
