//! The first line of a record: notation, rule set, seats and options.

use alloc::borrow::Cow;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::{Code, Error, Notation, OptionSpec, Place};

/// The first line, split but not yet understood: no rule set was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupLine<'a> {
    /// Rule set and version: `marrakech/1`.
    pub ruleset: &'a str,
    /// `seats=`.
    pub seats: u8,
    /// The other settings, in the order in which they stand, each name once.
    pub options: Vec<(&'a str, &'a str)>,
}

/// A setting that the rule set refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// `notation.setup.unknown-option` or `notation.setup.option-value`.
    pub rule: &'static str,
    /// Name of the setting.
    pub name: String,
    /// A sentence for people that says what is allowed.
    pub detail: String,
}

impl SetupError {
    /// The rule set has no such option.
    pub fn unknown_option(name: &str, options: &[OptionSpec]) -> Self {
        let names: Vec<&str> = options.iter().map(|option| option.name).collect();
        Self {
            rule: "notation.setup.unknown-option",
            name: name.to_string(),
            detail: format!("there is no option {name:?}; the options are {}", names.join(", ")),
        }
    }

    /// The option has no such value, or not together with the others.
    pub fn value(name: &str, detail: String) -> Self {
        Self { rule: "notation.setup.option-value", name: name.to_string(), detail }
    }
}

impl<'a> SetupLine<'a> {
    /// Splits the first line of a record, without its line end.
    ///
    /// # Errors
    /// Syntax, an unknown version of the notation, or a setting that stands twice.
    pub fn read(line: &'a str) -> Result<Self, Error> {
        let fail = |offset, code, rule, detail: String, expected: &'static str| Error {
            code,
            rule,
            detail,
            expected: Some(Cow::Borrowed(expected)),
            place: Place::at(line.as_bytes(), offset),
        };
        let mut at = 0;
        let mut fields = line.split(' ').map(|field| {
            let offset = at;
            at += field.len() + 1;
            (offset, field)
        });
        match fields.next() {
            Some((_, "MKN/1")) => {}
            Some((_, field)) if is_version(field) => {
                return Err(fail(
                    0,
                    Code::UnsupportedNotation,
                    "notation.version",
                    format!("this is {field:?}, another version of the notation"),
                    "MKN/1",
                ));
            }
            _ => {
                return Err(fail(
                    0,
                    Code::NotationSyntax,
                    "notation.setup.no-format",
                    "a record begins with its setup line".to_string(),
                    "MKN/1, a rule set such as marrakech/1, and seats=",
                ));
            }
        }
        let syntax = |offset, rule, detail: &str, expected| {
            Err(fail(offset, Code::NotationSyntax, rule, detail.to_string(), expected))
        };
        let ruleset = match fields.next() {
            Some((_, field)) if is_ruleset(field) => field,
            Some((offset, _)) => {
                return syntax(
                    offset,
                    "notation.setup.ruleset",
                    "the second word is the rule set and its version",
                    "a rule set such as marrakech/1",
                );
            }
            None => {
                return syntax(
                    line.len(),
                    "notation.setup.ruleset",
                    "the line ends before its rule set",
                    "a rule set such as marrakech/1",
                );
            }
        };
        let mut seats = None;
        let mut options: Vec<(&str, &str)> = Vec::new();
        for (offset, field) in fields {
            let Some((name, value)) = field.split_once('=').filter(|(n, v)| is_name(n) && is_value(v)) else {
                return syntax(
                    offset,
                    "notation.setup.setting",
                    "settings are separated by single spaces and written name=value",
                    "name=value",
                );
            };
            let again = options.iter().any(|(known, _)| *known == name);
            if again || (name == "seats" && seats.is_some()) {
                return Err(fail(
                    offset,
                    Code::NotationSyntax,
                    "notation.setup.duplicate",
                    format!("{name} stands twice"),
                    "each setting once",
                ));
            }
            if name == "seats" {
                match value.as_bytes() {
                    [digit @ b'1'..=b'9'] => seats = Some(digit - b'0'),
                    _ => {
                        return syntax(
                            offset,
                            "notation.setup.seats",
                            "the number of seats is one digit",
                            "seats=2, seats=3 or seats=4",
                        );
                    }
                }
            } else {
                options.push((name, value));
            }
        }
        match seats {
            Some(seats) => Ok(Self { ruleset, seats, options }),
            None => syntax(line.len(), "notation.setup.seats", "the number of seats is missing", "seats="),
        }
    }

    /// Understands the settings as those of a game.
    ///
    /// # Errors
    /// The setting that the rule set refuses. The rule set's name is not looked at.
    pub fn setup<G: Notation>(&self) -> Result<G::Setup, SetupError> {
        G::read_setup(self.seats, &self.options)
    }
}

/// The setup line in canonical form: every option that differs from its default, in alphabetical order.
pub fn write_setup<G: Notation>(setup: &G::Setup) -> String {
    let mut line = format!("MKN/1 {} seats={}", G::RULESET, G::seats(setup));
    for option in G::options(setup).iter().filter(|option| !option.is_default) {
        line.push(' ');
        line.push_str(option.name);
        line.push('=');
        line.push_str(&option.value);
    }
    line
}

fn is_version(field: &str) -> bool {
    field
        .strip_prefix("MKN/")
        .is_some_and(|version| !version.is_empty() && version.bytes().all(|b| b.is_ascii_digit()))
}

fn is_ruleset(field: &str) -> bool {
    field.split_once('/').is_some_and(|(name, version)| {
        !name.is_empty()
            && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-')
            && !version.is_empty()
            && version.bytes().all(|b| b.is_ascii_digit())
    })
}

fn is_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
}

fn is_value(value: &str) -> bool {
    !value.is_empty() && value.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}
