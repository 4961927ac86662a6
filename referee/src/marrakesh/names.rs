//! Names and numbers that states and events of Marrakesh share.

use assam_rules::marrakesh::{Digit, Match, Oval, Ovals, Side, Values};

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

pub(super) const fn match_name(matching: Match) -> &'static str {
    match matching {
        Match::Nothing => "none",
        Match::Suit => "suit",
        Match::Number => "number",
        Match::Both => "both",
    }
}
