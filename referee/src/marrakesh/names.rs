//! Names and numbers shared by states and events of Marrakesh.

use assam_rules::marrakesh::{Digit, Match, Oval, Ovals, Side, Values};
use serde::Serialize;

pub(super) fn number(side: Side) -> u8 {
    side.seat().number()
}

pub(super) fn ovals(ovals: Ovals) -> Vec<String> {
    ovals.0.map(oval_name).to_vec()
}

pub(super) fn oval_name(oval: Oval) -> String {
    match oval {
        Oval::Empty => "-".to_owned(),
        Oval::Chip => "0".to_owned(),
        Oval::Pieces(pieces) => pieces.to_string(),
        Oval::Closed => "X".to_owned(),
    }
}

pub(super) fn uses(values: Values) -> Vec<u8> {
    let times = |digit: Digit| std::iter::repeat_n(digit.get(), values.count(digit).into());
    values.numbers().rev().flat_map(times).collect()
}

/// The property that two cards share.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
#[cfg_attr(feature = "utoipa", derive(utoipa::ToSchema))]
#[serde(rename_all = "snake_case")]
pub enum Matching {
    /// Nothing.
    None,
    /// Their suit.
    Suit,
    /// Their number.
    Number,
    /// Suit and number.
    Both,
}

impl Matching {
    pub(super) const fn of(matching: Match) -> Self {
        match matching {
            Match::Nothing => Self::None,
            Match::Suit => Self::Suit,
            Match::Number => Self::Number,
            Match::Both => Self::Both,
        }
    }

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Suit => "suit",
            Self::Number => "number",
            Self::Both => "both",
        }
    }
}
