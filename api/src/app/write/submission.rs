//! The submissions of clients, read without a board.

use std::borrow::Cow;

use assam_notation::TokenError;
use assam_referee::{AnyDecision, Ruleset};
use assam_rules::{Leave, Seat};

/// A submission for a ply.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Submission {
    /// Decisions in a row of the seat on turn; never empty.
    Moves(Vec<AnyDecision>),
    /// Someone is to leave, or the game to be aborted.
    Leave(Leaving),
}

/// The seats that are to leave.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Leaving {
    /// The seat that submits it; where its number was sent, that number.
    Resign(Option<Seat>),
    /// A seat that is claimed out.
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
        /// The character of the word, from 1.
        column: u32,
        /// Why.
        detail: Cow<'static, str>,
        /// The error.
        error: TokenError,
    },
    /// There is no word.
    #[error("there is no move")]
    Empty,
    /// A word with `!` stands among others.
    #[error("send a word with `!` alone")]
    NotAlone,
    /// A word has chance.
    #[error("send the decision alone: the service draws what follows it")]
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
    /// Reads words as clients send them: decisions without chance, `!resign` with or without a seat, `!timeoutN`,
    /// `!abort`.
    ///
    /// # Errors
    /// The first word that cannot be read; then what is wrong with all of them together.
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
