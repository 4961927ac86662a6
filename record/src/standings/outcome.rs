//! The results of a game, as far as they count for its players.

use assam_referee::Ruleset;
use assam_rules::Viewer;
use jiff::Timestamp;

use super::Competitor;
use crate::game::{GameId, Status, StoredGame, Visibility};
use crate::log::{Damaged, MaskedReplay};

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameOutcome {
    /// The id of the game.
    pub game: GameId,
    /// The rule set.
    pub ruleset: Ruleset,
    /// When the game ended.
    pub at: Timestamp,
    /// Whether the game is rated.
    pub is_rated: bool,
    /// The result of each seat, in order.
    pub seats: Vec<Finish>,
}

/// The result of a seat.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Finish {
    /// The holder.
    pub competitor: Competitor,
    /// The score.
    pub score: i32,
    /// The place, from 1. Seats that share a place have the same number.
    pub place: usize,
}

impl GameOutcome {
    /// Returns the result of a game if it counts: a public game that was played here to its end and not
    /// aborted.
    ///
    /// It is rated unless its creator declined, if it began at the start and no player held two seats.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn new(game: &StoredGame) -> Result<Option<Self>, Damaged> {
        let info = &game.info;
        let counts =
            info.visibility == Visibility::Public && !info.imported && info.status == Status::Finished;
        let (Some(head), Some(at), true) = (info.head, info.finished_at, counts) else { return Ok(None) };
        let score = MaskedReplay::by(Viewer::Arbiter, game, head.ply)?.table.score();
        let place = |seat: usize| {
            let groups = score.ranking.as_deref().unwrap_or_default();
            let better = groups.iter().take_while(|group| !group.iter().any(|one| usize::from(*one) == seat));
            1 + better.map(Vec::len).sum::<usize>()
        };
        let seats: Option<Vec<Finish>> = (1..)
            .zip(info.seats.iter().zip(&score.scores))
            .map(|(seat, (holder, score))| {
                let competitor = Competitor::new(holder)?;
                Some(Finish { competitor, score: *score, place: place(seat) })
            })
            .collect();
        Ok(seats.map(|seats| {
            let mut competitors: Vec<Competitor> = seats.iter().map(|seat| seat.competitor).collect();
            competitors.sort_unstable();
            competitors.dedup();
            let is_rated =
                info.rated && info.setup.is_at_start() && competitors.len() == seats.len() && seats.len() > 1;
            Self { game: info.id, ruleset: info.ruleset(), at, is_rated, seats }
        }))
    }
}
