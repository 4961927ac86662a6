//! Errors of tokens and positions.

use alloc::borrow::Cow;
use alloc::format;
use core::fmt;

use crate::StrayCharacter;

/// A token that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenError {
    /// The stable identifier, such as `notation.rug.no-common-side`.
    pub rule: &'static str,
    /// A sentence for people.
    pub detail: &'static str,
    /// The expected text.
    pub expected: &'static str,
    /// The byte of the word where reading failed.
    pub offset: usize,
}

/// A position that cannot be read, or that is refused as impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// The text is not a position. Offsets count from the start of the value.
    Syntax(TokenError),
    /// The position fails a check of the rule set, such as the number of pieces. The checks find
    /// contradictions. They do not prove that play can reach a position.
    Impossible {
        /// The stable identifier, such as `marrakech.position.torn-rug`.
        rule: &'static str,
        /// A sentence for people.
        text: &'static str,
    },
}

impl TokenError {
    /// Returns the offending byte of `token`, the text that cannot be read, and the reason. A character that
    /// no token contains takes precedence, because few of them are visible.
    pub fn located(&self, token: &str) -> (usize, Cow<'static, str>) {
        match StrayCharacter::first_in(token) {
            Some(stray) => (stray.offset, format!("{}: found {stray}", self.detail).into()),
            None => (self.offset, self.detail.into()),
        }
    }
}

impl fmt::Display for TokenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, detail, expected, offset } = self;
        write!(f, "byte {offset}: {detail} [{rule}]; expected {expected}")
    }
}

impl core::error::Error for TokenError {}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(error) => error.fmt(f),
            Self::Impossible { rule, text } => write!(f, "{text} [{rule}]"),
        }
    }
}

impl core::error::Error for PositionError {}
