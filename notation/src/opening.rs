//! The opening of a record: the start of a game, or a position.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;

use assam_rules::Viewer;

use crate::{Error, ErrorKind, Notation, Place, PositionError, Replay, SetupLine};

/// The setup of a game and, unless it is the start, the position its record begins in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Opening<G: Notation> {
    setup: G::Setup,
    /// `None` at the start of a game, where the first chance is part of the record.
    position: Option<G>,
}

impl<G: Notation> Opening<G> {
    /// Returns the start of a game.
    pub const fn start(setup: G::Setup) -> Self {
        Self { setup, position: None }
    }

    /// Returns the opening in this position.
    pub fn at(position: G) -> Self {
        let setup = position.setup().clone();
        let position = Some(position).filter(|position| *position != G::new(&setup));
        Self { setup, position }
    }

    /// Interprets a setup line.
    ///
    /// # Errors
    /// Refuses another rule set, an option that the rule set refuses, and a position that cannot be read or
    /// fails a check of the rule set.
    pub fn read(line: &SetupLine<'_>) -> Result<Self, Error> {
        let refuse = |offset, kind, rule, detail, expected| Error {
            kind,
            rule,
            detail,
            why: None,
            expected,
            place: Place::at(line.text.as_bytes(), offset),
        };
        if line.ruleset != G::RULESET {
            let offset = line.text.find(line.ruleset).unwrap_or_default();
            let detail = format!("this is a record of {:?}", line.ruleset);
            let expected = Some(Cow::Borrowed(G::RULESET));
            let kind = ErrorKind::UnknownRuleset;
            return Err(refuse(offset, kind, "notation.setup.unknown-ruleset", detail, expected));
        }
        let setup = line.setup::<G>().map_err(|error| {
            let offset = line.text.find(&format!(" {}=", error.name)).map_or(0, |space| space + 1);
            refuse(offset, ErrorKind::UnknownOption, error.rule, error.detail, None)
        })?;
        let Some(value) = line.position else { return Ok(Self::start(setup)) };
        let offset = line.text.len() - value.len();
        G::read_position(&setup, value).map(Self::at).map_err(|error| match error {
            PositionError::Syntax(error) => {
                let expected = Some(Cow::Borrowed(error.expected));
                let (at, detail) = error.located(value);
                refuse(offset + at, ErrorKind::NotationSyntax, error.rule, detail.into_owned(), expected)
            }
            PositionError::Impossible { rule, text } => {
                refuse(offset, ErrorKind::ImpossiblePosition, rule, text.to_string(), None)
            }
        })
    }

    /// Returns the seats and the options.
    pub const fn setup(&self) -> &G::Setup {
        &self.setup
    }

    /// Returns a replay that begins here, before the first word.
    pub fn replay(&self) -> Replay<G> {
        match &self.position {
            None => Replay::new(&self.setup),
            Some(position) => Replay::from_position(position.clone()),
        }
    }

    /// Returns this opening as `viewer` may know it while the game continues. `is_decided` states that a
    /// decision follows it.
    #[must_use]
    pub fn masked(&self, viewer: Viewer, is_decided: bool) -> Self {
        let position = self.position.as_ref().map(|position| position.masked(viewer, is_decided));
        Self { setup: self.setup.clone(), position }
    }

    /// Returns the first line of a record that begins here, in canonical form.
    pub fn line(&self) -> String {
        let position = self.position.as_ref().map(Notation::write_position);
        format!("MKN/1 {}", write_line::<G>(&self.setup, position.as_deref()))
    }
}

impl<G: Notation> fmt::Display for Opening<G> {
    /// Writes the first line of a record that begins here, in canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.line())
    }
}

impl<G: Notation> FromStr for Opening<G> {
    type Err = Error;

    /// Reads the first line of a record.
    fn from_str(line: &str) -> Result<Self, Error> {
        Self::read(&SetupLine::read(line)?)
    }
}

/// A position with its position line as text: one line that holds all of it, including the setup.
///
/// A position that waits for chance has a line for people. Reading it is refused, because records begin
/// between two words.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PositionLine<G>(pub G);

impl<G: Notation> fmt::Display for PositionLine<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&write_position_line(&self.0))
    }
}

impl<G: Notation> FromStr for PositionLine<G> {
    type Err = Error;

    fn from_str(line: &str) -> Result<Self, Error> {
        let opening = Opening::<G>::read(&SetupLine::read_position_line(line)?)?;
        Ok(Self(opening.position.unwrap_or_else(|| G::new(&opening.setup))))
    }
}

#[cfg(feature = "serde")]
assam_rules::serde_as_text!(impl[G: Notation] for Opening<G>);
#[cfg(feature = "serde")]
assam_rules::serde_as_text!(impl[G: Notation] for PositionLine<G>);

/// Returns the position line: one line that holds the whole position, including its setup.
pub fn write_position_line<G: Notation>(position: &G) -> String {
    write_line::<G>(position.setup(), Some(&position.write_position()))
}

/// Writes the rule set, the seats, every option that differs from its default in alphabetical order, and the
/// position.
fn write_line<G: Notation>(setup: &G::Setup, position: Option<&str>) -> String {
    let mut line = format!("{} seats={}", G::RULESET, G::seats(setup));
    let options = G::options(setup);
    let named = options.iter().filter(|option| !option.is_default);
    for (name, value) in named
        .map(|option| (option.name, option.value.as_str()))
        .chain(position.map(|value| ("position", value)))
    {
        line.push(' ');
        line.push_str(name);
        line.push('=');
        line.push_str(value);
    }
    line
}
