//! Rematches: the same game and players, with the seats rotated by one.

use std::sync::Arc;

use assam_record::beacon::{GameBeacon, NoBeacon};
use assam_record::chance;
use assam_record::clock::now;
use assam_record::entropy::{self, NoEntropy};
use assam_record::game::{Holder, Info, ReservedSeat, SeatKind, Status, StoredGame};
use assam_record::hex::Hex;
use assam_record::secret::Secret;
use assam_store::{StoreError, Update, Version};
use sha2::{Digest, Sha256};

use super::withdraw::removal;
use crate::app::write::plan::Plan;
use crate::app::{App, CachedGame, Caller};

/// Why there is no rematch.
#[derive(Debug, thiserror::Error)]
pub enum RematchError {
    /// The caller holds no seat of the game.
    #[error("your secret holds no seat of this game")]
    NoSeat,
    /// The game is running, or has not begun.
    #[error("the game is not over, and only then can it have a rematch")]
    NotOver,
    /// The operator has removed the chain of the game's beacon.
    #[error(transparent)]
    NoBeacon(#[from] NoBeacon),
    /// The operating system provided no random bytes.
    #[error(transparent)]
    NoEntropy(#[from] NoEntropy),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Returns the rematch of a game that is over, and whether it is new. The first caller creates and owns
    /// it. Its seats are reserved for their former holders, who take them, each with new entropy. `game` must
    /// be current.
    ///
    /// # Errors
    /// If the caller holds no seat, or the game is not over.
    pub async fn rematch(
        &self,
        game: &Arc<CachedGame>,
        caller: &Caller,
    ) -> Result<(Arc<CachedGame>, bool), RematchError> {
        let (mut game, mut made) = (Arc::clone(game), None);
        loop {
            if caller.seat(&game).is_none() {
                return Err(RematchError::NoSeat);
            }
            if !game.info.is_over() {
                return Err(RematchError::NotOver);
            }
            // A rematch that never started may be gone, and a started one may have been taken down. Then
            // there can be another.
            if let Some(id) = game.info.rematch
                && let Some(known) = self.game_writer.load(id).await?
                && known.info.removed.is_none()
            {
                return Ok((known, made == Some(id)));
            }
            let new = self.again(&game, caller)?;
            let is_new = self.game_writer.add(&new).await?;
            // Of several concurrent callers, one sets the link. If the seats have changed since, the id would
            // be another.
            let (id, version) = (new.info.id, Version::from_info(&game.info));
            let link = |now: &CachedGame| {
                let change = Update { rematch: Some(id), ..Update::new(&now.info) };
                let is_same = Version::from_info(&now.info) == version;
                Ok::<_, StoreError>(if is_same { Plan::update(change, true) } else { Plan::Stands(false) })
            };
            let (now, is_linked) = self.game_writer.change(&game, link).await?;
            match self.game_writer.load(id).await? {
                Some(new) if is_linked => return Ok((new, is_new)),
                // A concurrent caller has linked the game that this one made.
                Some(_) if is_new && now.info.rematch == Some(id) => made = Some(id),
                Some(orphan) if is_new => {
                    // No one was shown it, but a player who found it may have taken a seat.
                    let _ = self.game_writer.change(&orphan, removal).await;
                }
                Some(_) | None => {}
            }
            game = now;
        }
    }

    /// Returns the game to play after one that is over.
    fn again(&self, game: &StoredGame, caller: &Caller) -> Result<StoredGame, RematchError> {
        let Info { id, setup, visibility, rated, patience_hours, clock, revision, seats, .. } = &game.info;
        let beacon = match &game.beacon {
            Some(beacon) => {
                self.beacons.get(beacon.chain)?;
                Some(GameBeacon::new(beacon.chain))
            }
            None => None,
        };
        let seed = entropy::seed()?;
        // Each revision of the game has one, so that concurrent callers make the same.
        let name = format!("assam/rematch\n{id}\n{revision}");
        let mut seats: Vec<Holder> = seats.iter().map(kept).collect();
        seats.rotate_left(1);
        Ok(StoredGame {
            owner: caller.secret().map(Secret::hash),
            heir: None,
            // Its seats are reserved for those who may see it.
            join_code: None,
            // Its id can be derived again, but is never reused.
            request: Some(Sha256::digest(&name).into()),
            seed: Some(seed),
            commitment: Some(chance::commitment(&seed, setup)),
            beacon,
            tags: String::new(),
            log: String::new(),
            info: Info {
                id: Hex::digest(&name),
                created_at: now(),
                setup: setup.clone(),
                visibility: *visibility,
                imported: false,
                rated: *rated,
                patience_hours: *patience_hours,
                clock: clock.as_ref().map(|clock| clock.rule.wound(seats.len())),
                rematch_of: Some(*id),
                rematch: None,
                revision: 0,
                seats,
                status: Status::Open,
                started_at: None,
                finished_at: None,
                head: None,
                removed: None,
            },
        })
    }
}

/// Returns a seat that is reserved for its holder, or has the same built-in player.
fn kept(holder: &Holder) -> Holder {
    match holder.kind {
        SeatKind::Open | SeatKind::Human => {
            let reserved = ReservedSeat { secret: holder.secret, player: holder.player };
            Holder { reserved: Some(Box::new(reserved)), ..Holder::new(SeatKind::Open) }
        }
        SeatKind::BuiltIn(_) => Holder::new(holder.kind),
    }
}
