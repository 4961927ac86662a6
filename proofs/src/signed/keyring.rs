//! The keys with which the service signs, and their history, which the database keeps.

use std::sync::Arc;

use jiff::Timestamp;
use parking_lot::RwLock;

use super::note::{SigningKey, VerifyingKey};

/// A key of the service, and from when it signs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PublishedKey {
    /// The key.
    pub key: VerifyingKey,
    /// From when it signs, in milliseconds since 1970, until the next one does.
    pub since: Timestamp,
}

/// Why keys cannot be used.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum KeyFault {
    /// The database has a history of other keys.
    #[error(
        "the database knows the key {known} as that of this service, which is not among the keys at hand: restore the file of keys, or make another key with `assam key rotate`"
    )]
    NotAtHand {
        /// The key that should be at hand.
        known: VerifyingKey,
    },
    /// The newest key at hand is in no history.
    #[error(
        "the database does not know the newest of the keys at hand, {0}: `assam key rotate` makes one known"
    )]
    Unknown(VerifyingKey),
    /// There is no key at all.
    #[error("there is no key to sign with")]
    None,
}

/// A key that should sign is not at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the key that the service signed with then is not at hand")]
pub struct NoKey;

/// The keys with which the service signs, each in its time.
pub struct Keyring {
    held: RwLock<Arc<Keychain>>,
}

#[derive(Default)]
struct Keychain {
    keys: Vec<SigningKey>,
    history: Vec<PublishedKey>,
}

impl Keyring {
    /// Returns the keys with their history, the oldest first; the newest must be in both, as its last.
    ///
    /// # Errors
    /// Where it is not.
    pub fn new(keys: Vec<SigningKey>, history: Vec<PublishedKey>) -> Result<Self, KeyFault> {
        let held = Keychain { keys, history };
        held.check()?;
        Ok(Self { held: RwLock::new(Arc::new(held)) })
    }

    /// Returns none, for what signs nothing.
    pub fn empty() -> Self {
        Self { held: RwLock::default() }
    }

    /// Returns a history alone, for what shows which keys there are, and signs nothing.
    pub fn without_keys(history: Vec<PublishedKey>) -> Self {
        Self { held: RwLock::new(Arc::new(Keychain { keys: Vec::new(), history })) }
    }

    /// Takes keys and history in place of those that it had.
    ///
    /// # Errors
    /// As [`Keyring::new`]. The history is taken all the same: what a key that is not at hand should sign is not signed by another.
    pub fn replace(&self, keys: Vec<SigningKey>, history: Vec<PublishedKey>) -> Result<(), KeyFault> {
        let held = Keychain { keys, history };
        let checked = held.check();
        *self.held.write() = Arc::new(held);
        checked
    }

    /// Returns whether the newest key of the history is at hand.
    pub fn is_complete(&self) -> bool {
        self.held().check().is_ok()
    }

    /// Returns the history, the oldest key first.
    pub fn history(&self) -> Vec<PublishedKey> {
        self.held().history.clone()
    }

    /// Signs a text, which must end its last line, with the key of a time. So a statement about that time is always signed by the
    /// same key, whenever it is asked for.
    ///
    /// # Errors
    /// Where that key is not at hand.
    pub fn sign(&self, text: &str, time: Timestamp) -> Result<String, NoKey> {
        let held = self.held();
        let of_then = held.history.iter().rev().find(|published| published.since <= time);
        // The clock of another process may be behind that of the first one, which made the first key known.
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
