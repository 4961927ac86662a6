//! Ratings, tallies and dice in the databases. They follow from finished games, and can be recomputed.

use assam_record::game::GameId;
use assam_record::standings::{
    BestScore, Competitor, DiceKey, DiceTally, Period, PlayerTally, Rating, Reckoning, TallyKey,
};
use assam_referee::Ruleset;
use async_trait::async_trait;

use super::StoreError;
use crate::sql::row::SqlRow;
use crate::sql::statement::Statement;
use crate::sql::value::{FromColumn, NamedRow, Value};

/// The order of leaders, the greatest first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LeadersBy {
    /// By the lower bound of their rating.
    Rating,
    /// By their best score in games with this number of seats, in a period.
    BestScore(u8, Period),
    /// By the number of these games that they won.
    Firsts(u8, Period),
}

/// A leader.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Leader {
    /// The competitor.
    pub competitor: Competitor,
    /// The value of the order: billionths of a rating, a score, or a number of games.
    pub value: i64,
    /// The rating, if leaders are ordered by it.
    pub rating: Option<Rating>,
    /// The tally, if leaders are ordered by one of its values.
    pub tally: Option<PlayerTally>,
}

/// Stores ratings, tallies and dice.
#[async_trait]
pub trait Standings: Send + Sync {
    /// Returns how many entries of the public log are counted.
    async fn counted_entries(&self) -> Result<u64, StoreError>;

    /// Returns the ends of games in the public log from a position on, in order, each with its position, at
    /// most `limit`.
    async fn ends(&self, from: u64, limit: u32) -> Result<Vec<(u64, GameId)>, StoreError>;

    /// Returns those of these ratings that exist.
    async fn ratings(
        &self,
        of: &[(Ruleset, Competitor)],
    ) -> Result<Vec<((Ruleset, Competitor), Rating)>, StoreError>;

    /// Replaces ratings, adds to tallies and dice, and updates the number of counted entries, all at once.
    ///
    /// # Errors
    /// [`StoreError::Conflict`] if the number of counted entries is no longer `was`. Nothing is written then.
    async fn count_outcomes(&self, was: u64, now: u64, counted: &Reckoning) -> Result<(), StoreError>;

    /// Deletes everything, so that it is recomputed.
    async fn forget_standings(&self) -> Result<(), StoreError>;

    /// Returns all ratings of a competitor, and their tallies of a period, as of one moment.
    async fn standings_of(&self, competitor: Competitor, period: Period) -> Result<Reckoning, StoreError>;

    /// Returns the leaders of a rule set after this value and competitor, at most `limit`.
    async fn leaders(
        &self,
        ruleset: Ruleset,
        by: LeadersBy,
        after: Option<(i64, Competitor)>,
        limit: u32,
    ) -> Result<Vec<Leader>, StoreError>;

    /// Returns the dice of a competitor in each rule set, or those of all competitors.
    async fn dice_of(&self, competitor: Option<Competitor>) -> Result<Vec<(DiceKey, DiceTally)>, StoreError>;

    /// Returns everything, as of one moment.
    async fn all_standings(&self) -> Result<Reckoning, StoreError>;
}

impl From<Competitor> for Value {
    fn from(competitor: Competitor) -> Self {
        Self::Text(competitor.to_string())
    }
}

impl FromColumn for Competitor {
    fn read(value: &Value) -> Option<Self> {
        String::read(value)?.parse().ok()
    }
}

impl From<Period> for Value {
    fn from(period: Period) -> Self {
        Self::Text(period.to_string())
    }
}

impl FromColumn for Period {
    fn read(value: &Value) -> Option<Self> {
        String::read(value)?.parse().ok()
    }
}

const RATINGS: &str = "competitor, ruleset, rating, uncertainty, games";
const TALLIES: &str = "competitor, period, ruleset, seats, games, firsts, score_sum, best_score, best_game";
/// The deletions before a recomputation.
pub(crate) const FORGET: [&str; 4] =
    ["DELETE FROM counted_ends", "DELETE FROM ratings", "DELETE FROM tallies", "DELETE FROM dice"];
pub(crate) const ALL_RATINGS: &str = "SELECT competitor, ruleset, rating, uncertainty, games FROM ratings";
pub(crate) const ALL_TALLIES: &str =
    "SELECT competitor, period, ruleset, seats, games, firsts, score_sum, best_score, best_game FROM tallies";
pub(crate) const ALL_DICE: &str = "SELECT competitor, ruleset, games, ones, twos, threes, fours, fives, sixes, luck, \
    luck_squares, luck_points FROM dice";

/// Reads the number of counted entries.
pub(crate) fn counted_entries() -> Statement {
    Statement::new("SELECT entries FROM counted_ends", [])
}

/// Reads the ends of games from a position on.
pub(crate) fn ends(from: u64, limit: u32) -> Statement {
    Statement::new(
        "SELECT position, game_id FROM log_entries WHERE part = 1 AND position >= $1 ORDER BY position LIMIT $2",
        [from.into(), limit.into()],
    )
}

