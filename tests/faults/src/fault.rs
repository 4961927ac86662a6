//! The faults, and the schedule in which they are struck, which follows from a seed.

use std::time::Duration;

use rand::rngs::SmallRng;
use rand::{RngExt as _, SeedableRng as _};

/// The longest that passes between two faults, in milliseconds.
const PAUSE: u64 = 1200;
/// How long a process is left alone before the next one is deployed, where they are one after another: the balancer has noticed by then that it is up.
const ROLL: Duration = Duration::from_millis(1500);
/// The longest that something is frozen or full, in milliseconds.
const FREEZE: u64 = 2500;

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A process of the service is killed, and another one started.
    Kill(usize),
    /// A process is ended by SIGTERM, and another one started on the same port.
    Deploy(usize),
    /// A process is frozen for so many milliseconds.
    Freeze(usize, u64),
    /// The disk is full for so many milliseconds.
    FillDisk(u64),
    /// The clocks of all processes are wrong by so many seconds from now on.
    JumpClock(i64),
    /// All processes of PostgreSQL are killed, and it is started again.
    KillDatabase,
    /// PostgreSQL is stopped at once, and started again.
    StopDatabase,
    /// One process of PostgreSQL is killed, and it recovers by itself.
    KillSession,
    /// PostgreSQL is frozen for so many milliseconds.
    FreezeDatabase(u64),
    /// All connections to PostgreSQL are cut.
    CutDatabase,
    /// All connections of clients are cut.
    CutClients,
    /// What clients and service send each other waits for so many milliseconds.
    HoldClients(u64),
}

impl Fault {
    /// Its name in reports.
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

    /// The process that is hit, where it is one.
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

/// What there is to strike.
#[derive(Clone, Copy, Debug)]
pub struct Targets {
    /// How many processes of the service.
    pub processes: usize,
    /// Whether there is PostgreSQL.
    pub has_postgres: bool,
    /// Whether the clock can be set.
    pub has_clock: bool,
    /// Whether nothing but kills is wanted, of what keeps the last writes.
    pub only_kills: bool,
}

/// Returns faults without end, each with how long to wait before it.
pub fn schedule(seed: u64, targets: Targets) -> impl Iterator<Item = (Duration, Fault)> {
    let mut random = SmallRng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let pause = Duration::from_millis(random.random_range(0..PAUSE));
        (pause, draw(&mut random, targets))
    })
}

/// Returns deploys without end, of one process after another, as somebody does who wants nobody to notice.
pub fn rolling(processes: usize) -> impl Iterator<Item = (Duration, Fault)> {
    (0..processes).cycle().map(|process| (ROLL, Fault::Deploy(process)))
}

fn draw(random: &mut SmallRng, Targets { processes, has_postgres, has_clock, only_kills }: Targets) -> Fault {
    let process = random.random_range(0..processes);
    let long = random.random_range(100..FREEZE);
    let seconds = random.random_range(-7200..=7200);
    // Drawn in any case, so that the rest follows from the seed whatever there is.
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
