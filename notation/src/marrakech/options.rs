//! The options of Marrakech and their values.

use alloc::format;
use alloc::string::ToString as _;

use assam_rules::marrakech::{
    BankruptRugs, Cover, Direction, Insolvency, Orientation, Region, Setup, TieBreak, Track, TwoPlayer,
};

use crate::names::Names;
use crate::{OptionKind, OptionSpec, SetupError};

pub(super) const BANKRUPT_RUGS: Names<BankruptRugs> =
    &[("inert", BankruptRugs::Inert), ("open", BankruptRugs::Open)];
pub(super) const COVER: Names<Cover> = &[("opponents", Cover::Opponents), ("any", Cover::Any)];
pub(super) const FACING: Names<Direction> =
    &[("N", Direction::North), ("E", Direction::East), ("S", Direction::South), ("W", Direction::West)];
pub(super) const INSOLVENCY: Names<Insolvency> = &[
    ("eliminate", Insolvency::Eliminate),
    ("eliminate-at-zero", Insolvency::EliminateAtZero),
    ("pay-what-you-can", Insolvency::PayWhatYouCan),
];
pub(super) const LAST_STANDING: Names<bool> = &[("yes", true), ("no", false)];
pub(super) const ORIENTATION: Names<Orientation> =
    &[("start", Orientation::Start), ("end", Orientation::End)];
pub(super) const REGION: Names<Region> = &[("colour", Region::Colour), ("owner", Region::Owner)];
pub(super) const TIE_BREAK: Names<TieBreak> =
    &[("dirhams", TieBreak::Dirhams), ("rugs", TieBreak::Rugs), ("none", TieBreak::None)];
pub(super) const TRACK: Names<Track> = &[("ne-sw", Track::NeSw), ("nw-se", Track::NwSe)];
pub(super) const TWO_PLAYER: Names<TwoPlayer> =
    &[("two-colours", TwoPlayer::TwoColours), ("one-colour", TwoPlayer::OneColour)];

/// Reads a whole number without sign or leading zeros.
pub(super) fn number(name: &str, value: &str, min: u16, max: u16) -> Result<u16, SetupError> {
    value
        .parse::<u16>()
        .ok()
        .filter(|number| (min..=max).contains(number) && number.to_string() == value)
        .ok_or_else(|| SetupError::value(name, format!("{name} is a whole number from {min} to {max}")))
}

pub(super) const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "bankrupt_rugs",
        meaning: "Whether the rugs of a player who is out stay protected. No payment is due on them in either case.",
        kind: OptionKind::Choice(&[
            ("inert", "They stay protected: a whole one may not be covered at once."),
            ("open", "Anyone may cover a whole one at once, regardless of `cover`."),
        ]),
        default: "inert",
    },
    OptionSpec {
        name: "cover",
        meaning: "The whole rugs that may not be covered at once.",
        kind: OptionKind::Choice(&[
            ("opponents", "Opponents' rugs. Players may cover their own."),
            ("any", "All rugs, including the player's."),
        ]),
        default: "opponents",
    },
    OptionSpec {
        name: "insolvency",
        meaning: "The fate of a player who owes more dirhams than they have. They always pay all they have.",
        kind: OptionKind::Choice(&[
            ("eliminate", "They are out at once and lay no rug. A player left with 0 stays in."),
            ("eliminate-at-zero", "They are out at once, and so is a player left with 0."),
            ("pay-what-you-can", "They stay in and lay their rug."),
        ]),
        default: "eliminate",
    },
    OptionSpec {
        name: "last_standing",
        meaning: "Whether the game ends when only one player is left.",
        kind: OptionKind::Choice(&[
            ("yes", "It ends at once, and that player wins."),
            ("no", "That player lays their remaining rugs alone."),
        ]),
        default: "yes",
    },
    OptionSpec {
        name: "orientation",
        meaning: "The moment when Assam is turned.",
        kind: OptionKind::Choice(&[
            ("start", "At the start of a turn, before the roll."),
            ("end", "At the end of a turn, after the rug. The first turn begins with a roll."),
        ]),
        default: "start",
    },
    OptionSpec {
        name: "region",
        meaning: "The squares that form the field a payment counts.",
        kind: OptionKind::Choice(&[
            ("colour", "Connected squares of one colour."),
            ("owner", "Connected squares of both colours of the rug's owner."),
        ]),
        default: "colour",
    },
    OptionSpec {
        name: "rugs_per_player",
        meaning: "Rugs per player. With two colours, an even number, half of each.",
        kind: OptionKind::Number { min: 1, max: Setup::MAX_RUGS as u16 },
        default: "24 with two colours, 15 with one colour or 3 seats, 12 with 4 seats",
    },
    OptionSpec {
        name: "start_dirhams",
        meaning: "Dirhams per player at the start.",
        kind: OptionKind::Number { min: 0, max: Setup::MAX_DIRHAMS },
        default: "30",
    },
    OptionSpec {
        name: "start_facing",
        meaning: "The direction Assam faces at the start.",
        kind: OptionKind::Choice(&[("N", "North."), ("E", "East."), ("S", "South."), ("W", "West.")]),
        default: "N",
    },
    OptionSpec {
        name: "tie_break",
        meaning: "The tie-break between equal scores. Players who are still equal share a place.",
        kind: OptionKind::Choice(&[
            ("dirhams", "More dirhams."),
            ("rugs", "More visible halves."),
            ("none", "None."),
        ]),
        default: "dirhams",
    },
    OptionSpec {
        name: "track",
        meaning: "The wiring of the turn-arounds at the border, named after the corners that loop back.",
        kind: OptionKind::Choice(&[("ne-sw", "Loops at g7 and a1."), ("nw-se", "Loops at a7 and g1.")]),
        default: "ne-sw",
    },
    OptionSpec {
        name: "two_player",
        meaning: "The rugs of two players. For 2 seats only.",
        kind: OptionKind::Choice(&[
            ("two-colours", "Two colours each, shuffled into one pile. Each turn, the top rug is turned up."),
            ("one-colour", "One colour each."),
        ]),
        default: "two-colours",
    },
];
