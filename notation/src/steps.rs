//! The steps of a record: every word, and the game after it.

use alloc::vec::Vec;
use core::slice;

use crate::{Error, Explain, Record, Replay, Word, read_record};

/// A word of a record, and the game after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step<'a, G: Explain> {
    /// The word.
    pub word: &'a Word<G>,
    /// The game after it.
    pub replay: Replay<G>,
    /// The consequences of the word in order, such as payments.
    pub events: Vec<G::Event>,
}

impl<G: Explain> Step<'_, G> {
    /// Returns the ply of the word, 0 for the leading word.
    pub const fn ply(&self) -> u32 {
        self.replay.ply()
    }

    /// Returns the position after the word.
    pub const fn position(&self) -> &G {
        self.replay.position()
    }
}

/// The steps of a record, each played when the iterator reaches it. If the record breaks, its error comes
/// last.
#[derive(Clone, Debug)]
pub struct Steps<'a, G: Explain> {
    record: &'a Record<G>,
    words: slice::Iter<'a, Word<G>>,
    /// `None` once the last step or the error was returned.
    replay: Option<Replay<G>>,
    /// The pending error.
    error: Option<&'a Error>,
}

impl<G: Explain> Record<G> {
    /// Returns its words in order, each with the game after it, and finally the error of a record that
    /// breaks.
    pub fn steps(&self) -> Steps<'_, G> {
        Steps {
            record: self,
            words: self.words.iter(),
            replay: self.opening.as_ref().map(|opening| opening.replay()),
            error: self.verdict.as_ref().err(),
        }
    }
}

impl<'a, G: Explain> Iterator for Steps<'a, G> {
    type Item = Result<Step<'a, G>, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let played = self.words.next().zip(self.replay.as_mut());
        let Some((word, replay)) = played else { return self.error.take().cloned().map(Err) };
        let mut events = Vec::new();
        if replay.play_telling(word, |event| events.push(event)).is_ok() {
            return Some(Ok(Step { word, replay: replay.clone(), events }));
        }
        // Only a record that was changed after reading has such a word.
        (self.replay, self.error) = (None, None);
        read_record::<G>(self.record.canonical()).verdict.err().map(Err)
    }
}
