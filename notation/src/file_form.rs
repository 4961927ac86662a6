//! Writes a record in file form, piece by piece.

use alloc::format;
use alloc::string::String;

use crate::{Decision, Notation, Word};

/// A record in file form: setup line, tags, a blank line, a line per turn, and end marker.
#[derive(Clone, Debug)]
pub struct FileForm {
    text: String,
    has_words: bool,
}

impl FileForm {
    /// Begins a record with its first line, in canonical form.
    pub fn new(setup_line: &str) -> Self {
        let mut text = String::from(setup_line);
        text.push('\n');
        Self { text, has_words: false }
    }

    /// Adds a tag. Tags come before words.
    pub fn tag(&mut self, name: &str, value: &str) {
        self.text.push_str(&tag_line(name, value));
    }

    /// Adds tag lines that were written before, each with its line end.
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

    /// Adds the end marker and returns the whole record.
    pub fn end(mut self, marker: &str) -> String {
        self.text.push('\n');
        self.text.push_str(marker);
        self.text.push('\n');
        self.text
    }
}

/// Returns a function that decides for each following word whether it starts a new line in file form. The
/// leading word does, words for leaving do, and decisions as the game decides.
///
/// Call it with every word after `start`, in order.
pub fn line_starts<G: Notation>(start: &G) -> impl FnMut(&Word<G>) -> bool {
    let mut starts = start.line_starts();
    move |word| match word.decision {
        None | Some(Decision::Leave(_)) => true,
        Some(Decision::Action(action)) => starts(action),
    }
}

/// Returns a tag as a line with its line end. An empty value has no blank after the colon.
pub fn tag_line(name: &str, value: &str) -> String {
    if value.is_empty() { format!("{name}:\n") } else { format!("{name}: {value}\n") }
}
