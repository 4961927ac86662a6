//! A decision of any game, read without a board.

use std::borrow::Cow;

use assam_notation::{Decision, Notation, TokenError, Word};
use assam_rules::Leave;

use crate::{Ruleset, Shown, Visitor};

/// A decision of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum AnyDecision {
    /// A decision of the seat on turn, in canonical form.
    Action(String),
    /// A seat leaves, or the game is aborted.
    Leave(Leave),
}

impl AnyDecision {
    pub(crate) fn of<G: Notation>(decision: Decision<G>) -> Self {
        match decision {
            Decision::Action(action) => {
                let mut text = String::new();
                G::write_action(action, &mut text);
                Self::Action(text)
            }
            Decision::Leave(leave) => Self::Leave(leave),
        }
    }

    /// Returns the decision in canonical form.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Self::Action(text) => Cow::Borrowed(text),
            Self::Leave(Leave::Resign(seat)) => Cow::Owned(format!("!resign{}", seat.number())),
            Self::Leave(Leave::Timeout(seat)) => Cow::Owned(format!("!timeout{}", seat.number())),
            Self::Leave(Leave::Abort) => Cow::Borrowed("!abort"),
        }
    }
}

/// A word as a client sends it: a decision, and whether chance was written after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submitted {
    /// The decision; none where the text has chance only.
    pub decision: Option<AnyDecision>,
    /// Whether the client wrote chance, which is not theirs to write.
    pub has_chance: bool,
}

impl Ruleset {
    /// Reads a decision as a client sends it. No board is needed.
    ///
    /// # Errors
    /// Where the text is not a decision: the fault, and its byte.
    pub fn read_decision(self, text: &str) -> Result<Submitted, TokenError> {
        self.visit(Read(text))
    }
}

struct Read<'a>(&'a str);

impl Visitor for Read<'_> {
    type Output = Result<Submitted, TokenError>;

    fn visit<G: Shown>(self, _: Ruleset) -> Self::Output {
        let word = Word::<G>::read(self.0)?;
        Ok(Submitted { decision: word.decision.map(AnyDecision::of), has_chance: !word.chance.is_empty() })
    }
}
