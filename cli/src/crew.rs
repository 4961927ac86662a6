//! Work on records on all cores. What comes of it comes in the order of the records.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use assam_notation::Piece;
use indicatif::ProgressBar;

use crate::records::Source;

/// How many shares may wait for a worker before what came of the first is taken.
const AHEAD: usize = 2;

/// Consecutive records of one source.
#[derive(Default)]
pub struct Share {
    /// The name of the source.
    pub source: Arc<str>,
    /// The number of the first one in its source, and among all records.
    first: (u64, u64),
    /// The line on which each begins, and where it ends in `bytes`.
    ends: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

/// A record of a share.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    /// Its number in its source, from 1.
    pub number: u64,
    /// Its number among all records, from 1.
    pub of_all: u64,
    /// Its text.
    pub piece: Piece<'a>,
}

/// Whoever takes what comes of the work.
pub trait Taker<T> {
    /// Why the work ends before its end.
    type Error: From<io::Error>;

    /// Takes what came of a share.
    ///
    /// # Errors
    /// Where it cannot be passed on: the work ends.
    fn take(&mut self, done: T) -> Result<(), Self::Error>;

    /// Takes note of a source that cannot be read to its end.
    ///
    /// # Errors
    /// As [`Taker::take`].
    fn unreadable(&mut self, source: &str, error: &io::Error) -> Result<(), Self::Error>;

    /// Passes on what it holds back: nothing more comes for now.
    ///
    /// # Errors
    /// As [`Taker::take`].
    fn flush(&mut self) -> Result<(), Self::Error>;
}

/// The crew: a worker on every core. Shares are handed out in turns, and what comes of them is taken in the same turns.
pub struct Crew<T> {
    workers: Vec<Worker<T>>,
    next: usize,
    /// Whose work is next.
    pending: VecDeque<usize>,
    gathered: Share,
    /// How many records were given.
    given: u64,
    /// How many bytes of records make a share.
    enough: usize,
}

/// A worker, on a thread of their own.
struct Worker<T> {
    shares: SyncSender<Share>,
    done: Receiver<T>,
}

/// Why work on a source stops.
enum NotWorked<E> {
    /// The source cannot be read any further; the next one can.
    Unreadable(io::Error),
    /// What came of it cannot be passed on.
    Untaken(E),
}

impl<E> From<io::Error> for NotWorked<E> {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl Share {
    /// Returns the records, in order.
    pub fn records(&self) -> impl Iterator<Item = Given<'_>> {
        let begins = [0].into_iter().chain(self.ends.iter().map(|&(_, end)| end));
        let (number, of_all) = self.first;
        (number..).zip(of_all..).zip(begins.zip(&self.ends)).map(
            |((number, of_all), (begin, &(line, end)))| Given {
                number,
                of_all,
                piece: Piece { line, bytes: &self.bytes[begin..end] },
            },
        )
    }
}

impl Share {
    /// Returns the text of all its records.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

impl<T: Send + 'static> Crew<T> {
    /// Starts workers who do this with every share, of about so many bytes of records.
    pub fn start(enough: usize, work: impl Fn(Share) -> T + Send + Sync + 'static) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let work: Arc<dyn Fn(Share) -> T + Send + Sync> = Arc::new(work);
        let workers = (0..cores).map(|_| Worker::start(Arc::clone(&work))).collect();
        let (pending, gathered) = (VecDeque::new(), Share::default());
        Self { workers, next: 0, pending, gathered, given: 0, enough }
    }

    /// Has every record of the sources worked on. Progress is that of reading.
    ///
    /// # Errors
    /// Of `taker`.
    pub fn work_through<K: Taker<T>>(
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

    fn work_on<K: Taker<T>>(
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

    fn give<K: Taker<T>>(
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
        gathered.ends.push((piece.line, gathered.bytes.len()));
        if gathered.bytes.len() < self.enough { Ok(()) } else { self.hand_out(taker) }
    }

    /// Hands out what has gathered: the next record may be of another source.
    fn hand_out<K: Taker<T>>(&mut self, taker: &mut K) -> Result<(), K::Error> {
        if self.gathered.ends.is_empty() {
            return Ok(());
        }
        if self.pending.len() == self.workers.len() * AHEAD {
            self.take_next(taker)?;
        }
        let share = mem::take(&mut self.gathered);
        self.workers[self.next].shares.send(share).map_err(|_| has_stopped())?;
        self.pending.push_back(self.next);
        self.next = (self.next + 1) % self.workers.len();
        Ok(())
    }

    /// Waits for all work.
    fn finish<K: Taker<T>>(&mut self, taker: &mut K) -> Result<(), K::Error> {
        self.hand_out(taker)?;
        while !self.pending.is_empty() {
            self.take_next(taker)?;
        }
        Ok(())
    }

    fn take_next<K: Taker<T>>(&mut self, taker: &mut K) -> Result<(), K::Error> {
        let Some(worker) = self.pending.pop_front() else { return Ok(()) };
        let done = self.workers[worker].done.recv().map_err(|_| has_stopped())?;
        taker.take(done)
    }
}

fn has_stopped() -> io::Error {
    io::Error::other("a worker has stopped")
}

impl<T: Send + 'static> Worker<T> {
    fn start(work: Arc<dyn Fn(Share) -> T + Send + Sync>) -> Self {
        let (shares, given) = sync_channel(AHEAD);
        let (told, done) = channel();
        thread::spawn(move || do_all(&*work, given, &told));
        Self { shares, done }
    }
}

/// Works until nobody gives shares any more, or nobody takes what comes of them.
fn do_all<T>(work: &dyn Fn(Share) -> T, given: Receiver<Share>, told: &Sender<T>) {
    for share in given {
        if told.send(work(share)).is_err() {
            return;
        }
    }
}
