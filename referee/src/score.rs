//! Scores and rankings as clients see them.

use serde::Serialize;

/// The scores and ranking of a game at some ply.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct Score {
    /// Whether the game is over, so that these scores are final.
    pub over: bool,
    /// One score per seat, in order.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4, minimum = -1_000_000, maximum = 1_000_000, example = json!([36, 43, 41])))]
    pub scores: Vec<i32>,
    /// The seats in groups, best first. Seats in one group share a place. Null for an aborted game.
    #[cfg_attr(feature = "utoipa", schema(value_type = Option<Vec<crate::schema::SeatNumbers>>, max_items = 4, example = json!([[2], [3], [1]])))]
    pub ranking: Option<Vec<Vec<u8>>>,
    /// The parts of each score.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub seats: Vec<SeatScore>,
}

/// The score of a seat, with its parts.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct SeatScore {
    /// The number of the seat.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 4))]
    pub seat: u8,
    /// The score of the seat: the sum of the parts.
    #[cfg_attr(feature = "utoipa", schema(minimum = -1_000_000, maximum = 1_000_000))]
    pub total: i32,
    /// The named parts of the score. Empty for a seat that is out.
    #[cfg_attr(feature = "utoipa", schema(max_items = 1000))]
    pub parts: Vec<ScorePart>,
    /// The values that decide between seats with the same score, in order of precedence. Empty if there are
    /// none.
    #[cfg_attr(feature = "utoipa", schema(max_items = 1000))]
    pub tie_breaks: Vec<TieBreakValue>,
}

/// A value that decides between seats with the same score. The larger value wins.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = TieBreak))]
pub struct TieBreakValue {
    /// The name of the compared value.
    #[cfg_attr(feature = "utoipa", schema(value_type = crate::schema::TieBreakName))]
    pub name: &'static str,
    /// The value of the seat.
    #[cfg_attr(feature = "utoipa", schema(minimum = -1_000_000, maximum = 1_000_000))]
    pub value: i32,
}

/// A named part of a score.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct ScorePart {
    /// The round in which the points were scored, in a game with rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 12, nullable = false))]
    pub round: Option<u8>,
    /// The source of the points.
    #[cfg_attr(feature = "utoipa", schema(value_type = crate::schema::ScorePartName))]
    pub name: &'static str,
    /// The number of points.
    #[cfg_attr(feature = "utoipa", schema(minimum = -1_000_000, maximum = 1_000_000))]
    pub points: i32,
}

impl Score {
    /// Returns the seats that share the first place of a game that is over.
    pub fn winners(&self) -> &[u8] {
        let ranking = self.ranking.as_ref().filter(|_| self.over);
        ranking.and_then(|groups| groups.first()).map_or(&[], Vec::as_slice)
    }
}
