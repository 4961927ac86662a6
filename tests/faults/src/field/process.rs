//! A service process that can be killed, stopped, frozen and restarted at the same address.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader, Error, Result};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process, prlimit};

use crate::clients::client::pause;

/// A signing key from Go's documentation.
const KEY: &str = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz";
/// The pause before another attempt to start a process, as a supervisor waits.
const AGAIN: Duration = Duration::from_millis(100);
/// Maximum time until a process is up.
const START: Duration = Duration::from_secs(60);
/// Possible paths of the library that gives a process a separate clock.
const CLOCKS: [&str; 3] = [
    "/usr/lib/x86_64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/aarch64-linux-gnu/faketime/libfaketime.so.1",
    "/usr/lib/faketime/libfaketime.so.1",
];

/// A clock that can be set for all service processes, if libfaketime is installed.
#[derive(Clone, Debug)]
pub struct Clock {
    library: &'static str,
    file: PathBuf,
}

impl Clock {
    /// Returns an accurate clock kept in a folder, or `None` if libfaketime is not installed.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn find(folder: &Path) -> Result<Option<Self>> {
        let Some(library) = CLOCKS.into_iter().find(|library| Path::new(library).exists()) else {
            return Ok(None);
        };
        let clock = Self { library, file: folder.join("clock") };
        clock.set(0)?;
        Ok(Some(clock))
    }

    /// Sets it wrong by so many seconds.
    ///
    /// # Errors
    /// If its file cannot be written.
    pub fn set(&self, seconds: i64) -> Result<()> {
        fs::write(&self.file, format!("{seconds:+}s\n"))
    }
}

/// How a process is started.
#[derive(Clone, Debug)]
pub struct Launch {
    /// The program.
    pub program: PathBuf,
    /// Its database.
    pub database: String,
    /// The path of its log.
    pub log: PathBuf,
    /// Its clock.
    pub clock: Option<Clock>,
}

/// A process that is killed when dropped.
pub struct Process {
    launch: Launch,
    child: Child,
    /// Its address.
    pub address: SocketAddr,
}

impl Process {
    /// Starts a process and waits until it listens.
    ///
    /// # Errors
    /// If it does not listen.
    pub fn start(launch: Launch) -> Result<Self> {
        let (child, address) = up(&launch, "127.0.0.1:0")?;
        Ok(Self { launch, child, address })
    }

    fn pid(&self) -> Result<Pid> {
        Pid::from_raw(self.child.id() as i32).ok_or_else(|| Error::other("no process"))
    }

    /// Sends a signal.
    ///
    /// # Errors
    /// If that fails.
    pub fn signal(&self, signal: Signal) -> Result<()> {
        Ok(kill_process(self.pid()?, signal)?)
    }

    /// Returns whether it has ended by itself.
    ///
    /// # Errors
    /// If the system does not report its state.
    pub fn has_ended(&mut self) -> Result<bool> {
        Ok(self.child.try_wait()?.is_some())
    }

    /// Kills it.
    ///
    /// # Errors
    /// If that fails.
    pub fn kill(&mut self) -> Result<()> {
        self.child.kill()?;
        self.child.wait().map(drop)
    }

    /// Stops it as an init system does, and waits for a clean exit.
    ///
    /// # Errors
    /// If it does not exit cleanly.
    pub fn terminate(&mut self) -> Result<()> {
        self.signal(Signal::TERM)?;
        let status = self.child.wait()?;
        if status.success() { Ok(()) } else { Err(Error::other(format!("after SIGTERM: {status}"))) }
    }

    /// Restarts it at the same address, trying as often as needed.
    ///
    /// # Errors
    /// If it does not come up.
    pub fn start_again(&mut self) -> Result<()> {
        (self.child, self.address) = up(&self.launch, &self.address.to_string())?;
        Ok(())
    }

    /// Limits the size of every file that it writes, as a full disk does, or lifts the limit.
    ///
    /// # Errors
    /// If that fails.
    pub fn limit_files(&self, bytes: Option<u64>) -> Result<()> {
        // Only the soft limit, so that it can be raised again.
        prlimit(Some(self.pid()?), Resource::Fsize, Rlimit { current: bytes, maximum: None })?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.kill();
    }
}

fn up(launch: &Launch, address: &str) -> Result<(Child, SocketAddr)> {
    let begun = Instant::now();
    loop {
        match once(launch, address) {
            Ok(up) => return Ok(up),
            Err(error) if begun.elapsed() > START => return Err(error),
            Err(_) => pause(AGAIN),
        }
    }
}

fn once(launch: &Launch, address: &str) -> Result<(Child, SocketAddr)> {
    let log: File = OpenOptions::new().create(true).append(true).open(&launch.log)?;
    let mut command = Command::new(&launch.program);
    command
        .args(["serve", "--listen", address, "--database", &launch.database, "--log", "warn"])
        .env("ASSAM_KEYS", KEY)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(log);
    if let Some(Clock { library, file }) = &launch.clock {
        let file = file.as_os_str();
        command.env("LD_PRELOAD", library).env("FAKETIME_TIMESTAMP_FILE", file);
        command.env("FAKETIME_NO_CACHE", "1").env("FAKETIME_DONT_FAKE_MONOTONIC", "1");
    }
    let mut child = command.spawn()?;
    let mut line = String::new();
    if let Some(output) = child.stdout.take() {
        BufReader::new(output).read_line(&mut line)?;
    }
    match line.split_whitespace().find_map(|word| word.strip_prefix("http://")?.parse().ok()) {
        Some(address) => Ok((child, address)),
        None => {
            child.kill()?;
            child.wait()?;
            Err(Error::other("the service did not come up; its log says why"))
        }
    }
}
