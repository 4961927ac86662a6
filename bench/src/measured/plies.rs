//! Measures the cost of a move early and late in a game.

use std::io::{Error, Result};

use rand::SeedableRng as _;
use rand::rngs::SmallRng;

use crate::clients::reads::{Moment, play_watched};
use crate::connection::{Connection, Request};
use crate::service::Service;

/// Games of each kind.
const GAMES: u64 = 24;
/// Plies that are taken together.
const AROUND: u32 = 5;

/// Plays games on one connection, and prints the service's processor time for a move around some plies.
///
/// # Errors
/// If the service fails.
pub async fn print(store: &str, service: &Service) -> Result<()> {
    let mut on = Connection::open(service.address).await?;
    println!(
        "| {store}, processor time of the service, us | around ply 10 | around ply 85 | around ply 275 |"
    );
    println!("| --- | ---: | ---: | ---: |");
    let begun = service.processor_nanos()?;
    let count = 2000;
    for _ in 0..count {
        on.send(Request::get("/livez", None)).await?;
    }
    println!(
        "| `GET /livez` | {:.0} | | |",
        (service.processor_nanos()? - begun) as f64 / 1e3 / f64::from(count)
    );
    for (name, ruleset, seats) in [("Marrakech for three", "marrakech/1", 3), ("Marrakesh", "marrakesh/1", 2)]
    {
        let mut windows = [10, 85, 275].map(|ply| (ply, Vec::new()));
        for seed in 0..GAMES {
            let mut random = SmallRng::seed_from_u64(seed);
            let mut begun = 0;
            let mut watch = |ply: u32, moment| {
                let window = windows.iter_mut().find(|(at, _)| ply.abs_diff(*at) <= AROUND);
                let Some((_, taken)) = window else { return Ok::<_, Error>(()) };
                match moment {
                    Moment::Before => begun = service.processor_nanos()?,
                    Moment::After => taken.push(service.processor_nanos()?.saturating_sub(begun)),
                }
                Ok(())
            };
            play_watched(&mut on, &mut random, ruleset, seats, u32::MAX, &mut watch).await?;
        }
        let cells = windows.iter_mut().map(|(_, taken)| {
            taken.sort_unstable();
            taken.get(taken.len() / 2).map_or_else(String::new, |nanos| format!("{:.0}", *nanos as f64 / 1e3))
        });
        println!("| a move, {name} | {} |", cells.collect::<Vec<_>>().join(" | "));
    }
    println!();
    Ok(())
}
