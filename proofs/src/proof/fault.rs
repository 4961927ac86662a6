//! A fault in a proof, in one line.

use std::fmt;

/// Something in a proof is not what it must be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{scope}{what}: expected {expected}, found {found}")]
pub struct Fault {
    /// The part of the proof that is wrong.
    pub scope: Scope,
    /// The kind of the fault.
    pub what: What,
    /// The value that it must have.
    pub expected: String,
    /// The value that it has.
    pub found: String,
}

/// The part of a proof that is wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// The proof as a whole.
    Proof,
    /// A seat, from 1.
    Seat(usize),
    /// A ply.
    Ply(u32),
    /// A part of the word of a ply.
    Part(u32, u32),
}

/// The kind of a fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum What {
    /// The id of an imported game.
    GameId,
    /// The setup line.
    Setup,
    /// The number of seats, or the number or the holder of one.
    Seat,
    /// The revision with which a seat was taken is missing, or that of another one, or stands where there should be none.
    Revision,
    /// The commitment is not that of the anchor and of the hash of the seed, or is missing.
    Commitment,
    /// The anchor is missing, or stands where there should be none.
    Anchor,
    /// The hash of the seed is missing, or stands where there should be none.
    SeedHash,
    /// The key of a ply does not lead to that of the ply before, is missing, or stands where there should be none.
    Key,
    /// The seed is there too early, is missing, or is another one than was committed to.
    Seed,
    /// The beacon was not signed by its chain, or stands where there should be none.
    Beacon,
    /// The head before the first word.
    Start,
    /// The number of a ply.
    Ply,
    /// The number of a part.
    Part,
    /// A token that is malformed, or hidden when it must not be.
    Token,
    /// A word that breaks the rules, or that is not in canonical form.
    Word,
    /// A salt is missing, stands where there should be none, or does not follow from the seed.
    Salt,
    /// The hash of a part.
    Hash,
    /// A head.
    Head,
    /// Something drawn does not follow from the key of its ply, or from the seed.
    Chance,
    /// The decision of a built-in player does not follow from the key of its ply, or from the seed.
    Choice,
    /// The receipt is none, or states something else.
    Receipt,
    /// The record that the proof is compared with differs.
    Record,
}

impl Fault {
    /// Returns a fault of this kind in this part.
    pub(super) fn at(
        scope: Scope,
        what: What,
        expected: impl fmt::Display,
        found: impl fmt::Display,
    ) -> Self {
        Self { scope, what, expected: expected.to_string(), found: found.to_string() }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Proof => Ok(()),
            Self::Seat(seat) => write!(f, "seat {seat}: "),
            Self::Ply(ply) => write!(f, "ply {ply}: "),
            Self::Part(ply, part) => write!(f, "ply {ply}, part {part}: "),
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::GameId => "game",
            Self::Setup => "setup",
            Self::Seat => "seats",
            Self::Revision => "revision",
            Self::Commitment => "commitment",
            Self::Anchor => "anchor",
            Self::SeedHash => "seed_hash",
            Self::Key => "key",
            Self::Seed => "seed",
            Self::Beacon => "beacon",
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
            Self::Receipt => "receipt",
            Self::Record => "record",
        })
    }
}

/// Returns a text from a proof in a form that is safe to show: quoted, with terminal controls escaped, and not too
/// long.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { ".." } else { "" };
    format!("`{}{more}`", cut.escape_debug())
}

/// Like [`shown`], for a text that may be missing.
pub(super) fn shown_or_none(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), shown)
}
