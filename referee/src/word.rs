//! A word of any game, with the facts about its tokens.

use std::borrow::Cow;
use std::fmt;

use assam_notation::{Decision, Notation, Word};
use assam_rules::{Audience, Leave, Move, Pool};

/// A played word of any game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyWord<'a> {
    text: Cow<'a, str>,
    leave: Option<Leave>,
    /// For each token: whether it was hidden from someone when it was written, and its pool. Empty if nothing
    /// is hidden.
    tokens: Vec<(bool, Pool)>,
}

/// A token of a word: its decision or an outcome.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// 0 for the decision, 1 and up for outcomes. The leading word of a record has no part 0.
    pub part: u32,
    /// The token in canonical form, without its `+`.
    pub text: &'a str,
    /// Whether it was hidden from someone when it was written.
    pub is_sealed: bool,
    /// The pool it was drawn from. For a decision, the pool of a player who decides at random.
    pub pool: Pool,
}

impl<'a> AnyWord<'a> {
    /// Describes a legal word, played in the position `before`. `text` is the word in canonical form.
    pub(crate) fn of<G: Notation>(before: &G, word: &Word<G>, text: impl Into<Cow<'a, str>>) -> Self {
        let leave = match word.decision {
            Some(Decision::Leave(leave)) => Some(leave),
            Some(Decision::Action(_)) | None => None,
        };
        Self { text: text.into(), leave, tokens: of_tokens(before, word) }
    }

    /// Returns the word in canonical form.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns its decision in canonical form, without chance. Empty for the leading word.
    pub fn decision(&self) -> &str {
        self.text.split('+').next().unwrap_or_default()
    }

    /// Returns how a seat leaves with it, if one does.
    pub const fn leave(&self) -> Option<Leave> {
        self.leave
    }

    /// Returns its tokens in order.
    pub fn tokens(&self) -> impl Iterator<Item = Token<'_>> {
        tokens(&self.text).enumerate().map(|(n, (part, text))| {
            let (is_sealed, pool) = self.tokens.get(n).copied().unwrap_or((false, Pool::Open));
            Token { part, text, is_sealed, pool }
        })
    }

    /// Returns the word with owned text.
    pub fn into_owned(self) -> AnyWord<'static> {
        AnyWord { text: Cow::Owned(self.text.into_owned()), leave: self.leave, tokens: self.tokens }
    }
}

impl fmt::Display for AnyWord<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

/// Returns the tokens of a word in canonical form, each with the number of its part.
pub fn tokens(word: &str) -> impl Iterator<Item = (u32, &str)> {
    // The leading word begins with `+`, so it has no decision and no part 0.
    (0..).zip(word.split('+')).filter(|(_, token)| !token.is_empty())
}

/// Returns for each move of a legal word whether it is hidden from someone when it is made, and its pool.
fn of_tokens<G: Notation>(before: &G, word: &Word<G>) -> Vec<(bool, Pool)> {
    if !G::HAS_SECRETS {
        return Vec::new();
    }
    let mut position = before.clone();
    let mut tokens = Vec::with_capacity(word.chance.len() + 1);
    let mut moves = word.moves().peekable();
    while let Some(mv) = moves.next() {
        let pool = if matches!(mv, Move::Chance(_)) { position.pool() } else { position.choice_pool() };
        tokens.push((position.audience(&mv) != Audience::Everyone, pool));
        if moves.peek().is_some() {
            position.apply(mv);
        }
    }
    tokens
}
