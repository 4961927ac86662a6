//! What was said but not heard yet: a client may send all of its records before it reads the first verdict. So that its
//! verdicts take no more memory than that of others, most of them wait in a file without a name.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::mem;
use std::time::Duration;

use bytes::Bytes;
use parking_lot::{Mutex, MutexGuard};
use tokio::sync::Notify;
use tokio::time::timeout;

/// How much waits in memory before it goes into the file, in bytes.
const MEMORY: usize = 64 * 1024;
/// How much may wait, in bytes, and how much more for each byte that came from whoever reads it: what is said of good records
/// is a seventh of them, and a client cannot make more wait than it sends.
const ROOM: u64 = 4 << 20;
const ROOM_PER_BYTE: u64 = 2;
/// How long what waits may wait for its reader.
const SILENCE: Duration = Duration::from_secs(30);
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
    /// How much came from the reader, in bytes.
    came: u64,
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
    /// Notes that so many bytes came from the reader.
    pub fn came(&self, bytes: u64) {
        self.waits().came += bytes;
    }

    /// Adds text. It waits for the reader where too much waits, and where no file can be made.
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
    /// Where nobody reads any more.
    pub async fn drained(&self) -> Result<(), NotHeard> {
        while self.waits().length() > 0 {
            self.wait_for_reader().await?;
        }
        Ok(())
    }

    /// Waits until something was read. Where that takes too long, all that waits is given up.
    async fn wait_for_reader(&self) -> Result<(), NotHeard> {
        if timeout(SILENCE, self.shrunk.notified()).await.is_err() {
            *self.waits() = Waits { is_unheard: true, ..Waits::default() };
            self.grown.notify_one();
        }
        if self.waits().is_unheard { Err(NotHeard) } else { Ok(()) }
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
                    // It breaks off, as the connection does then.
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

    /// Says that nobody reads any more.
    pub fn stop_reading(&self) {
        self.waits().is_unheard = true;
        self.shrunk.notify_one();
    }

    fn waits(&self) -> MutexGuard<'_, Waits> {
        self.waits.lock()
    }
}

impl Waits {
    /// How much waits, in bytes.
    const fn length(&self) -> u64 {
        self.to - self.from + self.memory.len() as u64
    }

    /// Puts what is in memory behind what is in the file.
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
            spool.write(part).await.unwrap_or_else(|_| panic!("somebody reads"));
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
            // Once something was read, there is room again.
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
        // Nobody reads after that.
        let (given_up, ()) = tokio::join!(spool.drained(), reading);
        assert!(given_up.is_err());
        assert!(spool.write(b"x").await.is_err());
        assert!(spool.read().await.is_some_and(|piece| piece.is_err()), "it breaks off");
    }
}
