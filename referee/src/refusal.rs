//! The reason a decision or a recorded word is refused.

use std::fmt;

use assam_notation::{TokenError, WordError};
use assam_rules::Rule;

/// The reason a decision or a recorded word is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable identifier of the broken rule.
    pub rule: &'static str,
    /// The rule as a sentence.
    pub text: &'static str,
}

impl Refusal {
    pub(crate) fn of<R: Rule>(error: WordError<R>) -> Self {
        Self { rule: error.id(), text: error.text() }
    }

    pub(crate) fn of_rule<R: Rule>(rule: R) -> Self {
        Self { rule: rule.id(), text: rule.text() }
    }

    pub(crate) fn syntax(error: TokenError) -> Self {
        Self { rule: error.rule, text: error.detail }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.text, self.rule)
    }
}

impl std::error::Error for Refusal {}
