//! The tokens and options of Marrakech, implemented for its [`Position`].

use alloc::string::{String, ToString as _};
use alloc::vec::Vec;
use core::ops::RangeInclusive;

use assam_rules::marrakech::{Action, Chance, Options, Orientation, Position, Rug, Rule, Setup, TwoPlayer};
use assam_rules::{Game as _, Move};

use crate::names::{choose, option};
use crate::{
    Cursor, Explain, History, Notation, OptionSpec, OptionValue, PositionError, SetupError, TokenError,
};

use letters::{CHANCE, COMPASS, read_square};
use options::{
    BANKRUPT_RUGS, COVER, FACING, INSOLVENCY, LAST_STANDING, OPTIONS, ORIENTATION, REGION, TIE_BREAK, TRACK,
    TWO_PLAYER, number,
};

mod explain;
mod letters;
mod options;
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
            && let Some(to) = COMPASS[usize::from(byte)]
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
            Action::Orient(to) => out.push(to.letter()),
            Action::Lay(rug) => out.extend(rug.letters()),
        }
    }

    fn write_chance(chance: Chance, out: &mut String) {
        match chance {
            Chance::Die(die) => out.push(die.letter()),
            Chance::Colour(colour) => out.push(colour.letter()),
        }
    }

    fn write_position(&self) -> String {
        position::write(self)
    }

    fn read_position(setup: &Setup, text: &str) -> Result<Self, PositionError> {
        position::read(setup, text)
    }

    fn line_starts(&self) -> impl FnMut(Action) -> bool {
        let orientation = self.setup().options().orientation;
        move |action| match (orientation, action) {
            (Orientation::Start, Action::Orient(_)) | (Orientation::End, Action::Lay(_)) => true,
            (Orientation::Start, Action::Lay(_)) | (Orientation::End, Action::Orient(_)) => false,
        }
    }
}

impl Explain for Position {
    fn due(&self) -> String {
        explain::due(self)
    }

    fn explain(&self, mv: Move<Self>, rule: Rule, history: &History<'_, Self>) -> String {
        explain::explain(self, mv, rule, history)
    }
}
