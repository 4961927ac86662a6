//! Shows a refused record as compilers show errors: the place, the line with a caret, what is wrong and why, and what
//! was expected.

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use assam_notation::{Error, Piece};

/// The terminal width that a diagnosis is written for, in columns; longer lines are cut around the caret.
const WIDTH: usize = 100;

/// Renders the diagnosis of a refused record of `source`; it ends with a blank line.
pub fn render(source: &str, piece: Piece<'_>, error: &Error, colored: bool) -> String {
    let text = line_of(piece.bytes, error.place.line);
    let line = piece.line as usize + error.place.line as usize - 1;
    let span = span_of(&text, error.place.column);
    let snippet = Snippet::source(text.as_str())
        .path(source)
        .line_start(line)
        .annotation(AnnotationKind::Primary.span(span).label(error.why.as_deref()));
    let mut group = Group::with_title(Level::ERROR.primary_title(&error.detail).id(error.kind.as_str()))
        .element(snippet)
        .element(Level::NOTE.with_name("rule").message(note(error)));
    if let Some(expected) = &error.expected {
        group = group.element(Level::HELP.with_name("expected").message(expected.as_ref()));
    }
    let renderer = if colored { Renderer::styled() } else { Renderer::plain() };
    let mut rendered = renderer.term_width(WIDTH).render(&[group]);
    rendered.push_str("\n\n");
    rendered
}

/// Returns the identifier of the rule, and the place in the game.
fn note(error: &Error) -> String {
    let place = match (error.place.ply, error.place.word) {
        (Some(ply), _) => format!(", ply {ply}"),
        (None, Some(word)) => format!(", word {word}"),
        (None, None) => String::new(),
    };
    format!("{}{place}", error.rule)
}

/// Returns a line of a record, counted from 1, without its end; anything that is not UTF-8 is replaced.
fn line_of(record: &[u8], line: u32) -> String {
    let bytes = record.split(|&byte| byte == b'\n').nth(line as usize - 1).unwrap_or_default();
    let line = String::from_utf8_lossy(bytes.strip_suffix(b"\r").unwrap_or(bytes));
    // The renderer shows terminal controls as pictures, except those from U+0080 to U+009F.
    line.replace(|c| ('\u{80}'..='\u{9f}').contains(&c), "\u{fffd}")
}

/// Returns the range of bytes from a column, counted in characters from 1, to the next blank.
fn span_of(text: &str, column: u32) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    start..start + rest.find([' ', '\t']).unwrap_or(rest.len())
}
