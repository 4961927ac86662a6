//! Client submissions, read without a board.

use std::borrow::Cow;

use assam_notation::TokenError;
use assam_referee::{AnyDecision, Ruleset};
use assam_rules::{Leave, Seat};

/// A submission for a ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Submission {
    /// Consecutive decisions of the seat on turn, never empty.
    Moves(Vec<AnyDecision>),
    /// A seat leaves, or the game is aborted.
    Leave(Leaving),
}

/// The kind of a departure.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaving {
    /// The submitting seat, with the number if one was sent.
    Resign(Option<Seat>),
    /// The seat that is claimed out.
    Timeout(Seat),
    /// Everyone.
    Abort,
}

/// Why a text is not a submission.
#[derive(Debug, thiserror::Error)]
pub enum NoSubmission {
    /// A word cannot be read.
    #[error("{detail}")]
    Syntax {
        /// The number of the word, from 1.
        word: u32,
        /// The character in the word, from 1.
        column: u32,
        /// The explanation.
        detail: Cow<'static, str>,
        /// The error.
        error: TokenError,
    },
    /// There is no word.
    #[error("there is no move")]
    Empty,
    /// A word with `!` is not alone.
    #[error("send a word with `!` alone")]
    NotAlone,
    /// A word includes chance.
    #[error("send the decision alone. The service draws what follows")]
    HasChance {
        /// The number of the word, from 1.
        word: u32,
    },
}

impl NoSubmission {
    fn syntax(word: u32, text: &str, error: TokenError) -> Self {
        let (offset, detail) = error.located(text);
        let column = text.bytes().take(offset).filter(|byte| byte & 0xC0 != 0x80).count() as u32 + 1;
        Self::Syntax { word, column, detail, error }
    }
}

impl Submission {
    /// Reads words as clients send them: decisions without chance, `!resign` with or without a seat,
    /// `!timeoutN`, `!abort`.
    ///
    /// # Errors
    /// The first unreadable word, or else what is wrong with all of them together.
    pub fn read(ruleset: Ruleset, words: &[String]) -> Result<Self, NoSubmission> {
        let mut moves = Vec::new();
        let mut leaving = None;
        let mut chance = None;
        for (number, text) in (1..).zip(words) {
            if text == "!resign" {
                leaving = Some(Leaving::Resign(None));
                continue;
            }
            let read =
                ruleset.read_decision(text).map_err(|error| NoSubmission::syntax(number, text, error))?;
            if read.has_chance {
                chance.get_or_insert(number);
            }
            let Some(decision) = read.decision else { continue };
            match decision.leave() {
                Some(leave) => leaving = Some(Leaving::new(leave)),
                None => moves.push(decision),
            }
        }
        match (leaving, words.len(), chance) {
            (_, 0, _) => Err(NoSubmission::Empty),
            (Some(_), 2.., _) => Err(NoSubmission::NotAlone),
            (_, _, Some(word)) => Err(NoSubmission::HasChance { word }),
            (Some(leaving), _, None) => Ok(Self::Leave(leaving)),
            (None, _, None) => Ok(Self::Moves(moves)),
        }
    }
}

impl Leaving {
    const fn new(leave: Leave) -> Self {
        match leave {
            Leave::Resign(seat) => Self::Resign(Some(seat)),
            Leave::Timeout(seat) => Self::Timeout(seat),
            Leave::Abort => Self::Abort,
        }
    }
}
