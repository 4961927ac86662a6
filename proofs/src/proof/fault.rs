//! A fault in a proof, in one line.

use std::fmt;

/// A value in a proof that is not what it must be.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{scope}{what}: expected {expected}, found {found}")]
pub struct Fault {
    /// The faulty part of the proof.
    pub scope: Scope,
    /// The kind of the fault.
    pub what: What,
    /// The expected value.
    pub expected: String,
    /// The value found.
    pub found: String,
}

/// The faulty part of a proof.
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
    /// The number of seats, or the number or holder of a seat.
    Seat,
    /// The revision of a taken seat is missing, wrong, or must be absent.
    Revision,
    /// The commitment is missing, or does not match the anchor and the hash of the seed.
    Commitment,
    /// The anchor is missing or must be absent.
    Anchor,
    /// The hash of the seed is missing or must be absent.
    SeedHash,
    /// The key of a ply is missing, must be absent, or does not lead to the key of the previous ply.
    Key,
    /// The seed is premature, missing, or does not match its commitment.
    Seed,
    /// The beacon was not signed by its chain, or must be absent.
    Beacon,
    /// The head before the first word.
    Start,
    /// The number of a ply.
    Ply,
    /// The number of a part.
    Part,
    /// A token that is malformed, or hidden when it must not be.
    Token,
    /// A word that breaks the rules or is not in canonical form.
    Word,
    /// A salt is missing, must be absent, or does not follow from the seed.
    Salt,
    /// The hash of a part.
    Hash,
    /// A head.
    Head,
    /// An outcome does not follow from the key of its ply or from the seed.
    Chance,
    /// A built-in player's decision does not follow from the key of its ply or from the seed.
    Choice,
    /// The receipt is malformed or states something else.
    Receipt,
    /// The record compared with the proof differs.
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

/// Returns a text from a proof in a form that is safe to show: quoted, with terminal controls escaped, and
/// limited in length.
pub(super) fn shown(text: &str) -> String {
    const LONGEST: usize = 200;
    let cut: String = text.chars().take(LONGEST).collect();
    let more = if cut.len() < text.len() { ".." } else { "" };
    format!("`{}{more}`", cut.escape_debug())
}

/// Returns a text that may be missing in the form of [`shown`].
pub(super) fn shown_or_none(text: Option<&str>) -> String {
    text.map_or_else(|| "none".to_owned(), shown)
}
