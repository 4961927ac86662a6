//! A word of any game, with what is known of its tokens.

use std::borrow::Cow;
use std::fmt;

use assam_notation::{Decision, Notation, Word};
use assam_rules::{Audience, Leave, Move, Pool};

/// A word of any game that was played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AnyWord<'a> {
    text: Cow<'a, str>,
    leave: Option<Leave>,
    /// For each token: whether it was hidden from someone when it was written, and what it was drawn from. Empty where nothing
    /// is hidden.
    tokens: Vec<(bool, Pool)>,
}

/// A token of a word: its decision, or something drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Token<'a> {
    /// 0 for the decision, 1 and on for what was drawn; the leading word of a record has no part 0.
    pub part: u32,
    /// The token in canonical form, without its `+`.
    pub text: &'a str,
    /// Whether it was hidden from someone when it was written.
    pub is_sealed: bool,
    /// What it was drawn from; of a decision, what a player drew from who decided by chance.
    pub pool: Pool,
}

impl<'a> AnyWord<'a> {
    /// Describes a legal word; `before` is the position that it is played in, `text` the word in canonical form.
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

    /// Returns its decision in canonical form, without what was drawn; empty for the leading word.
    pub fn decision(&self) -> &str {
        self.text.split('+').next().unwrap_or_default()
    }

    /// Returns who leaves with it, if anyone does.
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

    /// Returns the word with a text of its own.
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
    // The leading word begins with `+`: it has no decision, and so no part 0.
    (0..).zip(word.split('+')).filter(|(_, token)| !token.is_empty())
}

/// Returns, for each move of a word that is legal in a position, whether it is hidden from someone where it is made, and what
/// it is drawn from.
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
