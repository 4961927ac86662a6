//! What is found in a database that matters to whoever runs it.

use async_trait::async_trait;
use serde::Serialize;

use super::StoreError;

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

/// A database that can be looked at.
#[async_trait]
pub trait Checkup {
    /// Looks at the database, and changes nothing. Of SQLite, the whole file is read.
    ///
    /// # Errors
    /// Where it cannot be read.
    async fn check_up(&self) -> Result<Vec<Observation>, StoreError>;
}
