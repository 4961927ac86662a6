//! How a database does: whether it answers, and whether it can be written. Told once when that ends, and once when it is so
//! again.

use std::sync::atomic::{AtomicU64, Ordering};

use assam_record::clock::ticks;
use tokio::sync::Notify;

use crate::StoreError;
use crate::counted::Total;

use database_fault::{DatabaseError, DatabaseFault, Failing};

pub(crate) mod database_fault;

/// How long none of several servers has to have been missed until all of them count as answering, in milliseconds.
const CALM: u64 = 10_000;

/// How a database does, as far as attempts on it have shown.
#[derive(Default)]
pub struct DatabaseHealth {
    answering: Spell,
    /// One of its servers does not.
    answering_whole: Spell,
    /// When one of them did not last, in ticks of the clock.
    missed: AtomicU64,
    writing: Spell,
    failures: Total,
    /// Told when a spell begins.
    begun: Notify,
}

/// A spell during which something fails.
#[derive(Default)]
struct Spell {
    /// When it began, in ticks of the clock, and 1; 0 while there is none.
    since: AtomicU64,
    /// The requests that were refused for it.
    refused: AtomicU64,
}

impl Spell {
    fn is_on(&self) -> bool {
        self.since.load(Ordering::Relaxed) != 0
    }

    /// Returns whether it begins now.
    fn begin(&self) -> bool {
        self.since.compare_exchange(0, ticks() + 1, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Ends it, and returns how many milliseconds it lasted, and how many requests were refused; none where there was none.
    fn end(&self) -> Option<(u64, u64)> {
        // While all is well, nothing is written that other threads read.
        let since = self.is_on().then(|| self.since.swap(0, Ordering::AcqRel)).filter(|since| *since != 0)?;
        Some((ticks().saturating_sub(since - 1), self.refused.swap(0, Ordering::AcqRel)))
    }
}

impl DatabaseHealth {
    /// Returns whether the database answers.
    pub fn answers(&self) -> bool {
        !self.answering.is_on()
    }

    /// Returns whether the last attempt to write went well, or nothing was written yet.
    pub fn can_write(&self) -> bool {
        !self.writing.is_on()
    }

    /// Returns how many attempts have failed.
    pub fn failures(&self) -> u64 {
        self.failures.get()
    }

    /// Notes that a request was refused because the database fails.
    pub fn note_refused(&self) {
        let spells = [&self.answering, &self.answering_whole, &self.writing];
        for spell in spells.into_iter().filter(|spell| spell.is_on()) {
            spell.refused.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Waits until something fails.
    pub async fn trouble(&self) {
        while self.answers() && self.can_write() {
            self.begun.notified().await;
        }
    }

    /// Notes what came of an attempt.
    pub(crate) fn note<T, E: DatabaseError>(&self, outcome: &Result<T, DatabaseFault<E>>) {
        match outcome {
            Ok(_) => {
                self.is_back();
                self.is_calm();
            }
            Err(fault) => self.failed(fault),
        }
    }

    /// Notes that something was written.
    pub(crate) fn has_written(&self) {
        if let Some((lasted, refused)) = self.writing.end() {
            tracing::info!(lasted_ms = lasted, refused, "the database can be written again");
        }
    }

    /// Notes that an attempt was not answered in time, for which the attempt itself may be to blame.
    pub(crate) fn was_late(&self) {
        self.failures.add(1);
    }

    /// Notes that the database does not answer.
    pub(crate) fn is_away(&self, cause: &str) {
        if self.answering.begin() {
            tracing::error!("the database does not answer: {cause}");
            self.begun.notify_one();
        }
    }

    /// Notes that the database answers.
    pub(crate) fn is_back(&self) {
        if let Some((lasted, refused)) = self.answering.end() {
            tracing::info!(lasted_ms = lasted, refused, "the database answers again");
        }
    }

    /// Notes that one of its servers does not answer.
    fn misses(&self, cause: &str) {
        self.missed.store(ticks(), Ordering::Relaxed);
        if self.answering_whole.begin() {
            tracing::error!("one of several servers is away: {cause}");
        }
    }

    /// Notes that something went well, as it may on the other servers too.
    fn is_calm(&self) {
        if self.answering_whole.is_on()
            && ticks().saturating_sub(self.missed.load(Ordering::Relaxed)) > CALM
            && let Some((lasted, refused)) = self.answering_whole.end()
        {
            tracing::info!(lasted_ms = lasted, refused, "none of several servers is away any more");
        }
    }

    fn failed<E: DatabaseError>(&self, fault: &DatabaseFault<E>) {
        match fault {
            DatabaseFault::Store(StoreError::Unavailable(cause)) => {
                self.failures.add(1);
                self.is_away(cause);
            }
            // What a game is refused for says nothing of the database.
            DatabaseFault::Store(_) => {}
            DatabaseFault::Database(error) => {
                self.failures.add(1);
                match error.failing() {
                    Some(Failing::Answering) => self.is_away(&error.describe()),
                    Some(Failing::AnsweringWhole) => {
                        self.is_back();
                        self.misses(&error.describe());
                    }
                    Some(Failing::Writing) => {
                        // It answered that.
                        self.is_back();
                        if self.writing.begin() {
                            tracing::error!("the database cannot be written: {}", error.describe());
                            self.begun.notify_one();
                        }
                    }
                    None => self.is_back(),
                }
            }
        }
    }
}
