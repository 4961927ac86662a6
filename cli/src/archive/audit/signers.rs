//! The keys that must have signed the ends of games.

use assam_proofs::signed::{Note, PublishedKey, Receipt, VerifyingKey};

/// Whose signatures count.
pub enum Signers {
    /// Nobody said.
    Unknown,
    /// One of these keys, whenever that was.
    AnyOf(Vec<VerifyingKey>),
    /// The keys that a service lists, each in its time; the oldest first, one or more.
    InTheirTime(Vec<PublishedKey>),
}

/// Why a receipt is not signed as it must be.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct NotSignedSo {
    /// Whose signature it must have.
    pub expected: String,
    /// What is wrong with it.
    pub found: String,
}

impl Signers {
    /// Returns the keys, where somebody said them.
    pub fn keys(&self) -> Vec<VerifyingKey> {
        match self {
            Self::Unknown => Vec::new(),
            Self::AnyOf(keys) => keys.clone(),
            Self::InTheirTime(history) => history.iter().map(|published| published.key.clone()).collect(),
        }
    }

    /// Returns whether the right key signed a receipt; not where nobody said which one is.
    ///
    /// # Errors
    /// Where another key signed it, or nobody.
    pub fn signed(&self, receipt: &str) -> Result<bool, NotSignedSo> {
        let not = |expected: &str, found: String| NotSignedSo { expected: expected.to_owned(), found };
        let note = Note::read(receipt).map_err(|error| not("a signed note", error.to_string()))?;
        match self {
            Self::Unknown => Ok(false),
            Self::AnyOf(keys) => {
                let is_signed = keys.iter().any(|key| key.verify(&note).is_ok());
                let none =
                    || not("a signature by a key that was said (--key)", "none that is right".to_owned());
                is_signed.then_some(true).ok_or_else(none)
            }
            Self::InTheirTime(history) => {
                let stated: Receipt =
                    note.text.parse().map_err(|error| not("a receipt", format!("another text: {error}")))?;
                let of_then = history.iter().rev().find(|published| published.since <= stated.time());
                let Some(of_then) = of_then.or(history.first()) else { return Ok(false) };
                let wrong = |error| not(&format!("a signature by {}", of_then.key), format!("that {error}"));
                of_then.key.verify(&note).map_err(wrong).map(|()| true)
            }
        }
    }
}
