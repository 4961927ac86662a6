//! Audits a stored game against its rules and its hash chain.

use assam_rules::Viewer;

use super::masked_replay::{Chain, walk};
use super::{Damaged, ledger};
use crate::chance;
use crate::game::{GameId, Head, Status, StoredGame};

/// The fault of a stored game. It reveals nothing secret.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    /// A word breaks a rule.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The seed leads to another commitment.
    #[error("the seed of game {0} does not match its commitment")]
    Commitment(GameId),
    /// The words lead to another head.
    #[error("the stored words of game {0} do not lead to its head")]
    Head(GameId),
    /// The words lead to another status.
    #[error("the stored words of game {0} do not lead to its status")]
    Status(GameId),
}

/// Replays a game with everything known and recomputes its head from the seed and the holders of the seats.
/// Returns its last ply, 0 if it has not started.
///
/// # Errors
/// The fault of the game.
pub fn audit(game: &StoredGame) -> Result<u32, Unsound> {
    let (id, mut chain) = (game.info.id, Chain::new(game));
    if game.seed.map(|seed| chance::commitment(&seed, &game.info.setup)) != game.commitment {
        return Err(Unsound::Commitment(id));
    }
    let Some(stored) = game.info.head else {
        let is_open = game.info.status == Status::Open && game.log.is_empty();
        return if is_open { Ok(0) } else { Err(Unsound::Status(id)) };
    };
    let table = walk(Viewer::Arbiter, game, u32::MAX, stored.ply, |written, _| chain.extend(&written))?;
    if stored != (Head { ply: table.ply(), hash: chain.head }) {
        return Err(Unsound::Head(id));
    }
    match game.info.status == ledger::status(table.turn()) {
        true => Ok(stored.ply),
        false => Err(Unsound::Status(id)),
    }
}
