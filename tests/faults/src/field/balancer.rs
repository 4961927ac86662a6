//! HAProxy in front of the processes, with the file that `deploy/` has for it.

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
/// What the file calls its servers.
const SERVERS: [&str; Balancer::SERVERS] = ["ASSAM_1", "ASSAM_2", "ASSAM_3", "ASSAM_4"];

/// A balancer that is ended when this is dropped.
pub struct Balancer {
    child: Child,
    log: PathBuf,
    /// Where clients reach it.
    pub address: SocketAddr,
}

impl Balancer {
    /// How many processes it is for.
    pub const SERVERS: usize = 4;

    /// Starts HAProxy in front of as many processes.
    ///
    /// # Errors
    /// Where it is not installed, or does not start.
    pub fn start(processes: &[Process], folder: &Path) -> Result<Self> {
        let file = folder.join("haproxy.cfg");
        fs::write(&file, FILE)?;
        // It takes over a socket that listens already: there is no port to clash, and nothing to wait for.
        let listener = TcpListener::bind("127.0.0.1:0")?;
        fcntl_setfd(&listener, FdFlags::empty())?;
        // Not everybody's PATH has Debian's folder for it.
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

    /// Looks whether it still runs.
    ///
    /// # Errors
    /// Where it has ended, with what it said.
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
