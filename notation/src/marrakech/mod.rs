//! The tokens and options of Marrakech.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use assam_rules::marrakech::{
    Action, BankruptRugs, Chance, Colour, Cover, Die, Direction, Insolvency, Options, Orientation, Position,
    Region, Rug, Rule, Setup, Square, TieBreak, Track, TwoPlayer,
};
use assam_rules::{Game as _, Move};

use crate::names::{Names, choose, name_of, option};
use crate::{
    Cursor, History, Notation, OptionKind, OptionSpec, OptionValue, PositionError, SetupError, TokenError,
};

mod explain;
mod position;

impl Notation for Position {
    const RULESET: &'static str = "marrakech/1";
    const TITLE: &'static str = "Marrakech (Ehrhard, Gigamic 2007)";
    const SEATS: RangeInclusive<u8> = 2..=4;
    const OPTIONS: &'static [OptionSpec] = OPTIONS;

    fn read_setup(seats: u8, options: &[(&str, &str)]) -> Result<Setup, SetupError> {
        let mut wanted = Options::default();
        for &(name, value) in options {
            match name {
                "bankrupt_rugs" => wanted.bankrupt_rugs = choose(name, value, BANKRUPT_RUGS)?,
                "cover" => wanted.cover = choose(name, value, COVER)?,
                "insolvency" => wanted.insolvency = choose(name, value, INSOLVENCY)?,
                "last_standing" => wanted.last_standing = choose(name, value, LAST_STANDING)?,
                "orientation" => wanted.orientation = choose(name, value, ORIENTATION)?,
                "region" => wanted.region = choose(name, value, REGION)?,
                "rugs_per_player" => {
                    let rugs = number(name, value, 1, u16::from(Setup::MAX_RUGS))?;
                    wanted.rugs_per_player = Some(rugs as u8);
                }
                "start_dirhams" => wanted.start_dirhams = number(name, value, 0, Setup::MAX_DIRHAMS)?,
                "start_facing" => wanted.start_facing = choose(name, value, FACING)?,
                "tie_break" => wanted.tie_break = choose(name, value, TIE_BREAK)?,
                "track" => wanted.track = choose(name, value, TRACK)?,
                "two_player" => wanted.two_player = Some(choose(name, value, TWO_PLAYER)?),
                _ => return Err(SetupError::unknown_option(name, OPTIONS)),
            }
        }
        Setup::new(seats, &wanted).map_err(|error| {
            use assam_rules::marrakech::SetupError as Refused;
            let name = match error {
                Refused::Seats => "seats",
                Refused::RugsPerPlayer | Refused::OddRugs => "rugs_per_player",
                Refused::StartDirhams => "start_dirhams",
                Refused::TwoPlayer => "two_player",
            };
            SetupError::value(name, error.to_string())
        })
    }

    fn seats(setup: &Setup) -> u8 {
        setup.seats()
    }

    fn options(setup: &Setup) -> Vec<OptionValue> {
        let is = setup.options();
        let default = Options::default();
        let number = |name, value: u16, default: u16| OptionValue {
            name,
            value: value.to_string(),
            is_default: value == default,
        };
        let mut options = Vec::from([
            option("bankrupt_rugs", is.bankrupt_rugs, default.bankrupt_rugs, BANKRUPT_RUGS),
            option("cover", is.cover, default.cover, COVER),
            option("insolvency", is.insolvency, default.insolvency, INSOLVENCY),
            option("last_standing", is.last_standing, default.last_standing, LAST_STANDING),
            option("orientation", is.orientation, default.orientation, ORIENTATION),
            option("region", is.region, default.region, REGION),
            number("rugs_per_player", setup.rugs_per_player().into(), setup.default_rugs_per_player().into()),
            number("start_dirhams", is.start_dirhams, default.start_dirhams),
            option("start_facing", is.start_facing, default.start_facing, FACING),
            option("tie_break", is.tie_break, default.tie_break, TIE_BREAK),
            option("track", is.track, default.track, TRACK),
        ]);
        options.extend(
            is.two_player
                .map(|two_player| option("two_player", two_player, TwoPlayer::default(), TWO_PLAYER)),
        );
        options
    }

    #[inline]
    fn read_action(cursor: &mut Cursor<'_>) -> Result<Action, TokenError> {
        if let Some(byte) = cursor.peek()
            && let Some(to) = direction_from(byte)
        {
            cursor.bump();
            return Ok(Action::Orient(to));
        }
        let start = cursor.offset();
        let first = read_square(cursor)?;
        let second = read_square(cursor)?;
        Rug::new(first, second).map(Action::Lay).ok_or(TokenError {
            rule: "notation.rug.no-common-side",
            detail: "a rug lies on two squares that share a side",
            expected: "two squares that share a side, such as d6e6",
            offset: start,
        })
    }

    #[inline]
    fn read_chance(cursor: &mut Cursor<'_>) -> Result<Chance, TokenError> {
        let chance = cursor.peek().and_then(|byte| CHANCE[usize::from(byte)]).ok_or(TokenError {
            rule: "notation.chance.unknown",
            detail: "this is neither a die nor a colour",
            expected: "a die 1, 2, 3 or 4, or a colour r, y, b or g",
            offset: cursor.offset(),
        })?;
        cursor.bump();
        Ok(chance)
    }

