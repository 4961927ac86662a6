//! A record in file form, written piece by piece.

use alloc::format;
use alloc::string::String;

use crate::{Decision, Notation, Word};

/// A record in file form: its setup line, its tags, a blank line, a line per turn, and its end marker.
#[derive(Clone, Debug)]
pub struct FileForm {
    text: String,
    has_words: bool,
}

impl FileForm {
    /// Begins with the first line of a record, in canonical form.
    pub fn new(setup_line: &str) -> Self {
        let mut text = String::from(setup_line);
        text.push('\n');
        Self { text, has_words: false }
    }

    /// Adds a tag. Tags stand before words.
    pub fn tag(&mut self, name: &str, value: &str) {
        self.text.push_str(&tag_line(name, value));
    }

    /// Adds lines of tags as they were written before, each with its end.
    pub fn tag_lines(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// Adds a word in canonical form.
    pub fn word(&mut self, word: &str, begins_line: bool) {
        // The first word follows the blank line.
        self.text.push(if begins_line || !self.has_words { '\n' } else { ' ' });
        self.text.push_str(word);
        self.has_words = true;
    }

    /// Adds the end marker: the whole record.
    pub fn end(mut self, marker: &str) -> String {
        self.text.push('\n');
        self.text.push_str(marker);
        self.text.push('\n');
        self.text
    }
}

/// Returns a function that says whether each following word starts a new line in the file form. So does the leading
/// word, each with which a seat leaves, and the decisions that the game says.
///
/// It must be called with every word after `start`, in order.
pub fn line_starts<G: Notation>(start: &G) -> impl FnMut(&Word<G>) -> bool {
    let mut starts = start.line_starts();
    move |word| match word.decision {
        None | Some(Decision::Leave(_)) => true,
        Some(Decision::Action(action)) => starts(action),
    }
}

/// Returns a tag as a line, with its end: no blank follows the colon where the value is empty.
pub fn tag_line(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name}:\n") } else { format!("{name}: {value}\n") }
}
