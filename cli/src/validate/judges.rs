//! Judges at work on all cores. Their verdicts come in the order of the records.

use std::collections::VecDeque;
use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;

use assam_notation::Piece;
use assam_referee::{Verdict, verdict};

use super::row::Row;
use super::tally::Tally;
use crate::diagnosis;

/// How many bytes of records a judge is given at a time.
const ENOUGH: usize = 16 * 1024;
/// How many times a judge may be given some before the verdicts on the first are taken.
const AHEAD: usize = 2;

/// The format of a report.
#[derive(Clone, Copy)]
pub enum Format {
    /// For people: the refused records, each with the line where it broke.
    Text {
        /// Whether good records are listed too.
        verbose: bool,
        colored: bool,
    },
    /// For machines: one JSON object per line, for every record.
    Json,
}

/// What is said of some records.
#[derive(Default)]
pub struct Judged {
    /// The lines of the report.
    pub told: String,
    /// How many records are good, masked and refused.
    pub tally: Tally,
}

/// The judges. Records are given to them in turns, and verdicts taken in the same turns.
pub struct Judges {
    judges: Vec<JudgeThread>,
    next: usize,
    /// Whose verdicts are next.
    pending: VecDeque<usize>,
    gathered: Share,
}

/// A judge who works on a thread of their own.
struct JudgeThread {
    records: SyncSender<Share>,
    judged: Receiver<Judged>,
}

/// Consecutive records of one source.
#[derive(Default)]
struct Share {
    source: Arc<str>,
    /// The number of the first one in its source.
    first: u64,
    /// The line on which each begins, and where it ends in `bytes`.
    ends: Vec<(u64, usize)>,
    bytes: Vec<u8>,
}

impl Judges {
    /// Starts a judge on every core.
    pub fn start(format: Format) -> Self {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let judges = (0..cores).map(|_| JudgeThread::start(format)).collect();
        Self { judges, next: 0, pending: VecDeque::new(), gathered: Share::default() }
    }

    /// Gives them a record, which has this number in its source. `tell` takes verdicts on earlier ones.
    ///
    /// # Errors
    /// Of `tell`.
    pub fn give(
        &mut self,
        source: &Arc<str>,
        number: u64,
        piece: Piece<'_>,
        tell: impl FnMut(Judged) -> io::Result<()>,
    ) -> io::Result<()> {
        let gathered = &mut self.gathered;
        if gathered.ends.is_empty() {
            (gathered.source, gathered.first) = (Arc::clone(source), number);
        }
        gathered.bytes.extend_from_slice(piece.bytes);
        gathered.ends.push((piece.line, gathered.bytes.len()));
        if gathered.bytes.len() < ENOUGH { Ok(()) } else { self.hand_out(tell) }
    }

    /// Hands out what has gathered: the next record may be of another source.
    ///
    /// # Errors
    /// Of `tell`.
    pub fn hand_out(&mut self, mut tell: impl FnMut(Judged) -> io::Result<()>) -> io::Result<()> {
        if self.gathered.ends.is_empty() {
            return Ok(());
        }
        if self.pending.len() == self.judges.len() * AHEAD {
            tell(self.take()?)?;
        }
        let records = mem::take(&mut self.gathered);
        self.judges[self.next].records.send(records).map_err(|_| has_stopped())?;
        self.pending.push_back(self.next);
        self.next = (self.next + 1) % self.judges.len();
        Ok(())
    }

    /// Waits for all verdicts.
    ///
    /// # Errors
    /// Of `tell`.
    pub fn finish(&mut self, mut tell: impl FnMut(Judged) -> io::Result<()>) -> io::Result<()> {
        self.hand_out(&mut tell)?;
        while !self.pending.is_empty() {
            tell(self.take()?)?;
        }
        Ok(())
    }

    fn take(&mut self) -> io::Result<Judged> {
        let Some(judge) = self.pending.pop_front() else { return Ok(Judged::default()) };
        self.judges[judge].judged.recv().map_err(|_| has_stopped())
    }
}

fn has_stopped() -> io::Error {
    io::Error::other("a judge has stopped")
}

impl JudgeThread {
    fn start(format: Format) -> Self {
        let (records, given) = sync_channel(AHEAD);
        let (verdicts, judged) = channel();
        thread::spawn(move || judge(format, &given, &verdicts));
        Self { records, judged }
    }
}

/// Judges until nobody gives records any more, or nobody takes verdicts.
fn judge(format: Format, given: &Receiver<Share>, verdicts: &Sender<Judged>) {
    for Share { source, first, ends, bytes } in given {
        let mut judged = Judged::default();
        let mut begin = 0;
        for (number, (line, end)) in (first..).zip(ends) {
            judged.add(format, &source, number, Piece { line, bytes: &bytes[begin..end] });
            begin = end;
        }
        if verdicts.send(judged).is_err() {
            return;
        }
    }
}

impl Judged {
    fn add(&mut self, format: Format, source: &str, number: u64, piece: Piece<'_>) {
        let verdict = verdict(piece.bytes);
        match verdict.error {
            None => {
                self.tally.good += 1;
                self.tally.masked += u64::from(verdict.masked);
            }
            Some(_) => self.tally.refused += 1,
        }
        self.told += &match format {
            Format::Json => Row::record(source, number, piece, &verdict).line(),
            Format::Text { verbose, colored } => match &verdict.error {
                Some(error) => diagnosis::render(source, piece, error, colored),
                None if verbose => good_line(source, piece, &verdict),
                None => return,
            },
        };
    }
}

fn good_line(source: &str, piece: Piece<'_>, verdict: &Verdict) -> String {
    let good = if verdict.masked { "good as far as visible" } else { "good" };
    format!("{source}:{}: {good}, {} plies, {}\n", piece.line, verdict.ply, verdict.marker)
}
