//! How a game came to where it stands: for explanations that name plies.

use crate::{Notation, Opening, Word};

/// The words that led from an opening to a position.
#[derive(Debug)]
pub struct History<'a, G: Notation> {
    /// Where the record begins.
    pub opening: &'a Opening<G>,
    /// Every word up to the position, oldest first.
    pub words: &'a [Word<G>],
}

impl<G: Notation> History<'_, G> {
    /// The latest ply whose word is such a one.
    pub fn latest(&self, is_such: impl Fn(&Word<G>) -> bool) -> Option<u32> {
        let has_start_word = self.words.first().is_some_and(|word| word.decision.is_none());
        let index = self.words.iter().rposition(is_such)? as u32;
        Some(if has_start_word { index } else { index + 1 })
    }

    /// The first ply after which a position is such a one; none where the opening is it already.
    pub fn first_after(&self, is_such: impl Fn(&G) -> bool) -> Option<u32> {
        let mut replay = self.opening.replay();
        if is_such(replay.position()) {
            return None;
        }
        self.words.iter().find_map(|word| {
            replay.play(word).ok()?;
            is_such(replay.position()).then(|| replay.ply())
        })
    }
}
