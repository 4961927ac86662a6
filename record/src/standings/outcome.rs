//! The results of a game, as far as they count for its players.

use assam_referee::{Roll, Ruleset, Table};
use jiff::Timestamp;

use super::{Competitor, DiceTally};
use crate::game::{GameId, Info, Status, StoredGame, Visibility};
use crate::log::{Damaged, entries};

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
    /// The dice of each player, and of all players.
    pub dice: Vec<(Option<Competitor>, DiceTally)>,
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

/// Returns whether a game counts: a public game that was played here to its end and not aborted.
pub fn counts(info: &Info) -> bool {
    info.visibility == Visibility::Public && !info.imported && info.status == Status::Finished
}

/// Returns the dice that were thrown in a game, in order.
///
/// # Errors
/// The stored log is damaged.
pub fn rolls(game: &StoredGame) -> Result<Vec<Roll>, Damaged> {
    Ok(played(game)?.1)
}

/// Returns a game after its last word, and its rolls.
fn played(game: &StoredGame) -> Result<(Box<dyn Table>, Vec<Roll>), Damaged> {
    let words = entries(&game.log).map(|entry| entry.word);
    game.info.setup.rolls(words).map_err(|broken| Damaged::at(game.info.id, broken.ply, &broken.refusal))
}

impl GameOutcome {
    /// Returns the result of a game if it counts.
    ///
    /// It is rated unless its creator declined, if it began at the start and no player held two seats.
    ///
    /// # Errors
    /// The stored log is damaged.
    pub fn new(game: &StoredGame) -> Result<Option<Self>, Damaged> {
        let info = &game.info;
        let Some(at) = info.finished_at.filter(|_| counts(info)) else { return Ok(None) };
        let (table, rolls) = played(game)?;
        let score = table.score();
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
            let of = |player: Competitor| {
                DiceTally::of(&rolls, |seat| {
                    seats.get(seat.index()).is_some_and(|one| one.competitor == player)
                })
            };
            let mut dice = vec![(None, DiceTally::of(&rolls, |_| true))];
            dice.extend(competitors.iter().map(|player| (Some(*player), of(*player))));
            let is_rated =
                info.rated && info.setup.is_at_start() && competitors.len() == seats.len() && seats.len() > 1;
            Self { game: info.id, ruleset: info.ruleset(), at, is_rated, seats, dice }
        }))
    }
}
