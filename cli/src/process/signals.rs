//! The signals that end a command.

use std::io;

/// Ctrl-C and SIGTERM, from when this is made.
pub struct Signals {
    #[cfg(unix)]
    signals: [tokio::signal::unix::Signal; 2],
}

impl Signals {
    /// Listens for signals, which do not end the process from then on.
    ///
    /// # Errors
    /// Of the operating system.
    pub fn listen() -> io::Result<Self> {
        #[cfg(unix)]
        {
            use tokio::signal::unix::{SignalKind, signal};
            Ok(Self { signals: [signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?] })
        }
        #[cfg(not(unix))]
        Ok(Self {})
    }

    /// Waits for the first.
    pub async fn come(self) {
        #[cfg(unix)]
        {
            let [mut interrupt, mut terminate] = self.signals;
            tokio::select! {
                _ = interrupt.recv() => {}
                _ = terminate.recv() => {}
            }
        }
        #[cfg(not(unix))]
        drop(tokio::signal::ctrl_c().await);
    }
}
