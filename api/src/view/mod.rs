//! What clients see of a position: one module a game, and nothing else of a position ever leaves the service.

use std::fmt;

use assam_notation::Notation;
use assam_rules::{Ranking, Seat};
use serde::Serialize;
use utoipa::ToSchema;

use crate::picture::{Picture, Scene};

pub mod marrakech;
pub mod marrakesh;

/// A game that can be shown.
pub trait Show: Notation {
    /// A view as clients see it.
    fn state(view: &Self::View) -> State;

    /// What a seat's score consists of; the points add up to it.
    fn score_parts(view: &Self::View, seat: Seat) -> Vec<ScorePart>;

    /// What decides between this seat and others with the same score, the first first.
    fn tie_breaks(view: &Self::View, seat: Seat) -> Vec<TieBreak>;

    /// What follows from a move, as clients see it.
    fn event(event: &Self::Event) -> Event;

    /// What is seen, drawn.
    fn picture(scene: Scene<'_, Self::View>) -> impl Picture;
}

/// A position as its viewer may see it; which form it has follows from the rule set.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[serde(untagged)]
pub enum State {
    /// A position of Marrakech.
    Marrakech(marrakech::State),
    /// A position of Marrakesh.
    Marrakesh(marrakesh::State),
}

/// Something that followed from a move.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A payment in Marrakech.
    Payment(marrakech::Payment),
    /// The lead of Marrakesh was turned up, and the trick has a winner.
    TrickWon(marrakesh::TrickWon),
    /// A bonus card of Marrakesh was drawn.
    BonusDrawn(marrakesh::BonusDrawn),
    /// The oval of a trick of Marrakesh was marked.
    OvalMarked(marrakesh::OvalMarked),
    /// A round of Marrakesh is over.
    RoundScored(marrakesh::RoundScored),
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payment(payment) => payment.fmt(f),
            Self::TrickWon(won) => won.fmt(f),
            Self::BonusDrawn(drawn) => drawn.fmt(f),
            Self::OvalMarked(marked) => marked.fmt(f),
            Self::RoundScored(scored) => scored.fmt(f),
        }
    }
}

/// Scores and ranking of a game as things stand.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct Score {
    /// Is the game over, so that these are its final scores?
    pub over: bool,
    /// One score a seat, in order.
    #[schema(example = json!([36, 43, 41]))]
    pub scores: Vec<i32>,
    /// Seats in groups, best first; seats in one group share a place. Null for an aborted game.
    #[schema(example = json!([[2], [3], [1]]))]
    pub ranking: Option<Vec<Vec<u8>>>,
    /// What each score consists of.
    pub seats: Vec<SeatScore>,
}

/// What the score of a seat consists of.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct SeatScore {
    /// Number of the seat.
    pub seat: u8,
    /// Its score: the sum of the parts.
    pub total: i32,
    /// Named parts; none for a seat that is out.
    pub parts: Vec<ScorePart>,
    /// What decides between seats with the same score, the first first; empty where nothing does.
    pub tie_breaks: Vec<TieBreak>,
}

/// A value that decides between seats with the same score: the larger is the better.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct TieBreak {
    /// What is compared.
    #[schema(example = "dirhams")]
    pub name: &'static str,
    /// How much of it the seat has.
    pub value: i32,
}

/// A named part of a score.
#[derive(Clone, PartialEq, Debug, Serialize, ToSchema)]
pub struct ScorePart {
    /// The round that brought the points, where a game has rounds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub round: Option<u8>,
    /// Where the points come from.
    #[schema(example = "dirhams")]
    pub name: &'static str,
    /// How many.
    pub points: i32,
}

/// Groups of seat numbers, best first.
pub fn ranking(ranking: &Ranking) -> Vec<Vec<u8>> {
    ranking.0.iter().map(|group| group.iter().map(|seat| seat.number()).collect()).collect()
}
