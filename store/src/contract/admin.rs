//! What the operator and a start of the service do with a whole database.

use std::path::Path;

use assam_proofs::signed::PublishedKey;
use async_trait::async_trait;
use serde::Serialize;

use super::StoreError;

/// A database as its operator sees it.
#[async_trait]
pub trait Admin: Send + Sync {
    /// Applies the migrations that are missing; harmless to repeat, also by several processes at once. Where the store is opened to be
    /// read, finds out whether none is missing.
    async fn migrate(&self) -> Result<(), StoreError>;

    /// Looks at the database, and changes nothing. Of SQLite, the whole file is read.
    ///
    /// # Errors
    /// Where it cannot be read.
    async fn check_up(&self) -> Result<Vec<Observation>, StoreError>;

    /// Makes a key known with which the service signs from a moment on, unless it is known; where `is_first`, only if none is.
    async fn add_signing_key(&self, published: &PublishedKey, is_first: bool) -> Result<(), StoreError>;

    /// Copies everything, as of one moment, into an SQLite file that is missing or empty, while others read and write. The
    /// file has the tables of `migrations/sqlite`, from an SQLite database those that it has.
    async fn copy_into(&self, file: &Path) -> Result<(), StoreError>;

    /// Takes over everything from a copy, an SQLite file with the tables of this version, in one transaction; returns false where there are games.
    async fn take_over(&self, copy: &Path) -> Result<bool, StoreError>;

    /// Ends writing, and leaves an SQLite file that has everything by itself.
    ///
    /// # Errors
    /// Where that fails; nothing is lost then.
    fn end(&self) -> Result<(), StoreError> {
        Ok(())
    }
}

/// How good it is what was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Grade {
    /// As it should be.
    Good,
    /// Something is missing that the service can do without, or somebody should know it.
    Notable,
    /// Something can be lost, or read by others, or does not work.
    Bad,
}

/// What was found about one subject.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Observation {
    /// How good it is.
    pub grade: Grade,
    /// What it is about, a word or two.
    pub subject: &'static str,
    /// What was found, and what follows from it.
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

    /// What is found of the migrations.
    pub(crate) fn of_migrations(outcome: Result<(), StoreError>) -> Self {
        match outcome {
            Ok(()) => Self::good("migrations", "all are applied"),
            Err(error) => Self::bad("migrations", error.to_string()),
        }
    }

    /// What is found of the triggers that keep others from changing what is written: of all these, those are there.
    pub(crate) fn of_guard(all: &[&str], there: &[String]) -> Self {
        let missing: Vec<&str> =
            all.iter().filter(|name| !there.iter().any(|there| there == *name)).copied().collect();
        if missing.is_empty() {
            return Self::good(
                "guard",
                format!("all {} triggers are there that keep logs from being changed", all.len()),
            );
        }
        Self::notable(
            "guard",
            format!(
                "these triggers are missing: {}. The service itself changes a game only where it is as it was, and never shortens a log; but nothing refuses \
                 what others change, and `assam audit` finds it later",
                missing.join(", ")
            ),
        )
    }
}
