//! Facts that follow from a position: totals, tie-breaks, the deck, and usable numbers.

use super::{Cards, Phase, Position, Side, Uses};

impl Position {
    /// Returns a player's points in the finished rounds, 0..=360.
    pub fn total(&self, side: Side) -> u16 {
        self.points_of_rounds(side).map(u16::from).sum()
    }

    /// Returns the number of finished rounds in which a player scored, the first tie-break.
    pub fn rounds_scored(&self, side: Side) -> u8 {
        self.points_of_rounds(side).map(|points| u8::from(points > 0)).sum()
    }

    /// Returns a player's points in their best finished round, 0..=30, the second tie-break.
    pub fn best_round(&self, side: Side) -> u8 {
        self.points_of_rounds(side).max().unwrap_or_default()
    }

    /// Returns the number of cards in the deck, 0..=52.
    pub fn deck(&self) -> u8 {
        Cards::PACK.saturating_sub(self.cards_out().len()).saturating_sub(self.unknown_out())
    }

    fn points_of_rounds(&self, side: Side) -> impl Iterator<Item = u8> {
        self.is.scores.iter().map(move |score| score[side].points())
    }

    /// Returns what the winner of the trick may use now, or `None` if no number is due.
    pub fn open_uses(&self) -> Option<Uses> {
        match self.is.phase {
            Phase::Use { trick, values, .. } if self.is.stop.is_none() => {
                Some(self.uses(trick.winner(), values))
            }
            Phase::Use { .. }
            | Phase::Lead { .. }
            | Phase::Reply { .. }
            | Phase::Dice
            | Phase::Deal(_)
            | Phase::Bonus { .. }
            | Phase::Over => None,
        }
    }
}
