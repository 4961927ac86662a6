//! The keys that must have signed the ends of games.

use assam_proofs::signed::{Note, PublishedKey, Receipt, VerifyingKey};

/// The keys whose signatures count.
pub enum Signers {
    /// No keys are known.
    Unknown,
    /// Any of these keys, at any time.
    AnyOf(Vec<VerifyingKey>),
    /// The keys that a service lists, each in its time, oldest first. One or more.
    InTheirTime(Vec<PublishedKey>),
}

/// Why the signature of a receipt is wrong.
#[derive(Debug, thiserror::Error)]
#[error("expected {expected}, found {found}")]
pub struct NotSignedSo {
    pub expected: String,
    /// The flaw of the signature.
    pub found: String,
}

impl Signers {
    /// Returns the keys, if any are known.
    pub fn keys(&self) -> Vec<VerifyingKey> {
        match self {
            Self::Unknown => Vec::new(),
            Self::AnyOf(keys) => keys.clone(),
            Self::InTheirTime(history) => history.iter().map(|published| published.key.clone()).collect(),
        }
    }

    /// Returns whether the right key signed a receipt, or false if no keys are known.
    ///
    /// # Errors
    /// If another key signed it, or none.
    pub fn signed(&self, receipt: &str) -> Result<bool, NotSignedSo> {
        let not = |expected: &str, found: String| NotSignedSo { expected: expected.to_owned(), found };
        let note = Note::read(receipt).map_err(|error| not("a signed note", error.to_string()))?;
        match self {
            Self::Unknown => Ok(false),
            Self::AnyOf(keys) => {
                let is_signed = keys.iter().any(|key| key.verify(&note).is_ok());
                let none = || not("a signature by a key given with --key", "no valid one".to_owned());
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
