//! The service's signing keys and their history, which the database keeps.

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::RwLock;

use super::note::{SigningKey, VerifyingKey};

/// A key of the service, and the time it began to sign.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedKey {
    /// The key.
    pub key: VerifyingKey,
    /// When it began to sign, in milliseconds since 1970. It signs until the next key does.
    pub since: Timestamp,
}

/// The reason keys cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// The database has a history of other keys.
    #[error(
        "the database knows the key {known} of this service, which is not among the keys here: restore the key file, or make another key with `assam key rotate`"
    )]
    NotAtHand {
        /// The missing key.
        known: VerifyingKey,
    },
    /// The newest available key is not in the history.
    #[error(
        "the database does not know the newest of the keys here, {0}: `assam key rotate` makes one known"
    )]
    Unknown(VerifyingKey),
    /// There are no keys.
    #[error("there is no key to sign with")]
    None,
}

/// A required signing key is not available.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the key that the service signed with at that time is not available")]
pub struct NoKey;

/// The service's signing keys, each in its time.
pub struct Keyring {
    held: RwLock<Arc<Keychain>>,
}

#[derive(Default)]
struct Keychain {
    keys: Vec<SigningKey>,
    history: Vec<PublishedKey>,
}

impl Keyring {
    /// Returns the keys with their history, the oldest first. The newest key must be the last in both.
    ///
    /// # Errors
    /// The newest keys differ.
    pub fn new(keys: Vec<SigningKey>, history: Vec<PublishedKey>) -> Result<Self, KeyFault> {
        let held = Keychain { keys, history };
        held.check()?;
        Ok(Self { held: RwLock::new(Arc::new(held)) })
    }

    /// Returns an empty keyring, which signs nothing.
    pub fn empty() -> Self {
        Self { held: RwLock::default() }
    }

    /// Returns only a history, which lists keys but signs nothing.
    pub fn without_keys(history: Vec<PublishedKey>) -> Self {
        Self { held: RwLock::new(Arc::new(Keychain { keys: Vec::new(), history })) }
    }

    /// Replaces keys and history.
    ///
    /// # Errors
    /// As for [`Keyring::new`]. The history is replaced even then, so that another key never signs in place
    /// of a missing one.
    pub fn replace(&self, keys: Vec<SigningKey>, history: Vec<PublishedKey>) -> Result<(), KeyFault> {
        let held = Keychain { keys, history };
        let checked = held.check();
        *self.held.write() = Arc::new(held);
        checked
    }

    /// Returns whether the newest key of the history is available.
    pub fn is_complete(&self) -> bool {
        self.held().check().is_ok()
    }

    /// Returns the history, the oldest key first.
    pub fn history(&self) -> Vec<PublishedKey> {
        self.held().history.clone()
    }

    /// Signs a text, which must end with a line end, with the key of a time. A statement about that time is
    /// therefore always signed by the same key.
    ///
    /// # Errors
    /// The key of that time is not available.
    pub fn sign(&self, text: &str, time: Timestamp) -> Result<String, NoKey> {
        let held = self.held();
        let of_then = held.history.iter().rev().find(|published| published.since <= time);
        // Another process's clock may be behind the one that recorded the first key.
        let of_then = of_then.or(held.history.first()).ok_or(NoKey)?;
        let key = held.keys.iter().find(|key| *key.verifying_key() == of_then.key).ok_or(NoKey)?;
        Ok(key.sign(text))
    }

    fn held(&self) -> Arc<Keychain> {
        Arc::clone(&self.held.read())
    }
}

impl Keychain {
    fn check(&self) -> Result<(), KeyFault> {
        let newest = self.keys.last().map(SigningKey::verifying_key);
        let known = self.history.last().map(|published| &published.key);
        match (newest, known) {
            (None, None) => Err(KeyFault::None),
            (Some(newest), Some(known)) if newest == known => Ok(()),
            (Some(newest), _) if !self.history.iter().any(|published| published.key == *newest) => {
                Err(KeyFault::Unknown(newest.clone()))
            }
            (_, Some(known)) => Err(KeyFault::NotAtHand { known: known.clone() }),
            (Some(newest), None) => Err(KeyFault::Unknown(newest.clone())),
        }
    }
}
