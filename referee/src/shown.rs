//! The trait of a game that can be shown.

use std::fmt;

use assam_notation::Explain;
use assam_players::Playable;
use assam_rules::Seat;
use serde::Serialize;

use crate::picture::{Moment, Picture};
use crate::{Column, Datum, Score, ScorePart, TieBreakValue};

/// A game that can be judged, played, shown and drawn.
///
/// It shows all that is known in a position. What one viewer may see is the position that the record leads to when it
/// is masked for them, so none of these methods takes a viewer.
pub trait Shown: Explain<Setup: Send + Sync, Event: Send + Sync> + Playable + Send + Sync + 'static {
    /// A position as clients see it.
    type State: Serialize + Described;
    /// A consequence of a move as clients see it: an object that names itself in `event`, and a sentence for people.
    type ShownEvent: Serialize + fmt::Display + Described;

    /// The names that parts of a score have.
    const SCORE_PARTS: &'static [&'static str];
    /// The names that values have which decide between equal scores.
    const TIE_BREAKS: &'static [&'static str];
    /// The columns that a table of plies has for this game, beside those for every game. Columns of one name in several games
    /// are one.
    const PLY_COLUMNS: &'static [Column];
    /// The columns that such a table has for programs that learn from positions, where they are wanted: numbers in place of a picture.
    const BOARD_COLUMNS: &'static [Column] = &[];

    /// Returns the position as clients see it.
    fn state(&self) -> Self::State;

    /// Returns a consequence of a move as clients see it.
    fn shown_event(event: &Self::Event) -> Self::ShownEvent;

    /// Returns the parts of a seat's score; their points add up to it.
    fn score_parts(&self, seat: Seat) -> Vec<ScorePart>;

    /// Returns the values that decide between this seat and others with the same score, in order of precedence.
    fn tie_breaks(&self, seat: Seat) -> Vec<TieBreakValue>;

    /// Returns the name of what a decision does that is made here, such as `orient`.
    fn action_name(&self, action: &Self::Action) -> &'static str;

    /// Fills in the columns of the game for a ply: what was drawn, what followed, and this position, which it led to.
    /// `row` is as long as [`Shown::PLY_COLUMNS`], and empty.
    fn fill_row(&self, drawn: &[Self::Chance], events: &[Self::Event], row: &mut [Datum]);

    /// Fills in [`Shown::BOARD_COLUMNS`] for this position. `row` is as long as they are, and empty.
    fn fill_board(&self, _row: &mut [Datum]) {}

    /// Returns the decisions that a picture may mark: those that are legal, as far as the position tells.
    fn choices(&self) -> Vec<Self::Action> {
        self.legal_actions().into_iter().collect()
    }

    /// Returns the position, drawn. `moment` says how it came about, `score` is the score there; `legal` are the decisions
    /// that are marked.
    fn picture<'a>(
        &self,
        moment: &'a Moment,
        score: &'a Score,
        legal: Vec<Self::Action>,
    ) -> impl Picture + 'a;
}

/// A type that can be described in an OpenAPI document, where such documents are made.
#[cfg(feature = "utoipa")]
pub trait Described: utoipa::ToSchema {}
#[cfg(feature = "utoipa")]
impl<T: utoipa::ToSchema> Described for T {}

/// A type that can be described in an OpenAPI document, where such documents are made: any type, without the feature
/// `utoipa`.
#[cfg(not(feature = "utoipa"))]
pub trait Described {}
#[cfg(not(feature = "utoipa"))]
impl<T> Described for T {}
