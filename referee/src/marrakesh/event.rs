//! Consequences of moves of Marrakesh as clients see them.

use std::fmt;

use assam_rules::marrakesh::{self as rules, SideScore};
use serde::Serialize;

use super::names::{Matching, number, oval_name};
use super::parts::parts_of_round;
use super::trick::Trick;

/// A consequence of a move of Marrakesh.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[cfg_attr(feature = "utoipa", schema(as = MarrakeshEvent))]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum Event {
    /// A trick of Marrakesh was won, and its lead turned up.
    TrickWon(TrickWon),
    /// A bonus card of Marrakesh was drawn.
    BonusDrawn(BonusDrawn),
    /// An oval of Marrakesh was marked.
    OvalMarked(OvalMarked),
    /// A round of Marrakesh was scored.
    RoundScored(RoundScored),
}

/// A trick was won, and its lead turned up.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct TrickWon {
    /// The trick.
    pub trick: Trick,
    /// The property that its two cards share.
    pub matching: Matching,
}

/// A bonus card was drawn.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct BonusDrawn {
    /// The card.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^[A2-6Q][shdc]$", example = "5c"))]
    pub card: String,
    /// The property that it shares with the winner's card.
    pub matching: Matching,
    /// The number of uses of its number: 1, 4 or 6.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 6, example = 4))]
    pub times: u8,
}

/// An oval was marked.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct OvalMarked {
    /// The seat whose oval it is.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 2, example = 1))]
    pub seat: u8,
    /// The number of the oval, 1 to 3.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 3, example = 1))]
    pub oval: u8,
    /// The number of pieces in it, or `0` for a null chip.
    #[cfg_attr(feature = "utoipa", schema(pattern = "^(?:[0-9]|1[0-9])$", example = "4"))]
    pub mark: String,
}

/// A round was scored.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
pub struct RoundScored {
    /// The number of the round, from 1.
    #[cfg_attr(feature = "utoipa", schema(minimum = 1, maximum = 12, example = 1))]
    pub round: u8,
    /// The points of Blue, then of Red.
    #[cfg_attr(feature = "utoipa", schema(min_items = 2, max_items = 2, maximum = 255, example = json!([18, 0])))]
    pub scores: Vec<u8>,
    /// The categories of Blue's points, then of Red's, named like parts of a score.
    #[cfg_attr(feature = "utoipa", schema(value_type = Vec<crate::schema::Categories>, min_items = 2, max_items = 2, example = json!([["grand_fez"], []])))]
    #[cfg_attr(feature = "utoipa", schema(value_type = Vec<Vec<crate::schema::ScorePartName>>))]
    pub categories: Vec<Vec<&'static str>>,
}

impl Event {
    pub(super) fn of(event: &rules::Event) -> Self {
        match *event {
            rules::Event::TrickWon { trick, winner: _, matching } => {
                Self::TrickWon(TrickWon { trick: Trick::of(&trick), matching: Matching::of(matching) })
            }
            rules::Event::BonusDrawn { card, matching, times } => Self::BonusDrawn(BonusDrawn {
                card: card.to_string(),
                matching: Matching::of(matching),
                times,
            }),
            rules::Event::OvalMarked { side, oval, mark } => {
                Self::OvalMarked(OvalMarked { seat: number(side), oval, mark: oval_name(mark) })
            }
            rules::Event::RoundScored { round, score } => Self::RoundScored(RoundScored {
                round,
                scores: score.0.map(SideScore::points).to_vec(),
                categories: score
                    .0
                    .map(|score| parts_of_round(round, score).map(|part| part.name).collect())
                    .to_vec(),
            }),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TrickWon(won) => won.fmt(f),
            Self::BonusDrawn(drawn) => drawn.fmt(f),
            Self::OvalMarked(marked) => marked.fmt(f),
            Self::RoundScored(scored) => scored.fmt(f),
        }
    }
}

impl fmt::Display for TrickWon {
    /// Writes a sentence, such as `Seat 2 wins the trick 6s 2c`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Trick { lead, reply, winner, .. } = &self.trick;
        write!(f, "Seat {winner} wins the trick {lead} {reply}")
    }
}

impl fmt::Display for BonusDrawn {
    /// Writes a sentence, such as `The bonus card 5c is used 4 times`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { card, times, .. } = self;
        write!(
            f,
            "The bonus card {card} is used {}",
            if *times == 1 { "once".to_owned() } else { format!("{times} times") }
        )
    }
}

impl fmt::Display for OvalMarked {
    /// Writes a sentence, such as `Oval 2 of seat 1 gets 3 pieces`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seat, oval, mark } = self;
        let what = match mark.as_str() {
            "0" => "a null chip".to_owned(),
            "1" => "1 piece".to_owned(),
            pieces => format!("{pieces} pieces"),
        };
        write!(f, "Oval {oval} of seat {seat} gets {what}")
    }
}

impl fmt::Display for RoundScored {
    /// Writes a sentence, such as `Round 3 ends 18 to 0`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scores: Vec<String> = self.scores.iter().map(u8::to_string).collect();
        write!(f, "Round {} ends {}", self.round, scores.join(" to "))
    }
}
