//! Words: one decision each, and the chance it triggered.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use assam_rules::{Bounded as _, Leave, Move, Seat};

use crate::field::take;
use crate::{Cursor, Notation, TokenError};

/// The decision at the beginning of a word.
#[derive(PartialEq, Eq, Debug)]
pub enum Decision<G: Notation> {
    /// A decision of the seat on turn.
    Action(G::Action),
    /// A seat leaves, or the game is aborted.
    Leave(Leave),
}

// Not derived: a decision is `Copy` even if its game is not.
impl<G: Notation> Copy for Decision<G> {}
impl<G: Notation> Clone for Decision<G> {
    fn clone(&self) -> Self {
        *self
    }
}

/// One submission: a decision, followed by every chance outcome that it triggered. The leading word of a
/// record, ply 0, has only chance.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Word<G: Notation> {
    /// The decision, or `None` in the leading word.
    pub decision: Option<Decision<G>>,
    /// The outcomes in order.
    pub chance: G::Drawn,
}

impl<G: Notation> Decision<G> {
    /// Reads a decision, up to the first `+` or the end.
    ///
    /// # Errors
    /// The expected text and its byte.
    #[inline]
    pub fn read(cursor: &mut Cursor<'_>) -> Result<Self, TokenError> {
        if cursor.peek() == Some(b'!') {
            read_leave(cursor).map(Self::Leave)
        } else {
            G::read_action(cursor).map(Self::Action)
        }
    }

    /// Returns the decision as a move.
    pub const fn to_move(self) -> Move<G> {
        match self {
            Self::Action(action) => Move::Action(action),
            Self::Leave(leave) => Move::Leave(leave),
        }
    }

    /// Writes the decision in canonical form.
    pub fn write(self, out: &mut String) {
        match self {
            Self::Action(action) => G::write_action(action, out),
            Self::Leave(leave) => write_leave(leave, out),
        }
    }
}

impl<G: Notation> Word<G> {
    /// Reads a word. No board is needed.
    ///
    /// # Errors
    /// The expected text and its byte.
    #[inline]
    pub fn read(word: &str) -> Result<Self, TokenError> {
        let mut cursor = Cursor::new(word.as_bytes());
        let decision = if cursor.peek() == Some(b'+') { None } else { Some(Decision::read(&mut cursor)?) };
        let mut chance = G::Drawn::default();
        while !cursor.is_at_end() {
            if !cursor.eat(b'+') {
                return Err(trailing(&cursor, "`+` and something drawn, or white space"));
            }
            let offset = cursor.offset();
            if !chance.add(G::read_chance(&mut cursor)?) {
                return Err(TokenError {
                    rule: "notation.word.too-much-chance",
                    detail: "no word of this game draws so much",
                    expected: "white space",
                    offset,
                });
            }
        }
        Ok(Self { decision, chance })
    }

    /// Returns its moves in order.
    pub fn moves(&self) -> impl Iterator<Item = Move<G>> {
        let decision = self.decision.map(Decision::to_move).into_iter();
        decision.chain(self.chance.iter().copied().map(Move::Chance))
    }

    /// Returns whether something in the word is unknown, such as a lead or a hand.
    pub fn is_masked(&self) -> bool {
        self.moves().any(|mv| G::is_masked(&mv))
    }

    /// Writes the word in canonical form.
    pub fn write(&self, out: &mut String) {
        if let Some(decision) = self.decision {
            decision.write(out);
        }
        for &chance in self.chance.iter() {
            out.push('+');
            G::write_chance(chance, out);
        }
    }

    /// Returns the word in canonical form.
    pub fn text(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        text
    }
}

impl<G: Notation> fmt::Display for Decision<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        self.write(&mut text);
        f.pad(&text)
    }
}

impl<G: Notation> FromStr for Decision<G> {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        let mut cursor = Cursor::new(text.as_bytes());
        let decision = Self::read(&mut cursor)?;
        if cursor.is_at_end() { Ok(decision) } else { Err(trailing(&cursor, "the end of the decision")) }
    }
}

impl<G: Notation> fmt::Display for Word<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl<G: Notation> FromStr for Word<G> {
    type Err = TokenError;

    fn from_str(text: &str) -> Result<Self, TokenError> {
        Self::read(text)
    }
}

#[cfg(feature = "serde")]
assam_rules::serde_as_text!(impl[G: Notation] for Decision<G>);
#[cfg(feature = "serde")]
assam_rules::serde_as_text!(impl[G: Notation] for Word<G>);

/// Returns the error of a text that continues after its end.
const fn trailing(cursor: &Cursor<'_>, expected: &'static str) -> TokenError {
    TokenError {
        rule: "notation.word.trailing",
        detail: "the word is complete, but more follows",
        expected,
        offset: cursor.offset(),
    }
}

fn read_leave(cursor: &mut Cursor<'_>) -> Result<Leave, TokenError> {
    let start = cursor.offset();
    let unknown = TokenError {
        rule: "notation.lifecycle.unknown",
        detail: "this is not a word for leaving the table",
        expected: "!resignN, !timeoutN (N is a seat, 1 to 4) or !abort",
        offset: start,
    };
    if cursor.eat_all(b"!abort") {
        return Ok(Leave::Abort);
    }
    let leave = if cursor.eat_all(b"!resign") {
        Leave::Resign
    } else if cursor.eat_all(b"!timeout") {
        Leave::Timeout
    } else {
        return Err(unknown);
    };
    take(cursor, Seat::from_letter).map(leave).ok_or(unknown)
}

/// Returns the word for a seat that leaves, or for an aborted game.
pub fn leave_text(leave: Leave) -> String {
    let mut text = String::new();
    write_leave(leave, &mut text);
    text
}

fn write_leave(leave: Leave, out: &mut String) {
    let (name, seat) = match leave {
        Leave::Resign(seat) => ("!resign", Some(seat)),
        Leave::Timeout(seat) => ("!timeout", Some(seat)),
        Leave::Abort => ("!abort", None),
    };
    out.push_str(name);
    if let Some(seat) = seat {
        out.push(seat.letter());
    }
}
