//! Operations on a whole database, by the operator and at the start of a service.

use std::path::Path;

use assam_proofs::signed::PublishedKey;
use async_trait::async_trait;
use serde::Serialize;

use super::StoreError;

/// A database as its operator uses it.
#[async_trait]
pub trait Admin: Send + Sync {
    /// Applies missing migrations. Safe to repeat, also by several processes at once. A read-only store only
    /// checks that none is missing.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Checks the database without changing it. Reads the whole file of SQLite.
    ///
    /// # Errors
    /// If it cannot be read.
    async fn check_up(&self) -> Result<Vec<Observation>, StoreError>;

    /// Adds a key that signs from a moment on, unless it is known. With `is_first`, adds it only if no key is
    /// known.
    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError>;

    /// Copies everything, as of one moment, into an SQLite file that is missing or empty, while others read
    /// and write. The file gets the tables of `migrations/sqlite`, or those of the SQLite database that is
    /// copied.
    async fn copy_into(&self, file: &Path) -> Result<(), StoreError>;

    /// Takes over everything from a copy (an SQLite file with the tables of this version) in one transaction.
    /// Returns false if there are games.
    async fn take_over(&self, copy: &Path) -> Result<bool, StoreError>;

    /// Ends writing, and leaves an SQLite file that is complete by itself.
    ///
    /// # Errors
    /// If that fails. Nothing is lost then.
    fn end(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The grade of an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// All is well.
    Good,
    /// The service can do without it, or the operator should know it.
    Notable,
    /// Data can be lost or read by others, or something does not work.
    Bad,
}

/// An observation about one subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Observation {
    /// The grade.
    pub grade: Grade,
    /// The subject, in a word or two.
    pub subject: &'static str,
    /// The observation, and its consequences.
    pub text: String,
}

impl Observation {
    pub(crate) fn good(subject: &'static str, text: impl Into<String>) -> Self {
        Self { grade: Grade::Good, subject, text: text.into() }
    }

    pub(crate) fn notable(subject: &'static str, text: impl Into<String>) -> Self {
        Self { grade: Grade::Notable, subject, text: text.into() }
    }

    pub(crate) fn bad(subject: &'static str, text: impl Into<String>) -> Self {
        Self { grade: Grade::Bad, subject, text: text.into() }
    }

    /// Returns the observation about migrations.
    pub(crate) fn of_migrations(outcome: Result<(), StoreError>) -> Self {
        match outcome {
            Ok(()) => Self::good("migrations", "all are applied"),
            Err(error) => Self::bad("migrations", error.to_string()),
        }
    }

    /// Returns the observation about the triggers that protect logs: of `all`, those in `there` exist.
    pub(crate) fn of_guard(all: &[&str], there: &[String]) -> Self {
        let missing: Vec<&str> =
            all.iter().filter(|name| !there.iter().any(|there| there == *name)).copied().collect();
        if missing.is_empty() {
            return Self::good(
                "guard",
                format!("all {} triggers that protect logs from changes exist", all.len()),
            );
        }
        Self::notable(
            "guard",
            format!(
                "these triggers are missing: {}. The service itself never shortens a log, but nothing refuses changes \
                 by others, and only `assam audit` finds them later",
                missing.join(", ")
            ),
        )
    }
}
