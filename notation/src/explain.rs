//! The interface of games that explain refused moves.

use alloc::string::String;

use assam_rules::Move;

use crate::{History, Notation};

/// A game that explains refused moves.
pub trait Explain: Notation {
    /// Returns what is due here, as a clause such as `seat 2 must turn Assam`.
    fn due(&self) -> String;

    /// Returns why `rule` forbids `mv` here, as a clause that names the squares, seats and plies concerned.
    ///
    /// `history` holds the words that led here, up to the previous one.
    fn explain(&self, mv: Move<Self>, rule: Self::Rule, history: &History<'_, Self>) -> String;
}
