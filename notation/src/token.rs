//! What a game must say to be written and read: its options and its tokens.

use alloc::string::String;
use alloc::vec::Vec;

use assam_rules::{Game, Move};

use crate::{Cursor, History, SetupError};

/// A game that has a notation.
///
/// Tokens are read without a board: which decision a token is never depends on the position.
pub trait Notation: Game {
    /// Rule set and version: `marrakech/1`.
    const RULESET: &'static str;

    /// The name of the game for people.
    const TITLE: &'static str;

    /// How many seats a table may have.
    const SEATS: core::ops::RangeInclusive<u8>;

    /// Every option, in alphabetical order.
    const OPTIONS: &'static [OptionSpec];

    /// The setup with these seats and options; what is not named keeps its default.
    ///
    /// # Errors
    /// The option that is unknown, has an unknown value, or does not go with the others.
    fn read_setup(seats: u8, options: &[(&str, &str)]) -> Result<Self::Setup, SetupError>;

    /// Seats of a setup.
    fn seats(setup: &Self::Setup) -> u8;

    /// Every option that means something in this setup, in alphabetical order.
    fn options(setup: &Self::Setup) -> Vec<OptionValue>;

    /// Reads a decision.
    ///
    /// # Errors
    /// What was expected, and at which byte.
    fn read_action(cursor: &mut Cursor<'_>) -> Result<Self::Action, TokenError>;

    /// Reads something drawn, without its `+`.
    ///
    /// # Errors
    /// What was expected, and at which byte.
    fn read_chance(cursor: &mut Cursor<'_>) -> Result<Self::Chance, TokenError>;

    /// Writes a decision.
    fn write_action(action: Self::Action, out: &mut String);

    /// Writes something drawn, without its `+`.
    fn write_chance(chance: Self::Chance, out: &mut String);

    /// Writes the value of `position=`: the whole position in one word.
    fn write_position(&self) -> String;

    /// Reads the value of `position=`.
    ///
    /// # Errors
    /// What was expected, or why no play leads to the position.
    fn read_position(setup: &Self::Setup, text: &str) -> Result<Self, PositionError>;

    /// What is due here, as a clause: `seat 2 must turn Assam`.
    fn due(&self) -> String;

    /// Why `rule` forbids `mv` here, as a clause that names the squares, seats and plies concerned.
    ///
    /// `history` is how the game came here, up to the word before.
    fn explain(&self, mv: Move<Self>, rule: Self::Rule, history: &History<'_, Self>) -> String;

    /// What tells of each decision from here on, in order, whether it begins a new line in the file form.
    fn line_starts(&self) -> impl FnMut(Self::Action) -> bool;
}

/// A token that cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TokenError {
    /// Stable identifier, such as `notation.rug.no-common-side`.
    pub rule: &'static str,
    /// A sentence for people.
    pub detail: &'static str,
    /// What would have been right.
    pub expected: &'static str,
    /// Byte in the word where it broke.
    pub offset: usize,
}

/// A position that cannot be read, or that cannot be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PositionError {
    /// It is not written like a position; offsets are those of the value.
    Syntax(TokenError),
    /// No play leads to it.
    Impossible {
        /// Stable identifier, such as `marrakech.position.torn-rug`.
        rule: &'static str,
        /// A sentence for people.
        text: &'static str,
    },
}

/// An option of a rule set, for people and for clients that build a form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionSpec {
    /// Name in the setup line.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its values.
    pub kind: OptionKind,
    /// What holds where it is not named.
    pub default: &'static str,
}

/// The values of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// One of these: value and meaning, the default first.
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
    /// Its name.
    pub name: &'static str,
    /// Its value as it is written.
    pub value: String,
    /// Is this the rule set's default? Then it is not written.
    pub is_default: bool,
}
