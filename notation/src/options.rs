//! The options of a rule set, and errors of settings.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

/// An option of a rule set, for people and for clients that build a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// The name in the setup line.
    pub name: &'static str,
    /// The meaning.
    pub meaning: &'static str,
    /// The values.
    pub kind: OptionKind,
    /// The value if the option is not named.
    pub default: &'static str,
}

/// The values of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// One of these values, each with its meaning, the default first.
    Choice(&'static [(&'static str, &'static str)]),
    /// A whole number.
    Number {
        /// The smallest.
        min: u16,
        /// The largest.
        max: u16,
    },
}

/// An option and its value in one setup.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OptionValue {
    /// The name.
    pub name: &'static str,
    /// The value as written.
    pub value: String,
    /// Whether this is the rule set's default, which is not written.
    pub is_default: bool,
}

/// A setting that the rule set refuses.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SetupError {
    /// `notation.setup.unknown-option` or `notation.setup.option-value`.
    pub rule: &'static str,
    /// The name of the setting.
    pub name: String,
    /// A sentence for people that states what is allowed.
    pub detail: String,
}

impl SetupError {
    /// Returns the error of an unknown option.
    pub fn unknown_option(name: &str, options: &[OptionSpec]) -> Self {
        let names: Vec<&str> = options.iter().map(|option| option.name).collect();
        Self {
            rule: "notation.setup.unknown-option",
            name: name.to_string(),
            detail: format!("unknown option {name:?}; the options are {}", names.join(", ")),
        }
    }

    /// Returns the error of a value that the option does not have, or not together with the others.
    pub fn value(name: &str, detail: String) -> Self {
        Self { rule: "notation.setup.option-value", name: name.to_string(), detail }
    }
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} [{}]", self.detail, self.rule)
    }
}

impl core::error::Error for SetupError {}
