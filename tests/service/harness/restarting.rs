//! Services that are killed and restarted, and scripts that survive it.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use super::{Backend, Service};

impl Service {
    /// Sends a signal. Returns whether the process was there, as it may have ended by itself.
    pub(crate) fn signal(&self, name: &str) -> bool {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        sent.is_ok_and(|sent| sent.success())
    }

    /// Kills the process.
    pub(crate) fn kill(&self) {
        self.signal("KILL");
    }

    /// Restarts the program at its address before it was killed.
    pub(crate) fn start_again(self, backend: &Backend) -> Self {
        let address = self.address();
        drop(self);
        Self::start_at(&address, backend)
    }

    /// Returns its address.
    fn address(&self) -> String {
        self.base().strip_prefix("http://").unwrap().to_owned()
    }

    /// As [`Self::start`], at an address.
    pub(crate) fn start_at(address: &str, backend: &Backend) -> Self {
        Self::listen(address, &backend.url(), "error", Stdio::inherit(), &[])
    }
}

/// Runs a script with the address of a service, which is killed and restarted whenever the script prints
/// `restart`, or `kill` and later `start`. Returns the last line printed.
pub(crate) fn restarting(backend: &Backend, script: &mut Command) -> String {
    let service = Service::start(backend);
    let address = service.address();
    let script = script.arg(service.base()).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut process = script.spawn().unwrap();
    let mut told = process.stdin.take().unwrap();
    let mut running = Some(service);
    let mut restarts = 0;
    let mut last = String::new();
    for line in BufReader::new(process.stdout.take().unwrap()).lines() {
        last = line.unwrap();
        let (is_killed, is_started) = match last.as_str() {
            "kill" => (true, false),
            "start" => (false, true),
            "restart" => (true, true),
            _ => continue,
        };
        if is_killed {
            drop(running.take());
        }
        if is_started {
            running = Some(Service::start_at(&address, backend));
            restarts += 1;
        }
        told.write_all(b"done\n").unwrap();
    }
    assert!(process.wait().unwrap().success(), "{last}");
    assert!(restarts > 0, "{last}");
    last
}
