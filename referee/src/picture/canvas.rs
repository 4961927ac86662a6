//! An SVG under construction.

use std::fmt::{self, Write as _};

/// An SVG under construction. Lengths are in units, which are pixels at the picture's original size.
#[derive(Default)]
pub struct Canvas(pub(super) String);

impl Canvas {
    /// Adds an element without contents, given by its name and attributes.
    pub fn shape(&mut self, tag: fmt::Arguments<'_>) {
        self.write(format_args!("<{tag}/>\n"));
    }

    /// Adds an element around others.
    pub fn group(&mut self, name: &str, attributes: fmt::Arguments<'_>, inside: impl FnOnce(&mut Self)) {
        self.open(name, attributes);
        self.0.push('\n');
        inside(self);
        self.write(format_args!("</{name}>\n"));
    }

    /// Adds an element with text.
    pub fn text(&mut self, name: &str, attributes: fmt::Arguments<'_>, text: &str) {
        // XML has no characters U+FFFE and U+FFFF.
        let text = text.replace(['\u{FFFE}', '\u{FFFF}'], "\u{FFFD}");
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        self.open(name, attributes);
        self.write(format_args!("{text}</{name}>\n"));
    }

    fn open(&mut self, name: &str, attributes: fmt::Arguments<'_>) {
        let attributes = attributes.to_string();
        let space = if attributes.is_empty() { "" } else { " " };
        self.write(format_args!("<{name}{space}{attributes}>"));
    }

    fn write(&mut self, text: fmt::Arguments<'_>) {
        self.0.write_fmt(text).expect("writing to a String cannot fail");
    }
}
