//! The measured program, as a separate process.

use std::io::{BufRead as _, BufReader, Error, Result};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::connection::Place;
use crate::figures::named;

/// A running `assam serve`, which ends on drop.
pub struct Service {
    child: Child,
    /// The address on which it listens.
    pub address: SocketAddr,
    folder: TempDir,
}

impl Service {
    /// Starts the program on a database, with more options.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start(program: &Path, database: &str, options: &[&str]) -> Result<Self> {
        Self::start_with_files(program, database, options, None)
    }

    /// As [`Service::start`], with a limit on open files, which the service may raise.
    ///
    /// # Errors
    /// If it does not start.
    pub fn start_with_files(
        program: &Path,
        database: &str,
        options: &[&str],
        files: Option<u32>,
    ) -> Result<Self> {
        let mut command = match files {
            Some(files) => {
                let mut limited = Command::new("prlimit");
                limited.arg(format!("--nofile={files}:")).arg(program);
                limited
            }
            None => Command::new(program),
        };
        let folder = tempfile::tempdir()?;
        let socket = format!("unix:{}", folder.path().join(SOCKET).display());
        let mut child = command
            .args(["serve", "--listen", "127.0.0.1:0", "--listen", &socket, "--database", database])
            .args(options)
            .env("ASSAM_KEYS", KEY)
            .stdout(Stdio::piped())
            .spawn()
            .map_err(|error| named(program, &error))?;
        let mut line = String::new();
        let output = child.stdout.take().ok_or_else(|| Error::other("the program has no output"))?;
        BufReader::new(output).read_line(&mut line)?;
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://")?.parse().ok());
        let address = address.ok_or_else(|| Error::other("the program did not print where it listens"))?;
        Ok(Self { child, address, folder })
    }

    /// Returns the Unix socket on which it also listens.
    pub fn socket(&self) -> Place {
        Place::Unix(self.folder.path().join(SOCKET))
    }

    /// Ends it as a system does, and returns how long that took.
    ///
    /// # Errors
    /// If it does not end cleanly.
    pub fn terminate(mut self) -> Result<Duration> {
        let begun = Instant::now();
        let status = self.end()?;
        if status.success() { Ok(begun.elapsed()) } else { Err(Error::other(status.to_string())) }
    }

    fn end(&mut self) -> Result<ExitStatus> {
        if self.child.try_wait()?.is_none() {
            Command::new("kill").arg(self.child.id().to_string()).status()?;
        }
        self.child.wait()
    }

    /// Returns its processor time so far.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn processor_time(&self) -> Result<Duration> {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.child.id()))?;
        // After the name, which may contain anything, user time is the 12th field and system time the 13th.
        let fields: Vec<&str> = stat.rsplit(')').next().unwrap_or_default().split_whitespace().collect();
        let ticks: Option<u64> = [11, 12].iter().map(|&n| fields.get(n)?.parse::<u64>().ok()).sum();
        // A tick is a hundredth of a second on every Linux.
        ticks.map(|ticks| Duration::from_millis(ticks * 10)).ok_or_else(|| Error::other("no times"))
    }

    /// Returns the processor time of its threads so far, in nanoseconds.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn processor_nanos(&self) -> Result<u64> {
        let mut nanos = 0;
        for task in std::fs::read_dir(format!("/proc/{}/task", self.child.id()))? {
            let times = std::fs::read_to_string(task?.path().join("schedstat"))?;
            let time = times.split_whitespace().next().and_then(|time| time.parse::<u64>().ok());
            nanos += time.ok_or_else(|| Error::other("no times"))?;
        }
        Ok(nanos)
    }

    /// Returns its current memory, in millions of bytes.
    ///
    /// # Errors
    /// If the system does not report it.
    pub fn megabytes(&self) -> Result<f64> {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.child.id()))?;
        let resident =
            status.lines().find_map(|line| line.strip_prefix("RssAnon:")?.split_whitespace().next());
        let kibibytes = resident.and_then(|number| number.parse::<f64>().ok());
        Ok(kibibytes.ok_or_else(|| Error::other("no memory"))? * 1024.0 / 1e6)
    }
}

impl Drop for Service {
    /// Not by force: a program that is profiled (`scripts/dist`) writes its profile when it ends.
    fn drop(&mut self) {
        if self.end().is_err() {
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

const SOCKET: &str = "socket";

/// A signing key, which a service on PostgreSQL needs: one from the documentation of Go.
const KEY: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
