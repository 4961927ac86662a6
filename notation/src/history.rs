//! The history of a position, for explanations that name plies.

use crate::{Notation, Opening, RecordText, Word};

/// The words of a record that led from its opening to a position.
#[derive(Debug)]
pub struct History<'a, G: Notation> {
    opening: &'a Opening<G>,
    text: &'a RecordText<'a>,
    /// The number of words that led here, all valid.
    words: usize,
}

impl<'a, G: Notation> History<'a, G> {
    /// Returns the history of the first `words` words of a record.
    pub(crate) const fn new(opening: &'a Opening<G>, text: &'a RecordText<'a>, words: usize) -> Self {
        Self { opening, text, words }
    }

    /// Returns the words with their plies, oldest first.
    fn plies(&self) -> impl Iterator<Item = (u32, Word<G>)> {
        let start = self.opening.replay().next_ply();
        let texts = self.text.words().take(self.words).map(|(_, word)| word);
        (start..).zip(texts.filter_map(|word| Word::read(word).ok()))
    }

    /// Returns the latest ply with a word that satisfies `is_such`.
    pub fn latest(&self, is_such: impl Fn(&Word<G>) -> bool) -> Option<u32> {
        self.plies().filter(|(_, word)| is_such(word)).last().map(|(ply, _)| ply)
    }

    /// Returns the first ply that leads to a position satisfying `is_such`, or `None` if the opening already
    /// does.
    pub fn first_after(&self, is_such: impl Fn(&G) -> bool) -> Option<u32> {
        let mut replay = self.opening.replay();
        if is_such(replay.position()) {
            return None;
        }
        self.plies().find_map(|(ply, word)| {
            replay.play(&word).ok()?;
            is_such(replay.position()).then_some(ply)
        })
    }
}
