//! Adds games up to ratings, tallies and dice.

use std::collections::BTreeMap;

use assam_referee::Ruleset;

use super::{BestScore, Competitor, DiceTally, GameOutcome, Period, PlayerTally, Rating};

/// The key of a tally.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TallyKey {
    /// The player.
    pub competitor: Competitor,
    /// The rule set.
    pub ruleset: Ruleset,
    /// The number of seats of the games.
    pub seats: u8,
    /// The period in which they ended.
    pub period: Period,
}

/// The key of a tally of dice: those of a player, or of all players.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct DiceKey {
    /// The rule set.
    pub ruleset: Ruleset,
    /// The player, or `None` for all.
    pub competitor: Option<Competitor>,
}

/// The ratings after some games, and the tallies of these games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Reckoning {
    /// The ratings. Players without an entry have never played a rated game.
    pub ratings: BTreeMap<(Ruleset, Competitor), Rating>,
    /// The tallies of the counted games.
    pub tallies: BTreeMap<TallyKey, PlayerTally>,
    /// The dice of the counted games.
    pub dice: BTreeMap<DiceKey, DiceTally>,
}

impl Reckoning {
    /// Counts a game. Games count in the order of their ends, then of their ids.
    pub fn count(&mut self, outcome: &GameOutcome) {
        let GameOutcome { game, ruleset, at, is_rated, seats, dice } = outcome;
        for (competitor, thrown) in dice {
            let key = DiceKey { ruleset: *ruleset, competitor: *competitor };
            self.dice.entry(key).or_default().add(thrown);
        }
        for seat in seats {
            let tally = PlayerTally {
                games: 1,
                firsts: u64::from(seat.place == 1),
                score_sum: seat.score.into(),
                best: BestScore { score: seat.score, game: *game },
            };
            for period in Period::all_of(*at) {
                let (competitor, ruleset, seats) = (seat.competitor, *ruleset, seats.len() as u8);
                let key = TallyKey { competitor, ruleset, seats, period };
                self.tallies.entry(key).and_modify(|sum| sum.add(&tally)).or_insert(tally);
            }
        }
        if !is_rated {
            return;
        }
        let rating = |seat| self.ratings.get(&(*ruleset, seat)).copied().unwrap_or_default();
        let before: Vec<(Rating, usize)> =
            seats.iter().map(|seat| (rating(seat.competitor), seat.place)).collect();
        for (seat, after) in seats.iter().zip(Rating::after_game(&before)) {
            self.ratings.insert((*ruleset, seat.competitor), after);
        }
    }
}
