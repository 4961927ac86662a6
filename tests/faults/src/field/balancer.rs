//! HAProxy in front of the processes, with its configuration from `deploy/`.

use std::fs::{self, File};
use std::io::{Error, ErrorKind, Result};
use std::net::{SocketAddr, TcpListener};
use std::os::fd::AsRawFd as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::io::{FdFlags, fcntl_setfd};

use crate::field::process::Process;

const FILE: &str = include_str!("../../../../deploy/haproxy.cfg");
const DEBIAN: &str = "/usr/sbin/haproxy";
/// The server names in the configuration.
const SERVERS: [&str; Balancer::SERVERS] = ["ASSAM_1", "ASSAM_2", "ASSAM_3", "ASSAM_4"];

/// A balancer that stops when dropped.
pub struct Balancer {
    child: Child,
    log: PathBuf,
    /// The address for clients.
    pub address: SocketAddr,
}

impl Balancer {
    /// The number of processes that it is configured for.
    pub const SERVERS: usize = 4;

    /// Starts HAProxy in front of as many processes.
    ///
    /// # Errors
    /// If it is not installed or does not start.
    pub fn start(processes: &[Process], folder: &Path) -> Result<Self> {
        let file = folder.join("haproxy.cfg");
        fs::write(&file, FILE)?;
        // It inherits a listening socket, so no port can clash and nothing waits.
        let listener = TcpListener::bind("127.0.0.1:0")?;
        fcntl_setfd(&listener, FdFlags::empty())?;
        // Debian's folder for it is not on every PATH.
        let program = Some(DEBIAN).filter(|debian| Path::new(debian).exists()).unwrap_or("haproxy");
        let mut command = Command::new(program);
        command.arg("-db").arg("-f").arg(file).env("ASSAM_PUBLIC", format!("fd@{}", listener.as_raw_fd()));
        command.envs(
            SERVERS.into_iter().zip(processes).map(|(name, process)| (name, process.address.to_string())),
        );
        let log = folder.join("haproxy.log");
        let started = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log)?).spawn();
        let child = started.map_err(|error| {
            let is_missing = error.kind() == ErrorKind::NotFound;
            if is_missing {
                Error::other("please install haproxy; scripts/test does it on Debian")
            } else {
                error
            }
        })?;
        Ok(Self { child, address: listener.local_addr()?, log })
    }

    /// Checks that it still runs.
    ///
    /// # Errors
    /// If it has ended, with its output.
    pub fn check(&mut self) -> Result<()> {
        match self.child.try_wait()? {
            None => Ok(()),
            Some(_) => Err(Error::other(format!("haproxy has ended: {}", fs::read_to_string(&self.log)?))),
        }
    }
}

impl Drop for Balancer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
