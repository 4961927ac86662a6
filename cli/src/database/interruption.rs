//! Ctrl-C and SIGTERM while a command has a database open.

use std::sync::mpsc::sync_channel;
use std::sync::{Arc, OnceLock};
use std::{io, process, thread};

use assam_store::Database;
use tokio::runtime::Builder;
use tokio::sync::oneshot;

use crate::process::signals::Signals;

/// The exit status of a command that was interrupted.
const INTERRUPTED: i32 = 130;

/// Ends the process when it is interrupted, as long as this lives. An SQLite file has everything by itself then.
pub struct Interruption {
    opened: Arc<OnceLock<Database>>,
    _heed: oneshot::Sender<()>,
}

impl Interruption {
    /// Heeds signals from now on.
    ///
    /// # Errors
    /// Of the operating system.
    pub fn heeded() -> io::Result<Self> {
        let (heed, ended) = oneshot::channel();
        let (listens, is_heeded) = sync_channel(1);
        let opened = Arc::new(OnceLock::<Database>::new());
        let store = Arc::clone(&opened);
        // On a thread of its own, whatever the command is busy with.
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
                // What was committed is on the disk, wherever that fails.
                drop(store.get().map(|store| store.admin.end()));
                process::exit(INTERRUPTED);
            }
        });
        is_heeded.recv().map_err(io::Error::other)??;
        Ok(Self { opened, _heed: heed })
    }

    /// Ends this database, too.
    pub fn end_too(&self, store: &Database) {
        // It is the first.
        drop(self.opened.set(store.clone()));
    }
}
