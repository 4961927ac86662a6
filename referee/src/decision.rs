//! Decisions of any game, read without a board.

use std::fmt;

use assam_notation::{Decision, Notation, TokenError, Word, leave_text};
use assam_rules::Leave;

use crate::{Ruleset, Shown, Visitor};

/// A decision of any game: of the seat on turn, or of a seat that leaves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyDecision {
    text: String,
    leave: Option<Leave>,
}

impl AnyDecision {
    pub(crate) fn of<G: Notation>(decision: Decision<G>) -> Self {
        let leave = match decision {
            Decision::Action(_) => None,
            Decision::Leave(leave) => Some(leave),
        };
        Self { text: Word { decision: Some(decision), chance: G::Drawn::default() }.text(), leave }
    }

    /// Returns the decision in canonical form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns how a seat leaves with it, if one does.
    pub const fn leave(&self) -> Option<Leave> {
        self.leave
    }
}

impl fmt::Display for AnyDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl From<Leave> for AnyDecision {
    fn from(leave: Leave) -> Self {
        Self { text: leave_text(leave), leave: Some(leave) }
    }
}

/// A word as clients send it: a decision, and whether chance was written after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Submitted {
    /// The decision, or `None` if the text has only chance.
    pub decision: Option<AnyDecision>,
    /// Whether the client wrote chance, which it may not choose.
    pub has_chance: bool,
}

impl Ruleset {
    /// Reads a decision as clients send it. No board is needed.
    ///
    /// # Errors
    /// The fault and its byte, if the text is not a decision.
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