pub(crate) fn rating(ruleset: Ruleset, competitor: Competitor) -> Statement {
    Statement::new(
        format!("SELECT {RATINGS} FROM ratings WHERE competitor = $1 AND ruleset = $2"),
        [competitor.into(), ruleset.into()],
    )
}

pub(crate) fn ratings_of(competitor: Competitor) -> Statement {
    Statement::new(format!("SELECT {RATINGS} FROM ratings WHERE competitor = $1"), [competitor.into()])
}

pub(crate) fn tallies_of(competitor: Competitor, period: Period) -> Statement {
    Statement::new(
        format!("SELECT {TALLIES} FROM tallies WHERE competitor = $1 AND period = $2"),
        [competitor.into(), period.into()],
    )
}

pub(crate) fn dice_of(competitor: Option<Competitor>) -> Statement {
    Statement::new(format!("{ALL_DICE} WHERE competitor = $1"), [thrower(competitor)])
}

/// All competitors together have the empty text.
fn thrower(competitor: Option<Competitor>) -> Value {
    competitor.map_or_else(|| Value::Text(String::new()), Value::from)
}

/// Writes the number of counted entries. Changes no row if it has changed since.
pub(crate) fn count_up_to(was: u64, now: u64) -> Statement {
    match was {
        0 => Statement::new(
            "INSERT INTO counted_ends (entries) VALUES ($1) ON CONFLICT DO NOTHING",
            [now.into()],
        ),
        was => Statement::new(
            "UPDATE counted_ends SET entries = $1 WHERE entries = $2",
            [now.into(), was.into()],
        ),
    }
}

/// Replaces an existing rating.
pub(crate) const REPLACE_RATING: &str = "ON CONFLICT (competitor, ruleset) DO UPDATE SET rating = excluded.rating, \
    uncertainty = excluded.uncertainty, at_least = excluded.at_least, games = excluded.games";
/// Adds to an existing tally.
pub(crate) const ADD_TO_TALLY: &str = "ON CONFLICT (competitor, period, ruleset, seats) DO UPDATE SET \
    games = kept.games + excluded.games, firsts = kept.firsts + excluded.firsts, \
    score_sum = kept.score_sum + excluded.score_sum, \
    best_game = CASE WHEN excluded.best_score > kept.best_score THEN excluded.best_game ELSE kept.best_game END, \
    best_score = CASE WHEN excluded.best_score > kept.best_score THEN excluded.best_score ELSE kept.best_score END";

/// Adds to existing dice.
pub(crate) const ADD_TO_DICE: &str = "ON CONFLICT (competitor, ruleset) DO UPDATE SET \
    games = kept.games + excluded.games, ones = kept.ones + excluded.ones, twos = kept.twos + excluded.twos, \
    threes = kept.threes + excluded.threes, fours = kept.fours + excluded.fours, \
    fives = kept.fives + excluded.fives, sixes = kept.sixes + excluded.sixes, luck = kept.luck + excluded.luck, \
    luck_squares = kept.luck_squares + excluded.luck_squares, \
    luck_points = kept.luck_points + excluded.luck_points";

pub(crate) fn rating_row(((ruleset, competitor), rating): (&(Ruleset, Competitor), &Rating)) -> NamedRow {
    let (estimate, uncertainty) = rating.billionths();
    vec![
        ("competitor", (*competitor).into()),
        ("ruleset", (*ruleset).into()),
        ("rating", estimate.into()),
        ("uncertainty", uncertainty.into()),
        ("at_least", rating.floor().into()),
        ("games", rating.games.into()),
    ]
}

pub(crate) fn tally_row((key, tally): (&TallyKey, &PlayerTally)) -> NamedRow {
    vec![
        ("competitor", key.competitor.into()),
        ("period", key.period.into()),
        ("ruleset", key.ruleset.into()),
        ("seats", u32::from(key.seats).into()),
        ("games", tally.games.into()),
        ("firsts", tally.firsts.into()),
        ("score_sum", tally.score_sum.into()),
        ("best_score", i64::from(tally.best.score).into()),
        ("best_game", tally.best.game.into()),
    ]
}

pub(crate) fn dice_row((key, dice): (&DiceKey, &DiceTally)) -> NamedRow {
    let [ones, twos, threes, fours, fives, sixes] = dice.faces;
    vec![
        ("competitor", thrower(key.competitor)),
        ("ruleset", key.ruleset.into()),
        ("games", dice.games.into()),
        ("ones", ones.into()),
        ("twos", twos.into()),
        ("threes", threes.into()),
        ("fours", fours.into()),
        ("fives", fives.into()),
        ("sixes", sixes.into()),
        ("luck", dice.luck.into()),
        ("luck_squares", dice.luck_squares.into()),
        ("luck_points", dice.luck_points.into()),
    ]
}

