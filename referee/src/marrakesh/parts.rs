//! The named parts of a score of Marrakesh.

use assam_rules::marrakesh::{Defence, Offence, SideScore};

use crate::ScorePart;

/// The names of all categories.
pub(super) const SCORE_PARTS: &[&str] = &[
    "backgammon",
    "tangier",
    "gibraltar",
    "gammon",
    "el_ayun",
    "bogart",
    "casablanca",
    "rabat",
    "game",
    "little_fez",
    "common_fez",
    "royal_fez",
    "grand_fez",
    "one_chip",
    "two_chips",
    "pips",
];

/// Returns the named categories that a side scored in a round.
pub(super) fn parts_of_round(round: u8, score: SideScore) -> impl Iterator<Item = ScorePart> {
    let offence = score.offence.map(|offence| (offence_name(offence), offence.points()));
    let defence = score.defence.map(|defence| (defence_name(defence), defence.points()));
    let pips = score.pips.then_some(("pips", 1));
    let part = move |(name, points): (_, u8)| ScorePart { round: Some(round), name, points: points.into() };
    [offence, defence, pips].into_iter().flatten().map(part)
}

const fn offence_name(offence: Offence) -> &'static str {
    match offence {
        Offence::Backgammon => "backgammon",
        Offence::Tangier => "tangier",
        Offence::Gibraltar => "gibraltar",
        Offence::Gammon => "gammon",
        Offence::ElAyun => "el_ayun",
        Offence::Bogart => "bogart",
        Offence::Casablanca => "casablanca",
        Offence::Rabat => "rabat",
        Offence::Game => "game",
    }
}

const fn defence_name(defence: Defence) -> &'static str {
    match defence {
        Defence::LittleFez => "little_fez",
        Defence::CommonFez => "common_fez",
        Defence::RoyalFez => "royal_fez",
        Defence::GrandFez => "grand_fez",
        Defence::OneChip => "one_chip",
        Defence::TwoChips => "two_chips",
    }
}
