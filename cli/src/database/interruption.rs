//! Ctrl-C and SIGTERM while a command has a database open.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, OnceLock};
use std::{io, process, thread};

use assam_store::Database;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::process::signals::Signals;

/// The exit status of an interrupted command.
const INTERRUPTED: i32 = 130;

/// Ends the process on an interruption, as long as this value lives. SQLite files are left complete, with an
/// empty write-ahead log.
pub struct Interruption {
    opened: Arc<OnceLock<Database>>,
    _heed: oneshot::Sender<()>,
}

impl Interruption {
    /// Handles signals from now on.
    ///
    /// # Errors
    /// Operating system errors.
    pub fn heeded() -> io::Result<Self> {
        let (heed, ended) = oneshot::channel();
        let (listens, is_heeded) = sync_channel(1);
        let opened = Arc::new(OnceLock::<Database>::new());
        let store = Arc::clone(&opened);
        // On a separate thread, so that a busy command cannot delay it.
        thread::spawn(move || {
            let runtime = match Builder::new_current_thread().enable_io().build() {
                Ok(runtime) => runtime,
                Err(error) => return drop(listens.send(Err(error))),
            };
            let is_interrupted = runtime.block_on(async {
                let signals = match Signals::listen() {
                    Ok(signals) => signals,
                    Err(error) => {
                        drop(listens.send(Err(error)));
                        return false;
                    }
                };
                drop(listens.send(Ok(())));
                tokio::select! {
                    () = signals.come() => true,
                    _ = ended => false,
                }
            });
            if is_interrupted {
                // Committed changes are on disk even if this fails.
                drop(store.get().map(|store| store.admin.end()));
                process::exit(INTERRUPTED);
            }
        });
        is_heeded.recv().map_err(io::Error::other)??;
        Ok(Self { opened, _heed: heed })
    }

    /// Also ends this database.
    pub fn end_too(&self, store: &Database) {
        // This is the first call.
        drop(self.opened.set(store.clone()));
    }
}
