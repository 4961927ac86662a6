//! Whether a stored game is what its rules and its chain make of it.

use assam_rules::Viewer;

use super::masked_replay::{Chain, walk};
use super::{Damaged, ledger};
use crate::chance;
use crate::game::{GameId, Head, Status, StoredGame};

/// What is wrong with a stored game. Nothing that may be secret is told.
#[derive(Debug, thiserror::Error)]
pub enum Unsound {
    /// A word is against the rules.
    #[error(transparent)]
    Damaged(#[from] Damaged),
    /// The seed leads to another commitment.
    #[error("the seed of game {0} is not the one that was committed to")]
    Commitment(GameId),
    /// The words lead to another head.
    #[error("the stored words of game {0} do not lead to its head")]
    Head(GameId),
    /// The words lead to another status.
    #[error("the stored words of game {0} do not lead to its status")]
    Status(GameId),
}

/// Replays a game with everything known and computes its head anew, from the seed and the holders of the seats; returns its
/// last ply, 0 where it has not started.
///
/// # Errors
/// What is wrong with it.
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
