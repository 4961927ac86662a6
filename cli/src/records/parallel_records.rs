//! Work on records on all cores. Results come in the order of the records.

use std::io::{self, Read};
use std::mem;
use std::sync::Arc;

use assam_notation::Piece;
use indicatif::ProgressBar;

use crate::process::input::Source;
use crate::process::pool::WorkerPool;

/// Consecutive records of one source.
#[derive(Default)]
pub struct RecordChunk {
    pub source: Arc<str>,
    /// The number of the first one in its source, and among all records.
    first: (u64, u64),
    /// The line and column where each begins, and its end in `bytes`.
    ends: Vec<(u64, u64, usize)>,
    bytes: Vec<u8>,
}

/// A record of a chunk, with its numbers.
#[derive(Clone, Copy)]
pub struct ChunkRecord<'a> {
    /// Its number in its source, from 1.
    pub number: u64,
    /// Its number among all records, from 1.
    pub of_all: u64,
    pub piece: Piece<'a>,
}

/// Receives the results of the work.
pub trait ResultSink<T> {
    /// Why the work ends early.
    type Error: From<io::Error>;

    /// Takes the result for a chunk.
    ///
    /// # Errors
    /// If it cannot be passed on, which ends the work.
    fn take(&mut self, done: T) -> Result<(), Self::Error>;

    /// Notes a source that cannot be read to its end.
    ///
    /// # Errors
    /// The errors of [`ResultSink::take`].
    fn unreadable(&mut self, source: &str, error: &io::Error) -> Result<(), Self::Error>;

    /// Passes on buffered results, as nothing more arrives for now.
    ///
    /// # Errors
    /// The errors of [`ResultSink::take`].
    fn flush(&mut self) -> Result<(), Self::Error>;
}

/// Gathers records into chunks, for a pool that works on them.
pub struct ParallelRecords<T> {
    pool: WorkerPool<RecordChunk, T>,
    gathered: RecordChunk,
    /// Records so far.
    given: u64,
    /// Bytes of records in a chunk.
    enough: usize,
}

/// Why work on a source stops.
enum NotWorked<E> {
    /// The source cannot be read any further. The next one can.
    Unreadable(io::Error),
    /// A result cannot be passed on.
    Untaken(E),
}

impl<E> From<io::Error> for NotWorked<E> {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl RecordChunk {
    /// Returns the records, in order.
    pub fn records(&self) -> impl Iterator<Item = ChunkRecord<'_>> {
        let begins = [0].into_iter().chain(self.ends.iter().map(|&(_, _, end)| end));
        let (number, of_all) = self.first;
        (number..).zip(of_all..).zip(begins.zip(&self.ends)).map(
            |((number, of_all), (begin, &(line, column, end)))| ChunkRecord {
                number,
                of_all,
                piece: Piece { line, column, bytes: &self.bytes[begin..end] },
            },
        )
    }
}

impl RecordChunk {
    /// Returns the text of all its records.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: Send + 'static> ParallelRecords<T> {
    /// Starts a pool that runs this function on every chunk, of about this many bytes of records.
    pub fn start(enough: usize, work: impl Fn(RecordChunk) -> T + Send + Sync + 'static) -> Self {
        Self { pool: WorkerPool::start(work), gathered: RecordChunk::default(), given: 0, enough }
    }

    /// Works through every record of the sources. The progress shown is that of reading.
    ///
    /// # Errors
    /// The errors of `taker`.
    pub fn work_through<K: ResultSink<T>>(
        mut self,
        sources: &[Source],
        progress: &ProgressBar,
        taker: &mut K,
    ) -> Result<(), K::Error> {
        for source in sources {
            let input = source.open().map(|input| progress.wrap_read(input));
            let worked =
                input.map_err(NotWorked::Unreadable).and_then(|input| self.work_on(source, input, taker));
            self.hand_out(taker)?;
            match worked {
                Ok(()) => {}
                Err(NotWorked::Unreadable(error)) => {
                    self.finish(taker)?;
                    taker.unreadable(&source.name(), &error)?;
                }
                Err(NotWorked::Untaken(error)) => return Err(error),
            }
        }
        self.finish(taker)
    }

    fn work_on<K: ResultSink<T>>(
        &mut self,
        source: &Source,
        input: impl Read + Send + 'static,
        taker: &mut K,
    ) -> Result<(), NotWorked<K::Error>> {
        let name: Arc<str> = source.name().into();
        let mut number = 0;
        source.each_record(input, |arrived| {
            let taken = match arrived {
                Some(piece) => {
                    number += 1;
                    self.give(&name, number, piece, taker)
                }
                None => self.finish(taker).and_then(|()| taker.flush()),
            };
            taken.map_err(NotWorked::Untaken)
        })
    }

    fn give<K: ResultSink<T>>(
        &mut self,
        source: &Arc<str>,
        number: u64,
        piece: Piece<'_>,
        taker: &mut K,
    ) -> Result<(), K::Error> {
        self.given += 1;
        let gathered = &mut self.gathered;
        if gathered.ends.is_empty() {
            (gathered.source, gathered.first) = (Arc::clone(source), (number, self.given));
        }
        gathered.bytes.extend_from_slice(piece.bytes);
        gathered.ends.push((piece.line, piece.column, gathered.bytes.len()));
        if gathered.bytes.len() < self.enough { Ok(()) } else { self.hand_out(taker) }
    }

    /// Hands out the gathered records, since the next record may be of another source.
    fn hand_out<K: ResultSink<T>>(&mut self, taker: &mut K) -> Result<(), K::Error> {
        if self.gathered.ends.is_empty() {
            return Ok(());
        }
        self.pool.hand_out(mem::take(&mut self.gathered), |done| taker.take(done))
    }

    fn finish<K: ResultSink<T>>(&mut self, taker: &mut K) -> Result<(), K::Error> {
        self.hand_out(taker)?;
        self.pool.finish(|done| taker.take(done))
    }
}
