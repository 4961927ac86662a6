//! The text of round scores: the names of their parts.

use alloc::format;
use alloc::string::{String, ToString};

use arrayvec::ArrayVec;
use assam_rules::marrakesh::{Defence, Offence, RoundScore, SideScore};

use crate::Cursor;
use crate::names::{Names, name_of};

const OFFENCE: Names<Offence> = &[
    ("backgammon", Offence::Backgammon),
    ("tangier", Offence::Tangier),
    ("gibraltar", Offence::Gibraltar),
    ("gammon", Offence::Gammon),
    ("el-ayun", Offence::ElAyun),
    ("bogart", Offence::Bogart),
    ("casablanca", Offence::Casablanca),
    ("rabat", Offence::Rabat),
    ("game", Offence::Game),
];
const DEFENCE: Names<Defence> = &[
    ("little-fez", Defence::LittleFez),
    ("common-fez", Defence::CommonFez),
    ("royal-fez", Defence::RoyalFez),
    ("grand-fez", Defence::GrandFez),
    ("one-chip", Defence::OneChip),
    ("two-chips", Defence::TwoChips),
];
const PIPS: &str = "pips";

/// Returns the scores of Blue and Red in a round, such as `tangier+royal-fez/0`.
pub(super) fn round_name(score: &RoundScore) -> String {
    let [blue, red] = score.0.map(side_score_name);
    format!("{blue}/{red}")
}

fn side_score_name(score: SideScore) -> String {
    let offence = score.offence.map(|offence| name_of(offence, OFFENCE));
    let defence = score.defence.map(|defence| name_of(defence, DEFENCE));
    let parts: ArrayVec<&str, 3> =
        [offence, defence, score.pips.then_some(PIPS)].into_iter().flatten().collect();
    if parts.is_empty() { "0".to_string() } else { parts.join("+") }
}

/// Reads offence, defence and pips, in this order and joined by `+`, or `0` for none.
pub(super) fn read_side_score(cursor: &mut Cursor<'_>) -> Option<SideScore> {
    if cursor.eat(b'0') {
        return Some(SideScore::default());
    }
    let offence = read_name(cursor, OFFENCE);
    let goes_on = offence.is_none() || cursor.eat(b'+');
    let defence = goes_on.then(|| read_name(cursor, DEFENCE)).flatten();
    let goes_on = if defence.is_some() { cursor.eat(b'+') } else { goes_on };
    let pips = goes_on && cursor.eat_all(PIPS.as_bytes());
    // A name follows each `+`, and there is at least one name.
    let is_whole = pips || !goes_on || (offence.is_none() && defence.is_none());
    (is_whole && (pips || offence.is_some() || defence.is_some())).then_some(SideScore {
        offence,
        defence,
        pips,
    })
}

fn read_name<T: Copy>(cursor: &mut Cursor<'_>, names: Names<T>) -> Option<T> {
    names.iter().find(|(name, _)| cursor.eat_all(name.as_bytes())).map(|&(_, named)| named)
}