    fn write_action(action: Action, out: &mut String) {
        match action {
            Action::Orient(to) => out.push_str(name_of(to, FACING)),
            Action::Lay(rug) => out.extend(rug.squares().into_iter().flat_map(square_letters)),
        }
    }

    fn write_chance(chance: Chance, out: &mut String) {
        match chance {
            Chance::Die(die) => out.push(char::from(b'0' + die.steps())),
            Chance::Colour(colour) => out.push(colour_letter(colour)),
        }
    }

    fn write_position(&self) -> String {
        position::write(self)
    }

    fn read_position(setup: &Setup, text: &str) -> Result<Self, PositionError> {
        position::read(setup, text)
    }

    fn due(&self) -> String {
        explain::due(self)
    }

    fn explain(&self, mv: Move<Self>, rule: Rule, history: &History<'_, Self>) -> String {
        explain::explain(self, mv, rule, history)
    }

    fn line_starts(&self) -> impl FnMut(Action) -> bool {
        let orientation = self.setup().options().orientation;
        move |action| match (orientation, action) {
            (Orientation::Start, Action::Orient(_)) | (Orientation::End, Action::Lay(_)) => true,
            (Orientation::Start, Action::Lay(_)) | (Orientation::End, Action::Orient(_)) => false,
        }
    }
}

/// `r`, `y`, `b` or `g`.
pub fn colour_letter(colour: Colour) -> char {
    match colour {
        Colour::Red => 'r',
        Colour::Yellow => 'y',
        Colour::Blue => 'b',
        Colour::Green => 'g',
    }
}

fn colour_from(letter: u8) -> Option<Colour> {
    match CHANCE[usize::from(letter)] {
        Some(Chance::Colour(colour)) => Some(colour),
        Some(Chance::Die(_)) | None => None,
    }
}

/// `a1` to `g7`.
pub fn square_name(square: Square) -> String {
    square_letters(square).into_iter().collect()
}

/// `N`, `E`, `S` or `W`.
pub fn direction_name(direction: Direction) -> &'static str {
    name_of(direction, FACING)
}

/// The two squares of a rug, the western or southern one first: `d6e6`.
pub fn rug_name(rug: Rug) -> String {
    rug.squares().into_iter().flat_map(square_letters).collect()
}

fn square_letters(square: Square) -> [char; 2] {
    [char::from(b'a' + square.file()), char::from(b'1' + square.rank())]
}

fn direction_from(byte: u8) -> Option<Direction> {
    COMPASS[usize::from(byte)]
}

// What a byte means is looked up and not matched: dice cannot be foretold, and so a jump would be guessed wrong.

/// What a byte means where something was drawn.
static CHANCE: [Option<Chance>; 256] = {
    let mut meanings = [None; 256];
    meanings[b'1' as usize] = Some(Chance::Die(Die::One));
    meanings[b'2' as usize] = Some(Chance::Die(Die::Two));
    meanings[b'3' as usize] = Some(Chance::Die(Die::Three));
    meanings[b'4' as usize] = Some(Chance::Die(Die::Four));
    meanings[b'r' as usize] = Some(Chance::Colour(Colour::Red));
    meanings[b'y' as usize] = Some(Chance::Colour(Colour::Yellow));
    meanings[b'b' as usize] = Some(Chance::Colour(Colour::Blue));
    meanings[b'g' as usize] = Some(Chance::Colour(Colour::Green));
    meanings
};

/// What a byte means where Assam is turned.
static COMPASS: [Option<Direction>; 256] = {
    let mut meanings = [None; 256];
    meanings[b'N' as usize] = Some(Direction::North);
    meanings[b'E' as usize] = Some(Direction::East);
    meanings[b'S' as usize] = Some(Direction::South);
    meanings[b'W' as usize] = Some(Direction::West);
    meanings
};

#[inline]
fn read_square(cursor: &mut Cursor<'_>) -> Result<Square, TokenError> {
    let offset = cursor.offset();
    let file = cursor.bump().and_then(|file| file.checked_sub(b'a'));
    let rank = cursor.bump().and_then(|rank| rank.checked_sub(b'1'));
    file.zip(rank).and_then(|(file, rank)| Square::new(file, rank)).ok_or(TokenError {
        rule: "notation.decision.unknown",
        detail: "this is neither a compass point nor a rug",
        expected: "a compass point N, E, S or W, or a rug written as two squares a1 to g7, such as d6e6",
        offset,
    })
}

const BANKRUPT_RUGS: Names<BankruptRugs> = &[("inert", BankruptRugs::Inert), ("open", BankruptRugs::Open)];
const COVER: Names<Cover> = &[("opponents", Cover::Opponents), ("any", Cover::Any)];
const INSOLVENCY: Names<Insolvency> = &[
    ("eliminate", Insolvency::Eliminate),
    ("eliminate-at-zero", Insolvency::EliminateAtZero),
    ("pay-what-you-can", Insolvency::PayWhatYouCan),
];
const LAST_STANDING: Names<bool> = &[("yes", true), ("no", false)];
const ORIENTATION: Names<Orientation> = &[("start", Orientation::Start), ("end", Orientation::End)];
const REGION: Names<Region> = &[("colour", Region::Colour), ("owner", Region::Owner)];
const FACING: Names<Direction> =
    &[("N", Direction::North), ("E", Direction::East), ("S", Direction::South), ("W", Direction::West)];
