//! What was said but not heard yet: a client may send all of its records before it reads the first verdict. So that its
//! verdicts take no more memory than that of others, most of them wait in a file without a name.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use bytes::Bytes;
use tokio::sync::Notify;

/// How much waits in memory before it goes into the file, in bytes.
const MEMORY: usize = 256 * 1024;
/// How much is read from the file at a time, in bytes.
const CHUNK: u64 = 64 * 1024;

/// A text that one side writes and the other one reads, each at its own speed.
#[derive(Default)]
pub struct Spool {
    waits: Mutex<Waits>,
    grown: Notify,
    shrunk: Notify,
}

/// Nobody reads any more.
pub struct NotHeard;

#[derive(Default)]
struct Waits {
    /// What came first.
    file: Option<File>,
    /// Where in the file to go on reading, and writing.
    from: u64,
    to: u64,
    /// What came last.
    memory: Vec<u8>,
    is_finished: bool,
    is_unheard: bool,
}

impl Spool {
    /// Adds text. It waits for the reader only where no file can be made.
    ///
    /// # Errors
    /// Where nobody reads any more.
    pub async fn write(&self, text: &[u8]) -> Result<(), NotHeard> {
        loop {
            {
                let mut waits = self.waits();
                if waits.is_unheard {
                    return Err(NotHeard);
                }
                if waits.memory.len() < MEMORY || waits.spill().is_ok() {
                    waits.memory.extend_from_slice(text);
                    self.grown.notify_one();
                    return Ok(());
                }
            }
            self.shrunk.notified().await;
        }
    }

    /// Says that nothing follows.
    pub fn finish(&self) {
        self.waits().is_finished = true;
        self.grown.notify_one();
    }

    /// Returns what comes next; none at the end.
    ///
    /// # Errors
    /// Of the file.
    pub async fn read(&self) -> Option<io::Result<Bytes>> {
        loop {
            {
                let mut waits = self.waits();
                match waits.next() {
                    Ok(bytes) if bytes.is_empty() && waits.is_finished => return None,
                    Ok(bytes) if bytes.is_empty() => {}
                    outcome => {
                        self.shrunk.notify_one();
                        return Some(outcome);
                    }
                }
            }
            self.grown.notified().await;
        }
    }

    /// Says that nobody reads any more.
    pub fn stop_reading(&self) {
        self.waits().is_unheard = true;
        self.shrunk.notify_one();
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Waits {
    /// Puts what is in memory behind what is in the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::Start(self.to))?;
        file.write_all(&self.memory)?;
        self.to += self.memory.len() as u64;
        self.memory.clear();
        Ok(())
    }

    /// Takes what comes next; nothing where nothing waits.
    fn next(&mut self) -> io::Result<Bytes> {
        let in_file = self.to - self.from;
        let Some(file) = self.file.as_mut().filter(|_| in_file > 0) else {
            return Ok(mem::take(&mut self.memory).into());
        };
        let mut chunk = vec![0; in_file.min(CHUNK) as usize];
        file.seek(SeekFrom::Start(self.from))?;
        file.read_exact(&mut chunk)?;
        self.from += chunk.len() as u64;
        if self.from == self.to {
            (self.from, self.to) = (0, 0);
            file.set_len(0)?;
        }
        Ok(chunk.into())
    }
}
