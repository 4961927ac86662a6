//! The parts of a position that requests can ask for, with the same names everywhere.

use assam_referee::{Score, State, Table};
use assam_rules::Viewer;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A part of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum PositionPart {
    /// The position line.
    Position,
    /// The position as JSON.
    State,
    /// Scores and ranking.
    Score,
    /// The legal decisions of the seat on turn.
    LegalMoves,
}

/// The requested parts of a position, all of it known to the client.
#[derive(Default, Serialize, ToSchema)]
pub struct PositionParts {
    /// The position line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(
        max_length = 4096,
        nullable = false,
        example = "marrakech/1 seats=3 position=7/3rr2/7/7/7/7/7;d6e6;d7N;2;orient;30,30,30;r14b15y15;b;-"
    )]
    pub(crate) position: Option<String>,
    /// The position as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) state: Option<State>,
    /// Scores and ranking.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub(crate) score: Option<Score>,
    /// The legal decisions of the seat whose turn it is. Null if they depend on masked cards. Empty if it is
    /// no seat's turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = MovesOrNull)]
    pub(crate) legal_moves: Option<Option<Vec<String>>>,
}

// For a member that may be null or absent. It has no description, so that it is inlined.
#[derive(ToSchema)]
#[schema(max_items = 1000, max_length = 64)]
pub(crate) struct MovesOrNull(#[expect(dead_code, reason = "only its schema is used")] Option<Vec<String>>);

impl PositionParts {
    /// Returns some parts of a position.
    pub(crate) fn new(table: &dyn Table, wanted: &[PositionPart]) -> Self {
        let wants = |part| wanted.contains(&part);
        Self {
            // A position that still lacks its draw at the start has no line.
            position: (wants(PositionPart::Position) && !table.is_start_due()).then(|| table.position_line()),
            state: wants(PositionPart::State).then(|| table.state()),
            score: wants(PositionPart::Score).then(|| table.score()),
            legal_moves: wants(PositionPart::LegalMoves).then(|| table.legal_moves(Viewer::Arbiter)),
        }
    }
}
