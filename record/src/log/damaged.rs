//! A stored log that breaks the rules.

use assam_referee::Refusal;

use crate::game::{GameId, Info};

/// A stored log that breaks the rules: it was damaged, or written by other code.
#[derive(Debug, thiserror::Error)]
#[error("the stored log of game {game} breaks at ply {ply}: {rule}")]
pub struct Damaged {
    game: GameId,
    ply: u32,
    rule: &'static str,
}

impl Damaged {
    /// Returns the damage of a log that breaks at a ply.
    pub(crate) const fn at(game: GameId, ply: u32, refusal: &Refusal) -> Self {
        Self { game, ply, rule: refusal.rule }
    }

    /// Returns the damage of a log that does not lead to the stored head.
    pub fn in_head(game: &Info) -> Self {
        Self { game: game.id, ply: game.head.map_or(0, |head| head.ply), rule: "head" }
    }

    /// Returns the ply at which it breaks.
    pub const fn ply(&self) -> u32 {
        self.ply
    }

    /// Returns the id of the broken rule.
    pub const fn rule(&self) -> &'static str {
        self.rule
    }
}
