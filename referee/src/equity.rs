//! The expectations of seats, as clients see them.

use assam_players::Amount;
use serde::Serialize;

/// A part of the win and of the points.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = Amount))]
pub struct WinAndPoints {
    /// The share of the win in 10,000ths.
    #[cfg_attr(feature = "utoipa", schema(minimum = -100_000_000, maximum = 100_000_000, example = 5000))]
    pub win: i32,
    /// Points in 1,000ths: dirhams in Marrakech, and the lead of the match in Marrakesh.
    #[cfg_attr(feature = "utoipa", schema(minimum = -1_000_000_000, maximum = 1_000_000_000, example = 30000))]
    pub points: i32,
}

impl From<Amount> for WinAndPoints {
    fn from(Amount { win, points }: Amount) -> Self {
        Self { win, points }
    }
}

/// A decision and what follows from it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MoveEquity))]
pub struct AnyLine {
    /// The decision in notation.
    #[serde(rename = "move")]
    #[cfg_attr(feature = "utoipa", schema(max_length = 64, example = "N"))]
    pub decision: String,
    /// The expectation of each seat.
    #[cfg_attr(feature = "utoipa", schema(max_items = 4))]
    pub equity: Vec<WinAndPoints>,
}
