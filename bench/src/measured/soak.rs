//! Measures the memory and processor time of a service, hour after hour.

use std::io::{Error, Result};
use std::time::Duration;

use tokio::task::spawn_local;

use crate::clients::player::Player;
use crate::clients::reads::{Fixture, Reader};
use crate::load::drive;
use crate::players;
use crate::service::Service;

/// The parts into which the time is divided.
const PARTS: usize = 12;
/// Clients that play, and clients that read each kind of thing.
const CLIENTS: usize = 16;
/// Wanted moves a second by all clients, and reads of each kind.
const RATE: f64 = 200.0;
const READS: f64 = 20.0;

/// Makes clients play and read on all stores at once, for this many seconds in each part, and prints the
/// figures of each service.
///
/// # Errors
/// If a service fails.
pub async fn print(services: &[(&str, Service)], part: Duration) -> Result<()> {
    let mut fixtures = Vec::new();
    println!(
        "| after, s | on | moves a second | p50, us | p99, us | processor a second, ms | resident memory, MB |"
    );
    println!("| ---: | --- | ---: | ---: | ---: | ---: | ---: |");
    for (_, service) in services {
        let mut on = crate::connection::Connection::open(service.address).await?;
        fixtures.push(Fixture::play(&mut on).await?);
    }
    for done in 1..=PARTS {
        let mut plays = Vec::new();
        let mut reads = Vec::new();
        for ((_, service), fixture) in services.iter().zip(&fixtures) {
            let clients = players(service.address, CLIENTS, 8000 + done).await?;
            // A machine shared with other work may delay the database for a second.
            let clients = clients.into_iter().map(Player::coming_again).collect();
            plays.push((
                service.processor_time()?,
                spawn_local(drive(service.address, clients, part, Some(RATE))),
            ));
            for (n, (_, wanted)) in fixture.loads().into_iter().enumerate() {
                let clients = vec![Reader::of(&wanted, n % 2 == 1, done).patient()];
                reads.push(spawn_local(drive(service.address, clients, part, Some(READS))));
            }
        }
        for ((store, service), (before, play)) in services.iter().zip(plays) {
            let measured = play.await.map_err(Error::other)??;
            let processor = service.processor_time()?.saturating_sub(before);
            println!(
                "| {:.0} | {store} | {:.0} | {} | {} | {:.0} | {:.1} |",
                part.as_secs_f64() * 1.2 * done as f64,
                measured.rate,
                measured.quantile(0.5),
                measured.quantile(0.99),
                processor.as_secs_f64() * 1e3 / (part.as_secs_f64() * 1.2),
                service.megabytes()?,
            );
        }
        for read in reads {
            read.await.map_err(Error::other)??;
        }
    }
    println!();
    Ok(())
}
