//! The trait of games that can be shown.

use std::fmt;

use assam_notation::Explain;
use assam_players::Playable;
use assam_rules::Seat;
use serde::Serialize;

use crate::picture::{Moment, Picture};
use crate::{Column, Datum, Faces, Score, ScorePart, TieBreakValue};

/// A game that can be judged, played, shown and drawn.
///
/// It shows everything known in a position, so no method takes a viewer. To show what one viewer may see,
/// mask the record for them and show the position it leads to.
pub trait Shown: Explain<Setup: Send + Sync, Event: Send + Sync> + Playable + Send + Sync + 'static {
    /// A position as clients see it.
    type State: Serialize + Described;
    /// A consequence of a move as clients see it: an object that names its kind in `event`, and a sentence
    /// for people.
    type ShownEvent: Serialize + fmt::Display + Described;

    /// The names of score parts.
    const SCORE_PARTS: &'static [&'static str];
    /// The names of the values that decide between equal scores.
    const TIE_BREAKS: &'static [&'static str];
    /// The columns of this game in a table of plies, next to those for every game. Columns with the same name
    /// in several games are one.
    const PLY_COLUMNS: &'static [Column];
    /// The optional columns in such a table for programs that learn from positions: numbers instead of a
    /// picture.
    const BOARD_COLUMNS: &'static [Column] = &[];

    /// How many sides of a die have each face from 1 to 6.
    const DIE: Faces;

    /// Returns the dice of each seat that throws, if this chance, which is due here, is a throw of dice.
    fn thrown(&self, chance: Self::Chance) -> Vec<(Seat, Faces)>;

    /// Returns the position as clients see it.
    fn state(&self) -> Self::State;

    /// Returns a consequence of a move as clients see it.
    fn shown_event(event: &Self::Event) -> Self::ShownEvent;

    /// Returns the parts of a seat's score. Their points add up to it.
    fn score_parts(&self, seat: Seat) -> Vec<ScorePart>;

    /// Returns the values that decide between this seat and others with the same score, in order of
    /// precedence.
    fn tie_breaks(&self, seat: Seat) -> Vec<TieBreakValue>;

    /// Returns the name for the effect of a decision made here, such as `orient`.
    fn action_name(&self, action: &Self::Action) -> &'static str;

    /// Fills in the game's columns for a ply: what was drawn, what followed, and this position, which it led
    /// to. `row` is empty and as long as [`Shown::PLY_COLUMNS`].
    fn fill_row(&self, drawn: &[Self::Chance], events: &[Self::Event], row: &mut [Datum]);

    /// Fills in [`Shown::BOARD_COLUMNS`] for this position. `row` is empty and as long as that list.
    fn fill_board(&self, _row: &mut [Datum]) {}

    /// Returns the decisions that a picture may mark: the legal ones, as far as the position shows them.
    fn choices(&self) -> Vec<Self::Action> {
        self.legal_actions().into_iter().collect()
    }

    /// Returns the position, drawn. `moment` describes the ply that led to it, `score` is the current score,
    /// and `legal` are the marked decisions.
    fn picture<'a>(
        &self,
        moment: &'a Moment,
        score: &'a Score,
        legal: Vec<Self::Action>,
    ) -> impl Picture + 'a;
}

/// A type that an OpenAPI document can describe.
#[cfg(feature = "utoipa")]
pub trait Described: utoipa::ToSchema {}
#[cfg(feature = "utoipa")]
impl<T: utoipa::ToSchema> Described for T {}

/// A type that an OpenAPI document can describe. Without the feature `utoipa`, any type.
#[cfg(not(feature = "utoipa"))]
pub trait Described {}
#[cfg(not(feature = "utoipa"))]
impl<T> Described for T {}
