//! A dedicated PostgreSQL server, which may be killed, stopped and frozen.

use std::fs;
use std::io::{Error, Result};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use crate::clients::client::pause;

/// The pause before another attempt to start the server.
const AGAIN: Duration = Duration::from_millis(100);
/// How long to keep trying.
const START: Duration = Duration::from_secs(60);
/// Starts a server as `scripts/test` does, and prints its folder, its user and the folder of its programs.
const CREATE: &str = r#"set -euo pipefail
die() { echo "$*" >&2; exit 1; }
source "$1"
start_server on ASSAM_FAULTS_POSTGRES >/dev/null
printf '%s\n' "$base" "$user" "$(postgres_bin)""#;

/// A server started by `scripts/postgres.sh`.
#[derive(Clone, Debug)]
pub struct Cluster {
    /// The folder that holds its `data` and its socket.
    pub folder: PathBuf,
    /// The user who runs it, if different from the caller.
    pub user: Option<String>,
    /// The folder of its programs.
    pub programs: PathBuf,
}

/// A server that is stopped and removed when dropped.
pub struct OwnCluster(pub Cluster);

impl OwnCluster {
    /// Starts a server with `scripts/postgres.sh`.
    ///
    /// # Errors
    /// If it does not start.
    pub fn create(script: &Path) -> Result<Self> {
        let made = Command::new("bash").args(["-c", CREATE, "bash"]).arg(script).output()?;
        let said = said(made)?;
        let mut lines = said.lines();
        let mut line = || lines.next().unwrap_or_default().to_owned();
        let (folder, user, programs) = (line(), line(), line());
        let user = (!user.is_empty()).then_some(user);
        Ok(Self(Cluster { folder: folder.into(), user, programs: programs.into() }))
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = fs::remove_dir_all(&self.0.folder);
    }
}

/// Returns the output of a command that succeeded.
fn said(output: Output) -> Result<String> {
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(Error::other(String::from_utf8_lossy(&output.stderr).into_owned()))
}

impl Cluster {
    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// The socket on which it listens.
    pub fn socket(&self) -> PathBuf {
        self.folder.join(".s.PGSQL.5432")
    }

    /// Returns a command for a program of PostgreSQL, run by the user of the server.
    fn command(&self, program: &str) -> Command {
        let path = self.programs.join(program);
        let mut command = match &self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(path);
                command
            }
            None => Command::new(path),
        };
        command.current_dir(&self.folder).stdin(Stdio::null());
        command
    }

    /// Runs statements and returns their output.
    ///
    /// # Errors
    /// Those of the database.
    pub fn sql(&self, database: &str, sql: &str) -> Result<String> {
        let mut command = self.command("psql");
        command.args([
            "-X",
            "-q",
            "-A",
            "-t",
            "-v",
            "ON_ERROR_STOP=1",
            "-U",
            "postgres",
            "-d",
            database,
            "-h",
        ]);
        said(command.arg(&self.folder).args(["-c", sql]).output()?)
    }

    /// Returns the process of the server and its children.
    fn processes(&self) -> Result<Vec<Pid>> {
        let file = fs::read_to_string(self.data().join("postmaster.pid"))?;
        let first = file.lines().next().and_then(|line| line.parse::<i32>().ok());
        let server = first.ok_or_else(|| Error::other("no server"))?;
        let mut found = vec![server];
        for entry in fs::read_dir("/proc")? {
            let path = entry?.path();
            let Some(process) = path.file_name().and_then(|name| name.to_str()?.parse().ok()) else {
                continue;
            };
            // It may have ended.
            let Ok(stat) = fs::read_to_string(path.join("stat")) else { continue };
            let after_name = stat.rsplit(')').next().unwrap_or_default();
            if after_name.split_whitespace().nth(1).and_then(|parent| parent.parse().ok()) == Some(server) {
                found.push(process);
            }
        }
        Ok(found.into_iter().filter_map(Pid::from_raw).collect())
    }

    fn signal(&self, signal: Signal) -> Result<()> {
        for process in self.processes()? {
            // A child may have ended.
            let _ = kill_process(process, signal);
        }
        Ok(())
    }

    /// Kills all its processes, as in a power failure that keeps data handed to the system.
    ///
    /// # Errors
    /// If it does not run.
    pub fn kill(&self) -> Result<()> {
        self.signal(Signal::KILL)
    }

    /// Stops it without a checkpoint.
    ///
    /// # Errors
    /// If it does not run.
    pub fn stop(&self) -> Result<()> {
        let mut command = self.command("pg_ctl");
        said(command.arg("-D").arg(self.data()).args(["-s", "-w", "-m", "immediate", "stop"]).output()?)?;
        Ok(())
    }

    /// Kills one of its children, so that it ends all others and recovers.
    ///
    /// # Errors
    /// If it does not run.
    pub fn kill_child(&self) -> Result<()> {
        let mut children: Vec<Pid> = self.processes()?.into_iter().skip(1).collect();
        children.sort_by_key(|child| child.as_raw_nonzero());
        // The newest ones may have ended.
        let _ = children.into_iter().rev().find(|child| kill_process(*child, Signal::KILL).is_ok());
        Ok(())
    }

    /// Freezes all its processes.
    ///
    /// # Errors
    /// If it does not run.
    pub fn freeze(&self) -> Result<()> {
        self.signal(Signal::STOP)
    }

    /// Resumes its processes.
    ///
    /// # Errors
    /// If it does not run.
    pub fn thaw(&self) -> Result<()> {
        self.signal(Signal::CONT)
    }

    /// Starts it and waits until it accepts connections.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(&self) -> Result<()> {
        let begun = Instant::now();
        loop {
            let mut command = self.command("pg_ctl");
            command.arg("-D").arg(self.data()).arg("-l").arg(self.folder.join("server.log"));
            command.args(["-s", "-w", "-t", "60", "start"]).stdout(Stdio::null()).stderr(Stdio::null());
            let status = command.status()?;
            if status.success() {
                return Ok(());
            }
            if begun.elapsed() > START {
                return Err(Error::other(format!("PostgreSQL did not start: {status}")));
            }
            pause(AGAIN);
        }
    }
}
