//! The targets of faults, with a file for each kind: processes, proxies and a database.

pub mod balancer;
pub mod cluster;
pub mod database;
pub mod pipe;
pub mod process;
pub mod proxy;

use std::collections::BTreeMap;
use std::io::Result;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};
use rustix::process::Signal;

use crate::clients::client::{World, pause};
use crate::clients::http::{Connection, Request};
use crate::fault::Fault;
use crate::history::{Line, Struck};
use crate::judge::{Finding, Wrong};
use crate::plant::Plant;

use database::{Database, length_of_log, lose_writes};
use pipe::Gate;
use process::{Clock, Process};

/// How long a probe waits for an answer.
const PATIENCE: Duration = Duration::from_millis(1500);
/// The pause before another attempt.
const AGAIN: Duration = Duration::from_millis(5);
/// Maximum time until the service writes again.
const RECOVERY: Duration = Duration::from_secs(60);
/// Minimum room for SQLite in each file while the disk is full.
const ROOM: u64 = 64 * 1024;

/// All possible targets.
pub struct Field<'a> {
    /// The clients.
    pub world: &'a World,
    /// The processes of the service.
    pub processes: Vec<Mutex<Process>>,
    /// The proxy in front of each process.
    pub fronts: Vec<Arc<Gate>>,
    /// The database.
    pub database: &'a Database,
    /// The proxy between service and PostgreSQL.
    pub back: Option<Arc<Gate>>,
    /// The clock of the processes.
    pub clock: Option<Clock>,
    /// The planted fault.
    pub plant: Option<Plant>,
    /// The count of each fault.
    pub struck: Mutex<BTreeMap<&'static str, u64>>,
    /// Violations by the service.
    pub findings: Mutex<Vec<Finding>>,
}

impl Field<'_> {
    fn process(&self, number: usize) -> MutexGuard<'_, Process> {
        self.processes[number].lock()
    }

    fn find(&self, detail: String) {
        let finding = Finding { wrong: Wrong::Service, game: String::new(), detail };
        self.findings.lock().push(finding);
    }

    /// Returns how often a fault was struck.
    pub fn count(&self, fault: Fault) -> u64 {
        self.struck.lock().get(fault.name()).copied().unwrap_or(0)
    }

    /// Strikes faults until the run is over.
    ///
    /// # Errors
    /// If one cannot be struck.
    pub fn strike_all(&self, schedule: impl Iterator<Item = (Duration, Fault)>) -> Result<()> {
        for (before, fault) in schedule {
            pause(before);
            if self.world.is_over() {
                break;
            }
            self.look()?;
            let start = self.world.now();
            self.strike(fault)?;
            let lifted = self.world.now();
            let hit = fault.process().map_or(0..self.processes.len(), |process| process..process + 1);
            let answers = hit.map(|process| self.answers(process)).collect::<Vec<bool>>();
            let answered = answers.iter().all(|answers| *answers).then(|| self.world.now());
            if answered.is_none() {
                self.find(format!("no new game within {RECOVERY:?} after: {}", fault.name()));
            }
            *self.struck.lock().entry(fault.name()).or_default() += 1;
            let struck = Struck { fault: fault.name().to_owned(), start, lifted, answered };
            self.world.journal.write(&[Line::Fault(struck)])?;
        }
        Ok(())
    }

    /// Checks whether a process has ended without being killed.
    fn look(&self) -> Result<()> {
        for number in 0..self.processes.len() {
            let mut process = self.process(number);
            if process.has_ended()? {
                self.find(format!("process {number} has ended by itself"));
                process.start_again()?;
            }
        }
        Ok(())
    }

    /// Waits until a process writes. Returns whether it does.
    fn answers(&self, number: usize) -> bool {
        let begun = Instant::now();
        let address = self.process(number).address;
        let body = r#"{"ruleset":"marrakech/1","seats":["open","open"]}"#.to_owned();
        let request = Request { method: "POST", path: "/v1/games".to_owned(), body, ..Request::default() };
        while begun.elapsed() < RECOVERY {
            let sent = Connection::open(address, PATIENCE).and_then(|mut on| on.send(&request));
            if sent.is_ok_and(|response| response.status == 201) {
                return true;
            }
            pause(AGAIN);
        }
        false
    }

    fn strike(&self, fault: Fault) -> Result<()> {
        match fault {
            Fault::Kill(number) => self.kill(number),
            Fault::Deploy(number) => {
                let mut process = self.process(number);
                if let Err(error) = process.terminate() {
                    self.find(format!("process {number} {error}"));
                }
                process.start_again()
            }
            Fault::Freeze(number, millis) => {
                self.process(number).signal(Signal::STOP)?;
                pause(Duration::from_millis(millis));
                self.process(number).signal(Signal::CONT)
            }
            Fault::FillDisk(millis) => {
                self.fill(true)?;
                pause(Duration::from_millis(millis));
                self.fill(false)
            }
            Fault::JumpClock(seconds) => self.clock.as_ref().map_or(Ok(()), |clock| clock.set(seconds)),
            Fault::CutClients => {
                self.fronts.iter().for_each(|gate| gate.cut());
                Ok(())
            }
            Fault::HoldClients(millis) => {
                self.fronts.iter().for_each(|gate| gate.hold(true));
                pause(Duration::from_millis(millis));
                self.fronts.iter().for_each(|gate| gate.hold(false));
                Ok(())
            }
            Fault::KillDatabase
            | Fault::StopDatabase
            | Fault::KillSession
            | Fault::FreezeDatabase(_)
            | Fault::CutDatabase => self.strike_database(fault),
        }
    }

    fn kill(&self, number: usize) -> Result<()> {
        let mut process = self.process(number);
        process.kill()?;
        if let (Some(Plant::EarlyAnswer), Database::Sqlite(file)) = (self.plant, self.database) {
            lose_writes(file)?;
        }
        process.start_again()
    }

    fn strike_database(&self, fault: Fault) -> Result<()> {
        let Database::Postgres { cluster, .. } = self.database else { return Ok(()) };
        match fault {
            Fault::KillDatabase => {
                cluster.kill()?;
                cluster.start()
            }
            Fault::StopDatabase => {
                cluster.stop()?;
                cluster.start()
            }
            Fault::KillSession => cluster.kill_child(),
            Fault::FreezeDatabase(millis) => {
                cluster.freeze()?;
                pause(Duration::from_millis(millis));
                cluster.thaw()
            }
            Fault::CutDatabase => {
                self.back.iter().for_each(|gate| gate.cut());
                Ok(())
            }
            Fault::Kill(_)
            | Fault::Deploy(_)
            | Fault::Freeze(..)
            | Fault::FillDisk(_)
            | Fault::JumpClock(_)
            | Fault::CutClients
            | Fault::HoldClients(_) => Ok(()),
        }
    }

    /// Fills the disk, or frees it.
    fn fill(&self, is_full: bool) -> Result<()> {
        let Database::Sqlite(file) = self.database else { return self.database.fill(is_full) };
        // Once the log is full, SQLite restarts it.
        let size = (length_of_log(file).unwrap_or(0) / 2).max(ROOM);
        for number in 0..self.processes.len() {
            self.process(number).limit_files(is_full.then_some(size))?;
        }
        Ok(())
    }

    /// Ends all faults, so that clients can finish what they began.
    pub fn calm(&self) {
        self.fronts.iter().chain(&self.back).for_each(|gate| gate.calm(true));
    }
}
