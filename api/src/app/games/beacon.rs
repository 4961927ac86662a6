//! Delivery of the beacon's round that a game waits for, which starts the game.

use std::sync::Arc;

use assam_record::beacon::{BeaconRound, GameBeacon, NoBeacon};
use assam_record::clock::now;
use assam_record::game::{NotStarted, StoredGame};
use assam_record::hex::Hex;
use assam_record::log::{NotExtended, start};
use assam_store::{StoreError, Update};

use crate::app::write::plan::Plan;
use crate::app::{App, CachedGame};

/// Why a round was refused.
#[derive(Debug, thiserror::Error)]
pub enum DeliverError {
    /// The game has no beacon.
    #[error("this game has no beacon")]
    NoBeacon,
    /// No round is fixed yet.
    #[error(transparent)]
    NotFixed(NotStarted),
    /// It is not the round that the game waits for.
    #[error("the round of this game is {fixed}, not {round}")]
    OtherRound {
        /// The round of the game.
        fixed: u64,
        /// The delivered round.
        round: u64,
    },
    /// It is not what the chain signed.
    #[error(transparent)]
    Refused(#[from] NoBeacon),
    /// The game could not start.
    #[error(transparent)]
    NotExtended(#[from] NotExtended),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Takes the beacon's round that a game waits for, from any caller, and starts the game. Repeating it
    /// changes nothing.
    ///
    /// # Errors
    /// If the game has no beacon, no round is fixed, or the round is not that one as its chain signed it.
    pub async fn deliver_beacon(
        self: &Arc<Self>,
        game: &Arc<CachedGame>,
        round: u64,
        signature: Hex<48>,
    ) -> Result<Arc<CachedGame>, DeliverError> {
        let current = Arc::clone(game);
        self.think(&game.info, false, async move |app| app.deliver(&current, round, signature).await).await
    }

    async fn deliver(
        &self,
        game: &Arc<CachedGame>,
        round: u64,
        signature: Hex<48>,
    ) -> Result<Arc<CachedGame>, DeliverError> {
        let plan = |game: &CachedGame| {
            let beacon = game.beacon.as_ref().ok_or(DeliverError::NoBeacon)?;
            let due = beacon.due.ok_or(DeliverError::NotFixed(NotStarted::Seats))?;
            if due.number != round {
                return Err(DeliverError::OtherRound { fixed: due.number, round });
            }
            match beacon.signature {
                Some(known) if known == signature => return Ok(Plan::Stands(())),
                // A round has only one signature.
                Some(_) => return Err(NoBeacon::Signature.into()),
                None => self.beacons.check(&BeaconRound { chain: beacon.chain, round, signature })?,
            }
            let mut full = StoredGame::clone(game);
            let beacon = Some(GameBeacon { signature: Some(signature), ..beacon.clone() });
            full.beacon.clone_from(&beacon);
            let start = Some(start(&full, now())?);
            let seats = full.info.seats;
            Ok(Plan::update(Update { seats, beacon, start, ..Update::new(&game.info) }, ()))
        };
        Ok(self.game_writer.change(game, plan).await?.0)
    }
}
