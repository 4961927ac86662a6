//! The health of a database: whether it responds and accepts changes. Logs once when that stops, and once
//! when it returns.

use std::sync::atomic::{AtomicU64, Ordering};

use assam_record::clock::ticks;
use tokio::sync::Notify;

use crate::StoreError;
use crate::counted::Total;

use database_fault::{DatabaseError, DatabaseFault, Failing};

pub(crate) mod database_fault;

/// How long none of several servers must have been missing until all of them count as available, in
/// milliseconds.
const CALM: u64 = 10_000;

/// The health of a database, as attempts have shown it.
#[derive(Default)]
pub struct DatabaseHealth {
    answering: Spell,
    /// One of its servers does not respond.
    answering_whole: Spell,
    /// When one of them last failed to respond, in ticks of the clock.
    missed: AtomicU64,
    writing: Spell,
    failures: Total,
    /// Notified when an outage begins.
    begun: Notify,
}

/// An outage of one kind.
#[derive(Default)]
struct Spell {
    /// When it began, in ticks of the clock plus 1. 0 means no outage.
    since: AtomicU64,
    /// Requests that were refused during it.
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

    /// Ends it, and returns its length in milliseconds and the number of refused requests, or none if there
    /// was no outage.
    fn end(&self) -> Option<(u64, u64)> {
        // In normal operation, this writes nothing that other threads read.
        let since = self.is_on().then(|| self.since.swap(0, Ordering::AcqRel)).filter(|since| *since != 0)?;
        Some((ticks().saturating_sub(since - 1), self.refused.swap(0, Ordering::AcqRel)))
    }
}

impl DatabaseHealth {
    /// Returns whether the database responds.
    pub fn answers(&self) -> bool {
        !self.answering.is_on()
    }

    /// Returns whether the last attempt to write succeeded, or there was none.
    pub fn can_write(&self) -> bool {
        !self.writing.is_on()
    }

    /// Returns the number of failed attempts.
    pub fn failures(&self) -> u64 {
        self.failures.get()
    }

    /// Notes a request that was refused because the database fails.
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

    /// Notes the outcome of an attempt.
    pub(crate) fn note<T, E: DatabaseError>(&self, outcome: &Result<T, DatabaseFault<E>>) {
        match outcome {
            Ok(_) => {
                self.is_back();
                self.is_calm();
            }
            Err(fault) => self.failed(fault),
        }
    }

    pub(crate) fn has_written(&self) {
        if let Some((lasted, refused)) = self.writing.end() {
            tracing::info!(lasted_ms = lasted, refused, "the database accepts changes again");
        }
    }

    /// Notes an attempt without a timely response, which may be slow itself.
    pub(crate) fn was_late(&self) {
        self.failures.add(1);
    }

    /// Notes that the database does not respond.
    pub(crate) fn is_away(&self, cause: &str) {
        if self.answering.begin() {
            tracing::error!("the database does not respond: {cause}");
            self.begun.notify_one();
        }
    }

    /// Notes that the database responds.
    pub(crate) fn is_back(&self) {
        if let Some((lasted, refused)) = self.answering.end() {
            tracing::info!(lasted_ms = lasted, refused, "the database responds again");
        }
    }

    /// Notes that one of its servers does not respond.
    fn misses(&self, cause: &str) {
        self.missed.store(ticks(), Ordering::Relaxed);
        if self.answering_whole.begin() {
            tracing::error!("a database server does not respond: {cause}");
        }
    }

    /// Notes a success, which may extend to the other servers.
    fn is_calm(&self) {
        if self.answering_whole.is_on()
            && ticks().saturating_sub(self.missed.load(Ordering::Relaxed)) > CALM
            && let Some((lasted, refused)) = self.answering_whole.end()
        {
            tracing::info!(lasted_ms = lasted, refused, "all database servers respond again");
        }
    }

    fn failed<E: DatabaseError>(&self, fault: &DatabaseFault<E>) {
        match fault {
            DatabaseFault::Store(StoreError::Unavailable(cause)) => {
                self.failures.add(1);
                self.is_away(cause);
            }
            // The reason for refusing a change to one game shows nothing about the database.
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
                        // This error is a response.
                        self.is_back();
                        if self.writing.begin() {
                            tracing::error!("the database accepts no changes: {}", error.describe());
                            self.begun.notify_one();
                        }
                    }
                    None => self.is_back(),
                }
            }
        }
    }
}
