//! The faults and their schedule, which depends only on a seed.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

/// The longest pause between two faults, in milliseconds.
const PAUSE: u64 = 1200;
/// The pause between two deploys in a rolling deployment, long enough for the balancer to see the process up
/// again.
const ROLL: Duration = Duration::from_millis(1500);
/// The longest freeze or full disk, in milliseconds.
const FREEZE: u64 = 2500;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Kill a process of the service and start another one.
    Kill(usize),
    /// Stop a process with SIGTERM and start another one on the same port.
    Deploy(usize),
    /// Freeze a process for so many milliseconds.
    Freeze(usize, u64),
    /// Fill the disk for so many milliseconds.
    FillDisk(u64),
    /// Set the clocks of all processes wrong by so many seconds.
    JumpClock(i64),
    /// Kill all processes of PostgreSQL and start it again.
    KillDatabase,
    /// Stop PostgreSQL immediately and start it again.
    StopDatabase,
    /// Kill one process of PostgreSQL, which then recovers by itself.
    KillSession,
    /// Freeze PostgreSQL for so many milliseconds.
    FreezeDatabase(u64),
    /// Cut all connections to PostgreSQL.
    CutDatabase,
    /// Cut all connections of clients.
    CutClients,
    /// Delay traffic between clients and service by so many milliseconds.
    HoldClients(u64),
}

impl Fault {
    /// Returns its name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Kill(_) => "service killed",
            Self::Deploy(_) => "service deployed",
            Self::Freeze(..) => "service frozen",
            Self::FillDisk(_) => "disk full",
            Self::JumpClock(_) => "clock jumped",
            Self::KillDatabase => "PostgreSQL killed",
            Self::StopDatabase => "PostgreSQL stopped at once",
            Self::KillSession => "session of PostgreSQL killed",
            Self::FreezeDatabase(_) => "PostgreSQL frozen",
            Self::CutDatabase => "connections to PostgreSQL cut",
            Self::CutClients => "connections of clients cut",
            Self::HoldClients(_) => "connections of clients held",
        }
    }

    /// Returns the affected process, if it is a single one.
    pub fn process(self) -> Option<usize> {
        match self {
            Self::Kill(process) | Self::Deploy(process) | Self::Freeze(process, _) => Some(process),
            Self::FillDisk(_)
            | Self::JumpClock(_)
            | Self::KillDatabase
            | Self::StopDatabase
            | Self::KillSession
            | Self::FreezeDatabase(_)
            | Self::CutDatabase
            | Self::CutClients
            | Self::HoldClients(_) => None,
        }
    }
}

/// The possible targets of faults.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// The number of service processes.
    pub processes: usize,
    /// Whether PostgreSQL is used.
    pub has_postgres: bool,
    /// Whether the clock can be set.
    pub has_clock: bool,
    /// Whether to strike only kills, of those faults that keep the last writes.
    pub only_kills: bool,
}

/// Returns endless faults, each with the pause before it.
pub fn schedule(seed: u64, targets: Targets) -> impl Iterator<Item = (Duration, Fault)> {
    let mut random = SmallRng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let pause = Duration::from_millis(random.random_range(0..PAUSE));
        (pause, draw(&mut random, targets))
    })
}

/// Returns endless deploys, one process after another, as in a deployment without downtime.
pub fn rolling(processes: usize) -> impl Iterator<Item = (Duration, Fault)> {
    (0..processes).cycle().map(|process| (ROLL, Fault::Deploy(process)))
}

fn draw(random: &mut SmallRng, Targets { processes, has_postgres, has_clock, only_kills }: Targets) -> Fault {
    let process = random.random_range(0..processes);
    let long = random.random_range(100..FREEZE);
    let seconds = random.random_range(-7200..=7200);
    // Always drawn, so that the rest depends on the seed alone.
    let (kind, of_database) = (random.random_range(0..100), random.random_range(0..100));
    if only_kills {
        return match of_database {
            _ if !has_postgres => Fault::Kill(process),
            0..50 => Fault::StopDatabase,
            _ => Fault::KillDatabase,
        };
    }
    match kind {
        0..45 => Fault::Kill(process),
        45..55 => Fault::Deploy(process),
        55..61 => Fault::Freeze(process, long),
        61..65 => Fault::FillDisk(long),
        65..70 if has_clock => Fault::JumpClock(seconds),
        65..74 => Fault::CutClients,
        74..78 => Fault::HoldClients(long),
        _ if !has_postgres => Fault::Kill(process),
        _ => match of_database {
            0..30 => Fault::KillDatabase,
            30..55 => Fault::StopDatabase,
            55..70 => Fault::KillSession,
            70..85 => Fault::FreezeDatabase(long),
            _ => Fault::CutDatabase,
        },
    }
}