const TIE_BREAK: Names<TieBreak> =
    &[("dirhams", TieBreak::Dirhams), ("rugs", TieBreak::Rugs), ("none", TieBreak::None)];
const TRACK: Names<Track> = &[("ne-sw", Track::NeSw), ("nw-se", Track::NwSe)];
const TWO_PLAYER: Names<TwoPlayer> =
    &[("two-colours", TwoPlayer::TwoColours), ("one-colour", TwoPlayer::OneColour)];

/// A whole number without sign or leading zeros.
fn number(name: &str, value: &str, min: u16, max: u16) -> Result<u16, SetupError> {
    value
        .parse::<u16>()
        .ok()
        .filter(|number| (min..=max).contains(number) && number.to_string() == value)
        .ok_or_else(|| SetupError::value(name, format!("{name} is a whole number from {min} to {max}")))
}

const OPTIONS: &[OptionSpec] = &[
    OptionSpec {
        name: "bankrupt_rugs",
        meaning: "What the rugs of a player who is out are still good for. Nobody ever pays on them.",
        kind: OptionKind::Choice(&[
            ("inert", "They keep their protection: others may not cover a whole one in one go."),
            ("open", "They may be covered whole by anyone, whatever `cover` says."),
        ]),
        default: "inert",
    },
    OptionSpec {
        name: "cover",
        meaning: "Which whole rugs may not be covered in one go.",
        kind: OptionKind::Choice(&[
            ("opponents", "The opponents' rugs; one's own may be covered."),
            ("any", "No rug at all, one's own included."),
        ]),
        default: "opponents",
    },
    OptionSpec {
        name: "insolvency",
        meaning: "What happens to a player who owes more dirhams than he has. He always pays all he has.",
        kind: OptionKind::Choice(&[
            ("eliminate", "He is out at once and lays no rug; who pays exactly his last dirham stays in."),
            ("eliminate-at-zero", "He is out; also when a payment leaves him 0."),
            ("pay-what-you-can", "He stays in and lays his rug."),
        ]),
        default: "eliminate",
    },
    OptionSpec {
        name: "last_standing",
        meaning: "Does the game end when one player is left?",
        kind: OptionKind::Choice(&[
            ("yes", "It ends at once, and he wins."),
            ("no", "He lays his remaining rugs alone."),
        ]),
        default: "yes",
    },
    OptionSpec {
        name: "orientation",
        meaning: "When Assam is turned.",
        kind: OptionKind::Choice(&[
            ("start", "At the start of a turn, before the roll."),
            ("end", "At the end of a turn, after the rug; the first turn begins with a roll."),
        ]),
        default: "start",
    },
    OptionSpec {
        name: "region",
        meaning: "What joins the field that is paid for.",
        kind: OptionKind::Choice(&[
            ("colour", "Squares of one colour."),
            ("owner", "Squares of either colour of the rug's owner."),
        ]),
        default: "colour",
    },
    OptionSpec {
        name: "rugs_per_player",
        meaning: "Rugs of one player; even with two colours, half of each.",
        kind: OptionKind::Number { min: 1, max: Setup::MAX_RUGS as u16 },
        default: "24 with two colours, 15 with one colour or 3 seats, 12 with 4 seats",
    },
    OptionSpec {
        name: "start_dirhams",
        meaning: "Dirhams of one player at the start.",
        kind: OptionKind::Number { min: 0, max: Setup::MAX_DIRHAMS },
        default: "30",
    },
    OptionSpec {
        name: "start_facing",
        meaning: "Where Assam faces at the start.",
        kind: OptionKind::Choice(&[("N", "North."), ("E", "East."), ("S", "South."), ("W", "West.")]),
        default: "N",
    },
    OptionSpec {
        name: "tie_break",
        meaning: "What decides between equal scores; what it leaves equal shares a place.",
        kind: OptionKind::Choice(&[
            ("dirhams", "More dirhams."),
            ("rugs", "More visible halves."),
            ("none", "Nothing."),
        ]),
        default: "dirhams",
    },
    OptionSpec {
        name: "track",
        meaning: "How the turn-arounds at the border are wired, named by the corners that loop back.",
        kind: OptionKind::Choice(&[("ne-sw", "Loops at g7 and a1."), ("nw-se", "Loops at a7 and g1.")]),
        default: "ne-sw",
    },
    OptionSpec {
        name: "two_player",
        meaning: "Which rugs two players have; for 2 seats only.",
        kind: OptionKind::Choice(&[
            ("two-colours", "Two colours each, shuffled into one pile; the top rug is turned up."),
            ("one-colour", "One colour each."),
        ]),
        default: "two-colours",
    },
];
