//! Output that a client has not read yet. A client may send all of its records before it reads the first
//! verdict. Most verdicts then wait in an unnamed file, so that they take no more memory than those of
//! others.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::timeout;

/// The bytes that wait in memory before they go into the file.
const MEMORY: usize = 64 * 1024;
/// The bytes that may wait, in addition to as many as the reader has sent. Verdicts on good records have a
/// seventh of their length, and no client can make more wait than it sends.
const ROOM: u64 = 4 << 20;
const ROOM_PER_BYTE: u64 = 2;
/// How long output may wait for its reader.
const SILENCE: Duration = Duration::from_secs(30);
/// The bytes read from the file at a time.
const CHUNK: u64 = 64 * 1024;

/// A text that one side writes and the other reads, each at its own speed.
#[derive(Default)]
pub struct Spool {
    waits: Mutex<Waits>,
    grown: Notify,
    shrunk: Notify,
}

/// The reader is gone.
pub struct NotHeard;

#[derive(Default)]
struct Waits {
    /// The bytes received from the reader.
    came: u64,
    /// The older output.
    file: Option<File>,
    /// The offsets in the file at which to read and write next.
    from: u64,
    to: u64,
    /// The newer output.
    memory: Vec<u8>,
    is_finished: bool,
    is_unheard: bool,
}

impl Spool {
    /// Records that bytes were received from the reader.
    pub fn came(&self, bytes: u64) {
        self.waits().came += bytes;
    }

    /// Adds text. Waits for the reader if too much waits, or if no file can be created.
    ///
    /// # Errors
    /// If the reader is gone.
    pub async fn write(&self, text: &[u8]) -> Result<(), NotHeard> {
        loop {
            {
                let mut waits = self.waits();
                if waits.is_unheard {
                    return Err(NotHeard);
                }
                let has_room = waits.length() <= ROOM + ROOM_PER_BYTE * waits.came;
                if waits.memory.len() < MEMORY || has_room && waits.spill().is_ok() {
                    waits.memory.extend_from_slice(text);
                    self.grown.notify_one();
                    return Ok(());
                }
            }
            self.wait_for_reader().await?;
        }
    }

    /// Waits until everything was read.
    ///
    /// # Errors
    /// If the reader is gone.
    pub async fn drained(&self) -> Result<(), NotHeard> {
        while self.waits().length() > 0 {
            self.wait_for_reader().await?;
        }
        Ok(())
    }

    /// Waits until something was read. If that takes too long, the waiting output is discarded.
    async fn wait_for_reader(&self) -> Result<(), NotHeard> {
        if timeout(SILENCE, self.shrunk.notified()).await.is_err() {
            *self.waits() = Waits { is_unheard: true, ..Waits::default() };
            self.grown.notify_one();
        }
        if self.waits().is_unheard { Err(NotHeard) } else { Ok(()) }
    }

    /// Marks the end of the text.
    pub fn finish(&self) {
        self.waits().is_finished = true;
        self.grown.notify_one();
    }

    /// Returns the next bytes, or none at the end.
    ///
    /// # Errors
    /// If the file fails.
    pub async fn read(&self) -> Option<io::Result<Bytes>> {
        loop {
            {
                let mut waits = self.waits();
                match waits.next() {
                    // The text breaks off, and with it the connection.
                    Ok(_) if waits.is_unheard => return Some(Err(io::ErrorKind::TimedOut.into())),
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

    /// Marks the reader as gone.
    pub fn stop_reading(&self) {
        self.waits().is_unheard = true;
        self.shrunk.notify_one();
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.waits.lock()
    }
}

impl Waits {
    /// Returns the waiting bytes.
    const fn length(&self) -> u64 {
        self.to - self.from + self.memory.len() as u64
    }

    /// Appends the output in memory to the file.
    fn spill(&mut self) -> io::Result<()> {
        let file = match &mut self.file {
            Some(file) => file,
            None => self.file.insert(tempfile::tempfile()?),
        };
        file.seek(SeekFrom::Start(self.to))?;
        file.write_all(&self.memory)?;
        self.to += self.memory.len() as u64;
        self.memory = Vec::new();
        Ok(())
    }

    /// Takes the next bytes, which are empty if none wait.
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

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    async fn read_all(spool: &Spool) -> Vec<u8> {
        let mut all = Vec::new();
        while let Some(piece) = spool.read().now_or_never().flatten() {
            all.extend_from_slice(&piece.expect("the file is there"));
        }
        all
    }

    #[tokio::test]
    async fn what_is_written_is_read_in_order_however_much_waits() {
        let spool = Spool::default();
        let text: Vec<u8> = (0..3_000_000_u32).map(|n| (n % 251) as u8).collect();
        let mut read = Vec::new();
        for (n, part) in text.chunks(10_000).enumerate() {
            spool.write(part).await.unwrap_or_else(|_| panic!("the reader is there"));
            if n % 97 == 0 {
                read.extend(read_all(&spool).await);
            }
        }
        spool.finish();
        read.extend(read_all(&spool).await);
        assert!(read == text);
        assert!(spool.read().await.is_none());
    }

    #[tokio::test]
    async fn no_more_waits_than_a_few_megabytes_and_twice_what_came_from_the_reader() {
        for came in [0, 1 << 20] {
            let spool = Spool::default();
            spool.came(came);
            let part = [b'x'; 10_000];
            let mut written = 0_u64;
            while spool.write(&part).now_or_never().is_some() {
                written += part.len() as u64;
                assert!(written < 100 << 20);
            }
            let room = ROOM + ROOM_PER_BYTE * came;
            assert!((room..room + 300_000).contains(&written), "{written}");
            // Reading makes room again.
            read_all(&spool).await;
            assert!(spool.write(&part).now_or_never().is_some());
        }
    }

    #[tokio::test(start_paused = true)]
    async fn what_nobody_reads_is_given_up_and_what_is_read_now_and_then_is_not() {
        let spool = Spool::default();
        assert!(spool.write(&[b'x'; 200_000]).await.is_ok());
        let reading = async {
            // Each time with a second to spare.
            for _ in 0..3 {
                tokio::time::advance(SILENCE - Duration::from_secs(1)).await;
                assert!(spool.read().await.is_some_and(|piece| piece.is_ok()));
                assert!(spool.write(&[b'x'; 100_000]).await.is_ok());
            }
        };
        // After that, no one reads.
        let (given_up, ()) = tokio::join!(spool.drained(), reading);
        assert!(given_up.is_err());
        assert!(spool.write(b"x").await.is_err());
        assert!(spool.read().await.is_some_and(|piece| piece.is_err()), "it breaks off");
    }
}
