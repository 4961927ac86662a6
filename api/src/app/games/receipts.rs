//! Receipts: statements about games, signed with the key of their time.

use std::sync::Arc;
use std::time::Duration;

use assam_proofs::signed::{KeyFault, NoKey, PublishedKey, Receipt, SigningKey};
use assam_record::game::{Head, StoredGame};
use assam_rules::Seat;
use assam_store::StoreError;

use crate::app::background::repeat;
use crate::app::{App, CachedGame};

/// How long the service waits between checks for new keys, as `assam key rotate` states.
const PAUSE: Duration = Duration::from_secs(15);

/// Why there is no receipt.
#[derive(Clone, Copy, Debug, thiserror::Error)]
pub enum ReceiptError {
    /// Imported games have no receipts.
    #[error("the game was imported, so it has no commitment and its words have no times")]
    Imported,
    /// No person holds the seat.
    #[error("no person has seat {}", .0.number())]
    NoPerson(Seat),
    /// The key of that time is unavailable.
    #[error(transparent)]
    NoKey(#[from] NoKey),
}

impl App {
    /// Returns the signing keys, oldest first.
    pub fn signing_keys(&self) -> Vec<PublishedKey> {
        self.keyring.history()
    }

    /// Returns the signed receipt of the ply with this head.
    ///
    /// # Errors
    /// If the game was imported, or the key is unavailable.
    pub fn ply_receipt(&self, game: &StoredGame, head: Head) -> Result<String, ReceiptError> {
        self.signed(&Receipt::of_ply(game, head).ok_or(ReceiptError::Imported)?)
    }

    /// Returns the signed receipt of a seat.
    ///
    /// # Errors
    /// If no person holds it, the game was imported, or the key is unavailable.
    pub fn seat_receipt(&self, game: &CachedGame, seat: Seat) -> Result<String, ReceiptError> {
        let none = if game.info.imported { ReceiptError::Imported } else { ReceiptError::NoPerson(seat) };
        self.signed(&Receipt::of_seat(game, seat).ok_or(none)?)
    }

    /// Returns the signed receipt of the seats of a game.
    ///
    /// # Errors
    /// If the game was imported, or the service has lost the key of that time.
    pub fn seats_receipt(&self, game: &CachedGame) -> Result<String, ReceiptError> {
        self.signed(&Receipt::of_seats(game).ok_or(ReceiptError::Imported)?)
    }

    fn signed(&self, receipt: &Receipt) -> Result<String, ReceiptError> {
        Ok(self.keyring.sign(&receipt.to_string(), receipt.time())?)
    }

    /// Checks for new keys repeatedly. Never returns.
    pub async fn keep_looking_for_keys(
        self: Arc<Self>,
        at_hand: impl Fn() -> Result<Vec<SigningKey>, String>,
    ) {
        repeat("signing keys cannot be checked yet", async || {
            self.look_for_keys(&at_hand).await.map(|()| PAUSE)
        })
        .await;
    }

    async fn look_for_keys(
        &self,
        at_hand: &impl Fn() -> Result<Vec<SigningKey>, String>,
    ) -> Result<(), NoNewKeys> {
        let history = self.reads.signing_keys().await?;
        // A key that was unavailable at the last check may have arrived.
        if history != self.keyring.history() || !self.keyring.is_complete() {
            self.keyring.replace(at_hand().map_err(NoNewKeys::Unread)?, history)?;
        }
        Ok(())
    }
}

/// Why keys were not adopted.
#[derive(Debug, thiserror::Error)]
enum NoNewKeys {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("{0}")]
    Unread(String),
    #[error(transparent)]
    Fault(#[from] KeyFault),
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use assam_proofs::signed::Keyring;
    use assam_record::clock::now;
    use assam_store::{Database, SqliteStore};

    use super::*;
    use crate::app::Limits;

    #[tokio::test]
    async fn a_running_service_signs_with_a_key_that_was_made_known_or_not_at_all() {
        let folder = tempfile::tempdir().unwrap();
        let database = Database::from(SqliteStore::open(&folder.path().join("games.db")).unwrap());
        database.admin.migrate().await.unwrap();
        let keys = [1, 2].map(|n| SigningKey::new("assam.test", &[n; 32]).unwrap());
        let known = keys.clone().map(|key| PublishedKey { key: key.verifying_key().clone(), since: now() });
        database.admin.add_signing_key(&known[0], true).await.unwrap();
        // Only if there is none.
        database.admin.add_signing_key(&known[1], true).await.unwrap();
        let history = database.reads.signing_keys().await.unwrap();
        assert_eq!(history, known[..1]);
        let keyring = Keyring::new(keys[..1].to_vec(), history).unwrap();
        let app = App::new(database.clone(), Limits { queue: 1, kept_bytes: 0 }, keyring).unwrap();
        let (before, after) = (known[0].since, known[0].since + jiff::SignedDuration::from_secs(60));
        let next = PublishedKey { since: after, ..known[1].clone() };
        database.admin.add_signing_key(&next, false).await.unwrap();
        // Its secret part is not here yet, so nothing can be signed with it.
        assert!(app.look_for_keys(&|| Ok(keys[..1].to_vec())).await.is_err());
        assert_eq!(app.keyring.sign("a\n", before), Ok(keys[0].sign("a\n")));
        assert_eq!(app.keyring.sign("a\n", after), Err(NoKey));
        // It comes later, and the next look finds it.
        app.look_for_keys(&|| Ok(keys.to_vec())).await.unwrap();
        assert_eq!(app.keyring.sign("a\n", before), Ok(keys[0].sign("a\n")));
        assert_eq!(app.keyring.sign("a\n", after), Ok(keys[1].sign("a\n")));
    }
}
