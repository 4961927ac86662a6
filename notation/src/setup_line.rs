//! The first line of a record: notation, rule set, seats and options.

use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use crate::{Error, ErrorKind, MAX_LINE, Notation, Place, SetupError, StrayCharacter, foreign};

/// The first line, split but not yet interpreted by a rule set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupLine<'a> {
    /// The whole line.
    pub(crate) text: &'a str,
    /// The rule set and its version, such as `marrakech/1`.
    pub ruleset: &'a str,
    /// The value of `seats=`.
    pub seats: u8,
    /// The other settings, in the order of the line, each name once.
    pub options: Vec<(&'a str, &'a str)>,
    /// The value of `position=`, always the last setting.
    pub position: Option<&'a str>,
}

const NO_FORMAT: &str = "notation.setup.no-format";

/// The expected text at the beginning of a record.
pub(crate) const A_SETUP_LINE: &str = "MKN/1, a rule set such as marrakech/1, and seats=";

impl<'a> SetupLine<'a> {
    /// Splits the first line of a record, without its line end.
    ///
    /// # Errors
    /// Refuses wrong syntax, an unknown version of the notation, and a setting that appears twice.
    pub fn read(line: &'a str) -> Result<Self, Error> {
        Self::read_of(line, line.as_bytes())
    }

    /// Splits the first line of this text.
    pub(crate) fn read_of(line: &'a str, text: &[u8]) -> Result<Self, Error> {
        let format = line.split(' ').next().unwrap_or_default();
        if format == "MKN/1" {
            return Self::read_settings(line, format.len() + 1);
        }
        if is_version(format) {
            let detail = format!("this is {format:?}, another version of the notation");
            return Err(Error {
                kind: ErrorKind::UnsupportedNotation,
                ..syntax(line, 0, "notation.version", detail, "MKN/1")
            });
        }
        if let Some(start) = line.get(..4).filter(|start| start.eq_ignore_ascii_case("MKN/"))
            && let Some(at) = start.find(|letter: char| letter.is_ascii_lowercase())
        {
            let detail = format!("the notation is written in capitals: found `{}`", &line[at..=at]);
            return Err(located(line, at, NO_FORMAT, detail, A_SETUP_LINE));
        }
        let told = stray_before(line).or_else(|| lacks_format(line)).or_else(|| foreign::told(text));
        let error = syntax(line, 0, NO_FORMAT, "a record begins with its setup line", A_SETUP_LINE);
        Err(Error { detail: told.unwrap_or(error.detail), ..error })
    }

    /// Splits a position line: a setup line without its `MKN/1` that ends with `position=`.
    ///
    /// # Errors
    /// Refuses wrong syntax and a setting that appears twice.
    pub fn read_position_line(line: &'a str) -> Result<Self, Error> {
        if line.len() > MAX_LINE {
            let detail = format!("a line has at most {MAX_LINE} bytes");
            return Err(located(line, MAX_LINE, "notation.limit.line", detail, "a line end"));
        }
        let read = Self::read_settings(line, 0)?;
        if read.position.is_none() {
            let detail = "a position line ends with its position";
            return Err(syntax(line, line.len(), "notation.setup.no-position", detail, "position="));
        }
        Ok(read)
    }

    /// Splits the rule set and the settings, from the byte `start` on.
    fn read_settings(line: &'a str, start: usize) -> Result<Self, Error> {
        let mut at = start.min(line.len());
        let mut fields = line[at..].split(' ').map(|field| {
            let offset = at;
            at += field.len() + 1;
            (offset, field)
        });
        let (offset, ruleset) = fields.next().unwrap_or_default();
        if !is_ruleset(ruleset) {
            let detail = "the rule set and its version belong here";
            return Err(syntax(
                line,
                offset,
                "notation.setup.ruleset",
                detail,
                "a rule set such as marrakech/1",
            ));
        }
        let mut read = Self { text: line, ruleset, seats: 0, options: Vec::new(), position: None };
        // A set, because a line has room for hundreds of settings, and comparing each pair would be slow.
        let mut names = BTreeSet::new();
        for (offset, field) in fields {
            read.add(field, &mut names)
                .map_err(|(rule, detail, expected)| syntax(line, offset, rule, detail, expected))?;
        }
        if read.seats == 0 {
            let detail = "the number of seats is missing";
            return Err(syntax(line, line.len(), "notation.setup.seats", detail, "seats="));
        }
        Ok(read)
    }

