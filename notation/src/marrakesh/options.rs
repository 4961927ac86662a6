//! The options of Marrakesh and their values.

use assam_rules::marrakesh::{FullOvals, Rounds, SnBonus, ValueOrder};

use crate::names::Names;
use crate::{OptionKind, OptionSpec};

pub(super) const FULL_OVALS: Names<FullOvals> =
    &[("move", FullOvals::Move), ("null-only", FullOvals::NullOnly)];
pub(super) const ROUNDS: Names<Rounds> = &[("12", Rounds::Twelve), ("6", Rounds::Six)];
pub(super) const SN_BONUS: Names<SnBonus> = &[("4", SnBonus::Four), ("1", SnBonus::One)];
pub(super) const VALUE_ORDER: Names<ValueOrder> =
    &[("free", ValueOrder::Free), ("high-first", ValueOrder::HighFirst)];

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "full_ovals",
        meaning: "The effect of a trick's numbers for a winner whose three ovals are full.",
        kind: OptionKind::Choice(&[
            ("move", "They move pieces inside the board, but bear nothing off."),
            ("null-only", "Nothing is moved, and no bonus card is drawn."),
        ]),
        default: "move",
    },
    OptionSpec {
        name: "rounds",
        meaning: "Rounds per match.",
        kind: OptionKind::Choice(&[("12", "A match."), ("6", "A short match.")]),
        default: "12",
    },
    OptionSpec {
        name: "sn_bonus",
        meaning: "The number of uses of an unmatched bonus card's number after a trick of two identical cards.",
        kind: OptionKind::Choice(&[("4", "Four times."), ("1", "Once.")]),
        default: "4",
    },
    OptionSpec {
        name: "value_order",
        meaning: "The order of use of a trick's two numbers.",
        kind: OptionKind::Choice(&[
            ("free", "The winner chooses."),
            ("high-first", "The larger usable number comes first."),
        ]),
        default: "free",
    },
];
