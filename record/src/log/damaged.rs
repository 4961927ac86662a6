//! A stored log that its own rules refuse.

use assam_referee::Refusal;

use crate::game::{GameId, Info};

/// A stored log that its own rules refuse: it was damaged, or written by other code.
#[derive(Debug, thiserror::Error)]
#[error("the stored log of game {game} breaks at ply {ply}: {rule}")]
pub struct Damaged {
    game: GameId,
    ply: u32,
    rule: &'static str,
}

impl Damaged {
    /// Returns the damage of a log that breaks at a ply.
    pub(super) const fn at(game: GameId, ply: u32, refusal: &Refusal) -> Self {
        Self { game, ply, rule: refusal.rule }
    }

    /// Returns the damage of a log whose words do not lead to the head that is stored.
    pub fn in_head(game: &Info) -> Self {
        Self { game: game.id, ply: game.head.map_or(0, |head| head.ply), rule: "head" }
    }

    /// Returns the ply at which it breaks.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the id of the rule that refuses it.
    pub const fn rule(&self) -> &'static str {
        self.rule
    }
}
