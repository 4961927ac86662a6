//! Signals to the process of a service while others use it.

use std::process::Command;

use super::Service;

impl Service {
    /// Sends a signal, and returns whether the process was there: it may have ended by itself.
    pub(crate) fn signal(&self, name: &str) -> bool {
        let sent = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        sent.is_ok_and(|sent| sent.success())
    }

    /// Kills the process.
    pub(crate) fn kill(&self) {
        self.signal("KILL");
    }
}
