//! Slips of the pen: the single die or letter that, if changed, makes the rest of a refused record legal.

use assam_notation::{End, Error, Record, RecordText, Replay, Word};

use crate::Shown;

/// The number of words tried before the refused one. A wrong die shows when the next rug is laid.
const BACK: usize = 4;
/// The maximum number of words played, so that a refused record costs little more than a valid one.
const PLAYS: usize = 2000;

/// A changed character.
struct Rewriting {
    /// The index of its word.
    word: usize,
    /// Its byte in the word.
    at: usize,
    character: char,
}

/// The words of a refused record, and the games before those that may be at fault.
struct RefusedWords<'a, G: Shown> {
    words: Vec<&'a str>,
    /// The index of the end marker.
    end: usize,
    /// The index of the refused word.
    refused: usize,
    /// The index of the word after the first of `before`.
    first: usize,
    before: Vec<Replay<G>>,
    plays: usize,
}

/// Returns the question whether a die or a letter was another one, if everything after it is legal then.
pub(crate) fn slip<G: Shown>(text: &[u8], record: &Record<G>, error: &Error) -> Option<String> {
    error.place.ply?;
    let text = RecordText::read(text).ok()?;
    let mut words = RefusedWords::of(&text, record, error.place.word? as usize - 1)?;
    let dice = words.changes(words.first..words.refused, |word, at| {
        is_drawn(word, at) && word.as_bytes()[at].is_ascii_digit()
    });
    // A rug may lie in so many other places that one more legal word proves little.
    let is_telling = words.end - words.refused > 1;
    let letters = words.changes(words.first..words.refused, |word, at| {
        !is_drawn(word, at) && (is_telling || word.as_bytes()[at].is_ascii_uppercase())
    });
    // For the last word, anything legal would be an answer.
    let own = if words.refused + 1 < words.end { words.refused..words.refused + 1 } else { 0..0 };
    let own = words.changes(own, |_, _| true);
    for mut changes in [dice, letters, own] {
        changes.retain(|change| words.rest_is_legal(change));
        // Several answers are no answer, and an untried change may be another one.
        match &changes[..] {
            _ if words.plays > PLAYS => return None,
            [] => {}
            [change] => return Some(format!("{}? Then the rest is legal", words.question(change))),
            _ => return None,
        }
    }
    None
}

/// Returns whether a character of a word belongs to its chance.
fn is_drawn(word: &str, at: usize) -> bool {
    word[..at].contains('+')
}

impl<'a, G: Shown> RefusedWords<'a, G> {
    fn of(text: &RecordText<'a>, record: &Record<G>, refused: usize) -> Option<Self> {
        let words: Vec<&str> = text.words().map(|(_, word)| word).collect();
        let end = words.iter().position(|word| word.starts_with(['*', '=']))?;
        let first = refused.saturating_sub(BACK);
        let mut replay = record.opening.as_ref()?.replay();
        let mut before = Vec::new();
        for (place, word) in record.words.iter().enumerate() {
            if place >= first {
                before.push(replay.clone());
            }
            replay.play(word).ok()?;
        }
        before.push(replay);
        Some(Self { words, end, refused, first, before, plays: 0 })
    }

    /// Returns every other character for the positions of some words that `may_change`, the last word first.
    fn changes(
        &self,
        words: std::ops::Range<usize>,
        may_change: impl Fn(&str, usize) -> bool,
    ) -> Vec<Rewriting> {
        let mut changes = Vec::new();
        for word in words.rev() {
            let text = self.words[word];
            for (at, written) in
                text.char_indices().filter(|(at, written)| written.is_ascii() && may_change(text, *at))
            {
                let others = match written {
                    '0'..='9' => "1234567",
                    'A'..='Z' => "NESWAQ",
                    'a'..='z' => "abcdefghrsy",
                    _ => "",
                };
                let others = others.chars().filter(|other| *other != written);
                changes.extend(others.map(|character| Rewriting { word, at, character }));
            }
        }
        changes
    }

    fn changed(&self, change: &Rewriting) -> String {
        let mut text = self.words[change.word].to_owned();
        text.replace_range(change.at..=change.at, change.character.encode_utf8(&mut [0; 4]));
        text
    }

    fn rest_is_legal(&mut self, change: &Rewriting) -> bool {
        let changed = self.changed(change);
        let Some(mut replay) = self.before.get(change.word - self.first).cloned() else { return false };
        let rest = &self.words[change.word + 1..self.end];
        for text in std::iter::once(changed.as_str()).chain(rest.iter().copied()) {
            self.plays += 1;
            let is_played = Word::read(text).is_ok_and(|word| replay.play(&word).is_ok());
            if !is_played || self.plays > PLAYS {
                return false;
            }
        }
        End::of(replay.position()).text() == self.words[self.end..].join(" ")
    }

    fn question(&self, change: &Rewriting) -> String {
        let word = self.words[change.word];
        let ply = self.before[change.word - self.first].next_ply();
        let is_die = word[..change.at].ends_with('+')
            && word[change.at + 1..].bytes().next().is_none_or(|next| next == b'+');
        if is_die && change.character.is_ascii_digit() {
            format!("did the die of ply {ply} show {}", change.character)
        } else {
            format!("was `{word}` at ply {ply} meant to be `{}`", self.changed(change))
        }
    }
}

/// Adds the question to an error.
pub(crate) fn add_slip<G: Shown>(text: &[u8], record: &Record<G>, mut error: Error) -> Error {
    if let Some(question) = slip(text, record, &error) {
        error.why = Some(match error.why.take() {
            Some(why) => format!("{why}; {question}"),
            None => question,
        });
    }
    error
}