    /// Adds one setting. An error is the rule, the detail, and what was expected.
    fn add(
        &mut self,
        field: &'a str,
        names: &mut BTreeSet<&'a str>,
    ) -> Result<(), (&'static str, String, &'static str)> {
        let wrong = |rule, detail: &str, expected| Err((rule, detail.to_string(), expected));
        if self.position.is_some() {
            let detail = "position= must be the last setting of the line";
            return wrong("notation.setup.behind-position", detail, "the end of the line");
        }
        if let Some(value) = field.strip_prefix("position=") {
            self.position = Some(value);
            return Ok(());
        }
        let Some((name, value)) = field.split_once('=').filter(|(n, v)| is_name(n) && is_value(v)) else {
            let detail = "settings are separated by single spaces and written name=value";
            return wrong("notation.setup.setting", detail, "name=value");
        };
        if !names.insert(name) {
            return wrong("notation.setup.duplicate", &format!("{name} appears twice"), "each setting once");
        }
        match (name, value.as_bytes()) {
            ("seats", [digit @ b'1'..=b'9']) => self.seats = digit - b'0',
            ("seats", _) => {
                let detail = "the number of seats is one digit";
                return wrong("notation.setup.seats", detail, "seats=2, seats=3 or seats=4");
            }
            _ => self.options.push((name, value)),
        }
        Ok(())
    }

    /// Interprets the settings for a game.
    ///
    /// # Errors
    /// The setting that the rule set refuses. The name of the rule set is not checked.
    pub fn setup<G: Notation>(&self) -> Result<G::Setup, SetupError> {
        G::read_setup(self.seats, &self.options)
    }
}

/// Returns the error of a part of the line, placed at its first stray character if it has one.
fn syntax(
    line: &str,
    offset: usize,
    rule: &'static str,
    detail: impl Into<String>,
    expected: &'static str,
) -> Error {
    let part = line[offset..].split(' ').next().unwrap_or_default();
    match StrayCharacter::first_in(part) {
        Some(stray) => {
            let detail = format!("{}: found {stray}", detail.into());
            located(line, offset + stray.offset, rule, detail, expected)
        }
        None => located(line, offset, rule, detail, expected),
    }
}

fn located(
    line: &str,
    offset: usize,
    rule: &'static str,
    detail: impl Into<String>,
    expected: &'static str,
) -> Error {
    Error {
        kind: ErrorKind::NotationSyntax,
        rule,
        detail: detail.into(),
        why: None,
        expected: Some(Cow::Borrowed(expected)),
        place: Place::at(line.as_bytes(), offset),
    }
}

/// Describes text before the `MKN/` of a line.
fn stray_before(line: &str) -> Option<String> {
    let before = &line[..line.find("MKN/")?];
    let stray = StrayCharacter::first(before, |_| true)?;
    let text = before.trim();
    let named = match (stray.character, foreign::told(line.as_bytes())) {
        ('\u{feff}', _) => {
            let told = "a byte order mark precedes the setup line: save the text without one";
            return Some(format!("{stray}: {told}"));
        }
        // A line that begins with an HTML tag may contain more than HTML.
        (character, Some(told)) if character != '<' => return Some(told),
        _ if stray.character.is_control() || !stray.character.is_ascii() || text.is_empty() => {
            stray.to_string()
        }
        _ if text.chars().count() > 20 => "text".to_string(),
        _ => format!("`{}`", text.escape_debug()),
    };
    Some(format!("{named} precedes the setup line"))
}

/// Describes a line that would be a setup line with `MKN/1` before it.
fn lacks_format(line: &str) -> Option<String> {
    let told = match SetupLine::read_settings(line, 0).ok()?.position {
        Some(_) => {
            "this is a position line, not a record: `MKN/1 ` before it, and a blank line and `*` after it make it one"
        }
        None => "the first line lacks its `MKN/1 `",
    };
    Some(told.to_string())
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
