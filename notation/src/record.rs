//! Records: the result of reading, and its two written forms.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt::{self, Write as _};

use assam_rules::{Turn, Viewer};

use crate::{Error, FileForm, Notation, Opening, Replay, Word, line_starts, mask};

/// An annotation: a name and a value.
pub type Tag = (String, String);

/// The end marker of a record.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// `*`: the game continues.
    Unfinished,
    /// `= 36 43 41`: the scores of a game that is over.
    Scores(Vec<i32>),
    /// `= -`: the game was aborted.
    Aborted,
}

/// A record that was read up to its end or up to an error.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record<G: Notation> {
    /// The opening, or `None` if the first line broke.
    pub opening: Option<Opening<G>>,
    /// The tags, in the order of the record.
    pub tags: Vec<Tag>,
    /// The valid words.
    pub words: Vec<Word<G>>,
    /// The game after these words, or `None` if the first line broke.
    pub replay: Option<Replay<G>>,
    /// `Ok` if the record is complete and valid, otherwise its first error.
    pub verdict: Result<(), Error>,
}

impl End {
    /// Returns the end marker that belongs to a position.
    pub fn of<G: Notation>(position: &G) -> Self {
        match position.turn() {
            Turn::Player(_) | Turn::Chance => Self::Unfinished,
            Turn::Over => Self::Scores(position.scores().to_vec()),
            Turn::Aborted => Self::Aborted,
        }
    }

    /// Returns the marker as written.
    pub fn text(&self) -> String {
        match self {
            Self::Unfinished => "*".to_string(),
            Self::Aborted => "= -".to_string(),
            Self::Scores(scores) => scores.iter().fold("=".to_string(), |mut text, score| {
                let _ = write!(text, " {score}");
                text
            }),
        }
    }
}

impl fmt::Display for End {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text())
    }
}

impl<G: Notation> fmt::Display for Record<G> {
    /// Writes the record in canonical form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.canonical())
    }
}

impl<G: Notation> Record<G> {
    /// Returns the record in canonical form, its identity: the setup line, a blank line, then words and end
    /// marker on one line, without tags. The end marker is the one that fits the last valid word.
    pub fn canonical(&self) -> String {
        let (Some(opening), Some(replay)) = (&self.opening, &self.replay) else { return String::new() };
        let mut text = opening.line();
        text.push_str("\n\n");
        for word in &self.words {
            word.write(&mut text);
            text.push(' ');
        }
        text.push_str(&End::of(replay.position()).text());
        text.push('\n');
        text
    }

    /// Returns the record in file form, with its tags and a new line for every turn.
    pub fn file_form(&self) -> String {
        let (Some(opening), Some(replay)) = (&self.opening, &self.replay) else { return String::new() };
        let mut text = FileForm::new(&opening.line());
        for (name, value) in &self.tags {
            text.tag(name, value);
        }
        let start = opening.replay();
        let mut begins_line = line_starts(start.position());
        for word in &self.words {
            text.word(&word.text(), begins_line(word));
        }
        text.end(&End::of(replay.position()).text())
    }

    /// Returns the record as `viewer` may read it: see [`mask()`]. An error keeps its rule and place but
    /// loses its explanation, which may depend on hidden information.
    #[must_use]
    pub fn masked(&self, viewer: Viewer) -> Self {
        let Some(opening) = &self.opening else { return self.clone() };
        let (opening, words) = mask(opening, &self.words, viewer);
        let mut replay = opening.replay();
        for word in &words {
            replay.play(word).expect("masked legal words are legal");
        }
        let verdict = self.verdict.clone().map_err(|error| Error { why: None, expected: None, ..error });
        Self { opening: Some(opening), tags: self.tags.clone(), words, replay: Some(replay), verdict }
    }

    /// Returns whether something in the record is unknown. Such a record is valid in everything visible.
    pub fn is_masked(&self) -> bool {
        self.replay.as_ref().is_some_and(Replay::is_masked)
    }
}
