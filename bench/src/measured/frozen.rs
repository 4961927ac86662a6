//! The responses to clients while a database hangs, and the time until all is well again.

use std::io::{Error, Result};
use std::process::Command;
use std::time::{Duration, Instant};

use tokio::time::sleep;
use tokio_postgres::NoTls;

use crate::clients::player::Player;
use crate::connection::{Connection, Request};
use crate::load::{Load as _, Step};
use crate::service::Service;

/// How many times it is frozen, and for how long.
const TIMES: u64 = 5;
const LONG: Duration = Duration::from_secs(10);

/// The processes of a PostgreSQL server, stopped until this is dropped.
struct Frozen(Vec<String>);

impl Frozen {
    async fn server(url: &str) -> Result<Self> {
        let (session, connection) = tokio_postgres::connect(url, NoTls).await.map_err(Error::other)?;
        tokio::spawn(connection);
        let first = "SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)";
        let mut processes = vec![session.query_one(first, &[]).await.map_err(Error::other)?.get(0)];
        let others = "SELECT pid::text FROM pg_stat_activity WHERE pid != pg_backend_pid()";
        let others = session.query(others, &[]).await.map_err(Error::other)?;
        processes.extend(others.iter().map(|row| row.get::<_, String>(0)));
        signal("-STOP", &processes)?;
        Ok(Self(processes))
    }
}

impl Drop for Frozen {
    fn drop(&mut self) {
        let _ = signal("-CONT", &self.0);
    }
}

fn signal(name: &str, processes: &[String]) -> Result<()> {
    let status = Command::new("kill").arg(name).args(processes).status()?;
    if status.success() { Ok(()) } else { Err(Error::other(format!("kill {name}: {status}"))) }
}

/// Freezes the server of a database, sends requests all the while, and prints the times of the responses.
///
/// # Errors
/// If the service does not report that its database is away, or the server cannot be stopped.
#[expect(clippy::disallowed_methods, reason = "a client that asks again and again, with a pause")]
pub async fn print(url: &str, service: &Service) -> Result<()> {
    println!(
        "| frozen for 10 s | first 503 after, ms | slowest after that, ms | after the thaw, the first move, ms |"
    );
    println!("| ---: | ---: | ---: | ---: |");
    for time in 1..=TIMES {
        let mut on = Connection::open(service.address).await?;
        let mut player = Player::new(9000 + time);
        player.sit_down(&mut on).await?;
        player.step(&mut on).await?;
        let frozen = Frozen::server(url).await?;
        let begun = Instant::now();
        let first = refused(&mut on).await?;
        let mut slowest = Duration::ZERO;
        while begun.elapsed() < LONG {
            slowest = slowest.max(refused(&mut on).await?);
            sleep(Duration::from_millis(20)).await;
        }
        drop(frozen);
        let thawed = Instant::now();
        let mut player = player.impatient();
        while player.step(&mut on).await? != Step::Counted {}
        println!(
            "| {time} | {} | {} | {} |",
            first.as_millis(),
            slowest.as_millis(),
            thawed.elapsed().as_millis()
        );
    }
    println!();
    Ok(())
}

/// Requests a new game, and returns the time until it was refused.
async fn refused(on: &mut Connection) -> Result<Duration> {
    let body = Some(("application/json", r#"{"ruleset":"marrakech/1","seats":["open","open","open"]}"#));
    let request = Request { method: "POST", path: "/v1/games", body, ..Request::default() };
    let begun = Instant::now();
    let response = on.send(request).await?;
    if response.status == 503 { Ok(begun.elapsed()) } else { Err(response.unexpected("/v1/games")) }
}
