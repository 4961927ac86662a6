//! What is wrong with a proof, in one line.

use std::fmt;

/// Something in a proof is not what it must be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{place}{what}: expected {expected}, found {found}")]
pub struct Fault {
    /// Where.
    pub place: Place,
    /// What.
    pub what: What,
    /// What it must be.
    pub expected: String,
    /// What it is.
    pub found: String,
}

/// A place in a proof.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// The proof as a whole.
    Game,
    /// A seat, from 1.
    Seat(usize),
    /// A ply.
    Ply(u32),
    /// A part of the word of a ply.
    Part(u32, u32),
}

/// What can be wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The id of an imported game.
    Game,
    /// The setup line.
    Setup,
    /// How many seats there are, or the number of one.
    Seat,
    /// The commitment is not that of the seed, or is missing.
    Commitment,
    /// The seed is told too early, or not at all.
    Seed,
    /// The head before the first word.
    Start,
    /// The number of a ply.
    Ply,
    /// The number of a part.
    Part,
    /// A token that is none, or that should be open.
    Token,
    /// A word that breaks the rules, or that is not in canonical form.
    Word,
    /// A salt is missing, stands where there should be none, or does not follow from the seed.
    Salt,
    /// The hash of a part.
    Hash,
    /// A head.
    Head,
    /// Something drawn does not follow from the seed.
    Chance,
    /// The decision of a built-in player does not follow from the seed.
    Choice,
    /// The record that it is held against says something else.
    Record,
}

impl Fault {
    /// At this place.
    pub(super) fn at(
        place: Place,
        what: What,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self { place, what, expected: expected.to_string(), found: found.to_string() }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Game => Ok(()),
            Self::Seat(seat) => write!(f, "seat {seat}: "),
            Self::Ply(ply) => write!(f, "ply {ply}: "),
            Self::Part(ply, part) => write!(f, "ply {ply}, part {part}: "),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Game => "game",
            Self::Setup => "setup",
            Self::Seat => "seats",
            Self::Commitment => "commitment",
            Self::Seed => "seed",
            Self::Start => "start",
            Self::Ply => "number of the ply",
            Self::Part => "number of the part",
            Self::Token => "token",
            Self::Word => "word",
            Self::Salt => "salt",
            Self::Hash => "hash",
            Self::Head => "head",
            Self::Chance => "chance",
            Self::Choice => "choice",
            Self::Record => "record",
        })
    }
}

/// A text out of a proof, as it can be shown: quoted, without what would steer a terminal, and not too long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { ".." } else { "" };
    format!("`{}{more}`", cut.escape_debug())
}

/// The same where there may be none.
pub(super) fn shown_or_none(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), shown)
}
