//! The interface of a game with a notation: its options and its tokens.

use alloc::string::String;
use alloc::vec::Vec;

use assam_rules::Game;

use crate::{Cursor, OptionSpec, OptionValue, PositionError, SetupError, TokenError};

/// A game with a notation.
///
/// Reading a token needs no board: its meaning never depends on the position.
pub trait Notation: Game {
    /// The rule set and its version, such as `marrakech/1`.
    const RULESET: &'static str;

    /// The name of the game for people.
    const TITLE: &'static str;

    /// The possible numbers of seats.
    const SEATS: core::ops::RangeInclusive<u8>;

    /// Every option, in alphabetical order.
    const OPTIONS: &'static [OptionSpec];

    /// Returns the setup with these seats and options. Options that are not named keep their defaults.
    ///
    /// # Errors
    /// The option that is unknown, has an unknown value, or does not fit the others.
    fn read_setup(seats: u8, options: &[(&str, &str)]) -> Result<Self::Setup, SetupError>;

    /// Returns the number of seats of a setup.
    fn seats(setup: &Self::Setup) -> u8;

    /// Returns every option that applies to this setup, in alphabetical order.
    fn options(setup: &Self::Setup) -> Vec<OptionValue>;

    /// Reads a decision.
    ///
    /// # Errors
    /// The expected text and its byte.
    fn read_action(cursor: &mut Cursor<'_>) -> Result<Self::Action, TokenError>;

    /// Reads a chance outcome without its `+`.
    ///
    /// # Errors
    /// The expected text and its byte.
    fn read_chance(cursor: &mut Cursor<'_>) -> Result<Self::Chance, TokenError>;

    /// Writes a decision.
    fn write_action(action: Self::Action, out: &mut String);

    /// Writes a chance outcome without its `+`.
    fn write_chance(chance: Self::Chance, out: &mut String);

    /// Writes the value of `position=`: the whole position in one word.
    fn write_position(&self) -> String;

    /// Reads the value of `position=`.
    ///
    /// # Errors
    /// The expected text, or the failed check of the rule set.
    fn read_position(setup: &Self::Setup, text: &str) -> Result<Self, PositionError>;

    /// Returns a function that decides for each following decision whether it starts a new line in file form.
    ///
    /// Call it with every decision from here on, in order.
    fn line_starts(&self) -> impl FnMut(Self::Action) -> bool;
}
