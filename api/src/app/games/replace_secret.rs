//! Replacing the secret of a seat, if it has leaked.

use std::sync::Arc;

use assam_record::game::{Holder, Replaced, SeatKind};
use assam_record::hex::Hex;
use assam_record::secret::Secret;
use assam_rules::Seat;
use assam_store::{StoreError, Update};

use super::access::seat_of;
use crate::app::write::plan::Plan;
use crate::app::{App, CachedGame, Caller};

/// Why a secret was not replaced.
#[derive(Debug, thiserror::Error)]
pub enum ReplaceSecretError {
    /// The caller does not hold the seat.
    #[error("your secret does not hold seat {}", .0.number())]
    NotYours(Seat),
    /// The new secret holds another seat.
    #[error("the new secret holds seat {} of this game", .0.number())]
    HoldsAnother(Seat),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl App {
    /// Binds a seat to another secret of its holder. The old one no longer holds the seat nor owns the game.
    /// The player keeps the public id. Nothing changes if the new secret already holds the seat.
    ///
    /// # Errors
    /// If the caller does not hold the seat, or the new secret holds another one.
    pub async fn replace_secret(
        &self,
        game: &Arc<CachedGame>,
        caller: &Caller,
        seat: Seat,
        new: &Secret,
    ) -> Result<(), ReplaceSecretError> {
        // First, so that a caller who learns of a failure can repeat both.
        if caller.seat(game) == Some(seat)
            && seat_of(&game.info, new).is_none()
            && let Some(id) = game.info.rematch
            && let Some(rematch) = self.game_writer.load(id).await?
        {
            let old = game.info.seats[seat.index()].secret;
            let plan = |rematch: &CachedGame| Ok::<_, StoreError>(keep_for(rematch, caller, old, new));
            self.game_writer.change(&rematch, plan).await?;
        }
        let plan = |game: &CachedGame| {
            if caller.seat(game) != Some(seat) {
                return Err(ReplaceSecretError::NotYours(seat));
            }
            match seat_of(&game.info, new) {
                Some(held) if held == seat => return Ok(Plan::Stands(())),
                Some(held) => return Err(ReplaceSecretError::HoldsAnother(held)),
                None => {}
            }
            let mut seats = game.info.seats.clone();
            replace(&mut seats[seat.index()], new);
            let heir = caller.is_owner(game).then(|| new.hash());
            Ok(Plan::update(Update { seats, heir, ..Update::new(&game.info) }, ()))
        };
        self.game_writer.change(game, plan).await.map(|_| ())
    }
}

/// Plans to reserve the seat of a rematch for a new secret instead of an old one.
fn keep_for(game: &CachedGame, caller: &Caller, old: Option<Hex<32>>, new: &Secret) -> Plan<()> {
    let mut seats = game.info.seats.clone();
    let kept = seats.iter_mut().filter(|holder| holder.kind == SeatKind::Open);
    let mut kept = kept.filter_map(|holder| holder.reserved.as_mut());
    match kept.find(|reserved| reserved.secret == old) {
        Some(reserved) => {
            reserved.secret = Some(Hex(new.hash()));
            let heir = caller.is_owner(game).then(|| new.hash());
            Plan::update(Update { seats, heir, ..Update::new(&game.info) }, ())
        }
        None => Plan::Stands(()),
    }
}

fn replace(holder: &mut Holder, new: &Secret) {
    let new_hash = Some(Hex(new.hash()));
    let first = holder.replaced.take().map_or(holder.secret, |replaced| replaced.first);
    // Back at the first secret, there is no replacement.
    if first != new_hash {
        holder.replaced = Some(Box::new(Replaced { first, player: Some(new.player()) }));
    }
    holder.secret = new_hash;
    if let Some(reserved) = &mut holder.reserved {
        reserved.secret = new_hash;
    }
}
