//! Load: clients that send one request after another, each on a separate connection.

use std::io::{Error, Result};
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};

use tokio::task::JoinSet;
use tokio::time::{sleep_until, timeout};

use crate::connection::{Connection, Place};

/// A step of a client.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A request that is measured.
    Counted,
    /// Requests that are not measured, such as the creation of the next game.
    Beside,
    Nothing,
}

pub trait Load: 'static {
    /// Makes the next step.
    ///
    /// # Errors
    /// If a response is wrong.
    fn step(&mut self, on: &mut Connection) -> impl Future<Output = Result<Step>>;
}

/// The figures of a measurement.
#[derive(Clone, Default)]
pub struct Measured {
    /// Requests a second.
    pub rate: f64,
    /// The duration of each request in microseconds, sorted.
    pub micros: Vec<u32>,
}

impl Measured {
    /// Returns the longest duration among this share of the requests, in microseconds.
    pub fn quantile(&self, share: f64) -> u32 {
        let last = self.micros.len().saturating_sub(1);
        self.micros.get((last as f64 * share) as usize).copied().unwrap_or_default()
    }
}

/// How long a response may take before the run counts as broken.
const PATIENCE: Duration = Duration::from_secs(20);

/// Runs clients for a while, after a part of it that is not measured. With `rate`, they send that many
/// requests a second together, on a schedule, and a request's time begins when it is due.
///
/// # Errors
/// The first wrong response.
pub async fn drive<L: Load>(
    place: impl Into<Place>,
    clients: Vec<L>,
    during: Duration,
    rate: Option<f64>,
) -> Result<Measured> {
    let place = place.into();
    let mut tasks = JoinSet::new();
    let count = clients.len();
    let begin = Instant::now() + Duration::from_millis(20) + during / 5;
    let end = begin + during;
    for (n, mut client) in clients.into_iter().enumerate() {
        let place = place.clone();
        tasks.spawn_local(async move {
            // A separate address, as limits count clients by address.
            let from = Ipv4Addr::new(127, 0, 1 + (n / 250) as u8, 1 + (n % 250) as u8);
            let mut on = Connection::open_from(from, place).await?;
            let mut micros = Vec::new();
            let pause = rate.map(|rate| Duration::from_secs_f64(count as f64 / rate));
            let mut due = Instant::now() + pause.unwrap_or_default().mul_f64(n as f64 / count as f64);
            loop {
                let begun = match pause {
                    Some(pause) => {
                        sleep_until(due.into()).await;
                        let begun = due;
                        due += pause;
                        begun
                    }
                    None => Instant::now(),
                };
                if begun >= end {
                    return Ok::<_, Error>(micros);
                }
                let step = timeout(PATIENCE, client.step(&mut on)).await;
                let step = step.map_err(|_| Error::other("no response in time"))??;
                let took = begun.elapsed();
                if step != Step::Counted {
                    // Uncounted steps are not on the schedule.
                    due = Instant::now();
                } else if begun >= begin {
                    micros.push(took.as_micros() as u32);
                }
            }
        });
    }
    let mut micros = Vec::new();
    while let Some(done) = tasks.join_next().await {
        micros.extend(done.map_err(Error::other)??);
    }
    micros.sort_unstable();
    Ok(Measured { rate: micros.len() as f64 / during.as_secs_f64(), micros })
}
