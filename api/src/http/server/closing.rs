//! The end of the service, which does not wait for streams.

use tokio::sync::watch;

/// Notifies streams that the service ends.
pub struct Closing(watch::Sender<bool>);

/// Marks a HEAD request, whose response has no body and must end.
pub struct WasHead;

impl Default for Closing {
    fn default() -> Self {
        Self(watch::Sender::new(false))
    }
}

impl Closing {
    /// Notifies all streams, including later ones.
    pub fn begin(&self) {
        self.0.send_replace(true);
    }

    /// Returns a receiver of whether the service ends.
    pub fn listen(&self) -> watch::Receiver<bool> {
        self.0.subscribe()
    }

    /// Notifies streams when the process is to end, on the same signals as the server.
    #[cfg(unix)]
    pub async fn keep_listening(&self) -> std::io::Result<()> {
        use tokio::signal::unix::{SignalKind, signal};
        let (mut ended, mut interrupted) =
            (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
        tokio::select! {
            _ = ended.recv() => {}
            _ = interrupted.recv() => {}
        }
        self.begin();
        Ok(())
    }

    /// Notifies streams when the process is to end.
    #[cfg(not(unix))]
    pub async fn keep_listening(&self) -> std::io::Result<()> {
        tokio::signal::ctrl_c().await?;
        self.begin();
        Ok(())
    }
}