/// Reads leaders: the value of the order, then the row.
pub(crate) fn leaders(
    ruleset: Ruleset,
    by: LeadersBy,
    after: Option<(i64, Competitor)>,
    limit: u32,
) -> Statement {
    let (table, columns, value) = match by {
        LeadersBy::Rating => ("ratings", RATINGS, "at_least"),
        LeadersBy::BestScore(..) => ("tallies", TALLIES, "best_score"),
        LeadersBy::Firsts(..) => ("tallies", TALLIES, "firsts"),
    };
    let mut statement = Statement::new(
        format!("SELECT {columns}, {value} FROM {table} WHERE ruleset = $1"),
        [ruleset.into()],
    );
    if let LeadersBy::BestScore(seats, period) | LeadersBy::Firsts(seats, period) = by {
        let (seats, period) = (statement.param(u32::from(seats)), statement.param(period));
        statement.sql += &format!(" AND seats = {seats} AND period = {period}");
    }
    if let Some((last, competitor)) = after {
        let (last, competitor) = (statement.param(last), statement.param(competitor));
        statement.sql += &format!(" AND ({value}, competitor) < ({last}, {competitor})");
    }
    let limit = statement.param(limit);
    statement.sql += &format!(" ORDER BY {value} DESC, competitor DESC LIMIT {limit}");
    statement
}

impl SqlRow {
    /// Reads the number of counted entries.
    pub(crate) fn counted(&self) -> Result<u64, StoreError> {
        self.first().ok_or_else(unreadable)
    }

    /// Reads the position of an end, and its game.
    pub(crate) fn end(&self) -> Result<(u64, GameId), StoreError> {
        self.pair().ok_or_else(unreadable)
    }

    /// Reads a rating, or none if its rule set or built-in player is only known to another version.
    pub(crate) fn rating(&self) -> Option<((Ruleset, Competitor), Rating)> {
        let [competitor, ruleset, rating, uncertainty, games, ..] = self.values() else { return None };
        let stored = Rating::stored(i64::read(rating)?, i64::read(uncertainty)?, u64::read(games)?);
        Some(((Ruleset::read(ruleset)?, Competitor::read(competitor)?), stored))
    }

    /// Reads a tally, or none as for a rating.
    pub(crate) fn tally(&self) -> Option<(TallyKey, PlayerTally)> {
        let [competitor, period, ruleset, seats, games, firsts, score_sum, best_score, best_game, ..] =
            self.values()
        else {
            return None;
        };
        let key = TallyKey {
            competitor: Competitor::read(competitor)?,
            ruleset: Ruleset::read(ruleset)?,
            seats: u32::read(seats)?.try_into().ok()?,
            period: Period::read(period)?,
        };
        let score = i64::read(best_score)?.try_into().ok()?;
        let best = BestScore { score, game: GameId::read(best_game)? };
        let (games, firsts) = (u64::read(games)?, u64::read(firsts)?);
        Some((key, PlayerTally { games, firsts, score_sum: i64::read(score_sum)?, best }))
    }

    /// Reads dice, or none as for a rating.
    pub(crate) fn dice(&self) -> Option<(DiceKey, DiceTally)> {
        let [competitor, ruleset, games, faces @ .., luck, luck_squares, luck_points] = self.values() else {
            return None;
        };
        let competitor = match String::read(competitor)?.as_str() {
            "" => None,
            named => Some(named.parse().ok()?),
        };
        let key = DiceKey { ruleset: Ruleset::read(ruleset)?, competitor };
        let faces: Option<Vec<u64>> = faces.iter().map(u64::read).collect();
        let dice = DiceTally {
            games: u64::read(games)?,
            faces: faces?.try_into().ok()?,
            luck: i64::read(luck)?,
            luck_squares: i64::read(luck_squares)?,
            luck_points: i64::read(luck_points)?,
        };
        Some((key, dice))
    }

    pub(crate) fn leader(&self, by: LeadersBy) -> Option<Leader> {
        let value = i64::read(self.values().last()?)?;
        Some(match by {
            LeadersBy::Rating => {
                let ((_, competitor), rating) = self.rating()?;
                Leader { competitor, value, rating: Some(rating), tally: None }
            }
            LeadersBy::BestScore(..) | LeadersBy::Firsts(..) => {
                let (key, tally) = self.tally()?;
                Leader { competitor: key.competitor, value, rating: None, tally: Some(tally) }
            }
        })
    }
}

/// Combines rows.
pub(crate) fn reckoning(ratings: &[SqlRow], tallies: &[SqlRow], dice: &[SqlRow]) -> Reckoning {
    Reckoning {
        ratings: ratings.iter().filter_map(SqlRow::rating).collect(),
        tallies: tallies.iter().filter_map(SqlRow::tally).collect(),
        dice: dice.iter().filter_map(SqlRow::dice).collect(),
    }
}

fn unreadable() -> StoreError {
    StoreError::Backend("the stored ratings and tallies cannot be read".to_owned())
}
