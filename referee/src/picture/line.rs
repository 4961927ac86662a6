//! A styled line of text.

use std::fmt;

use anstyle::Style;

/// A line of text, with its width.
#[derive(Clone, Default)]
pub struct Line {
    pub(super) text: String,
    pub(super) width: usize,
}

impl Line {
    /// Returns a line of text without a style.
    pub fn plain(text: &str) -> Self {
        let mut line = Self::default();
        line.push(Style::new(), text);
        line
    }

    /// Adds text in a style. Each character is one column wide.
    pub fn push(&mut self, style: Style, text: &str) {
        self.text.push_str(&format!("{style}{text}{style:#}"));
        self.width += text.chars().count();
    }

    /// Adds spaces up to a width.
    pub fn pad(&mut self, width: usize) {
        let missing = width.saturating_sub(self.width);
        self.push(Style::new(), &" ".repeat(missing));
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}
