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
    /// What was expected.
    pub expected: &'static str,
    /// The byte of the word where reading failed.
    pub offset: usize,
}

/// A position that cannot be read, or that is refused as impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// It is not written like a position; offsets are from the start of the value.
    Syntax(TokenError),
    /// It fails a check of the rule set, such as the one on the number of pieces. The checks find contradictions: that
    /// a position passes them does not prove that play leads to it.
    Impossible {
        /// The stable identifier, such as `marrakech.position.torn-rug`.
        rule: &'static str,
        /// A sentence for people.
        text: &'static str,
    },
}

impl TokenError {
    /// Returns the byte of `token`, the text that cannot be read, where it is wrong, and why. If it has a character that
    /// stands in no token, that is what is wrong with it: few of them can be seen.
    pub fn located(&self, token: &str) -> (usize, Cow<'static, str>) {
        match StrayCharacter::first_in(token) {
            Some(stray) => (stray.offset, format!("{}: {stray} stands here", self.detail).into()),
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
