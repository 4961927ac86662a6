//! Shows a refused record as compilers show errors: the place, the line with a caret, what is wrong and why, and what
//! was expected.

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use assam_notation::{Error, Piece, Place, SetupLine};

use crate::process::input::is_steering;
use crate::process::look::Look;

/// The width that a diagnosis is written for, in columns, where the terminal is no narrower; longer lines are cut around the
/// caret.
const WIDTH: usize = 100;
/// The least width.
const LEAST: usize = 40;

/// Renders the diagnosis of a refused record of `source`; it ends with a blank line.
pub fn render(source: &str, piece: Piece<'_>, error: &Error, look: Look) -> String {
    // What is before a record on its first line is of another one.
    let Place { line, column, .. } = piece.place(error.place);
    let before = " ".repeat((column - error.place.column) as usize);
    let (text, line) = (before + &line_of(piece.bytes, error.place.line), line as usize);
    let span = span_of(&text, column);
    let title = Group::with_title(Level::ERROR.primary_title(&error.detail).id(error.kind.as_str()));
    let mut group = if is_shown(piece.bytes) {
        let snippet = Snippet::source(text.as_str()).path(source).line_start(line);
        title.element(snippet.annotation(AnnotationKind::Primary.span(span).label(error.why.as_deref())))
    } else {
        title.element(Origin::path(source).line(line).char_column(column as usize))
    };
    group = group.element(Level::NOTE.with_name("rule").message(note(error)));
    if let Some(expected) = &error.expected {
        group = group.element(Level::HELP.with_name("expected").message(expected.as_ref()));
    }
    if let Some(advice) = advice(piece.bytes, error) {
        group = group.element(Level::HELP.message(advice));
    }
    let renderer = if look.is_colored { Renderer::styled() } else { Renderer::plain() };
    let width = look.columns.map_or(WIDTH, |columns| columns.clamp(LEAST, WIDTH));
    let mut rendered = renderer.term_width(width).render(&[group]);
    rendered.push_str("\n\n");
    rendered
}

/// Returns whether a line of a text is shown: what is no text at all would fill the terminal with noise.
fn is_shown(text: &[u8]) -> bool {
    text.starts_with(b"MKN/") || std::str::from_utf8(text).is_ok_and(|text| !text.contains('\0'))
}

/// Returns which command takes a text that is no record.
fn advice(text: &[u8], error: &Error) -> Option<&'static str> {
    let is_other =
        matches!(error.rule, "notation.setup.no-format" | "notation.limit.record" | "notation.text.utf8");
    if !is_other || text.starts_with(b"MKN/") {
        return None;
    }
    if text.trim_ascii_start().starts_with(b"{") {
        return Some(
            "`assam verify` takes a proof; `jq -r .record` takes the records out of an export in ndjson",
        );
    }
    if text.starts_with(b"SQLite format 3\0") {
        return Some("`assam export --database sqlite:FILE` writes the games of a database");
    }
    let first_line = line_of(text, 1);
    let is_position = SetupLine::read_position_line(&first_line).is_ok();
    is_position
        .then_some("`assam show` takes a position line in a file, `assam perft --position` as an argument")
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
    let text = String::from_utf8_lossy(record).replace("\r\n", "\n");
    let line = text.split(['\n', '\r']).nth(line as usize - 1).unwrap_or_default();
    // The renderer shows terminal controls as pictures, except those from U+0080 to U+009F. What takes no column would stand above
    // no caret.
    line.replace(|c| ('\u{80}'..='\u{9f}').contains(&c) || is_steering(c), "\u{fffd}")
}

/// Returns the range of bytes from a column, counted in characters from 1, to the next blank; that of one character that is not
/// visible ASCII.
fn span_of(text: &str, column: u32) -> std::ops::Range<usize> {
    let start = text.char_indices().nth(column as usize - 1).map_or(text.len(), |(at, _)| at);
    let rest = &text[start..];
    let length = match rest.chars().next() {
        // A character that is at fault alone.
        Some(first) if !first.is_ascii_graphic() => first.len_utf8(),
        Some(_) | None => rest.find([' ', '\t']).unwrap_or(rest.len()),
    };
    start..start + length
}
